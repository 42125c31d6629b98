"""axe-core finds nothing on any page, in light and dark, at 1280 and 390 px."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser

AXE = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
    (v) => `${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " " + (n.any[0]?.message ?? "")).join(" | ")}`)"""


@pytest.fixture(scope="module")
def axe() -> str:
    if not AXE.exists():
        message = "axe-core is not installed: make browser-tools"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return AXE.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(chromium: Browser, site: Path, server: str, axe: str, width: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    found = {}
    for path in sorted(site.rglob("*.html")):
        address = path.relative_to(site).as_posix()
        if address.startswith("runtime/") or address == "404.html":
            continue
        page.emulate_media(color_scheme="light")
        page.goto(server + address, wait_until="load")
        page.evaluate(axe)
        for scheme, name in (("light", "default"), ("dark", "slate")):
            page.evaluate("name => document.body.setAttribute('data-md-color-scheme', name)", name)
            violations = page.evaluate(RUN)
            if violations:
                found[f"{address} {scheme}"] = violations
    context.close()
    assert not found, "\n".join(f"{where}: {what}" for where, what in found.items())
