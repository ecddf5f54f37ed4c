"""A browser, and the built site to point it at."""

import fcntl
import os
import shutil
from contextlib import contextmanager

import pytest
import yaml

from tools import site

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--process-per-site",  # and what one page has compiled, the others share
]
# The shell first: the same engine without a window to draw is quicker.
BROWSERS = ["chromium-headless-shell", "chromium", "google-chrome"]
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
TOC = yaml.safe_load((site.ROOT / "_toc.yml").read_text())
NAMES = [TOC["root"]] + [
    chapter["file"] for part in TOC["parts"] for chapter in part["chapters"]
]
NOTEBOOKS = [n for n in NAMES if (site.ROOT / f"{n}.ipynb").exists()]

# Without a browser they are skipped with this line; in CI they fail.
needs_browser = pytest.mark.skipif(
    CHROMIUM is None and "CI" not in os.environ,
    reason="no Chromium here; a system's chromium-headless-shell is enough",
)


@contextmanager
def open_site():
    """Serve the site, built if it is stale; yield a browser and its home."""
    from playwright.sync_api import sync_playwright

    folder = site.ROOT / "_build"
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "w") as lock:  # for tests side by side
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not site.fresh():
            assert site.build("--quiet", "-W", "-n", "--keep-going")
    server = site.serve()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=FLAGS
        )
        yield browser, f"http://127.0.0.1:{server.server_port}/"
        browser.close()
    server.shutdown()


class Page:
    """A page of the site that notes what it should not do."""

    def __init__(self, browser, home, **options):
        options = {"viewport": {"width": 1280, "height": 900}} | options
        self.context = browser.new_context(**options)
        self.home, self.browser = home, browser
        self.problems = []
        self.context.on("request", self.ask)
        self.context.on("console", self.hear)
        self.context.on(
            "weberror", lambda e: self.problems.append(str(e.error))
        )
        self.context.on("response", self.check)
        self.tab = self.context.new_page()

    def hear(self, message):
        # Of a busy machine, not of the page: a font came late.
        if not message.text.startswith("Slow network is detected"):
            self.problems.append(message.text)

    def ask(self, request):
        if not request.url.startswith((self.home, "data:", "blob:")):
            self.problems.append(f"request to {request.url}")

    def check(self, response):
        if response.status >= 400:
            self.problems.append(f"{response.status} for {response.url}")

    def open(self, name):
        self.tab.goto(f"{self.home}{name}.html", wait_until="load")
        return self.tab
