"""Notebooks as files: which there are, reading, executing, writing.

Paths are relative to the project's root, where make runs the tools.
A notebook in git is normalised: what a run leaves behind by chance
(timings, ids of widgets, the Python version) is taken out, so that a
second run of the same code gives the same bytes.
"""

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
KEPT_CELL_METADATA = ("jupyter", "mystnb", "tags")


@dataclass(frozen=True)
class Notebook:
    """A notebook file."""

    path: Path

    @cached_property
    def node(self):
        return nbformat.read(self.path, as_version=4)

    @property
    def cells(self):
        return self.node.cells

    @property
    def name(self):
        """The path from the project's root, such as book/01_value.ipynb."""
        return self.path.as_posix()

    @property
    def number(self):
        """The chapter's number, or None for a page such as the index."""
        match = re.match(r"(\d\d)_", self.path.name)
        return int(match[1]) if match else None

    @property
    def title(self):
        """The text of the first heading, without the chapter's number."""
        for _, _, heading in self.headings:
            return re.sub(r"^\d+\.\s*", "", heading)
        raise SystemExit(f"{self.name}: no heading; start with '# Title'")

    @cached_property
    def headings(self):
        """List of (cell index, level, text) in reading order."""
        return [
            (index, len(match[1]), match[2].strip())
            for index, cell in enumerate(self.cells)
            if cell.cell_type == "markdown"
            for match in re.finditer(r"^(#+) (.*)$", cell.source, re.M)
        ]

    def tagged(self, tag):
        """Cells that carry the tag."""
        return [c for c in self.cells if tag in tags(c)]


def tags(cell):
    return cell.metadata.get("tags", [])


def chapters():
    """The book's numbered notebooks, in reading order."""
    return [Notebook(p) for p in sorted(Path().glob("book/[0-9]*.ipynb"))]


def written_notebooks():
    """The notebooks that people write: chapters, pages, solutions."""
    return [
        Notebook(path)
        for folder in ("book", "solutions")
        for path in sorted(Path(folder).glob("*.ipynb"))
    ]


def every_notebook():
    """All that are executed: those and the exercises made of them."""
    exercises = sorted(Path("exercises").glob("*.ipynb"))
    return written_notebooks() + [Notebook(path) for path in exercises]


def execute(notebook):
    """Run every cell in a fresh kernel; outputs replace the stored ones.

    SystemExit names the notebook and the cell that raised.
    """
    notebook.node.metadata.pop("widgets", None)
    client = NotebookClient(
        notebook.node,
        timeout=600,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(notebook.path.parent)}},
    )
    try:
        client.execute()
    except CellExecutionError as error:
        raise SystemExit(f"{notebook.name}: {error}") from None


def serialised(node):
    """The notebook's bytes as they are kept in git."""
    normalise(node)
    return nbformat.writes(node) + "\n"


def write_if_changed(path, text):
    """Write text to path unless it is there already; say which it was."""
    if path.exists() and path.read_text() == text:
        return False
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return True


def normalise(node):
    """Take out, in place, whatever differs from run to run."""
    node.metadata = nbformat.from_dict(
        {
            "kernelspec": {
                "display_name": "Python 3",
                "language": "python",
                "name": "python3",
            },
            "language_info": {"name": "python", "file_extension": ".py"},
        }
        | {k: v for k, v in node.metadata.items() if k in ("widgets", "book")}
    )
    for cell in node.cells:
        cell.metadata = nbformat.from_dict(
            {k: cell.metadata[k] for k in KEPT_CELL_METADATA
             if k in cell.metadata}
        )  # fmt: skip
        if cell.cell_type == "code":
            cell.outputs = _merged_streams(cell.outputs)
    _renumber_widgets(node)


def _merged_streams(outputs):
    """A kernel may send one print in several pieces: join them again."""
    merged = []
    for output in outputs:
        output.get("metadata", {}).clear()
        if (
            merged
            and output.output_type == "stream"
            and merged[-1].output_type == "stream"
            and merged[-1].name == output.name
        ):
            merged[-1].text += output.text
        else:
            merged.append(output)
    return merged


def _renumber_widgets(node):
    """Give widget models ids that count up in order of appearance."""
    state = node.metadata.get("widgets", {}).get(WIDGET_STATE)
    if not state or not state["state"]:
        node.metadata.pop("widgets", None)
        return
    models = {key: json.dumps(m) for key, m in state["state"].items()}
    ids = {}

    def renumbered(text):
        def new(match):
            return ids.get(match[0], match[0])

        # Not \b: in IPY_MODEL_<id> no word ends before the id.
        return re.sub(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])", new, text)

    def visit(model_id):
        if model_id in models and model_id not in ids:
            ids[model_id] = f"{len(ids):032x}"
            for other in re.findall(r"IPY_MODEL_(\w+)", models[model_id]):
                visit(other)

    views = [
        output["data"][WIDGET_VIEW]
        for cell in node.cells
        for output in cell.get("outputs", [])
        if WIDGET_VIEW in output.get("data", {})
    ]
    for view in views:
        visit(view["model_id"])
    # What no view contains, such as the links between models, comes last.
    for model_id in sorted(models, key=lambda key: renumbered(models[key])):
        visit(model_id)
    for view in views:
        view["model_id"] = ids[view["model_id"]]
    state["state"] = {
        ids[key]: json.loads(renumbered(text)) for key, text in models.items()
    }
