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

WAIT = 25.0  # seconds after which a live-reload request is answered even if nothing has changed

# A hidden page makes no requests: a browser has six connections to one host, for all of its tabs.
_SCRIPT = """<script>(() => {
const poll = async () => {
  let answer = "EPOCH";
  try { answer = await (await fetch("/livereload/EPOCH")).text(); }
  catch { await new Promise((resolve) => setTimeout(resolve, 1000)); }
  if (answer !== "EPOCH") location.reload();
  else if (!document.hidden) poll();
};
poll();
document.addEventListener("visibilitychange", () => document.hidden || poll());
})()</script>"""
_EMPTY = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Build failed</title></head><body></body></html>'
)
mimetypes.add_type("application/javascript", ".mjs")
mimetypes.add_type("application/wasm", ".wasm")


class Server(http.server.ThreadingHTTPServer):
    """The HTTP server. Set `site` before `serve_forever`. The constructor raises OSError if it cannot use the address."""

    daemon_threads = True

    def __init__(self, host: str, port: int):
        self.epoch = 1  # increases with each change of the site; a page that was built in an earlier epoch reloads
        self.epoch_changed = threading.Condition()
        self.site: LiveSite
        super().__init__((host, port), _Handler)

    def reload(self) -> None:
        """Make all open pages reload."""
        with self.epoch_changed:
            self.epoch += 1
            self.epoch_changed.notify_all()

    def wait(self, epoch: int) -> int:
        """Wait until the epoch of the site differs from `epoch`, at most WAIT seconds. Return the epoch of the site."""
        with self.epoch_changed:
            self.epoch_changed.wait_for(lambda: self.epoch != epoch, WAIT)
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
            known_epoch = path.removeprefix("livereload/")
            self.send(
                200, "text/plain", str(self.server.wait(int(known_epoch) if known_epoch.isdigit() else 0)).encode()
            )
            return
        path = posixpath.normpath(path) if path else "index.html"
        if path.startswith(".."):
            self.send(404, "text/plain", b"not found")
            return
        # read before the page is built, so that a change during the build makes the page reload
        epoch = self.server.epoch
        site = self.server.site
        is_page = site.make(path)
        file = site.target / path
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        # HTML that is not a page, such as the frame of Run, gets no script: its policy forbids one.
        if file.is_file() and not (is_page and kind == "text/html"):
            self.send(200, kind, file.read_bytes())
            return
        status, text = self.page(file, is_page)
        self.send(status, "text/html; charset=utf-8", add_live_reload(text, site.faults.panel(path), epoch).encode())

    def page(self, file: Path, is_page: bool) -> tuple[int, str]:
        """Return (status, HTML): (200, the page in `file`), (404, 404.html) or (500, _EMPTY).

        The status of a missing file is 404; it is 500 for a page that could not be built, and without 404.html.
        """
        if file.is_file():
            return 200, file.read_text("utf-8")
        missing_page = self.server.site.target / "404.html"
        if missing_page.is_file() and not is_page:
            return 404, missing_page.read_text("utf-8")
        return 500, _EMPTY

    def send(self, status: int, kind: str, body: bytes) -> None:
        """Send a response of content type `kind` that the browser does not cache, since any file may change."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-cache")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Do not log requests."""


def add_live_reload(page: str, panel: str, epoch: int) -> str:
    """Add the HTML `panel` to the top of a page, and to its end the script that reloads it when the epoch changes."""
    script = _SCRIPT.replace("EPOCH", str(epoch))
    body = page.find(">", page.find("<body")) + 1
    page = page[:body] + panel + page[body:] if panel else page
    end = page.rfind("</body>")
    return page[:end] + script + page[end:] if end >= 0 else page + script
