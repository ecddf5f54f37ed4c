"""Pictures: computational graphs, sliders over frames, one style."""

import base64
import html
import io
import shutil
import sysconfig

import graphviz

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


NO_RENDERER = (
    "No Graphviz program was found, so here is the graph as DOT text. "
    "To see the picture: pip install graphviz-pure"
)


class Drawing(graphviz.Digraph):
    """A graphviz.Digraph that says what to install when it cannot draw."""

    def _repr_mimebundle_(self, *args, **kwargs):
        if find_dot():
            return super()._repr_mimebundle_(*args, **kwargs)
        return {"text/plain": f"{NO_RENDERER}\n\n{self.source}"}

    def __repr__(self):
        return f"Drawing of {self.comment}"


FONT = {"fontname": "Courier", "fontsize": "12"}  # the same width anywhere


def draw_dot(root, format="svg", rankdir="LR", labels=None):
    """Return a Drawing of the graph below root, which Jupyter displays.

    A box for each Value, with data and grad to four digits, headed by
    labels[node] or the node's own label; a circle for each operation.
    format: for render() and pipe(). rankdir: "LR" or "TB".
    """
    graphviz.backend.dot_command.DOT_BINARY = find_dot() or "dot"
    nodes, edges = trace(root)
    ops = sum(node._op != "" for node in nodes)
    dot = Drawing(
        comment=f"{len(nodes)} values and {ops} operations",
        format=format,
        graph_attr={"rankdir": rankdir, "bgcolor": "transparent"},
        node_attr=FONT,
    )
    name = {node: f"v{i}" for i, node in enumerate(nodes)}
    for node in nodes:
        label = (labels or {}).get(node, getattr(node, "label", ""))
        head = f"{graphviz.escape(str(label))} | " if label else ""
        text = f"{{ {head}data {node.data:.4f} | grad {node.grad:.4f} }}"
        dot.node(name[node], text, shape="record")
        if node._op:
            dot.node(f"{name[node]}op", node._op, shape="circle")
            dot.edge(f"{name[node]}op", name[node])
    for child, node in edges:
        dot.edge(name[child], f"{name[node]}op")
    return dot


# Blue and vermilion of Okabe and Ito: apart for every kind of eye.
BLUE = "#0072b2"

ORANGE = "#d55e00"

GREY = "#767676"

STYLE = {
    "axes.prop_cycle": f"cycler(color=['{BLUE}', '{ORANGE}', '{GREY}'])",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.dpi": 120,
    "figure.figsize": (6, 3.4),
    "savefig.transparent": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}


def _picture(frame, caption):
    """Return a Drawing or a figure as HTML, with its caption."""
    if isinstance(frame, Drawing):
        kind, data = "svg+xml", frame.pipe(format="svg")
    else:
        file = io.BytesIO()
        frame.savefig(file, format="png", bbox_inches="tight")
        kind, data = "png", file.getvalue()
    caption = html.escape(caption)
    code = base64.b64encode(data).decode()
    return (
        f'<img alt="{caption}" src="data:image/{kind};base64,{code}">'
        f"<p>{caption}</p>"
    )


def flipbook(frames, captions, label="step"):
    """Return a slider over pictures; it moves with and without a kernel.

    frames: a list of Drawings or matplotlib figures. captions: a
    sentence for each, shown below it and read out by screen readers.
    """
    import ipywidgets  # here, since the rest draws without it

    pages = ipywidgets.Stack(
        [
            ipywidgets.HTML(_picture(frame, caption))
            for frame, caption in zip(frames, captions, strict=True)
        ],
        selected_index=0,
    )
    slider = ipywidgets.IntSlider(max=len(frames) - 1, description=label)
    ipywidgets.jslink((slider, "value"), (pages, "selected_index"))
    return ipywidgets.VBox([slider, pages])
