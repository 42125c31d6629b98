"""Every page in Chromium: it fits the screen, asks no other host, does not complain, and axe-core finds nothing on it.

One walk for four looks, since opening a page takes as long as looking at it: at 1280 and at 390 px, in light and dark.

AXE_ALL=1 shows axe each page as it is, and takes minutes. What is left out otherwise:

- Most elements of a page are the coloured words of its code. What axe can find in one is decided by its class and by what it stands in,
  so of words that are alike in this a page keeps one; the others become the bare text of their line.
- The pages of the engine's source are all made by one function: axe sees one in forty of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

AXE = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
RUN = """async (rules) => (await axe.run(document, {resultTypes: ["violations"], ...rules})).violations.map(
    (v) => `${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " " + (n.any[0]?.message ?? "")).join(" | ")}`)"""

UNWRAP_WORDS = """() => {
    const seen = new Set(), again = [];
    for (const word of document.querySelectorAll("pre span")) {
        if (word.children.length || word.id || !word.getClientRects().length) continue;
        let kind = "";
        for (let e = word; e !== document.body; e = e.parentElement) kind += `${e.tagName}.${e.className} `;
        if (seen.has(kind) || word.textContent.trim().length === 1) again.push(word);  // axe judges no single sign
        else seen.add(kind);
    }
    for (const word of again) word.replaceWith(...word.childNodes);
    document.body.normalize();
}"""

# The scheme changes colours and nothing else, so in the dark only the rules on colour run again.
SCHEMES = (
    ("light", "default", {}),
    ("dark", "slate", {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}),
)
WIDTHS = (1280, 390)
ALL = bool(os.environ.get("AXE_ALL"))
NO_AXE = "axe-core is not installed: make browser-tools"
PARTS = 10  # of the pages, so that workers share them: all of them take some minutes


@pytest.fixture(scope="module")
def axe() -> str | None:
    """Its program; None where it is not installed, which is an error in CI."""
    if AXE.exists():
        return AXE.read_text(encoding="utf-8")
    if os.environ.get("CI"):
        pytest.fail(NO_AXE)
    return None


def addresses(site: Path) -> list[str]:
    found = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    return [address for address in found if not address.startswith("runtime/") and address != "404.html"]


def seen_by_axe(addresses: list[str]) -> set[str]:
    modules = [address for address in addresses if address.startswith("engine/reference_impl")]
    return set(addresses) - (set() if ALL else set(modules) - set(modules[::40]))


def violations(page: Page) -> list[str]:
    """What axe finds on the page as it is now, in both schemes."""
    found = []
    for scheme, name, rules in SCHEMES:
        page.evaluate("name => document.body.setAttribute('data-md-color-scheme', name)", name)
        found += [f"{scheme}: {what}" for what in page.evaluate(RUN, rules)]
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page(watched: Callable, site: Path, server: str, axe: str | None, part: int) -> None:
    page, found = watched.page, []
    everything = addresses(site)
    judged = seen_by_axe(everything) if axe else set()
    for address in everything[part::PARTS]:
        page.set_viewport_size({"width": WIDTHS[0], "height": 900})
        page.goto(server + address, wait_until="load")
        if address in judged:
            if not ALL:
                page.evaluate(UNWRAP_WORDS)
            page.evaluate(axe)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if wide > 0:
                found.append(f"{address} at {width}: {wide} px too wide")
            if address in judged:
                found += [f"{address} at {width}, {what}" for what in violations(page)]
    page.wait_for_timeout(200)
    assert not found, "\n".join(found)
    assert watched.strangers == []
    assert watched.errors == []
    if not axe:
        pytest.skip(f"all but the rules of accessibility was seen: {NO_AXE}")


def test_a_pale_word_of_code_is_found(watched: Callable, server: str, axe: str | None) -> None:
    """Also among words of which one is kept, and though the first of them is a single letter."""
    if not axe:
        pytest.skip(NO_AXE)
    page = watched.page
    page.goto(server + "in-place/versions.html", wait_until="load")
    page.add_style_tag(content="pre span.n { color: #eee !important; background: #fff }")
    page.evaluate(UNWRAP_WORDS)
    page.evaluate(axe)
    found = violations(page)
    assert [line.split(" (")[0] for line in found] == ["light: color-contrast", "dark: color-contrast"]
