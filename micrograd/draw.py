"""Pictures: computational graphs, sliders over frames, one style."""

import base64
import html
import io
import re
import shutil
import sysconfig
from contextlib import contextmanager

import graphviz
from graphviz.backend import dot_command

from micrograd.engine import topological_order

# Chapter 4, Seeing the graph


def trace(root):
    """Return the lists of nodes and of edges below root, root last.

    An edge is a pair (input, result), in operand order; x * x has two.
    """
    nodes = topological_order(root)
    edges = [(child, node) for node in nodes for child in node._prev]
    return nodes, edges


def find_dot():
    """Return the path of a program that draws DOT text, or None."""
    scripts = sysconfig.get_path("scripts")
    return (
        shutil.which("graphviz-pure", path=scripts)
        or shutil.which("graphviz-pure")
        or shutil.which("dot")
    )


# What to do when find_dot finds nothing.
NO_RENDERER = "No Graphviz program found: pip install graphviz-pure"


@contextmanager
def _renderer():
    """Let graphviz run what find_dot finds, inside a with block."""
    program = find_dot()
    if program is None:
        raise RuntimeError(NO_RENDERER)
    usual = dot_command.DOT_BINARY
    dot_command.DOT_BINARY = program
    try:
        yield
    finally:
        dot_command.DOT_BINARY = usual


class Drawing(graphviz.Digraph):
    """A graphviz.Digraph that finds its renderer, or says what to do."""

    def pipe(self, *args, **kwargs):
        """Return the picture as bytes; RuntimeError if it cannot."""
        kwargs.setdefault("quiet", True)  # no word on widths of é or ∂
        with _renderer():
            return super().pipe(*args, **kwargs)

    def render(self, *args, **kwargs):
        """Write the picture; RuntimeError if it cannot."""
        with _renderer():
            return super().render(*args, **kwargs)

    def _repr_mimebundle_(self, *args, **kwargs):
        if find_dot():
            return super()._repr_mimebundle_(*args, **kwargs)
        text = f"{NO_RENDERER}\nUntil then, its DOT text:\n\n{self.source}"
        return {"text/plain": text}

    def __repr__(self):
        return f"Drawing ({self.comment})"


def _escaped(text):
    """Return text with the signs escaped that mean something in DOT."""
    text = re.sub(r"([\\{|}])", r"\\\1", html.escape(str(text)))
    return text.replace("\n", r"\n")


def _box(node, rankdir, labels):
    """Return the text of a node's box, its lines below each other."""
    label = labels.get(node, getattr(node, "label", ""))
    head = "" if label in ("", None) else f"{_escaped(label)} | "
    text = f"{{ {head}data {node.data:.4f} | grad {node.grad:.4f} }}"
    # LR lays a record on its side; a second pair of braces lifts it.
    return f"{{{text}}}" if rankdir == "LR" else text


_PAGE = {"bgcolor": "transparent", "nodesep": "0.15", "ranksep": "0.2"}

# A typewriter font, as wide on every machine: no text leaves its box.
_FONT = {"fontname": "Courier", "fontsize": "10"}

# Wide enough for "grad -12.3456": it stays as the numbers change.
_BOX = {"shape": "record", "width": "1.3"}

_CIRCLE = {"shape": "circle", "width": "0.3", "margin": "0.02"}


def draw_dot(root, format="svg", rankdir="LR", labels=None):
    """Return a Drawing of the graph below root, which Jupyter displays.

    A box for each Value, with data and grad to four digits, headed by
    labels[node] or the node's own label; a circle for each operation.
    format: for render() and pipe(). rankdir: "LR", from left to right,
    or "TB", from top to bottom; ValueError otherwise.
    """
    if rankdir not in ("LR", "TB"):
        raise ValueError(f"rankdir is 'LR' or 'TB', got {rankdir!r}")
    nodes, edges = trace(root)
    results = [node for node in nodes if node._prev]
    dot = Drawing(
        comment=f"values: {len(nodes)}, operations: {len(results)}",
        format=format,
        graph_attr={"rankdir": rankdir, **_PAGE},
        node_attr={**_FONT, **_BOX},
        edge_attr={"arrowsize": "0.6"},
    )
    name = {node: f"v{i}" for i, node in enumerate(nodes)}
    for node in nodes:
        dot.node(name[node], _box(node, rankdir, labels or {}))
    for node in results:
        dot.node(f"{name[node]}op", _escaped(node._op), **_CIRCLE)
        dot.edge(f"{name[node]}op", name[node])
    for child, node in edges:
        dot.edge(name[child], f"{name[node]}op")
    return dot


# Blue, from the palette of Okabe and Ito: what a figure shows first.
BLUE = "#0072b2"

# Vermilion, from the same: what that is compared with.
ORANGE = "#d55e00"

# For lines that only help to read.
GREY = "#767676"

# The look of all figures, for plt.style.use.
STYLE = {
    "axes.prop_cycle": f"cycler(color=['{BLUE}', '{ORANGE}', '{GREY}'])",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,  # labels stay inside
    "figure.dpi": 120,
    "figure.figsize": (5.8, 3.4),  # inches: 696 pixels wide
    "font.size": 12,  # 20 pixels; 10 where a phone halves the figure
    "savefig.transparent": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}


def _picture(frame, caption):
    """Return a Drawing or a figure as HTML, with its caption."""
    if isinstance(frame, Drawing):
        kind, data = "svg+xml", frame.pipe(format="svg")
    else:
        from matplotlib.pyplot import close  # here: Drawings do without

        file = io.BytesIO()
        frame.savefig(file, format="png")
        close(frame)  # or Jupyter shows it a second time
        kind, data = "png", file.getvalue()
    caption = html.escape(caption)
    code = base64.b64encode(data).decode()
    return (
        f'<img alt="{caption}" style="max-width: 100%" '
        f'src="data:image/{kind};base64,{code}">'
        f'<p style="font-size: 1rem; min-height: 3em">{caption}</p>'
    )


def flipbook(frames, captions, label="step"):
    """Return a slider over pictures; it moves with and without a kernel.

    frames: Drawings or matplotlib figures, which are closed. captions:
    a sentence for each, shown below it and read out by screen readers.
    """
    import ipywidgets  # here, since the rest draws without it

    pages = ipywidgets.Stack(
        [
            ipywidgets.HTML(_picture(frame, caption))
            for frame, caption in zip(frames, captions, strict=True)
        ],
        selected_index=0,
    )
    last = len(pages.children) - 1
    slider = ipywidgets.IntSlider(max=last, description=label)
    ipywidgets.jslink((slider, "value"), (pages, "selected_index"))
    return ipywidgets.VBox([slider, pages])
