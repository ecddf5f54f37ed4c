"""Make the built pages ask nobody else for anything.

What the pages load is fetched by npm into tools/node_modules, at the
versions of tools/package-lock.json, and copied from there into the
site. Where it was not fetched, the pages ask the CDN that serves the
npm packages, under the same paths and at the same versions.
"""

import json
import re
import shutil
from pathlib import Path

from docutils import nodes
from sphinx.util import logging

TOOLS = Path(__file__).parents[2] / "tools"
MODULES = TOOLS / "node_modules"
CDN = "https://cdn.jsdelivr.net/npm/"
WIDGETS = "@jupyter-widgets/html-manager"

# Package: files to copy. A module brings the modules that it imports.
# pyodide stays at 0.27, Python 3.12: in a browser's small stack, later
# ones end with a fatal error when they free a chain of 1,000 objects.
PARTS = {
    WIDGETS: ["dist/embed.js", "dist/*.woff2"],
    "@viz-js/viz": ["dist/viz.js"],
    "mathjax": [
        "es5/startup.js",
        "es5/core.js",
        "es5/input/tex.js",
        "es5/input/tex/extensions/*.js",
        "es5/output/chtml.js",
        "es5/output/chtml/fonts/tex.js",
        "es5/output/chtml/fonts/woff-v2/*.woff",
        "es5/a11y/assistive-mml.js",
        "es5/sre/mathmaps/en.json",
    ],
    "prism-code-editor": [
        "dist/index.js",
        "dist/extensions/commands/index.js",
        "dist/languages/python.js",
        "dist/prism/languages/python.js",
        "dist/layout.css",
    ],
    "pyodide": [
        "pyodide.mjs",
        "pyodide.asm.js",
        "pyodide.asm.wasm",
        "pyodide-lock.json",
        "python_stdlib.zip",
    ],
}

# The widgets' manager checks a schema of its own aloud, in the console.
LOUD, QUIET = 'c:"log",strictTuples', "c:!1,strictTuples"

# The widgets speak to MathJax 2, which the pages do not load.
MATHJAX = """\
{
  const queue = ([, , element]) => MathJax.typeset?.([element]);
  window.MathJax = Object.assign(window.MathJax || {}, {
    Hub: { Queue: queue },
    loader: { load: ["input/tex", "output/chtml", "a11y/assistive-mml"] },
    startup: {
      ready() {
        MathJax.startup.defaultReady();
        MathJax.Hub = { Queue: queue };
      },
    },
  });
}
"""

log = logging.getLogger(__name__)


def fetched():
    """Return whether `make book` has fetched the parts."""
    return (MODULES / "pyodide" / "package.json").exists()


def part(package, path=""):
    """Return where a page finds a file: below _static, or an address."""
    lock = json.loads((TOOLS / "package-lock.json").read_text())
    version = lock["packages"][f"node_modules/{package}"]["version"]
    base = "parts/" if fetched() else CDN
    return f"{base}{package}@{version}/{path}"


def files(package):
    """Return the paths of a package's files that the site needs."""
    root = (MODULES / package).resolve()
    found = set()
    todo = [path for glob in PARTS[package] for path in root.glob(glob)]
    while todo:
        path = todo.pop()
        if path in found:
            continue
        found.add(path)
        if package == "prism-code-editor" and path.suffix == ".js":
            imports = re.findall(
                r'^import .*?"(\.[^"]+)"', path.read_text(), re.M
            )
            todo += [(path.parent / name).resolve() for name in imports]
    return sorted(path.relative_to(root).as_posix() for path in found)


def configure(app, config):
    config.mathjax_path = part("mathjax", "es5/startup.js")
    config.nb_ipywidgets_js = {part(WIDGETS, "dist/embed.js"): {}}
    config.templates_path.append(str(Path(__file__).parent / "templates"))
    if not fetched():
        log.info(
            "offline: tools/node_modules is not there, so the pages load "
            "maths, widgets and Python from %s; `make book` fetches them",
            CDN,
        )


def shim_mathjax(app, pagename, templatename, context, doctree):
    """Prepare MathJax where a page has maths, and leave it out elsewhere.

    Sphinx would load it on the front page too, whose contents have some.
    """
    if doctree and any(
        isinstance(node, (nodes.math, nodes.math_block))
        for node in doctree.findall()
    ):
        app.add_js_file(None, body=MATHJAX, priority=600)
        return
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "mathjax" not in str(script.filename)
        and not script.attributes.get("body", "").startswith("window.MathJax")
    ]


def copy(app):
    """Copy the parts into the site; those of other versions go."""
    if app.builder.format != "html":
        return
    target = Path(app.outdir, "_static", "parts")
    wanted = {}
    if fetched():
        for package in PARTS:
            for path in files(package):
                compiled = MODULES / path  # by tools/stdlib.mjs
                source = MODULES / package / path
                wanted[target.parent / part(package, path)] = (
                    compiled if compiled.exists() else source
                )
    if target.exists() and any(
        path.is_file() and path not in wanted for path in target.rglob("*")
    ):
        shutil.rmtree(target)
    for new, old in wanted.items():
        new.parent.mkdir(parents=True, exist_ok=True)
        if new.name == "embed.js":
            new.write_text(old.read_text().replace(LOUD, QUIET))
        elif not new.exists() or new.stat().st_mtime < old.stat().st_mtime:
            shutil.copyfile(old, new)


def quieten(app, exception):
    """Take the messages for developers out of the theme's scripts."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    scripts = [*static.glob("*.js"), *static.glob("scripts/*.js")]
    for path in [*scripts, Path(app.outdir, "search.html")]:
        text = path.read_text()
        if "console.log(" in text:
            path.write_text(text.replace("console.log(", "void ("))


def setup(app):
    app.connect("config-inited", configure)
    app.connect("builder-inited", copy)
    app.connect("build-finished", quieten)
    app.connect("html-page-context", shim_mathjax, priority=700)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
