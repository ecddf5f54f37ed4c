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


# Contrast is judged on one element of each look, since a page has thousands
# that look like another. A look is what contrast depends on, in both themes.
# Names in code that only repeat one become plain text; so do those in a
# closed fold, where axe is blind.
AUDIT = """async () => {
  const page = document.documentElement;
  const says = (e) => e.checkVisibility()
    && e.getBoundingClientRect().width > 1 // less is for screen readers only
    && (e.matches("input, textarea, select") || [...e.childNodes].some(
      (n) => n.nodeType === Node.TEXT_NODE && n.data.trim()));
  const all = [...document.querySelectorAll("body *")].filter(says);
  const looks = new Map(all.map((e) => [e, ""]));
  for (const theme of ["dark", "light"]) {
    page.dataset.theme = theme;
    const grounds = new Map([[null, ""]]);
    const ground = (e) => { // what is behind the text, back to the page
      if (!grounds.has(e)) {
        const { backgroundColor, backgroundImage, opacity } =
          getComputedStyle(e);
        const own = `${backgroundColor} ${backgroundImage} ${opacity};`;
        grounds.set(e, ground(e.parentElement)
          + own.replace("rgba(0, 0, 0, 0) none 1;", ""));
      }
      return grounds.get(e);
    };
    for (const e of all) {
      const { color, fontSize, fontWeight, textDecorationLine } =
        getComputedStyle(e);
      looks.set(e, [looks.get(e), e.tagName, color, fontSize, fontWeight,
        textDecorationLine, getComputedStyle(e.parentElement).color,
        ground(e)].join());
    }
  }
  const include = [...new Map(all.map((e) => [looks.get(e), e])).values()];
  for (const e of document.querySelectorAll(".highlight span:not(:has(*))"))
    if (!include.includes(e)) e.replaceWith(e.textContent);

  const problems = [];
  const audit = async (theme, where, options) => {
    page.dataset.theme = theme;
    const found = await axe.run(
      where, { resultTypes: ["violations"], ...options });
    for (const { id, nodes } of found.violations)
      for (const { html, failureSummary } of nodes)
        problems.push(
          `${theme}: ${id}: ${html.slice(0, 160)} ${failureSummary}`);
  };
  const contrast = ["color-contrast", "link-in-text-block"];
  const rules = Object.fromEntries(
    contrast.map((rule) => [rule, { enabled: false }]));
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa",
    "best-practice"];
  await audit("light", document, { runOnly: tags, rules });
  await audit("light", { include }, { runOnly: contrast });
  await audit("dark", { include }, { runOnly: contrast });
  return problems;
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
    tab.add_script_tag(path=AXE)
    problems += tab.evaluate(AUDIT)
    tab.set_viewport_size({"width": 320, "height": 640})
    tab.wait_for_timeout(100)
    problems += tab.evaluate(WIDE)
    tab.set_viewport_size({"width": 1280, "height": 900})
    assert not problems, "\n".join(problems[:40])


FAULTS = """() => {
  const tokens = document.querySelectorAll(".cell .highlight .n");
  const last = [...tokens].filter((e) => e.checkVisibility()).at(-1);
  last.style.color = "#404040";
  document.querySelector("article p a").style.color = "#c8c8c8";
  document.querySelector("article h2").outerHTML = "<h5>Too deep</h5>";
  document.querySelector("article p").insertAdjacentHTML("afterend",
    '<input aria-label="Answer" value="42" style="color: #d8d8d8">');
}"""


def test_the_audit_finds_faults(opened):
    """A word of code too dark, a link and a field too light, a heading."""
    tab = opened.open("book/01_value")
    tab.evaluate(LOADED)
    tab.evaluate(FAULTS)
    tab.add_script_tag(path=AXE)
    problems = tab.evaluate(AUDIT)
    found = [": ".join(p.split(": ")[:2]) for p in problems]
    assert "dark: color-contrast" in found
    assert "light: color-contrast" in found
    assert "light: heading-order" in found
    assert any(p.startswith("light: color-contrast: <input") for p in problems)


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
