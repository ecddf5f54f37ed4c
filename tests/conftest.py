"""What several tests share."""

import shutil
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A copy of what the generators read and write, to be broken."""
    for name in ("book", "micrograd", "solutions", "exercises"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("pyproject.toml", "_config.yml"):
        shutil.copy(ROOT / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edit(path, change):
    """Hand the cells of a notebook to change, then write it."""
    node = nbformat.read(path, as_version=4)
    change(node.cells)
    nbformat.write(node, path)


def exported(cells, text):
    """The first cell whose source holds the text."""
    return next(cell for cell in cells if text in cell.source)
