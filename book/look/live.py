"""Cells that run in the page: which they are, and what they need.

Each code cell of a notebook gets a bar below it: for a live cell, the
script live/live.js fills it with buttons; for any other, it links to
the services that can run it. The package that live cells import is
packed from the checkout at each build.
"""

import json
import zipfile
from html import escape
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from cells import PACKAGE, imports_here, not_live
from docutils import nodes
from nbformat import v4
from offline import fetched, part

SCRIPTS = Path(__file__).parent / "live"
NOTE = "Python runs in this page and loads on the first Run."


def mark_cells(app, doctree):
    """Note on every code cell its id, its number and what it needs.

    Where pages are read, which is done side by side: it takes a while.
    """
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    cells = v4.reads(path.read_text()).cells  # myst-nb validates it
    code = [cell for cell in cells if cell.cell_type == "code"]
    tags = [cell.metadata.get("tags", []) for cell in code]
    needs = dict(
        zip([c.id for c in code], not_live([c.source for c in code], tags))
    )
    numbers = {cell.id: number for number, cell in enumerate(code, 1)}
    for node in doctree.findall(nodes.container):
        if node.get("nb_element") == "cell_code":
            cell = cells[node["cell_index"]]
            if "install" not in cell.metadata.get("tags", []):
                node["ids"].append(f"cell-{cell.id}")
                node["cell_number"] = numbers[cell.id]
                node["needs"] = needs[cell.id]
                node["imports"] = imports_here(cell.source)


def add_bars(app, doctree, docname):
    """Give every code cell its bar."""
    if app.builder.format != "html":
        return
    for node in doctree.findall(nodes.container):
        if "cell_number" not in node:
            continue
        if node["needs"] is None:
            node["classes"].append("live")
            number = node["cell_number"]
            bar = f'<div class="live-bar" data-cell="{number}"></div>'
        else:
            bar = _elsewhere(app, docname, node)
        node.insert(_end_of_input(node), nodes.raw("", bar, format="html"))


def _end_of_input(node):
    """Return where the bar goes: after the code, before its output."""
    for index, child in enumerate(node.children):
        if child.get("nb_element") == "cell_code_output":
            return index
    return len(node.children)


def _elsewhere(app, docname, cell):
    links = " or ".join(
        f'<a href="{escape(url)}">{name}</a>'
        for name, url in services(app.config, docname).items()
    )
    need = cell["needs"]
    why = f"needs {escape(need)}" if need else "cannot run in the page"
    imports = escape(cell["imports"]) if need else ""
    return (
        f'<p class="live-bar" data-imports="{imports}">'
        f"Cell {cell['cell_number']} {why}: run it on {links}.</p>"
    )


def services(config, docname):
    """Return {name: address} of the page's notebook where it can run."""
    theme = config.html_theme_options
    buttons = theme["launch_buttons"]
    repository = urlsplit(theme["repository_url"]).path.strip("/")
    branch = theme["repository_branch"]
    path = f"{docname}.ipynb"
    colab = f"{buttons['colab_url']}/github/{repository}/blob/{branch}/{path}"
    binder = (
        f"{buttons['binderhub_url']}/v2/gh/{repository}/{branch}"
        f"?urlpath=lab/tree/{path}"
    )
    return {"Colab": colab, "Binder": binder}


def add_scripts(app, pagename, templatename, context, doctree):
    """Load the script on pages that have live cells, nowhere else."""
    if not doctree or not any(
        "live" in node["classes"] for node in doctree.findall(nodes.container)
    ):
        return
    js_files = app.env.nb_metadata.get(pagename, {}).get("js_files", {})
    if any("ipywidgets_state" in key for key in js_files):
        app.add_js_file("live/sliders.js", defer="defer")
    where = {
        "pyodide": part("pyodide"),
        "editor": part("prism-code-editor", "dist/"),
        "graphviz": part("@viz-js/viz", "dist/viz.js"),
    }
    app.add_js_file(
        "live/live.js",
        defer="defer",
        **{
            "data-parts": json.dumps(where),
            "data-notebook": f"_sources/{pagename}.ipynb",
            "data-keep": "yes" if pagename.startswith("exercises/") else "",
        },
    )
    app.add_css_file("live/live.css")


def pack(path):
    """Write the zip file that holds what live cells can import.

    micrograd comes from the checkout. graphviz, and the one module of
    IPython that lays values out as Jupyter shows them, are those that
    the notebooks ran with.
    """
    sources = {
        f"micrograd/{file.name}": file.read_bytes()
        for file in sorted(PACKAGE.glob("*.py"))
    }
    graphviz = Path(find_spec("graphviz").origin).parent
    for file in sorted(graphviz.rglob("*.py")):
        name = f"graphviz/{file.relative_to(graphviz).as_posix()}"
        sources[name] = file.read_bytes()
    pretty = Path(find_spec("IPython.lib.pretty").origin)
    sources["pretty.py"] = pretty.read_bytes()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, source in sources.items():
            file.writestr(zipfile.ZipInfo(name), source, zipfile.ZIP_DEFLATED)


def write(app):
    """Put the scripts and the packed package into the site."""
    if app.builder.format != "html":
        return
    target = Path(app.outdir, "_static", "live")
    target.mkdir(parents=True, exist_ok=True)
    for file in SCRIPTS.iterdir():
        (target / file.name).write_bytes(file.read_bytes())
    pack(target / "modules.zip")


def setup(app):
    # the pages name their parts: with or without them, all are new
    app.add_config_value("live_parts", fetched(), "env")
    app.connect("builder-inited", write)
    app.connect("doctree-read", mark_cells)
    app.connect("doctree-resolved", add_bars)
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
