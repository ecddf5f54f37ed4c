"""Grow a class over several cells, one method at a time."""


# Chapter 1, A number that remembers


def extend(cls):
    """Return a decorator that makes a function a method of cls.

    Objects made earlier gain the method too. The function is returned
    as it is, so that running the cell again is harmless.
    """

    def add_method(function):
        name = function.__name__
        function.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, function)
        return function

    return add_method
