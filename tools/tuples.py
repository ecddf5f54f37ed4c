"""An engine without closures: each node keeps its local derivatives."""

from micrograd.engine import topological_order


class Node:
    """A number, its inputs, and its derivative in each of them."""

    __slots__ = ("data", "grad", "_prev", "_local")

    def __init__(self, data, inputs=(), local=()):
        self.data = data
        self.grad = 0.0
        self._prev = inputs
        self._local = local

    def __add__(self, other):
        other = other if isinstance(other, Node) else Node(other)
        return Node(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        other = other if isinstance(other, Node) else Node(other)
        local = (other.data, self.data)
        return Node(self.data * other.data, (self, other), local)

    def relu(self):
        local = 1.0 if self.data > 0 else 0.0
        return Node(self.data * local, (self,), (local,))

    def backward(self):
        order = topological_order(self)
        for node in order:
            if node._prev:
                node.grad = 0.0
        self.grad += 1.0
        for node in reversed(order):
            for child, local in zip(node._prev, node._local):
                child.grad += local * node.grad

    __radd__ = __add__
    __rmul__ = __mul__
