"""Neurons, layers and the multi-layer perceptron."""

import random

from micrograd.engine import Value

# Chapter 5, Neurons


class Module:
    """Whatever has parameters; PyTorch's name for the same idea."""

    def zero_grad(self):
        """Set the gradient of every parameter to 0."""
        for p in self.parameters():
            p.grad = 0.0

    def parameters(self):
        """Return the list of Values that training may change."""
        return []


class Neuron(Module):
    """A weighted sum of nin inputs and a bias, through ReLU or not.

    Weights start as rng.uniform(-1, 1), the bias as 0.
    """

    def __init__(self, nin, nonlin=True, rng=random):
        self.w = [Value(rng.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(0)
        self.nonlin = nonlin

    def __call__(self, x):
        """Return one Value; ValueError unless x holds nin numbers."""
        x = tuple(x)
        if len(x) != len(self.w):
            raise ValueError(
                f"{self} takes {len(self.w)} inputs, got {len(x)}"
            )
        act = sum((wi * xi for wi, xi in zip(self.w, x)), self.b)
        return act.relu() if self.nonlin else act

    def parameters(self):
        """Return the weights, then the bias."""
        return [*self.w, self.b]

    def __repr__(self):
        kind = "ReLU" if self.nonlin else "Linear"
        return f"{kind}Neuron({len(self.w)})"


class Layer(Module):
    """nout neurons side by side, each seeing the same nin inputs."""

    def __init__(self, nin, nout, **kwargs):
        """Pass kwargs (nonlin, rng) on to every Neuron."""
        self.neurons = [Neuron(nin, **kwargs) for _ in range(nout)]

    def __call__(self, x):
        """Return a list of nout Values, or the one Value if nout is 1."""
        x = tuple(x)
        out = [neuron(x) for neuron in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self):
        """Return the parameters of each neuron in turn."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

    def __repr__(self):
        return f"Layer of [{', '.join(map(str, self.neurons))}]"


class MLP(Module):
    """Layers in a chain: hidden ones with ReLU, the last one linear.

    nin: how many inputs. nouts: a sequence, the width of each layer.
    """

    def __init__(self, nin, nouts, rng=random):
        if not len(nouts):
            raise ValueError("nouts is empty; an MLP has a last layer")
        sizes = [nin, *nouts]
        last = len(nouts) - 1
        self.layers = [
            Layer(sizes[i], sizes[i + 1], nonlin=i != last, rng=rng)
            for i in range(len(nouts))
        ]

    def __call__(self, x):
        """Return what the last layer returns for the nin numbers in x."""
        x = tuple(x)
        *hidden, last = self.layers
        for layer in hidden:  # not layer(x): it unwraps a single output
            x = [neuron(x) for neuron in layer.neurons]
        return last(x)

    def parameters(self):
        """Return the parameters of each layer in turn."""
        return [p for layer in self.layers for p in layer.parameters()]

    def __repr__(self):
        return f"MLP of [{', '.join(map(str, self.layers))}]"


def parameters_to_vector(parameters):
    """Return the parameters' data as a list of floats, ready for JSON."""
    return [p.data for p in parameters]


def vector_to_parameters(vector, parameters):
    """Set the parameters' data from a sequence of as many numbers.

    ValueError if the lengths differ, TypeError for what is no real
    number; no parameter is changed then.
    """
    data = [Value(number).data for number in vector]
    if len(data) != len(parameters):
        raise ValueError(
            f"{len(data)} numbers for {len(parameters)} parameters"
        )
    for p, number in zip(parameters, data):
        p.data = number
