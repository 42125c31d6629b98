"""Serve the site of the project in the working directory, and show each saved change.

    python -m gradnotes.serve 127.0.0.1:8000

A page is built on request, the other pages while the server is idle. Problems of files are printed and shown at the
top of the pages; they never end the server.
"""

from __future__ import annotations

import argparse
import errno
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

from gradnotes import inputs
from gradnotes.serve.server import Server
from gradnotes.serve.site import LiveSite

WATCHED_PATHS = (
    "docs",
    "snippets",
    "exercises",
    "i18n",
    "reference_impl",
    "overrides",
    "mkdocs.yml",
    "pyproject.toml",
    "LICENSE",
)
INTERVAL = 0.3  # seconds between two checks of the files
SETTLE_TIME = 0.05  # seconds to wait for further changes after a change


def bind(address: str) -> Server:
    """Return a server at `host:port`.

    Raises:
        ValueError: the address is malformed, in use or otherwise not available. The message has a remedy.
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise ValueError(f"address must be HOST:PORT, got {address!r}\n    run `make serve ADDRESS=127.0.0.1:8000`")
    try:
        return Server(host.strip("[]"), int(port))
    except OSError as error:
        remedy = f"run `make serve ADDRESS={host}:{max(1024, int(port)) + 1}`"
        if error.errno == errno.EADDRINUSE:
            raise ValueError(f"{address} is in use by another program\n    {remedy}") from None
        raise ValueError(f"{address}: {error.strerror or error}\n    {remedy}") from None


class Loop:
    """Watch the files, update the site, and build the pages that no browser has requested yet.

    The constructor starts the thread that builds these pages.
    """

    def __init__(self, server: Server, site: LiveSite):
        self.server, self.site = server, site
        self.updates = 0  # number of updates so far
        self.update_event = threading.Event()
        threading.Thread(target=self.build_remaining_pages, daemon=True).start()

    def signatures(self) -> object:
        """Return the signatures of the watched files."""
        return [inputs.signature(self.site.root / name) for name in WATCHED_PATHS]

    def run(self, interval: float) -> None:
        """Update the site now and at each change, until the process is interrupted. Check the files every `interval` seconds."""
        previous = self.signatures()
        self.update()
        while True:
            time.sleep(interval)
            signatures = self.signatures()
            if signatures != previous:
                while previous != signatures:
                    time.sleep(SETTLE_TIME)
                    previous, signatures = signatures, self.signatures()
                self.update()
                self.server.reload()

    def update(self) -> None:
        """Update the site, and wake the thread that builds the remaining pages."""
        self.site.update()
        self.updates += 1
        self.update_event.set()

    def build_remaining_pages(self) -> None:
        """Build outdated pages after each update, forever. Make open pages reload if the list of faults has changed."""
        while True:
            self.update_event.wait()
            self.update_event.clear()
            number, faults = self.updates, self.site.faults.all()
            self.site.complete(lambda: self.updates == number)  # noqa: B023
            if self.updates == number and self.site.faults.all() != faults:
                self.server.reload()


def main() -> int:
    """Serve until interrupted; return the exit code."""
    parser = argparse.ArgumentParser(description="Serve the site, and show each saved change.")
    parser.add_argument("address", help="HOST:PORT")
    parser.add_argument("--interval", type=float, default=INTERVAL, help="seconds between checks of the files")
    options = parser.parse_args()
    try:
        server = bind(options.address)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix="gradnotes_", ignore_cleanup_errors=True) as folder, server:
        server.site = LiveSite(Path.cwd(), Path(folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(f"serving on http://{options.address}/ (Ctrl-C ends it)", flush=True)
        try:
            Loop(server, server.site).run(options.interval)
        except KeyboardInterrupt:
            return 0
        finally:
            server.shutdown()
            server.site.save()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
