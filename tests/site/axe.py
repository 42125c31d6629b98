"""axe-core, which finds barriers for people with disabilities."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
ADDRESS = "/axe.min.js"  # where the server of these tests serves it, beside the site
NO_AXE = "axe-core is not installed: make browser-tools"


def load_axe(page: Page) -> None:
    """Load axe into the open page by its address, so that Chromium compiles it once and not on each page."""
    page.add_script_tag(url=ADDRESS)
