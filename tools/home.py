"""Say where the project lives: make home URL=… SITE=…

URL is the repository's address: pyproject.toml is where it is set, and
everything else is a copy. SITE, if given, is the address that the built
pages are served from; with it they get a sitemap and preview cards.
"""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from tools.refresh import home

# Where an address can only be the project's own.
COPIES = [
    r"git\+(https://[^\s\"'\\]+)",
    r"git clone (https://[^\s\"'\\]+)",
    r"^repository:\n +url: (\S+)",
    r"colab\.research\.google\.com/github/([\w.-]+/[\w.-]+)",
    r"mybinder\.org/v2/gh/([\w.-]+/[\w.-]+)",
]


def texts():
    """Yield (path, text) of each text file in git but the tests."""
    listed = subprocess.run(
        ["git", "ls-files", ":!tests"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        try:
            yield Path(name), Path(name).read_text()
        except (UnicodeDecodeError, FileNotFoundError):
            continue


def strangers():
    """List the copies that are not the repository's address."""
    _, url = home()
    known = {url, urlsplit(url).path.strip("/")}
    return [
        f"{path}: {found}"
        for path, text in texts()
        for pattern in COPIES
        for found in re.findall(pattern, text, re.M)
        if found not in known
    ]


def move(new):
    """Write the new address wherever the old one stands."""
    if not re.fullmatch(r"https://[\w.-]+/[\w.-]+/[\w.-]+", new):
        sys.exit(
            f"URL={new!r} is not an address such as "
            "https://github.com/owner/repository"
        )
    _, old = home()
    slugs = urlsplit(old).path.strip("/"), urlsplit(new).path.strip("/")
    for path, text in texts():
        moved = text.replace(old, new).replace(f"/{slugs[0]}", f"/{slugs[1]}")
        if moved != text:
            path.write_text(moved)
            print(path)


def serve_from(site):
    """Write the address of the built pages into _config.yml."""
    if not re.fullmatch(r"https?://[\w.-]+(:\d+)?(/[\w.~-]+)*/?", site):
        sys.exit(
            f"SITE={site!r} is not an address such as "
            "https://owner.github.io/repository/"
        )
    path = Path("_config.yml")
    line = f"  baseurl: {site.rstrip('/')}/"
    path.write_text(
        re.sub(r"^  baseurl: \S+", line, path.read_text(), flags=re.M)
    )
    print(path)


if __name__ == "__main__":
    move(sys.argv[1])
    for site in sys.argv[2:]:
        serve_from(site)
