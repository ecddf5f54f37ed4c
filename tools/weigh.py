"""Weigh the built pages as a reader's browser does.

python -m tools.weigh           a table: first paint, bytes on the wire
"""

from tests.browser import open_site

PAGES = {
    "front page": "book/index",
    "chapter": "book/01_value",
    "chapter with a slider": "book/04_graph",
    "exercises": "exercises/01_value",
    "list of the package": "book/package",
    "glossary, with maths": "book/glossary",
    "search": "search",
}
PAINT = """() => new Promise((done) => {
  const paint = () => performance.getEntriesByName("first-contentful-paint");
  const wait = () => paint().length ? done(paint()[0].startTime)
    : setTimeout(wait, 20);
  wait();
})"""
KINDS = {
    "page": ("document",),
    "scripts": ("script",),
    "styles": ("stylesheet",),
    "fonts": ("font",),
    "pictures": ("image",),
    "other": ("fetch", "xhr", "other", "manifest"),
}


def weigh(browser, address, action=None):
    """Return (ms to the first paint, {kind: bytes}) of an empty cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    sizes = dict.fromkeys([*KINDS, "widgets"], 0)

    def add(request):
        size = request.sizes()["responseBodySize"]
        if "/html-manager" in request.url:
            sizes["widgets"] += size
            return
        for kind, types in KINDS.items():
            if request.resource_type in types:
                sizes[kind] += size

    done = []
    tab.on("requestfinished", lambda request: done.append(request))
    tab.goto(address, wait_until="networkidle")
    paint = tab.evaluate(PAINT)
    if action:
        done.clear()
        action(tab)
    for request in done:
        add(request)
    context.close()
    return paint, sizes


def first_run(tab):
    cell = tab.locator(".cell.live").first
    cell.get_by_role("button", name="Run, cell").click()
    cell.locator(".live-status", has_text="Done").wait_for(timeout=120_000)


def main():
    print(f"{'kB on the wire':24}{'paint':>8}", end="")
    print("".join(f"{kind:>10}" for kind in [*KINDS, "widgets", "all"]))
    with open_site() as (browser, home):
        for name, path in PAGES.items():
            paint, sizes = weigh(browser, f"{home}{path}.html")
            row(name, f"{paint:.0f} ms", sizes)
        _, sizes = weigh(browser, f"{home}book/01_value.html", first_run)
        row("the first Run adds", "", sizes)


def row(name, paint, sizes):
    cells = [*sizes.values(), sum(sizes.values())]
    print(f"{name:24}{paint:>8}", end="")
    print("".join(f"{size / 1000:10.0f}" for size in cells), flush=True)


if __name__ == "__main__":
    main()
