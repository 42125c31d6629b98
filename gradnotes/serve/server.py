"""Serve pages over HTTP: request each page from the site, and make open pages reload."""

from __future__ import annotations

import http.server
import mimetypes
import posixpath
import socketserver
import threading
from pathlib import Path
from urllib.parse import unquote, urlsplit

from gradnotes.serve.site import LiveSite

WAIT = 25.0  # seconds until a page's request for news is answered

# A hidden page makes no requests: a browser has six connections to one host, for all of its tabs.
_SCRIPT = """<script>(() => {
const ask = async () => {
  let answer = "EPOCH";
  try { answer = await (await fetch("/livereload/EPOCH")).text(); }
  catch { await new Promise((resolve) => setTimeout(resolve, 1000)); }
  if (answer !== "EPOCH") location.reload();
  else if (!document.hidden) ask();
};
ask();
document.addEventListener("visibilitychange", () => document.hidden || ask());
})()</script>"""
_EMPTY = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Not made</title></head><body></body></html>'
mimetypes.add_type("application/javascript", ".mjs")
mimetypes.add_type("application/wasm", ".wasm")


class Server(http.server.ThreadingHTTPServer):
    """An HTTP server that is bound on construction. Set `site` before serving. The constructor raises OSError."""

    daemon_threads = True

    def __init__(self, host: str, port: int):
        self.epoch = 1  # of the site; pages with another epoch reload
        self.changed = threading.Condition()
        self.site: LiveSite
        super().__init__((host, port), _Handler)

    def reload(self) -> None:
        """Make open pages reload."""
        with self.changed:
            self.epoch += 1
            self.changed.notify_all()

    def wait(self, epoch: int) -> int:
        """Return the epoch once it differs from `epoch`, or after `WAIT` seconds."""
        with self.changed:
            self.changed.wait_for(lambda: self.epoch != epoch, WAIT)
            return self.epoch

    def server_bind(self) -> None:
        """Bind without resolving the name of this host, which may take long."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore the error: a browser may close a connection early."""


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path).lstrip("/")
        if path.startswith("livereload/"):
            known = path.removeprefix("livereload/")
            self.send(200, "text/plain", str(self.server.wait(int(known) if known.isdigit() else 0)).encode())
            return
        path = posixpath.normpath(path) if path else "index.html"
        if path.startswith(".."):
            self.send(404, "text/plain", b"not found")
            return
        epoch = self.server.epoch  # taken before the page is built, so that a later change reloads it
        site = self.server.site
        is_page = site.make(path)
        file = site.target / path
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        if file.is_file() and kind != "text/html":
            self.send(200, kind, file.read_bytes())
            return
        status, text = self.page(file, is_page)
        self.send(status, "text/html; charset=utf-8", add_live_reload(text, site.faults.panel(path), epoch).encode())

    def page(self, file: Path, is_page: bool) -> tuple[int, str]:
        """Return status and HTML: the page in `file`, the 404 page or, if the build failed, an empty page with the faults."""
        if file.is_file():
            return 200, file.read_text("utf-8")
        missing = self.server.site.target / "404.html"
        if missing.is_file() and not is_page:
            return 404, missing.read_text("utf-8")
        return 500, _EMPTY

    def send(self, status: int, kind: str, body: bytes) -> None:
        """Send a response. The browser must not cache it, since everything may change."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-cache")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Do not log requests."""


def add_live_reload(page: str, panel: str, epoch: int) -> str:
    """Add the panel of faults to the top of a page, and the script that reloads it."""
    script = _SCRIPT.replace("EPOCH", str(epoch))
    body = page.find(">", page.find("<body")) + 1
    page = page[:body] + panel + page[body:] if panel else page
    end = page.rfind("</body>")
    return page[:end] + script + page[end:] if end >= 0 else page + script
