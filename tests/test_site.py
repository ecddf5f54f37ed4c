"""Every page of the built site, in a real browser."""

from urllib.parse import unquote, urldefrag

import pytest

from tests.browser import NAMES, Page, needs_browser, open_site
from tools import site

pytestmark = needs_browser
AXE = site.ROOT / "tools" / "node_modules" / "axe-core" / "axe.min.js"
GENERATED = ["search", "genindex", "404"]


@pytest.fixture(scope="module")
def opened():
    with open_site() as (browser, home):
        page = Page(browser, home, reduced_motion="reduce")
        yield page


LOADED = """async () => {
  window.scrollTo(0, document.body.scrollHeight);
  if (window.MathJax?.startup) await MathJax.startup.promise;
  await document.fonts.ready;
  const all = (s) => [...document.querySelectorAll(s)];
  const views = 'script[type="application/vnd.jupyter.widget-view+json"]';
  const until = Date.now() + 10000;
  const waiting = () => all(views).some((v) => !v.parentElement.querySelector(
    ".jupyter-widgets, .widget-subarea .jupyter-widgets"));
  while (waiting() && Date.now() < until)
    await new Promise((r) => setTimeout(r, 50));
  for (const image of all("img")) image.loading = "eager";
  await Promise.all(all("img").map((i) => i.decode().catch(() => {})));
  window.scrollTo(0, 0); // or the bar at the top hides what axe looks at
  return {
    images: all("img").filter((i) => !i.naturalWidth && i.checkVisibility())
      .map((i) => i.src.slice(0, 80)),
    silent: all("article img").filter((i) => !i.alt.trim())
      .map((i) => i.src.slice(0, 80)),
    maths: all("article .math").filter((m) =>
      !m.querySelector("mjx-container") || m.querySelector("mjx-merror"))
      .map((m) => m.textContent.slice(0, 80)),
    widgets: all(views).length - all(".widget-subarea").length,
    waiting: waiting(),
    title: document.title,
    description: document.querySelector("meta[name=description]")?.content,
    card: document.querySelector("meta[property='og:title']")?.content,
    ids: all("[id]").map((e) => e.id),
    links: all("a[href]").map((a) => a.href),
  };
}"""

ANCHORS = {}  # page: its ids
LINKS = {}  # page: its links into the site


# Of each colour in code one visible example is audited in each kind of cell:
# a page has thousands of such spans, and most of axe's time would go there.
# All are looked at before the first is taken out, after which each look
# would lay the page out anew.
ONE_OF_EACH = """() => {
  const seen = new Set();
  const tokens = [...document.querySelectorAll(
    ".highlight pre span:not(:has(*))")]
    .map((token) => [token, token.checkVisibility()]);
  for (const [token, visible] of tokens) {
    const kind = [token, token.closest(".cell"),
      token.closest("[class^=highlight-]")].map((e) => e?.className).join();
    // axe is blind in a fold
    if (!visible || seen.has(kind)) token.replaceWith(token.textContent);
    else seen.add(kind);
  }
}"""

# The themes differ in colours only.
AUDIT = """async (theme) => {
  document.documentElement.dataset.theme = theme;
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa",
    "best-practice"];
  const found = await axe.run(document, {
    resultTypes: ["violations"],
    runOnly: theme === "light" ? tags
      : ["color-contrast", "link-in-text-block"],
  });
  return found.violations.flatMap((v) => v.nodes.map((n) =>
    `${theme}: ${v.id}: ${n.html.slice(0, 160)} ${n.failureSummary}`));
}"""

WIDE = """() => {
  const width = document.documentElement.scrollWidth;
  const wide = (e) => e.getBoundingClientRect().right > width;
  return width <= 320 ? [] : [`${width} px wide`,
    ...[...document.querySelectorAll("article *")].filter(wide).slice(0, 5)
      .map((e) => e.outerHTML.slice(0, 120))];
}"""


@pytest.mark.parametrize("name", NAMES + GENERATED)
def test_page(opened, name):
    """One visit of a page, with everything that can be seen of it.

    No message in the console, no request elsewhere; pictures, maths and
    widgets are there; axe finds nothing in either theme; at 320 px the
    text does not scroll sideways.
    """
    opened.problems.clear()
    tab = opened.open(name)
    found = tab.evaluate(LOADED)
    ANCHORS[name] = set(found["ids"])
    LINKS[name] = found["links"]
    problems = [
        f"{kind}: {found[kind]}"
        for kind in ("images", "silent", "maths", "waiting")
        if found[kind]
    ]
    if "Gradients by Hand" not in found["title"]:
        problems.append(f"title: {found['title']}")
    if name in NAMES and not (found["description"] and found["card"]):
        problems.append("no description or no card")
    problems += opened.problems
    tab.evaluate(ONE_OF_EACH)
    tab.add_script_tag(path=AXE)
    for theme in ("light", "dark"):
        problems += tab.evaluate(AUDIT, theme)
    tab.set_viewport_size({"width": 320, "height": 640})
    tab.wait_for_timeout(100)
    problems += tab.evaluate(WIDE)
    tab.set_viewport_size({"width": 1280, "height": 900})
    assert not problems, "\n".join(problems[:40])


def test_links(opened):
    """Each link into the site leads to a page, and to a place on it."""
    for name in NAMES + GENERATED:
        if name not in LINKS:
            tab = opened.open(name)
            found = tab.evaluate(LOADED)
            ANCHORS[name], LINKS[name] = set(found["ids"]), found["links"]
    dead = []
    for name, links in LINKS.items():
        for link in links:
            if not link.startswith(opened.home):
                continue
            path, anchor = urldefrag(link.removeprefix(opened.home))
            path = path or "index.html"
            page = path.removesuffix(".html")
            if not (site.HTML / unquote(path)).is_file():
                dead.append(f"{name}: {path}")
            elif anchor and unquote(anchor) not in ANCHORS.get(page, [anchor]):
                dead.append(f"{name}: {path}#{anchor}")
    assert not sorted(set(dead))


@pytest.mark.parametrize("name", NAMES)
def test_sliders(opened, name):
    """Each slider moves from the keyboard, says so, and turns the page."""
    html = (site.HTML / f"{name}.html").read_text()
    if "IntSliderModel" not in html:
        return
    tab = opened.open(name)
    tab.evaluate(LOADED)
    handles = tab.get_by_role("slider")
    assert handles.count()
    for handle in handles.all():
        box = handle.locator(
            "xpath=ancestor::*[contains(@class, 'widget-vbox')][1]"
        )
        shown = box.locator("img:visible")
        before = shown.first.get_attribute("src")
        handle.focus()
        outline = handle.evaluate("e => getComputedStyle(e).outlineStyle")
        assert outline != "none", "the focus cannot be seen"
        handle.press("ArrowRight")
        assert handle.get_attribute("aria-valuenow") in ("1", "1.0")
        assert handle.get_attribute("aria-label")
        assert shown.first.get_attribute("src") != before


def test_search(opened):
    """The search finds topological order where it is built."""
    tab = opened.tab
    tab.goto(f"{opened.home}search.html?q=topological")
    tab.locator("#search-results li a").first.wait_for()
    links = tab.locator("#search-results li a")
    first = links.first.get_attribute("href")
    assert "02_backward" in first


def test_404(opened):
    """A wrong address is answered with the book's own page."""
    opened.problems.clear()
    tab = opened.open("book/no/such/page")
    assert tab.get_by_role("heading", name="Page not found").is_visible()
    problems = [p for p in opened.problems if "404" not in p]
    assert not problems


def test_file(opened):
    """From file:// a page reads, and says why it cannot run a cell."""
    tab = opened.browser.new_page()
    tab.goto((site.HTML / "book" / "01_value.html").as_uri())
    cell = tab.locator(".cell.live").first
    cell.get_by_role("button", name="Run, cell").click()
    assert "python -m http.server" in cell.inner_text()
    tab.close()


def test_elsewhere(opened):
    """A request to another host is noticed, and leads nowhere."""
    opened.problems.clear()
    tab = opened.open("book/index")
    failed = tab.evaluate(
        "() => fetch('https://example.org/').catch((e) => e.name)"
    )
    assert failed == "TypeError"
    assert "request to https://example.org/" in opened.problems


def test_icons_and_fonts_come_from_the_site():
    """Nothing in a page names another host as the source of a part."""
    for name in NAMES + GENERATED:
        text = (site.HTML / f"{name}.html").read_text()
        for start in (
            '<script src="http',
            '<link rel="stylesheet" href="http',
        ):
            assert start not in text, name
