"""The export: what it makes of cells, and what it refuses."""

from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.notebooks import Notebook
from tools.tangle import TangleError, tangle


def chapter(number, *sources, tag="export-engine"):
    """A notebook in memory: a title, then one cell for each source."""
    notebook = Notebook(Path(f"book/{number:02}_chapter.ipynb"))
    cells = [new_markdown_cell(f"# {number}. Title {number}")]
    for source in sources:
        if isinstance(source, str):
            source = new_code_cell(source, metadata={"tags": [tag]})
        cells.append(source)
    notebook.__dict__["node"] = new_notebook(cells=cells)
    return notebook


def untagged(source):
    return new_code_cell(source)


CLASS = '''class Value:
    """A number."""

    def __init__(self, data):
        self.data = data'''


def test_methods_move_into_the_class_with_their_comments():
    first = chapter(1, '"""Doc."""\n\nimport os', CLASS)
    second = chapter(
        2,
        "import math\nimport os",
        "def helper(x):\n    return x  # kept",
        "# Why it is so.\n@extend(Value)\ndef root(self):\n"
        '    """Return it.\n\n    Twice.\n    """\n'
        "    # and a comment inside\n    return helper(self.data)",
        "Value.kind = math.pi",
    )
    assert tangle([first, second])["engine"] == (
        '"""Doc."""\n\nimport math\nimport os\n\n# Chapter 1, Title 1\n\n\n'
        f"{CLASS}\n\n    # Chapter 2, Title 2\n\n"
        "    # Why it is so.\n    def root(self):\n"
        '        """Return it.\n\n        Twice.\n        """\n'
        "        # and a comment inside\n"
        "        return helper(self.data)\n\n"
        "    kind = math.pi\n\n\n# Chapter 2, Title 2\n\n\n"
        "def helper(x):\n    return x  # kept\n"
    )


@pytest.mark.parametrize(
    "source, message",
    [
        (
            "@extend(Value)\ndef f(self): ...\n\n@extend(Value)\n"
            "def f(self): ...",
            "cell 3, line 4: f is defined already, in book/01_",
        ),
        ("class Value: ...", "cell 3, line 1: Value is defined already"),
        (
            "@extend(Value)\ndef __init__(self): ...",
            "__init__ is defined already",
        ),
        ("@extend(Other)\ndef f(self): ...", "no exported class Other"),
        (
            "@extend(Value)\ndef f(self):\n    return super().f()",
            r"super\(\) has no class",
        ),
        (
            "@extend(Value)\ndef f(self):\n    return self.__hidden",
            "__hidden would be mangled",
        ),
        (
            "@extend(Value)\ndef __eq__(self, other): ...",
            "__eq__ without __hash__",
        ),
        (
            '@extend(Value)\ndef f(self):\n    return """a\nb"""',
            "would change its indent",
        ),
        ("Value.twin = Value(2)", "Value is not known inside its own"),
        ("print(1)", "only imports, functions, classes"),
        ("x = 1\nfor i in x: ...", "line 2: only imports"),
        ("x = (", "line 1: not Python"),
        ("x = '" + "a" * 80 + "'", "86 columns"),
        (
            untagged("@extend(Value)\ndef f(self): ..."),
            "Value is changed but not exported",
        ),
        (untagged("Value.f = None"), "Value is changed but not exported"),
    ],
)
def test_refused_with_notebook_cell_and_line(source, message):
    with pytest.raises(TangleError, match=message) as caught:
        tangle([chapter(1, CLASS, source)])
    assert "book/01_chapter.ipynb, cell 3, line " in str(caught.value)


def test_hash_beside_eq_is_accepted():
    both = (
        "@extend(Value)\ndef __hash__(self): ...",
        ("@extend(Value)\ndef __eq__(self, other): ..."),
    )
    assert "__eq__" in tangle([chapter(1, CLASS, *both)])["engine"]


def test_a_wrong_version_may_live_in_a_subclass():
    wrong = untagged("class Wrong(Value):\n    def f(self): ...")
    assert "Wrong" not in tangle([chapter(1, CLASS, wrong)])["engine"]
