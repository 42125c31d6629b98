"""axe-core finds nothing on any page, in light and dark, at 1280 and 390 px.

The pages of the engine's source are all made by one function, and each holds thousands of elements,
so a run takes one in forty of them; AXE_ALL=1 takes all.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser

AXE = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
RUN = """async (rules) => (await axe.run(document, {resultTypes: ["violations"], ...rules})).violations.map(
    (v) => `${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " " + (n.any[0]?.message ?? "")).join(" | ")}`)"""

# The scheme changes colours and nothing else, so in the dark only the rules on colour run again.
SCHEMES = (
    ("light", "default", {}),
    ("dark", "slate", {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}),
)

PARTS = 5  # of the pages, so that workers share them: all of them take some minutes


@pytest.fixture(scope="module")
def axe() -> str:
    if not AXE.exists():
        message = "axe-core is not installed: make browser-tools"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return AXE.read_text(encoding="utf-8")


def _addresses(site: Path) -> list[str]:
    found = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    modules = [address for address in found if address.startswith("engine/reference_impl")]
    left_out = set() if os.environ.get("AXE_ALL") else set(modules) - set(modules[::40])
    return [a for a in found if not a.startswith("runtime/") and a != "404.html" and a not in left_out]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(chromium: Browser, site: Path, server: str, axe: str, width: int, part: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    found = {}
    for address in _addresses(site)[part::PARTS]:
        page.emulate_media(color_scheme="light")
        page.goto(server + address, wait_until="load")
        page.evaluate(axe)
        for scheme, name, rules in SCHEMES:
            page.evaluate("name => document.body.setAttribute('data-md-color-scheme', name)", name)
            violations = page.evaluate(RUN, rules)
            if violations:
                found[f"{address} {scheme}"] = violations
    context.close()
    assert not found, "\n".join(f"{where}: {what}" for where, what in found.items())
