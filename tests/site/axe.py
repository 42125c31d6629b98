"""axe-core, which finds what keeps people from using a page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
ADDRESS = "/axe.min.js"  # at which the server of these tests has it, beside the site
NO_AXE = "axe-core is not installed: make browser-tools"


def load_axe(page: Page) -> None:
    """Into the page that is open, by its address: Chromium compiles such a script once, and not again on each page."""
    page.add_script_tag(url=ADDRESS)
