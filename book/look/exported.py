"""What the book adds to Sphinx, page by page.

A code cell tagged export-engine gets a label with the file that it goes
to, and a generated cell's fold says what it holds. A page's first
paragraph becomes its description; the browser's console stays empty.
"""

import gc
import html
import os
import zlib
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

EXPORT = "tag_export-"  # a cell's tags are its classes, after tag_
FOLDS = {  # the last that applies
    "tag_hide-input": "The code",
    "tag_hide-output": "The output",
    "tag_install": "Install, where it is missing",
    "tag_code-so-far": "The code so far",
    "tag_exercise": "The solution",
}

# The theme's script complains of an empty mode, which is its own default.
FIRST_VISIT = """{
  const page = document.documentElement.dataset;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  page.mode ||= "auto";
  page.theme ||= dark ? "dark" : "light";
}"""


class CellLabels(SphinxTransform):
    """Name the file of each exported cell, and what a fold holds."""

    default_priority = 900

    def apply(self):
        for cell in self.document.findall(_is_code_cell):
            for tag, title in FOLDS.items():
                if tag in cell["classes"]:
                    cell["prompt_show"] = cell["prompt_hide"] = title
            for tag in cell["classes"]:
                if tag.startswith(EXPORT):
                    module = tag.removeprefix(EXPORT)
                    cell[0].insert(0, self.label(module))

    def label(self, module):
        """Return "goes to" and a link to the module's part of the list."""
        link = addnodes.pending_xref(
            "",
            nodes.inline("", f"micrograd/{module}.py"),
            refdomain="std",
            reftype="ref",
            reftarget=f"micrograd-{module}",
            refexplicit=True,
            refwarn=True,
            refdoc=self.env.docname,
        )
        label = nodes.paragraph("", "goes to ", link)
        label["classes"].append("goes-to")
        return label


class ShortCode(SphinxTransform):
    """Mark code in the text that is short: it stays on one line."""

    default_priority = 900

    def apply(self):
        for code in self.document.findall(nodes.literal):
            if len(code.astext()) <= 20:
                code["classes"].append("short")


def _is_code_cell(node):
    return (
        isinstance(node, nodes.container)
        and node.get("nb_element") == "cell_code"
    )


def finish_page(app, pagename, templatename, context, doctree):
    """Describe the page; take out what it would not use or say wrongly."""
    for kind in "script_files", "css_files":
        # sphinx-thebe declares a constant twice, and nothing here needs it
        context[kind] = [f for f in context[kind] if not _is_thebes(f)]
    if doctree is None:
        return
    # this label would hide a fold's own words from a screen reader
    label = ' aria-label="Toggle hidden content"'
    context["body"] = context["body"].replace(label, "")
    for paragraph in doctree.findall(nodes.paragraph):
        if "goes-to" not in paragraph["classes"]:
            text = html.escape(" ".join(paragraph.astext().split()))
            tag = f'<meta name="description" content="{text}">'
            context["metatags"] += tag
            break


def _is_thebes(asset):
    """Whether sphinx-thebe adds this script, style sheet or inline code."""
    if asset.filename:
        return "thebe" in str(asset.filename)
    return "THEBE_JS_URL" in asset.attributes.get("body", "")


def hurry(app, config):
    """Build in two thirds of the time."""
    # A document is a large tree that stays: the collector finds nothing.
    gc.set_threshold(100_000, 50, 50)
    # Pages are made side by side; `jupyter-book build` has no -j.
    app.parallel = os.cpu_count()
    # They act once all pages are read, or for LaTeX, but do not say so.
    for name in ("sphinx_multitoc_numbering", "sphinx_jupyterbook_latex"):
        app.extensions[name].parallel_read_safe = True


def setup(app):
    # a changed look makes every page anew: Sphinx watches the text alone
    files = [p for p in Path(__file__).parent.iterdir() if p.is_file()]
    look = zlib.crc32(b"".join(p.read_bytes() for p in sorted(files)))
    app.add_config_value("look", look, "env")
    app.add_js_file(None, body=FIRST_VISIT, priority=100)
    app.add_transform(CellLabels)
    app.add_transform(ShortCode)
    app.connect("config-inited", hurry)
    app.connect("html-page-context", finish_page, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
