"""The form of the code: ruff, line lengths, cells kept small."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tools.notebooks import every_notebook, tags

GENERATED = {
    "install",
    "code-so-far",
    "outline",
    "bench-table",
    "tuple-engine",
}

NOTEBOOKS = [pytest.param(n, id=n.name) for n in every_notebook()]


def ruff(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "ruff", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def test_ruff_finds_nothing():
    assert ruff("check", "--quiet", ".") == ""


def test_code_is_formatted():
    code = ["micrograd", "tools", "tests", "book/look"]
    assert ruff("format", "--quiet", "--diff", *code) == ""


def test_notebooks_are_formatted():
    for folder in ("book", "exercises", "solutions"):
        found = ruff("format", "--quiet", "--diff", "--line-length", "75",
                     "--exclude", "look", folder)  # fmt: skip
        assert found == ""


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_cells_are_small(notebook):
    for index, cell in enumerate(notebook.cells, 1):
        if cell.cell_type != "code" or GENERATED & set(tags(cell)):
            continue
        lines = cell.source.splitlines()
        exported = any(tag.startswith("export-") for tag in tags(cell))
        code = [x for x in lines if x.strip() and "SOLUTION" not in x]
        count = len(code)
        assert exported or count <= 30, f"cell {index}: {count} lines"
        widest = max(map(len, lines), default=0)
        assert widest <= 75, f"cell {index}: {widest} columns"


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_a_notebook_is_smaller_than_1_mb(notebook):
    assert notebook.path.stat().st_size < 2**20
