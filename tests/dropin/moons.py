"""Two moons, three steps of training, as one writes it for micrograd."""

import random

import numpy as np
from sklearn.datasets import make_moons

from micrograd.engine import Value
from micrograd.nn import MLP

np.random.seed(1337)
random.seed(1337)
X, y = make_moons(n_samples=100, noise=0.1)
y = y * 2 - 1
model = MLP(2, [16, 16, 1])
print(len(model.parameters()))


def loss():
    inputs = [list(map(Value, row)) for row in X]
    scores = list(map(model, inputs))
    losses = [(1 + -yi * si).relu() for yi, si in zip(y, scores)]
    data_loss = sum(losses) * (1.0 / len(losses))
    reg_loss = 1e-4 * sum(p * p for p in model.parameters())
    right = [(yi > 0) == (si.data > 0) for yi, si in zip(y, scores)]
    return data_loss + reg_loss, sum(right)


for k in range(3):
    total, right = loss()
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.data -= (1.0 - 0.9 * k / 100) * p.grad
    print(f"{total.data:.13g} {right}")
