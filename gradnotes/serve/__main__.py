"""Serve the site of the project in this folder, and show each saved change.

    python -m gradnotes.serve 127.0.0.1:8000

A page is made when a browser asks for it, and the others while nobody asks. What is wrong with a file is printed and shown
at the top of the pages; it never ends the server.
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

WATCHED = ("docs", "snippets", "exercises", "reference_impl", "overrides", "mkdocs.yml", "pyproject.toml", "LICENSE")
INTERVAL = 0.3  # seconds between two looks at the files
SETTLED = 0.05  # seconds without a further change after one


def bind(address: str) -> Server:
    """Return a server at `host:port`. Raises ValueError, with what to do, if there can be none."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise ValueError(f"address must be HOST:PORT, got {address!r}\n    make serve ADDRESS=127.0.0.1:8000")
    try:
        return Server(host.strip("[]"), int(port))
    except OSError as error:
        other = f"make serve ADDRESS={host}:{max(1024, int(port)) + 1}"
        if error.errno == errno.EADDRINUSE:
            raise ValueError(f"{address} is in use by another program\n    {other}") from None
        raise ValueError(f"{address}: {error.strerror or error}\n    {other}") from None


class Loop:
    """Watches the files, updates the site, and makes the pages that nobody has asked for yet."""

    def __init__(self, server: Server, site: LiveSite):
        self.server, self.site = server, site
        self.updates = 0
        self.updated = threading.Event()
        threading.Thread(target=self.make_the_rest, daemon=True).start()

    def look(self) -> object:
        """Return what the watched files look like."""
        return [inputs.signature(self.site.root / name) for name in WATCHED]

    def run(self, interval: float) -> None:
        """Update the site at each change, until the process is interrupted; look at the files every `interval` seconds."""
        before = self.look()
        self.update()
        while True:
            time.sleep(interval)
            now = self.look()
            if now != before:
                while before != now:
                    time.sleep(SETTLED)
                    before, now = now, self.look()
                self.update()
                self.server.reload()

    def update(self) -> None:
        """Let the site look at its files, and its other pages be made."""
        self.site.update()
        self.updates += 1
        self.updated.set()

    def make_the_rest(self) -> None:
        """Make what is outdated, again after each update; open pages load again if that has found or mended a fault."""
        while True:
            self.updated.wait()
            self.updated.clear()
            number, faults = self.updates, self.site.faults.all()
            self.site.complete(lambda: self.updates == number)  # noqa: B023
            if self.updates == number and self.site.faults.all() != faults:
                self.server.reload()


def main() -> int:
    parser = argparse.ArgumentParser(description="Serve the site, and show each saved change.")
    parser.add_argument("address", help="HOST:PORT")
    parser.add_argument("--interval", type=float, default=INTERVAL, help="seconds between two looks at the files")
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
