"""Every arrow of the data flow fails when its end is stale."""

import pytest

from tests.conftest import edit, exported
from tools.refresh import check, refresh


def complaint():
    """What check() says of the project in this folder."""
    with pytest.raises(SystemExit) as caught:
        check()
    return str(caught.value)


def test_all_that_is_generated_is_fresh(project):
    check()


def drop(text):
    return lambda cells: cells.remove(exported(cells, text))


def rename(cells):
    cell = exported(cells, "def __mul__")
    cell.source = cell.source.replace("each input's", "every input's")


def duplicate(cells):
    cells.append(exported(cells, "def __add__").copy())
    cells[-1].id = "twin"


def forbidden(cells):
    cell = exported(cells, "def __mul__")
    cell.source = cell.source.replace("return out", "return super().out()")


def by_hand(tag):
    def change(cells):
        cell = next(c for c in cells if tag in c.metadata.get("tags", []))
        cell.source += "\n# by hand"

    return change


def leave_a_timestamp(cells):
    cells[-1].metadata["execution"] = {"iopub.status.busy": "now"}


@pytest.mark.parametrize(
    "name, change, said",
    [
        ("01_value", rename, "micrograd/engine.py is stale"),
        ("01_value", rename, "book/02_backward.ipynb is stale"),
        ("01_value", duplicate, "__add__ is defined already"),
        ("01_value", forbidden, "super() has no class here"),
        ("03_primitives", drop("def relu"), "book/package.md is stale"),
        ("03_primitives", drop("def relu"), "03_primitives.ipynb is stale"),
        ("02_backward", by_hand("code-so-far"), "02_backward.ipynb is stale"),
        ("04_graph", by_hand("outline"), "04_graph.ipynb is stale"),
        ("05_neurons", by_hand("install"), "05_neurons.ipynb is stale"),
        ("06_training", leave_a_timestamp, "06_training.ipynb is stale"),
    ],
)
def test_stale_in_a_notebook(project, name, change, said):
    edit(f"book/{name}.ipynb", change)
    assert said in complaint()


def test_stale_package(project):
    path = project / "micrograd" / "nn.py"
    path.write_text(path.read_text() + "\n# by hand\n")
    (project / "micrograd" / "extra.py").write_text("")
    output = complaint()
    assert "micrograd/nn.py is stale" in output
    assert "micrograd/extra.py comes from nowhere" in output
    assert "To mend it: make refresh" in output


@pytest.mark.parametrize("only", ["index", "09", "-1"])
def test_a_chapter_that_is_not_there(project, only):
    with pytest.raises(SystemExit, match=f"ONLY={only} is not the number"):
        refresh(only)
