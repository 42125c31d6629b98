"""Load axe-core, which finds barriers for people with disabilities."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
ADDRESS = "/axe.min.js"  # path under which the tests' server provides axe-core beside the site
NO_AXE = "axe-core is not installed: run `make browser-tools`"


def load_axe(page: Page) -> None:
    """Load axe-core into a page from an address.

    Chromium compiles a script with an address only once, but inserted text for each page.
    """
    page.add_script_tag(url=ADDRESS)
