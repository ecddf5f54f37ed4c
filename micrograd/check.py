"""Laws that every correct gradient obeys, and verdicts on exercises."""

import functools
import gc
import inspect
import math
import os
import random
import weakref

from micrograd.engine import Value

# Chapter 7, The referee


class Broken(AssertionError):
    """A law that does not hold, with the input and the numbers."""


def _output(f, xs):
    """Return f of the numbers xs as a Value, and its inputs."""
    inputs = [Value(x) for x in xs]
    out = f(*inputs)
    if not isinstance(out, Value):
        raise Broken(
            f"a Value should come back, got {type(out).__name__}; "
            "is the return missing?"
        )
    return out, inputs


def gradient(f, xs):
    """Return the gradient of f at xs by one backward pass, floats."""
    out, inputs = _output(f, xs)
    out.backward()
    return [x.grad for x in inputs]


def numeric_gradient(f, xs, h=1e-6):
    """Return the central differences of f at xs, a list of floats.

    f: takes as many Values as xs has numbers and returns one. h: the
    step, relative to inputs larger than 1.
    """
    slopes = []
    for i, x in enumerate(xs):
        step = h * max(1.0, abs(x))
        up, down = list(xs), list(xs)
        up[i], down[i] = x + step, x - step
        rise = _output(f, up)[0].data - _output(f, down)[0].data
        slopes.append(rise / (2 * step))
    return slopes


def expect(got, wanted, where, tolerance=1e-5):
    """Raise Broken unless got is wanted, floats within the tolerance.

    where: the input, for the message. Lists are compared item by item,
    Values by their data. An answer that is ... counts as not given yet.
    """
    if got is ...:
        raise NotImplementedError
    if not _same(got, wanted, tolerance):
        raise Broken(
            f"at {_show(where)} expected {_show(wanted)}, got {_show(got)}"
        )


def _same(got, wanted, tolerance):
    if isinstance(wanted, (list, tuple)):
        return (
            isinstance(got, (list, tuple))
            and len(got) == len(wanted)
            and all(_same(*pair, tolerance) for pair in zip(got, wanted))
        )
    if isinstance(wanted, (float, Value)):
        try:
            got, wanted = float(got), float(wanted)
        except (TypeError, ValueError):
            return False
        return got == wanted or math.isclose(
            got, wanted, rel_tol=tolerance, abs_tol=tolerance
        )
    return got == wanted


def _show(x):
    if isinstance(x, (list, tuple)):
        return f"({', '.join(map(_show, x))})"
    return f"{float(x):.6g}" if isinstance(x, (float, Value)) else f"{x}"


def law(title):
    """Return a decorator that makes a test a law with this title.

    Called with its arguments, a law does not run yet: check() runs it.
    """

    def decorate(test):
        @functools.wraps(test)
        def deferred(*args, **kwargs):
            return title, lambda: test(*args, **kwargs)

        return deferred

    return decorate


def check(name, *laws):
    """Print in one line whether all laws hold, or the first broken one.

    name: the exercise, such as "3.2". An answer that is ... or raises
    NotImplementedError is "to do". With MICROGRAD_CHECK=raise in the
    environment, every verdict but "right" raises AssertionError.
    """
    verdict = _verdict(laws)
    if verdict != "right" and os.environ.get("MICROGRAD_CHECK") == "raise":
        raise AssertionError(f"{name} {verdict}")
    print(name, verdict)


def _verdict(laws):
    for title, test in laws:
        try:
            test()
        except NotImplementedError:
            return "to do"
        except Broken as broken:
            return f"not yet: {title}: {broken}"
        except Exception as error:  # whatever an answer may raise
            return f"not yet: {title}: {type(error).__name__}: {error}"
    return "right"


def points(ranges, count=5, seed=0):
    """Yield count random points, one number from each (low, high)."""
    rng = random.Random(seed)
    for _ in range(count):
        yield [rng.uniform(low, high) for low, high in ranges]


@law("value")
def matches(f, reference, *ranges):
    """f of Values is the reference of floats, inside the ranges."""
    for xs in points(ranges):
        expect(_output(f, xs)[0], float(reference(*xs)), xs)


@law("central differences")
def differentiates(f, *ranges):
    """The gradient agrees with central differences."""
    for xs in points(ranges):
        expect(gradient(f, xs), numeric_gradient(f, xs), xs)


@law("chain rule")
def chains(f, *ranges):
    """The gradient that comes from the output scales what goes on."""
    for xs in points(ranges):
        got = gradient(lambda *v: f(*v) * -3, xs)
        expect(got, [-3 * slope for slope in numeric_gradient(f, xs)], xs)


@law("reuse of a node")
def reuses(f, *ranges):
    """A node that is used several times adds up its gradients."""

    def several(*v):
        return f(*v) * v[0] + f(*v)

    for xs in points(ranges):
        expect(gradient(several, xs), numeric_gradient(several, xs), xs)


@law("accumulation")
def accumulates(f, *ranges):
    """A leaf keeps the gradient it has, and gains the new one."""
    for xs in points(ranges):
        out, inputs = _output(f, xs)
        for x in inputs:
            x.grad = 1.0
        out.backward()
        wanted = [1 + slope for slope in numeric_gradient(f, xs)]
        expect([x.grad for x in inputs], wanted, xs)


@law("closure")
def closes(f, *ranges):
    """The closure takes the gradient and does not hold its output."""
    for xs in points(ranges, count=1):
        out, _ = _output(f, xs)
        if not inspect.signature(out._backward).parameters:
            raise Broken(
                "_backward takes no argument; write _backward(grad), and "
                "grad where the lecture has out.grad"
            )
        enabled = gc.isenabled()
        gc.disable()
        try:
            alive, out = weakref.ref(out), None
            if alive() is not None:
                raise Broken(
                    "the output is never freed: its closure captures it; "
                    "use the inputs or a float instead"
                )
        finally:
            if enabled:
                gc.enable()


def operation(f, reference, *ranges):
    """Return the laws of a differentiable operation, for check()."""
    laws = [differentiates, chains, reuses, accumulates]
    return [
        matches(f, reference, *ranges),
        closes(f, *ranges),
        *(each(f, *ranges) for each in laws),
    ]


@law("symmetry")
def symmetric(f, sign, *ranges):
    """f(-x) is sign * f(x)."""
    for xs in points(ranges):
        mirrored = _output(f, [-x for x in xs])[0]
        expect(mirrored, sign * _output(f, xs)[0].data, xs)


@law("linearity")
def linear(f, n):
    """f(2 x + 3 y) is 2 f(x) + 3 f(y), for n inputs each."""
    for both in points([(-1, 1)] * 2 * n):
        x, y = both[:n], both[n:]
        mixed = [2 * a + 3 * b for a, b in zip(x, y)]
        wanted = 2 * _output(f, x)[0].data + 3 * _output(f, y)[0].data
        expect(_output(f, mixed)[0], wanted, both)


@law("refusal")
def refuses(error, call):
    """call() raises the error."""
    try:
        got = call()
    except error:
        return
    raise Broken(f"expected {error.__name__}, got {_show(got)}")


def predicts(what, answer, truth):
    """Return the law that the answer is truth(), to three digits.

    what: the quantity's name, which the law's title holds. The message
    keeps the right number back.
    """

    def test():
        try:
            expect(answer, truth(), what, tolerance=1e-3)
        except Broken:
            message = f"{_show(answer)} is not what comes out"
            raise Broken(message) from None

    return f"prediction of {what}", test
