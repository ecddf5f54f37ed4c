"""A number that remembers how it was computed, and its gradient."""

import math
from numbers import Real

# Chapter 1, A number that remembers


def _real(x, where):
    """Return x as a float; where names the place in the error message."""
    if isinstance(x, bool) or not isinstance(x, Real):
        raise TypeError(
            f"{where} takes one real number, got {type(x).__name__}: {x!r:.60}"
        )
    try:
        return float(x)
    except OverflowError:
        kind = type(x).__name__
        message = f"{where}: this {kind} is too large for a float"
        raise OverflowError(message) from None


class Value:
    """A real number and the operation that made it.

    data: the number, a float. grad: the derivative of some output with
    respect to this number, a float, filled in by backward(). _prev: the
    inputs of the operation, a tuple of Values in operand order, empty
    for a leaf. _op: the operation's name, "" for a leaf.
    """

    def __init__(self, data, _children=(), _op=""):
        """Wrap a real number; TypeError for anything else, bools too."""
        self.data = data if type(data) is float else _real(data, "Value")
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op

    def _backward(self, grad):
        """Pass grad on to the inputs: a leaf has none, operations do."""

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        """Return self + other; the gradient passes to both unchanged."""
        other = _operand(other, "Value + other")
        out = Value(self.data + other.data, (self, other), "+")

        def _backward(grad):
            self.grad += grad
            other.grad += grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        """Return self * other; each input's share is scaled by the other."""
        other = _operand(other, "Value * other")
        out = Value(self.data * other.data, (self, other), "*")

        def _backward(grad):
            self.grad += other.data * grad
            other.grad += self.data * grad

        out._backward = _backward
        return out

    # Chapter 2, Walking back

    def backward(self):
        """Add d self / d leaf to the grad of every leaf self depends on.

        Interior gradients start from 0 on each call; leaves accumulate, so
        two calls without resetting them give twice their gradients.
        """
        order = topological_order(self)
        for node in order:
            if node._prev:
                node.grad = 0.0
        self.grad += 1.0
        for node in reversed(order):
            node._backward(node.grad)

    # Chapter 3, Four primitives are enough

    def __pow__(self, exponent):
        """Return self ** exponent; the derivative is n * self ** (n - 1).

        exponent: n, a constant real number; TypeError otherwise. ValueError:
        a fractional power of a negative number. ZeroDivisionError or
        OverflowError: no finite result.
        """
        if isinstance(exponent, Value):
            raise TypeError(
                "the exponent of ** is a constant, not a Value; for a ** b "
                "write (b * a.log()).exp(), from the exercises of chapter 3"
            )
        n = _real(exponent, "Value ** exponent")
        try:
            data = self.data**n
        except ArithmeticError as error:
            message = f"{self.data} ** {exponent} is not a finite float"
            raise type(error)(message) from None
        if isinstance(data, complex):
            message = f"({self.data}) ** {exponent} is not a real number"
            raise ValueError(message)
        out = Value(data, (self,), f"**{exponent}")

        def _backward(grad):
            if n == 0:  # a constant: no share, even of an infinite gradient
                return
            try:
                derivative = n * self.data ** (n - 1)
            except ArithmeticError:  # at a pole, or too large for a float
                sign = self.data if n % 2 == 0 else 1.0  # n - 1 odd, or not
                derivative = n * math.copysign(math.inf, sign)
            self.grad += derivative * grad

        out._backward = _backward
        return out

    def relu(self):
        """Return max(0, self); the gradient passes where self > 0."""
        out = Value(0.0 if self.data <= 0 else self.data, (self,), "ReLU")

        def _backward(grad):
            # Chosen, not multiplied: 0 * inf is nan. A nan input passes.
            self.grad += 0.0 if self.data <= 0 else grad

        out._backward = _backward
        return out

    def __neg__(self):
        """Return -self, as self * -1."""
        return self * -1

    def __sub__(self, other):
        """Return self - other, as self + (-other)."""
        # A Value before the minus: -np.uint8(5) would be 251.
        return self + (-_operand(other, "Value - other"))

    def __truediv__(self, other):
        """Return self / other, as self * other**-1, which rounds twice."""
        other = _operand(other, "Value / other")
        try:
            return self * other**-1
        except ArithmeticError as error:
            message = f"{self.data} / {other.data}: {error}"
            raise type(error)(message) from None

    def __rsub__(self, other):
        """Return other - self, where other is a plain number."""
        return _operand(other, "other - Value") - self

    def __radd__(self, other):
        """Return other + self, where other is a plain number."""
        return _operand(other, "other + Value") + self

    def __rmul__(self, other):
        """Return other * self, where other is a plain number."""
        return _operand(other, "other * Value") * self

    def __rtruediv__(self, other):
        """Return other / self, where other is a plain number."""
        return _operand(other, "other / Value") / self

    def __rpow__(self, other):
        """Refuse other ** self: the exponent of a power is a constant."""
        return _operand(other, "other ** Value") ** self

    # numpy then leaves array * value to Value, which refuses the array.
    __array_ufunc__ = None

    def __lt__(self, other):
        """Compare data; == stays identity, which sets of nodes rely on."""
        return self.data < _operand(other, "Value < other").data

    def __le__(self, other):
        """Compare data."""
        return self.data <= _operand(other, "Value <= other").data

    def __gt__(self, other):
        """Compare data."""
        return self.data > _operand(other, "Value > other").data

    def __ge__(self, other):
        """Compare data."""
        return self.data >= _operand(other, "Value >= other").data

    def __float__(self):
        """Return data: a plain number, which no longer remembers."""
        return self.data

    def __format__(self, spec):
        """Format data by spec, as in f"{value:.4f}"; without one, the repr."""
        return format(self.data, spec) if spec else repr(self)

    def __getstate__(self):
        """Return the fields to copy or pickle; TypeError unless a leaf."""
        if self._prev:
            raise TypeError(
                "only leaves can be copied or pickled, not the result of "
                f"{self._op}: its closure would still feed the old inputs"
            )
        return self.__dict__


def _operand(x, where):
    """Return x, or a Value that holds it; see _real for the error."""
    return x if isinstance(x, Value) else Value(_real(x, where))


# Chapter 2, Walking back


def topological_order(root):
    """Return the list of Values that root depends on, itself included.

    Inputs come before what is computed from them, in operand order, so
    the list is the same on every run. A depth-first search that keeps
    its own stack: the depth of the graph is not limited.
    """
    order, seen, stack = [], {root}, [(root, iter(root._prev))]
    while stack:
        node, inputs = stack[-1]
        for child in inputs:
            if child not in seen:
                seen.add(child)
                stack.append((child, iter(child._prev)))
                break
        else:  # all inputs are placed
            order.append(node)
            stack.pop()
    return order
