"""axe-core finds nothing on any page, in light and dark, at 1280 and 390 px.

AXE_ALL=1 tries each page in all four, as it is, and takes minutes. What is left out otherwise:

- The scheme decides the colours, the width what is shown; so a page is tried at both widths, in light at one and in dark at the
  other, and the next page the other way round.
- Most elements of a page are the coloured words of its code. What axe can find in one is decided by its class and by what it stands in,
  so of words that are alike in this a page keeps one; the others become the bare text of their line.
- The pages of the engine's source are all made by one function: one in forty of them is taken.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser

AXE = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
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

SCHEMES = (("light", "default"), ("dark", "slate"))
WIDTHS = (1280, 390)
ALL = bool(os.environ.get("AXE_ALL"))

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
    left_out = set() if ALL else set(modules) - set(modules[::40])
    return [a for a in found if not a.startswith("runtime/") and a != "404.html" and a not in left_out]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing(chromium: Browser, site: Path, server: str, axe: str, width: int, part: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    found = {}
    for number, address in list(enumerate(_addresses(site)))[part::PARTS]:
        page.emulate_media(color_scheme="light")
        page.goto(server + address, wait_until="load")
        if not ALL:
            page.evaluate(UNWRAP_WORDS)
        page.evaluate(axe)
        for scheme, name in SCHEMES if ALL else [SCHEMES[(number + WIDTHS.index(width)) % 2]]:
            page.evaluate("name => document.body.setAttribute('data-md-color-scheme', name)", name)
            violations = page.evaluate(RUN)
            if violations:
                found[f"{address} {scheme}"] = violations
    context.close()
    assert not found, "\n".join(f"{where}: {what}" for where, what in found.items())


def test_a_pale_word_of_code_is_found(chromium: Browser, server: str, axe: str) -> None:
    """Also among words of which one is kept, and though the first of them is a single letter."""
    context = chromium.new_context(reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    page.goto(server + "in-place/versions.html", wait_until="load")
    page.add_style_tag(content="pre span.n { color: #eee !important; background: #fff }")
    page.evaluate(UNWRAP_WORDS)
    page.evaluate(axe)
    violations = page.evaluate(RUN)
    context.close()
    assert len(violations) == 1 and violations[0].startswith("color-contrast (serious)"), violations
