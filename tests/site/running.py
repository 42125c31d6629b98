"""Run programs in the editor of a page, and serve the site as different hosts do."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.site.browser_input import paste

START = 90_000  # ms; on a machine with two busy cores, Python starts slowly
NO_RUNTIME = "the site was built without a Python runtime: make runtime NUMPY_WHEEL=path/to/wheel"


def need_runtime(site: Path) -> None:
    """Skip the test if the site was built without the Python runtime."""
    if not (site / "runtime" / "engine.tar.gz").exists():
        pytest.skip(NO_RUNTIME)


def open_playground(page: Page, server: str) -> Locator:
    """Open the editor of the playground, and return its panel."""
    page.goto(server + "playground.html")
    page.locator("figure.snippet pre").click()
    panel = page.locator(".run-panel")
    expect(panel.get_by_role("textbox")).to_be_focused()
    return panel


def program_of(editor: Locator) -> str:
    """Return the program in an editor, or in a figure or a panel with one editor."""
    return "\n".join(editor.locator(".cm-line").all_text_contents())


def press_run(panel: Locator, program: str) -> None:
    """Replace the program in the editor and click Run."""
    paste(panel.get_by_role("textbox"), program)
    panel.get_by_role("button", name="Run", exact=True).click()


def await_end(panel: Locator) -> None:
    """Wait until the program of a panel has ended: the button shows Run again, instead of Stop."""
    expect(panel.get_by_role("button", name="Run", exact=True)).to_be_visible(timeout=START)


def choose(panel: Locator | Page, entry: str) -> None:
    """Open the menu beside Run and click the entry with the name `entry`."""
    panel.get_by_role("button", name="More", exact=True).click()
    panel.get_by_role("menuitem", name=entry).click()


def run(panel: Locator, program: str) -> str:
    """Run a program until it ends, and return the text of the status line."""
    press_run(panel, program)
    await_end(panel)
    return panel.locator(".run-status").text_content() or ""


class Host(http.server.SimpleHTTPRequestHandler):
    """Serves a folder. Subclasses imitate particular hosts."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Log no requests."""

    def copyfile(self, source: object, outputfile: object) -> None:
        """Send a file. Ignore the error if the browser has closed the connection."""
        try:
            super().copyfile(source, outputfile)  # type: ignore[arg-type, misc]
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


@contextmanager
def serve(handler: type[Host], folder: Path) -> Iterator[str]:
    """Start a server for a folder with this class of request handlers. Yield its address."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
