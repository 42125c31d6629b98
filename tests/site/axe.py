"""Load axe-core, which finds barriers for people with disabilities."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
ADDRESS = "/axe.min.js"  # path at which the server of the tests serves axe, beside the site
NO_AXE = "axe-core is not installed: run `make browser-tools`"


def load_axe(page: Page) -> None:
    """Load axe-core into a page. Chromium compiles a script from an address once, not again for each page."""
    page.add_script_tag(url=ADDRESS)
