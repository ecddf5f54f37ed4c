"""Run random programs on Values and in PyTorch, as many as wanted.

    python -m tools.fuzz 100000 --seed 1

The programs come in blocks of a thousand, of which each has a seed of
its own, counted on from the first and printed: a block can be repeated
by itself. On a disagreement the shrunk program is printed, and the exit
code is 1.
"""

import argparse
import random
import sys
import time
from collections import Counter

from hypothesis import HealthCheck, Phase, given, seed, settings

from micrograd.referee import disagreements, programs, run

BLOCK = 1000


def options(count):
    """Return the settings of a run of count programs."""
    return settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )


def play(start, count):
    """Run a block; return its counts, or raise AssertionError."""
    counts = Counter()

    @seed(start)
    @options(count)
    @given(programs())
    def agree(program):
        found = disagreements(program)
        assert not found, "\n".join([repr(program), *found])
        counts["programs"] += 1
        counts["steps"] += len(program)
        counts["refused"] += len(run(program)) < len(program)

    agree()
    print(f"seed {start}: {counts['programs']} programs", flush=True)
    return counts


def fuzz(count, start):
    """Run count programs in blocks; return the counts of all."""
    total = Counter()
    for done in range(0, count, BLOCK):
        total += play(start + done // BLOCK, min(BLOCK, count - done))
    return total


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("count", type=int, help="how many programs")
    parser.add_argument("--seed", type=int, help="default: by chance")
    options_ = parser.parse_args(arguments)
    first = options_.seed
    if first is None:
        first = random.randrange(10**6)
    print(f"seed {first}", flush=True)
    began = time.monotonic()
    try:
        total = fuzz(options_.count, first)
    except AssertionError as error:
        sys.exit(f"Values and PyTorch disagree:\n{error}")
    print(
        f"{total['programs']} programs of {total['steps']} steps, "
        f"{total['refused']} of them with a refused one, "
        f"0 disagreements, {time.monotonic() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
