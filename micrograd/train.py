"""Losses, one SGD step, and a training loop for scores of +1 and -1."""

import gc
import random
from contextlib import contextmanager

from micrograd.engine import Value

# Chapter 6, Training


def _check_lengths(what, rows, labels):
    """Raise ValueError for no rows at all, or not a label for each."""
    if len(rows) != len(labels):
        raise ValueError(f"{len(rows)} {what} but {len(labels)} labels")
    if not len(rows):
        raise ValueError(f"no {what}: one at least is needed")


def max_margin_loss(scores, labels):
    """Return the mean of relu(1 - label * score), the hinge loss.

    scores: a sequence of Values. labels: as many numbers, each -1 or +1.
    ValueError otherwise, or if there are none.
    """
    _check_lengths("scores", scores, labels)
    for label in labels:
        if label not in (-1, 1):
            raise ValueError(
                f"labels are -1 or +1, got {label!r}; 2 * label - 1 turns "
                "0 and 1 into them"
            )
    losses = [(1 + -y * s).relu() for y, s in zip(labels, scores)]
    return sum(losses) * (1.0 / len(losses))


def accuracy(scores, labels):
    """Return the share, 0 to 1, of scores whose sign is the label's.

    A score of 0 counts as -1. ValueError: see max_margin_loss.
    """
    _check_lengths("scores", scores, labels)
    right = [(s.data > 0) == bool(y > 0) for s, y in zip(scores, labels)]
    return sum(right) / len(right)


def l2_penalty(parameters, alpha=1e-4):
    """Return alpha times the sum of the squared parameters, a Value."""
    return alpha * sum(p * p for p in parameters)


def loss_and_accuracy(model, inputs, labels, alpha=1e-4):
    """Return (loss, accuracy) of the model on these rows: Value, float.

    The loss is max_margin_loss of the scores plus l2_penalty.
    """
    # Wrapped here, a number becomes one node, not one for each neuron.
    scores = [model([Value(x) for x in row]) for row in inputs]
    loss = max_margin_loss(scores, labels)
    loss += l2_penalty(model.parameters(), alpha)
    return loss, accuracy(scores, labels)


def sgd_step(parameters, learning_rate):
    """Move each parameter's data against its gradient, in place."""
    for p in parameters:
        p.data -= learning_rate * p.grad


def linear_decay(step, steps=100, start=1.0):
    """Return the learning rate: start at step 0, a tenth at steps."""
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
    *,
    learning_rate=1.0,
    alpha=1e-4,
    batch_size=None,
    rng=random,
    progress=False,
    each_step=None,
):
    """Train the model in place by SGD, on the hinge loss plus L2 penalty.

    Return a list of (loss, accuracy), each from before its step.
    inputs: rows of numbers. labels: as many -1 or +1. learning_rate: of
    the first step, see linear_decay. alpha: see l2_penalty. batch_size:
    how many rows rng draws for each step; None: all, in order. progress:
    show a bar. each_step: called as each_step(step, loss, accuracy) once
    the gradients are known, before the parameters move. ValueError: no
    rows, not a label for each, or a batch_size that does not fit.
    """
    _check_lengths("inputs", inputs, labels)
    rows = list(zip(inputs, labels))
    if batch_size is not None and not 1 <= batch_size <= len(rows):
        raise ValueError(
            f"batch_size is 1 to {len(rows)}, all rows, got {batch_size}"
        )
    history = []
    with collector_paused():
        for step in _steps(steps, progress):
            batch = rng.sample(rows, batch_size) if batch_size else rows
            loss, share = loss_and_accuracy(model, *zip(*batch), alpha)
            model.zero_grad()
            loss.backward()
            loss = loss.data  # a plain number: this frees the graph
            history.append((loss, share))
            if each_step:
                each_step(step, loss, share)
            rate = linear_decay(step, steps, learning_rate)
            sgd_step(model.parameters(), rate)
    return history
