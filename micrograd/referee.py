"""Random programs, run on Values and in PyTorch, and compared."""

import functools
import math
import operator
from fractions import Fraction
from string import ascii_lowercase

import numpy as np
import torch
from hypothesis import strategies as st

from micrograd.engine import Value

# Chapter 7, The referee


def tensor(x):
    """Return a tensor that holds one number, in 64 bits as a Value's."""
    return torch.tensor(float(x), dtype=torch.float64)


# What a step of a program can do: its text, and a function.
OPERATIONS = {
    "Value({})": Value,
    "{} + {}": operator.add,
    "{} * {}": operator.mul,
    "{} ** {}": operator.pow,
    "{}.relu()": lambda x: x.relu(),
    "-{}": operator.neg,
    "{} - {}": operator.sub,
    "{} / {}": operator.truediv,
    "sum([{}, {}])": lambda x, y: sum([x, y]),
}


class Program(tuple):
    """Steps: pairs of a text from OPERATIONS and a tuple of operands.

    An operand is the letter of an earlier step or a number. Steps are
    lettered from a on; the last is the output.
    """

    def lines(self):
        """Return the pairs of a letter and its step."""
        return zip(ascii_lowercase, self)

    def __repr__(self):
        return "\n".join(
            f"{letter} = {text.format(*map(_shown, operands))}"
            for letter, (text, operands) in self.lines()
        )


def _shown(operand):
    return operand if isinstance(operand, str) else repr(operand)


def run(program, operations=OPERATIONS):
    """Return {letter: Value} of the steps before the first refused one.

    The last of them has gone through backward().
    """
    values = {}
    for letter, (text, operands) in program.lines():
        inputs = [values.get(x, x) for x in operands]
        try:
            values[letter] = operations[text](*inputs)
        except (ArithmeticError, ValueError):
            break
    values[max(values)].backward()
    return values


# Most numbers of a program: they meet, and they cancel.
SMALL = -3, 3

# The numbers of a program: every type that a Value accepts.
NUMBERS = (
    st.integers(*SMALL)
    | st.floats(*SMALL)
    | st.fractions(*SMALL)
    | st.integers(*SMALL).map(np.int64)
    | st.integers(*SMALL).map(abs).map(np.uint8)
    | st.floats(*SMALL, width=32).map(np.float32)
    | st.floats().map(np.float64)
)

# The exponents: whole, fractional, and of other types.
EXPONENTS = st.integers(*SMALL) | st.sampled_from(
    [0.5, -0.5, 2.5, Fraction(-1, 3), np.float32(1.5), np.uint8(2)]
)


@functools.cache
def steps_after(count):
    """Return the strategy of a step that has count steps before it."""
    letters = ascii_lowercase[:count]
    nodes = st.sampled_from(letters + letters[-1] * count)
    one = st.tuples(nodes)
    two = st.tuples(nodes, nodes)
    two |= st.tuples(nodes, NUMBERS) | st.tuples(NUMBERS, nodes)
    power = st.tuples(nodes, EXPONENTS)
    operands = {text: (one, two)[text.count("{}") - 1] for text in OPERATIONS}
    operands["{} ** {}"] = power
    del operands["Value({})"]
    return st.one_of(
        [st.tuples(st.just(t), drawn) for t, drawn in operands.items()]
    )


@st.composite
def programs(draw):
    """Draw a Program: one to three inputs, then one to eight steps."""
    steps = []
    for _ in range(draw(st.integers(1, 3))):
        steps.append(("Value({})", (draw(NUMBERS),)))
    for _ in range(draw(st.integers(1, 8))):
        steps.append(draw(steps_after(len(steps))))
    return Program(steps)


# The same steps in PyTorch, down to the order of rounding.
IN_PYTORCH = OPERATIONS | {
    "Value({})": torch.Tensor.requires_grad_,
    "{} / {}": lambda x, y: x * y ** tensor(-1),
}


def by_size(x):
    """Return x for one use, through which gradients lose their sign."""
    use = x.clone()
    use.register_hook(torch.abs)
    return use


def same(x, y, size=0.0):
    """Whether x is y: equal, both nan, or within 4 ulp of a size."""
    if x == y or (math.isnan(x) and math.isnan(y)):
        return True
    return abs(x - y) <= 4 * math.ulp(size) < math.inf


def in_pytorch(program, last, use=lambda x: x):
    """Return {letter: number} and {letter: gradient} from PyTorch.

    last: the letter of the output; one step more is run, not used. use:
    called on each operand, see by_size.
    """
    nodes, data = {}, {}
    for letter, (text, operands) in program.lines():
        inputs = [use(nodes[x]) if x in nodes else tensor(x) for x in operands]
        node = IN_PYTORCH[text](*inputs)
        data[letter] = node.item()
        if letter > last:
            break
        node.retain_grad()
        nodes[letter] = node
    nodes[last].backward()
    shares = {k: x.grad for k, x in nodes.items()}
    return data, {k: 0.0 if x is None else x.item() for k, x in shares.items()}


def disagreements(program, operations=OPERATIONS):
    """Return in words where Values and PyTorch differ, as a list."""
    try:
        values = run(program, operations)
    except Exception as error:  # a wrong closure may raise anything
        return [f"backward raises {type(error).__name__}"]
    last = max(values)
    data, grads = in_pytorch(program, last)
    found = []
    for letter, x in data.items():
        if letter > last:
            if math.isfinite(x):
                found.append(f"{letter} is refused, PyTorch has {x}")
        elif not same(values[letter].data, x):
            found.append(f"{letter} is {values[letter].data}, not {x}")
    if all(same(values[k].grad, grads[k]) for k in grads):
        return found
    sizes = in_pytorch(program, last, by_size)[1]
    for letter, x in grads.items():
        if not same(values[letter].grad, x, sizes[letter]):
            grad = values[letter].grad
            found.append(f"the gradient of {letter} is {grad}, not {x}")
    return found
