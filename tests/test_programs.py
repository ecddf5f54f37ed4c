"""Random programs agree with PyTorch; what is refused changes nothing."""

import copy
import math
import operator
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, seed

from micrograd import Value
from micrograd.engine import topological_order
from micrograd.referee import OPERATIONS, disagreements, programs
from tools import fuzz


def test_two_thousand_programs_agree():
    counts = fuzz.fuzz(2000, start=1)
    assert counts["programs"] == 2000
    assert 100 < counts["refused"] < 1000


@seed(0)
@given(programs())
@fuzz.options(300)
def test_twice_without_reset_gives_twice_the_gradients(program):
    # Twice up to rounding: the second walk adds its shares one by one.
    values = {}
    for letter, (text, operands) in program.lines():
        try:
            inputs = [values.get(x, x) for x in operands]
            values[letter] = OPERATIONS[text](*inputs)
        except (ArithmeticError, ValueError):
            break
    root = values[max(values)]
    leaves = [n for n in topological_order(root) if not n._prev]
    root.backward()
    once = [leaf.grad for leaf in leaves]
    root.backward()
    largest = max([abs(g) for g in once if math.isfinite(g)], default=0)
    for leaf, grad in zip(leaves, once):
        assert math.isnan(grad) or math.isclose(
            leaf.grad, 2 * grad, rel_tol=1e-9, abs_tol=1e-9 * largest
        )


def test_a_disagreement_is_shrunk_and_printed(monkeypatch, capsys):
    planted = OPERATIONS | {"-{}": lambda x: x * 1}
    monkeypatch.setattr(
        fuzz, "disagreements", lambda program: disagreements(program, planted)
    )
    with pytest.raises(SystemExit) as stopped:
        fuzz.main(["1500", "--seed", "7"])
    assert stopped.value.code not in (0, None)
    assert "a = Value(0)\nb = -a\n" in stopped.value.code
    assert "seed 7" in capsys.readouterr().out


# What no operand may be, with the word that the message must hold.
WRONG = [
    ("3", "str"),
    (None, "NoneType"),
    (2j, "complex"),
    (True, "bool"),
    (np.True_, "bool"),
    ([1.0], "list"),
    (np.array(2.0), "ndarray"),
    (np.ones(1), "ndarray"),
    (np.ones(2), "ndarray"),
    (np.ones((2, 2)), "ndarray"),
    (object, "type"),
]
SIGNS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "**": operator.pow,
}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def refused(call, error, *words):
    """The call raises the error, whose message holds all the words."""
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    for word in words:
        assert word in str(caught.value)


def fields(value):
    return value.data, value.grad, value._prev, value._op, value._backward


@pytest.fixture
def a():
    """A Value that has inputs, and has to be the same afterwards."""
    x, y = Value(2), Value(3)
    a = x * y
    a.backward()
    before = [fields(node) for node in (x, y, a)]
    yield a
    assert [fields(node) for node in (x, y, a)] == before
    (a + x).backward()
    assert (x.grad, y.grad, a.grad) == (3 + 4, 2 + 2, 1)


@pytest.mark.parametrize("operand, word", WRONG, ids=str)
@pytest.mark.parametrize("sign", SIGNS)
def test_wrong_operands(a, sign, operand, word):
    on_both_sides(a, sign, operand, TypeError, word)


@pytest.mark.parametrize("sign", SIGNS)
def test_operands_beyond_a_float(a, sign):
    on_both_sides(a, sign, 10**400, OverflowError, "int")
    refused(
        lambda: SIGNS[sign](a, Fraction(10**400)),
        OverflowError,
        f"Value {sign}",
        "Fraction",
    )


def on_both_sides(a, sign, operand, error, word):
    name = "exponent" if sign == "**" else "other"
    call = SIGNS[sign]
    refused(lambda: call(a, operand), error, f"Value {sign} {name}", word)
    text = f"other {sign} Value"
    if sign in MIRRORED:  # Python asks the right operand the other way
        text = f"Value {MIRRORED[sign]} other"
    refused(lambda: call(operand, a), error, text, word)


@pytest.mark.parametrize("operand, word", WRONG, ids=str)
def test_wrong_data(operand, word):
    refused(lambda: Value(operand), TypeError, "Value takes", word)


def test_data_beyond_a_float():
    for huge in (10**400, 10**5000, -(10**400), Fraction(10**400)):
        word = type(huge).__name__
        refused(lambda x=huge: Value(x), OverflowError, "Value", word)


def test_a_value_is_no_data_and_no_exponent(a):
    refused(lambda: Value(a), TypeError, "Value takes", "Value(data=6.0")
    refused(lambda: a**a, TypeError, "exponent of **", "constant")
    for number in (2, 2.0, Fraction(1, 2), np.float32(2), np.uint8(2)):
        refused(lambda n=number: n**a, TypeError, "exponent", "constant")


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda a: (a - 14) ** 0.5, ValueError, "(-8.0) ** 0.5"),
        (lambda a: (a - 14) ** Fraction(1, 3), ValueError, "(-8.0) ** 1/3"),
        (lambda a: (a - 6) ** -1, ZeroDivisionError, "0.0 ** -1"),
        (lambda a: (a - 6) ** -0.5, ZeroDivisionError, "0.0 ** -0.5"),
        (lambda a: a**400, OverflowError, "6.0 ** 400"),
        (lambda a: a / 0, ZeroDivisionError, "6.0 / 0.0"),
        (lambda a: 1 / (a - 6), ZeroDivisionError, "1.0 / 0.0"),
        (lambda a: 0 / (a - 6), ZeroDivisionError, "0.0 / 0.0"),
        (lambda a: a / 5e-324, OverflowError, "6.0 / 5e-324"),
        (copy.copy, TypeError, "*"),
        (copy.deepcopy, TypeError, "*"),
        (pickle.dumps, TypeError, "*"),
    ],
)
def test_refused_operations(a, call, error, words):
    refused(lambda: call(a), error, words)


def test_an_array_that_adds_a_value_to_itself_is_numpys_error(a):
    array = np.ones(2)
    with pytest.raises(TypeError):
        array += a
    assert array.tolist() == [1.0, 1.0]
