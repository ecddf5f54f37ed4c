"""Serve the built book on this machine; build it again when it changes.

python -m tools.site            serve _build/html, rebuilding on change
"""

import gzip
import subprocess
import sys
import threading
import time
from functools import lru_cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).parents[1]
HTML = ROOT / "_build" / "html"
PLAIN = {".png", ".woff", ".woff2", ".zip"}  # compressed already
SOURCES = (
    "book",
    "exercises",
    "solutions",
    "micrograd",
    "_config.yml",
    "_toc.yml",
    "requirements.txt",
    "tools/package-lock.json",
)


class Handler(SimpleHTTPRequestHandler):
    """What a static host does: compress, and answer with the 404 page."""

    protocol_version = "HTTP/1.1"
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        status = 200 if path.is_file() else 404
        if status == 404:
            path = Path(self.directory, "404.html")
        body = path.read_bytes() if path.is_file() else b""
        self.send_response(status)
        self.send_header("Content-Type", self.guess_type(path))
        if path.suffix not in PLAIN and "gzip" in self.headers.get(
            "Accept-Encoding", ""
        ):
            body = compressed(body)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        """Be quiet."""


@lru_cache
def compressed(body):
    return gzip.compress(body, 6, mtime=0)


def serve(folder=HTML, port=0):
    """Start to serve a folder on loopback; return the server."""
    handler = partial(Handler, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def newest():
    """Return the time of the last change to what the book is made of.

    What a run leaves behind, .hypothesis or .ipynb_checkpoints, is no part.
    """
    files = [
        path
        for name in SOURCES
        for path in [ROOT / name, *(ROOT / name).rglob("*")]
        if path.is_file()
        and path.suffix != ".pyc"
        and not any(
            part.startswith(".") for part in path.relative_to(ROOT).parts
        )
    ]
    return max(path.stat().st_mtime for path in files)


def build(*options):
    """Build the pages; return whether all went well."""
    program = Path(sys.executable).with_name("jupyter-book")
    done = subprocess.run([program, "build", ".", *options], cwd=ROOT)
    return done.returncode == 0


def fresh():
    """Return whether the built site is newer than what it is made of."""
    built = HTML / ".buildinfo"
    return built.exists() and built.stat().st_mtime > newest()


def main():
    server = serve(port=8000)
    print(f"http://127.0.0.1:{server.server_port}/ (Ctrl+C to end)")
    built = newest()
    try:
        while True:
            time.sleep(1)
            if newest() > built:
                built = newest()
                build("--quiet")
    except KeyboardInterrupt:
        server.shutdown()


if __name__ == "__main__":
    main()
