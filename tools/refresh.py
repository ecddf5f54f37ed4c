"""Bring everything that is generated up to date, or check that it is.

python -m tools.refresh             write: generate, then execute
python -m tools.refresh --only 02   the same for one chapter
python -m tools.refresh --check     compare only; exit 1 if stale
"""

import argparse
import sys
import tomllib
from pathlib import Path

from tools import listing
from tools.notebooks import (
    chapters,
    every_notebook,
    execute,
    serialised,
    tags,
    write_if_changed,
    written_notebooks,
)
from tools.strip import exercise_node, exercise_of
from tools.tangle import tangle

TUPLES = Path(__file__).with_name("tuples.py")  # chapter 8 shows it
GROWING = ("extend", "engine")  # what chapters 2 and 3 carry on


def home():
    """The address of the repository: pyproject.toml is where it is set."""
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    return project["name"], project["urls"]["Repository"]


INSTALL = """\
# Where the book's package is missing, on Colab say, install it.
import importlib.util

if not importlib.util.find_spec("micrograd"):
    %pip install --quiet "{name}[notebooks] @ git+{url}"
elif not importlib.util.find_spec("micrograd.extend"):
    raise ImportError(
        "another package called micrograd is in the way: run "
        "%pip uninstall --yes micrograd, restart, and run this again"
    )"""


def fill(notebook, earlier):
    """Rewrite the generated cells of a notebook, in place."""
    name, url = home()
    generated = {
        "install": lambda: INSTALL.format(name=name, url=url),
        "code-so-far": lambda: code_so_far(earlier),
        "outline": lambda: listing.outline([*earlier, notebook]),
        "bench-table": bench_table,
        "tuple-engine": lambda: TUPLES.read_text().strip(),
    }
    for cell in notebook.cells:
        for tag in tags(cell):
            if tag in generated:
                cell.source = generated[tag]()


def bench_table():
    """What `make bench` stored, as a cell that needs no other file."""
    table = Path("book/data/bench.csv").read_text()
    return f'# Measured by make bench.\nBENCH = """\\\n{table}"""'


def code_so_far(earlier):
    """The growing modules as the chapters before left them."""
    sources = tangle(earlier)
    number = len(earlier)
    head = f"# The code as chapter {number} left it. Generated; folded away."
    return "\n\n\n".join([head, *(sources[m].strip() for m in GROWING)])


def generated():
    """Return {path: text} of every generated or normalised file."""
    book = chapters()
    files = {}
    for notebook in written_notebooks():
        earlier = [c for c in book if c.name < notebook.name]
        fill(notebook, earlier if notebook in book else [])
        files[notebook.path] = serialised(notebook.node)
        if notebook.path.parent.name == "solutions":
            files[exercise_of(notebook)] = serialised(exercise_node(notebook))
    sources = tangle(book)
    for module, source in sources.items():
        files[Path(f"micrograd/{module}.py")] = source
    files[Path("book/package.md")] = listing.package(book, sources)
    return files


def check():
    """Exit with the list of stale files, if there are any."""
    files = generated()
    stale = [
        f"{path} is stale"
        for path, text in files.items()
        if not path.exists() or path.read_text() != text
    ]
    stale += [
        f"{path} comes from nowhere: delete it"
        for pattern in ("micrograd/*.py", "exercises/*.ipynb")
        for path in Path().glob(pattern)
        if path not in files
    ]
    if stale:
        sys.exit("\n".join([*stale, "To mend it: make refresh"]))


def refresh(only=None):
    """Write what is generated, then execute the notebooks in order.

    only: a chapter's number as text; then those of this chapter alone.
    """
    numbers = {notebook.number for notebook in every_notebook()}
    if only is not None and not (only.isdigit() and int(only) in numbers):
        sys.exit(f"ONLY={only} is not the number of a chapter, such as 02")
    for path, text in generated().items():
        write_if_changed(path, text)
    for notebook in every_notebook():
        if only is None or notebook.number == int(only):
            execute(notebook)
            if write_if_changed(notebook.path, serialised(notebook.node)):
                print(f"{notebook.name}: changed")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", metavar="NN", help="one chapter's number")
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    if arguments.check:
        check()
    else:
        refresh(arguments.only or None)
