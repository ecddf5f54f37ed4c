"""Losses, one SGD step, and a training loop for scores of +1 and -1."""

import gc
import random
from contextlib import contextmanager

from micrograd.engine import Value

# Chapter 6, Training


def max_margin_loss(scores, labels):
    """Return the mean of relu(1 - label * score), the hinge loss.

    scores: a sequence of Values. labels: as many numbers, each -1 or +1;
    ValueError otherwise.
    """
    if len(scores) != len(labels):
        raise ValueError(
            f"{len(scores)} scores do not match {len(labels)} labels"
        )
    for label in labels:
        if label not in (-1, 1):
            raise ValueError(f"labels are -1 or +1, got {label!r}")
    losses = [(1 + -y * s).relu() for y, s in zip(labels, scores)]
    return sum(losses) * (1.0 / len(losses))


def l2_penalty(parameters, alpha=1e-4):
    """Return alpha times the sum of the squared parameters, a Value."""
    return alpha * sum(p * p for p in parameters)


def accuracy(scores, labels):
    """Return the share, 0 to 1, of scores whose sign is the label's."""
    right = [(s.data > 0) == (y > 0) for s, y in zip(scores, labels)]
    return sum(right) / len(right)


def sgd_step(parameters, learning_rate):
    """Move each parameter's data against its gradient, in place."""
    for p in parameters:
        p.data -= learning_rate * p.grad


def linear_decay(step, steps=100, start=1.0):
    """Return the learning rate, which falls from start to a tenth."""
    return start * (1.0 - 0.9 * step / steps)


@contextmanager
def collector_paused():
    """Pause the cyclic garbage collector inside a with block.

    Graphs of Values have no cycles, so reference counting frees them.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _steps(steps, progress):
    """Return range(steps), with a progress bar around it if wanted."""
    if not progress:
        return range(steps)
    from tqdm.auto import tqdm  # here, since the rest does without it

    return tqdm(range(steps))


def train(
    model,
    inputs,
    labels,
    steps=100,
    start=1.0,
    alpha=1e-4,
    batch_size=None,
    rng=random,
    progress=False,
    each_step=None,
):
    """Train the model in place; return a (loss, accuracy) for each step.

    inputs: rows of numbers. labels: as many -1 or +1. start: the first
    learning rate, see linear_decay. alpha: see l2_penalty. batch_size:
    rows drawn with rng for each step, all of them by default. progress:
    show a bar. each_step: called as each_step(step, loss, accuracy)
    after the gradients are known and before the parameters move.
    """
    rows = list(zip(inputs, labels, strict=True))
    history = []
    with collector_paused():
        for step in _steps(steps, progress):
            batch = rng.sample(rows, batch_size) if batch_size else rows
            scores = [model([Value(x) for x in row]) for row, _ in batch]
            ys = [y for _, y in batch]
            loss = max_margin_loss(scores, ys)
            loss += l2_penalty(model.parameters(), alpha)
            model.zero_grad()
            loss.backward()
            history.append((loss.data, accuracy(scores, ys)))
            if each_step:
                each_step(step, *history[-1])
            sgd_step(model.parameters(), linear_decay(step, steps, start))
    return history
