"""Every figure says in words what it shows."""

import pytest

from tools.notebooks import every_notebook
from tools.site import ROOT


def silent(cells):
    """Return the code of cells that show a picture without saying what."""
    return [
        cell.source
        for cell in cells
        if cell.cell_type == "code"
        and any(
            kind.startswith("image/")
            for output in cell.outputs
            for kind in output.get("data", {})
        )
        and len(alternative(cell).split()) < 4
    ]


def alternative(cell):
    return cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")


@pytest.mark.parametrize("notebook", every_notebook(), ids=lambda n: n.name)
def test_alternative_text(notebook):
    assert not silent(notebook.cells)


def test_a_silent_figure_is_found():
    [notebook] = [
        n for n in every_notebook() if n.name == "book/04_graph.ipynb"
    ]
    for cell in notebook.cells:
        cell.metadata.pop("mystnb", None)
    assert silent(notebook.cells)


def test_pictures_in_text_have_words():
    for path in [*ROOT.glob("book/*.md"), ROOT / "README.md"]:
        assert "![](" not in path.read_text(), path.name
