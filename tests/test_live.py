"""Cells that run in the page, in a real browser."""

import hashlib
import json
import re
import zipfile

import nbformat
import pytest

from tests.browser import NOTEBOOKS, Page, needs_browser, open_site
from tools import site

pytestmark = needs_browser
CHAPTER = "book/01_value"
EXERCISE = next((n for n in NOTEBOOKS if n.startswith("exercises/")), None)
SLOW = 120_000  # ms that a page's cells may take on a busy machine


@pytest.fixture(scope="module")
def opened():
    with open_site() as (browser, home):
        # a line that moves while a cell runs would be drawn all the time
        page = Page(browser, home, reduced_motion="reduce")
        page.context.set_default_timeout(SLOW)
        # Each page starts a Python of its own, from code that is compiled
        # once, as long as some page keeps it: this first one.
        Cell(page.open(CHAPTER), 0).run()
        page.tab = page.context.new_page()
        yield page


class Cell:
    """A live cell of the open page."""

    def __init__(self, tab, which):
        self.box = tab.locator(".cell.live").nth(which)
        self.code = self.box.locator("textarea")
        self.output = self.box.locator(".live-output")
        self.status = self.box.locator(".live-status")

    def press(self, name):
        self.box.get_by_role("button", name=f"{name}, cell").click()

    def edit(self, source):
        if not self.code.count():
            self.press("Edit")
        self.code.fill(source)

    def ends(self, words="Done."):
        self.status.filter(has_text=words).wait_for()
        return self.output.inner_text().strip()

    def run(self, source=None, words="Done."):
        if source is not None:
            self.edit(source)
        self.press("Run")
        return self.ends(words)


def stored(cell):
    """What the notebook says that a cell shows, as the page would."""
    shown = []
    for output in cell.outputs:
        if output.output_type == "stream":
            shown.append(("stdout", output.text))
        elif "image/svg+xml" in output.data:
            shown.append(("dot", ""))
        else:
            shown.append(("result", output.data["text/plain"]))
    return [[kind, text.strip()] for kind, text in shown]


SHOWN = """() => Object.fromEntries(
  [...document.querySelectorAll(".cell.live")].map((cell) => [
    cell.id.replace("cell-", ""),
    [...cell.querySelectorAll(".live-output > *")].map((e) =>
      e.tagName == "IMG" ? ["dot", e.naturalWidth ? "" : "not drawn"]
        : [e.className.replace("live-", ""), e.textContent.trim()]),
  ]))"""


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_live_cells(opened, name, record_property):
    """Every cell that claims to be live shows what the notebook stores."""
    opened.problems.clear()
    tab = opened.open(name)
    count = tab.locator(".cell.live").count()
    record_property("live", count)
    record_property("elsewhere", tab.locator("p.live-bar").count())
    if not count:
        return
    # folded cells are run by those below them; the last that can be seen
    # runs all
    Cell(tab, count - 1).box.evaluate(
        "e => e.querySelectorAll('details').forEach(d => d.open = true)"
    )
    Cell(tab, count - 1).run(words=re.compile("Done|error|Stopped"))
    shown = tab.evaluate(SHOWN)
    cells = nbformat.read(site.ROOT / f"{name}.ipynb", 4).cells
    wrong = {
        cell.source: (stored(cell), shown[cell.id])
        for cell in cells
        if cell.id in shown and shown[cell.id] != stored(cell)
    }
    assert not wrong, "\n".join(
        f"{source}\n  stored: {a}\n  shown:  {b}"
        for source, (a, b) in wrong.items()
    )
    assert not opened.problems


def test_nothing_before_the_first_click(opened):
    """Python, the editor and Graphviz wait until they are needed."""
    requested = []
    opened.tab.on("request", lambda r: requested.append(r.url))
    opened.open(CHAPTER)
    late = [u for u in requested if re.search("pyodide|prism|viz", u)]
    assert requested and not late


def test_edit_run_stop_reset(opened):
    """The life of a cell: edited, run, failed, stopped, reset."""
    tab = opened.open(CHAPTER)
    cell = Cell(tab, 0)
    assert cell.run("x = 6\nx * 7") == "42"
    assert cell.run("print('a')\nx + 1") == "a\n\n7"
    assert cell.run("None\n1;") == ""

    # an error shows the reader's lines, and none of the runner's
    error = cell.run("def f():\n    return 1 / 0\n\nf()", "error")
    assert "Cell 1, line 4" in error or "line 4, in <module>" in error
    assert "return 1 / 0" in error and "runner" not in error
    assert error.endswith("ZeroDivisionError: division by zero")
    error = cell.run("x = (1,\ny", "error")
    assert "SyntaxError" in error and "runner" not in error

    # what is printed appears while the cell runs, and Stop stops it
    cell.edit("print('begin')\nwhile True: pass")
    cell.press("Run")
    cell.output.filter(has_text="begin").wait_for()
    cell.press("Stop")
    assert "gone" in cell.status.inner_text()
    assert "NameError" in cell.run("x", "error")

    cell.press("Reset")
    assert not cell.code.count() and not cell.output.is_visible()


def test_keyboard(opened):
    """Everything by keyboard: Tab leaves the editor, focus is visible."""
    tab = opened.open(CHAPTER)
    cell = Cell(tab, 0)
    button = cell.box.get_by_role("button", name="Edit, cell")
    button.focus()
    tab.keyboard.press("Enter")
    cell.code.wait_for()
    assert cell.code.evaluate("e => e === document.activeElement")
    cell.code.fill("if 1:")
    tab.keyboard.press("Enter")
    tab.keyboard.type("'indented'")
    assert cell.code.input_value() == "if 1:\n    'indented'"
    tab.keyboard.press("Tab")
    assert not cell.code.evaluate("e => e === document.activeElement")
    tab.keyboard.press("Shift+Tab")
    assert cell.code.evaluate("e => e === document.activeElement")
    cell.code.fill("2 + 2")
    tab.keyboard.press("Shift+Enter")
    assert cell.ends() == "4"
    tab.keyboard.press("Escape")
    run = cell.box.get_by_role("button", name="Run, cell")
    assert run.evaluate("e => e === document.activeElement")
    assert run.evaluate("e => getComputedStyle(e).outlineStyle") != "none"
    assert cell.status.get_attribute("role") == "status"


@pytest.mark.skipif(EXERCISE is None, reason="there are no exercises yet")
def test_exercise(opened):
    """Fail a check, pass it, reload: edits and verdicts are still there."""
    tab = opened.open(EXERCISE)
    solved = nbformat.read(
        site.ROOT
        / EXERCISE.replace("exercises/", "solutions/").__add__(".ipynb"),
        4,
    )
    stub = nbformat.read(site.ROOT / f"{EXERCISE}.ipynb", 4)
    solutions = {c.id: c.source for c in solved.cells}
    live = tab.locator(".cell.live").evaluate_all(
        "cells => cells.map(c => c.id.replace('cell-', ''))"
    )
    where = next(
        i
        for i, identity in enumerate(live)
        for c in stub.cells
        if c.id == identity and c.source != solutions[identity]
    )
    cell, check = Cell(tab, where), Cell(tab, where + 1)
    todo = check.run()
    assert "to do" in todo
    cell.run(solutions[live[where]])
    verdict = check.run()
    assert verdict and "to do" not in verdict

    tab.reload()
    assert check.output.inner_text().strip() == verdict
    assert cell.box.locator("pre").first.inner_text().strip() == (
        solutions[live[where]].strip()
    )
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Download as notebook").click()
    book = json.loads(download.value.path().read_text())
    [kept] = [c for c in book["cells"] if c["id"] == live[where]]
    assert "".join(kept["source"]) == solutions[live[where]]
    nbformat.validate(nbformat.from_dict(book))

    tab.get_by_role("button", name="Clear my work").click()
    tab.reload()
    assert not check.output.is_visible()
    kept = tab.evaluate("Object.keys(localStorage)")
    assert "gradients:/exercises/01_value.html" not in kept


def test_the_package_is_the_checkout():
    """What live cells import is what is in micrograd/, byte for byte."""
    with zipfile.ZipFile(site.HTML / "_static/live/modules.zip") as file:
        packed = {
            name: hashlib.sha256(file.read(name)).hexdigest()
            for name in file.namelist()
            if name.startswith("micrograd/")
        }
    assert packed == {
        f"micrograd/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (site.ROOT / "micrograd").glob("*.py")
    }
