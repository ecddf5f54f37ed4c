"""A scalar autograd engine, built in the book Gradients by Hand."""

from micrograd.engine import Value

# Chapter 4, Seeing the graph

# The version of the package, which pyproject.toml takes from here.
__version__ = "0.1.0"

# What `from micrograd import *` brings.
__all__ = ["Value"]
