"""Which cells can run in the page, and why the others cannot."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "book" / "look"))

from cells import imports_here, not_live


def needs(*sources):
    return not_live(sources, [[] for _ in sources])


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (["import math", "math.pi"], [None, None]),
        (["import numpy as np", "np.pi", "1"], ["numpy", "numpy", None]),
        (["import math\nimport torch"], ["torch"]),
        # what a dead cell defines is dead, until it is defined again
        (["import numpy as np", "x = np.pi", "x", "x = 1", "x"],
         ["numpy", "numpy", "numpy", None, None]),
        (["import numpy as np", "x = np.pi", "x = x + 1"], ["numpy"] * 3),
        # a function is dead only when it is called
        (["import numpy as np", "def f():\n    return np.pi", "f()"],
         ["numpy", None, "numpy"]),
        (["def f():\n    import torch", "def g():\n    f()", "f", "g()"],
         [None, None, "torch", "torch"]),
        # an import that a caller can avoid
        (["def f(bar):\n    if not bar:\n        return 1\n    import tqdm",
          "f(False)"], [None, None]),
        # names of a function's or comprehension's own
        (["import numpy as x", "def f(x):\n    return x", "f(1)"],
         ["numpy", None, None]),
        (["import numpy as x", "f = lambda x: x"], ["numpy", None]),
        (["import numpy as x", "[x for x in range(3)]"], ["numpy", None]),
        (["import numpy as np", "g = lambda: np.pi"], ["numpy", "numpy"]),
        (["import numpy as x", "def f():\n    def g(x):\n        return x",
          "f()"], ["numpy", None, None]),
        (["import numpy as np", "x = np.pi", "x += 1"], ["numpy"] * 3),
        # what a comprehension or a loop binds, and what its body does
        (["import numpy as np", "[np.pi for x in 'ab']", "for x in 'ab': x"],
         ["numpy", "numpy", None]),
        (["import numpy as x", "for x in 'ab': print(x)", "x"],
         ["numpy", None, None]),
        (["import numpy as x", "for i in 'ab':\n    x = i\n    print(x)"],
         ["numpy", None]),
        (["import numpy as np", "for i in np.ones(2): pass", "i"],
         ["numpy"] * 3),
        (["import numpy as np", "x = [y := np.pi for z in 'a']", "y", "z = 1"],
         ["numpy", "numpy", "numpy", None]),
        # decorators and defaults are evaluated at once
        (["import numpy as np", "def f(x=np.pi):\n    return x"],
         ["numpy", "numpy"]),
        (["import numpy as np", "@np.vectorize\ndef f(x):\n    return x"],
         ["numpy", "numpy"]),
        (["%pip install x"], [""]),
    ],
)  # fmt: skip
def test_needs(sources, expected):
    assert needs(*sources) == expected


def test_imports_of_a_cell_that_is_not_live():
    """Each module needs itself; what the page has is imported all the same."""
    cell = "import numpy as np, math\nimport torch\nfrom numbers import Real"
    assert imports_here(cell) == "import math\nfrom numbers import Real"
    assert needs(cell, "math.pi, Real", "torch", "np") == [
        "numpy", None, "torch", "numpy"]  # fmt: skip


def test_tag():
    assert not_live(["1", "2"], [["not-live"], []]) == ["", None]


def test_names_from_the_package():
    """flipbook needs ipywidgets; train needs tqdm only if asked to."""
    assert needs(
        "from micrograd.draw import draw_dot, flipbook",
        "draw_dot",
        "flipbook([], [])",
        "from micrograd.train import train",
        "train",
    ) == [None, None, "ipywidgets", None, None]
