"""Strip: solutions/NN_name.ipynb becomes exercises/NN_name.ipynb.

What stands between ### BEGIN SOLUTION and ### END SOLUTION (nbgrader's
own markers) is cut. Inside a function it leaves `raise
NotImplementedError` behind, at top level nothing. Cells that are tagged
solution-only are left out.
"""

import copy
import hashlib
import re
from pathlib import Path

from tools.notebooks import Notebook, tags

REGION = re.compile(
    r"^([ \t]*)### BEGIN SOLUTION\n(.*?)^[ \t]*### END SOLUTION\n?",
    re.M | re.S,
)
TODO = "raise NotImplementedError  # your code here"


class StripError(SystemExit):
    """An exercise that cannot be made: names notebook and cell."""

    def __init__(self, notebook, cell, message):
        super().__init__(f"{notebook.name}, cell {cell + 1}: {message}")


def strip(solution):
    """Return the exercise notebook's node, without outputs.

    The hash of the sources goes into its metadata, so that a learner's
    work is recognised before it would be overwritten.
    """
    node = copy.deepcopy(solution.node)
    node.metadata.pop("widgets", None)
    answered = None  # the last exercise cell that no check has followed
    for index, cell in enumerate(node.cells):
        source = cell.source
        cell.source = _stub(source)
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"^# Solutions", "# Exercises", source)
            continue
        cell.outputs, cell.execution_count = [], None
        if "SOLUTION" in cell.source:
            raise StripError(solution, index, "a marker has no partner")
        if cell.source != source:
            if answered is not None:
                raise StripError(solution, answered, "has no check")
            answered = index
            cell.metadata["tags"] = [
                tag for tag in tags(cell) if tag != "hide-input"
            ]
        elif "check" in tags(cell):
            answered = None
    if answered is not None:
        raise StripError(solution, answered, "has no check")
    _refuse_leaks(solution, node)
    node.cells = [c for c in node.cells if "solution-only" not in tags(c)]
    node.metadata["book"] = {"sources": digest(node)}
    return node


def solution_lines(notebook):
    """The lines between the markers, without their indent."""
    return [
        line.strip()
        for cell in notebook.cells
        for _, body in REGION.findall(cell.source)
        for line in body.splitlines()
    ]


def digest(node):
    """A hash of the sources of all cells but the generated install."""
    cells = [cell for cell in node.cells if "install" not in tags(cell)]
    sources = "\0".join(cell.source for cell in cells)
    return hashlib.sha256(sources.encode()).hexdigest()


def holds_work(exercise):
    """Whether someone changed the generated notebook since it was made."""
    written = exercise.node.metadata.get("book", {}).get("sources")
    return written != digest(exercise.node)


def exercise_of(solution):
    """The path of the exercise notebook that belongs to a solution."""
    return Path("exercises", solution.path.name)


def exercise_node(solution):
    """The exercise with the outputs it has, or SystemExit if it is used."""
    node = strip(solution)
    path = exercise_of(solution)
    if path.exists():
        old = Notebook(path)
        if holds_work(old):
            raise SystemExit(
                f"{old.name} holds work that is not from {solution.name}: "
                "move it elsewhere, or drop it with git checkout, and run "
                "this again"
            )
        known = {(c.id, c.source): c for c in old.cells}
        for cell in node.cells:
            twin = known.get((cell.id, cell.source))
            if twin is not None and cell.cell_type == "code":
                cell.outputs = twin.outputs
                cell.execution_count = twin.execution_count
        if "widgets" in old.node.metadata:
            node.metadata["widgets"] = old.node.metadata["widgets"]
    return node


def _stub(source):
    def cut(match):
        indent = match[1]
        return f"{indent}{TODO}\n" if indent else ""

    return REGION.sub(cut, source + "\n").rstrip("\n")


def _refuse_leaks(solution, node):
    """Refuse an exercise that shows a line of its own solution."""
    given = {
        line.strip() for cell in node.cells for line in cell.source.split("\n")
    }
    for line in solution_lines(solution):
        if len(line) >= 20 and line in given:
            index = next(
                i for i, c in enumerate(node.cells) if line in c.source
            )
            raise StripError(solution, index, f"shows the solution: {line}")
