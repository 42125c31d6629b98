"""Every page in Chromium: it fits the screen, asks no other host, does not complain, and axe-core finds nothing on it.

One walk for all looks, since opening a page takes as long as looking at it: at 1280 and at 390 px, in light and dark.

`--tier full` shows axe each page as it is, in all four looks. What is left out otherwise:

- A page that has passed as it is, with the same styles, scripts and rules, is not opened again.
- Of the other pages of the engine's source, all made by one function, a few are opened; none in `quick`.
- Every page is asked the rules on its text: headings, names, links, lists. Those on colours, most of axe's time, and those on sizes at
  390 px find what a kind of element does wrong; they are asked of pages that between them hold each kind (its tag and classes, in
  those of its parent), about a third of all.
- What axe can find on the colours of an element is decided by its class, its own style and what it stands in: of those of a page that
  are alike in this, one is asked. Most elements are the coloured words of code: of these a page keeps one, the others become the bare
  text of their line.
- The other rules find at 390 px what they find at 1280, but for the head and the drawer, which all pages have: one page in ten is asked.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.site.axe import AXE, NO_AXE, load_axe

RUN = """async (rules) => (await axe.run(document, {resultTypes: ["violations"], ...rules})).violations.map(
    (v) => `${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " " + (n.any[0]?.message ?? "")).join(" | ")}`)"""

ONE_OF_A_KIND = """() => {
    const kind = (element) => {
        let all = "";
        for (let e = element; e !== document.body; e = e.parentElement) all += `${e.tagName}.${e.getAttribute("class")} ${e.style.cssText} `;
        return all;
    };
    const words = new Set(), again = [], asked = new Set();
    for (const word of document.querySelectorAll("pre span")) {
        if (word.children.length || word.id || !word.getClientRects().length) continue;
        if (words.has(kind(word)) || word.textContent.trim().length === 1) again.push(word);  // axe judges no single sign
        else words.add(kind(word));
    }
    for (const word of again) word.replaceWith(...word.childNodes);
    document.body.normalize();
    for (const element of document.body.querySelectorAll("*")) {
        if (!element.getClientRects().length || ![...element.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.data.trim().length > 1)) continue;
        if (!asked.has(kind(element))) element.dataset.asked = "";
        asked.add(kind(element));
    }
}"""
ASK_THESE = "() => axe.configure({rules: [{id: 'color-contrast', selector: '[data-asked]'}]})"

# The scheme changes colours and nothing else, so in the dark only the rules on colour are asked.
COLOURS = ["color-contrast", "link-in-text-block"]
ONLY_COLOURS = {"runOnly": {"type": "rule", "values": COLOURS}}
ONLY_SIZES = {"runOnly": {"type": "rule", "values": ["target-size", "scrollable-region-focusable"]}}
WITHOUT_COLOURS = {"rules": {rule: {"enabled": False} for rule in COLOURS}}
Look = tuple[int, str, dict]  # width, scheme, options of axe
LOOKS: list[Look] = [(1280, "light", {}), (1280, "dark", ONLY_COLOURS), (390, "dark", ONLY_COLOURS), (390, "light", {})]
FEWER_LOOKS: list[Look] = [*LOOKS[:2], (390, "light", ONLY_SIZES)]
ONE_LOOK: list[Look] = [(1280, "light", WITHOUT_COLOURS)]
WIDTHS = (1280, 390)
SCHEMES = {"light": "default", "dark": "slate"}

SEEN = Path(__file__).parents[2] / ".cache/tests/pages"
PARTS = 10  # of the pages, so that workers share them
GENERATED = "engine/reference_impl"  # begins the address of a page of the engine's source
FEW = 2  # of these in a part

DAY = re.compile(rb"\b20\d\d-\d\d-\d\d\b")
TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)>")
CLASS = re.compile(r"""\bclass=["']?([^"'>]*)""")
VOID = {"br", "hr", "img", "input", "link", "meta", "path", "wbr"}


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
    left = [address for address in found if not address.startswith("runtime/") and address != "404.html"]
    return [address for address in left if 'http-equiv="refresh"' not in (site / address).read_text(encoding="utf-8")]


@pytest.fixture(scope="module")
def common(site: Path, chromium: Browser, axe: str | None) -> bytes:
    """What decides how every page looks and is judged. The words and texts that search reads when it is opened are not of it."""
    digest = hashlib.sha256(f"{chromium.version} {axe}".encode())
    assets = site / "assets"
    searched = {assets / "search_index.js", *assets.glob("search/*.js")}
    styles = sorted({path for path in assets.rglob("*") if path.suffix in (".css", ".js")} - searched)
    for path in (Path(__file__), *styles):
        digest.update(path.read_bytes())
    return digest.digest()


def states(site: Path, addresses: list[str], common: bytes) -> dict[str, str]:
    """The checksum of each page and of all that decides what is found on it; not of the day on which its examples ran."""
    return {one: hashlib.sha256(common + DAY.sub(b"day", (site / one).read_bytes())).hexdigest() for one in addresses}


def unseen(states: dict[str, str]) -> dict[str, str]:
    """The pages that have not passed as they are."""
    marks = {one: SEEN / one for one in states}
    return {one: state for one, state in states.items() if not marks[one].is_file() or marks[one].read_text() != state}


def chosen(unseen: dict[str, str], tier: str) -> dict[str, str]:
    """The written ones, and of the generated ones a few."""
    generated = [one for one in unseen if one.startswith(GENERATED)]
    few = set(generated[:: max(1, len(generated) // FEW)][:FEW] if tier != "quick" else [])
    return {one: state for one, state in unseen.items() if one not in generated or one in few}


def kinds(html: str) -> set[str]:
    """The kinds of elements of a page, each the tag and classes of an element after those of its parent."""
    found = set()
    open_ = [("", "")]
    for end, tag, attributes in TAG.findall(html):
        if end:
            while len(open_) > 1 and open_.pop()[0] != tag:
                pass
            continue
        classes = CLASS.search(attributes)
        kind = f"{tag}.{'.'.join(sorted(classes[1].split())) if classes else ''}"
        found.add(f"{open_[-1][1]} > {kind}")
        if tag not in VOID and not attributes.endswith("/"):
            open_.append((tag, kind))
    return found


def holding_each_kind(pages: dict[str, set[str]]) -> set[str]:
    """Some of the pages that hold, between them, each kind that is on any."""
    left, some = set().union(*pages.values()), set()
    while left:
        best = max(sorted(pages), key=lambda one: len(pages[one] & left))
        some.add(best)
        left -= pages[best]
    return some


@pytest.fixture(scope="module")
def thorough(site: Path) -> set[str]:
    """The pages that are asked every rule."""
    written = [one for one in addresses(site) if not one.startswith(GENERATED)]
    return holding_each_kind({one: kinds((site / one).read_text(encoding="utf-8")) for one in written})


def looks_at(number: int, is_thorough: bool, tier: str) -> list[Look]:
    """How axe looks at a page, the `number`th of a part."""
    if tier == "full" or number % 10 == 0:
        return LOOKS
    return FEWER_LOOKS if is_thorough else ONE_LOOK


def looked_at(page: Page, looks: list[Look], judged: bool) -> Iterator[str]:
    """What is wrong with the page that is open."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if over > 0:
            yield f"at {width}: {over} px too wide"
        for _, scheme, rules in [look for look in looks if judged and look[0] == width]:
            page.evaluate("name => document.body.setAttribute('data-md-color-scheme', name)", SCHEMES[scheme])
            yield from (f"at {width}, {scheme}: {what}" for what in page.evaluate(RUN, rules))


def be_judged(page: Page, full: bool) -> None:
    """Load axe into the page that is open, in which, unless all is judged, of what is alike one remains."""
    if not full:
        page.evaluate(ONE_OF_A_KIND)
    load_axe(page)
    if not full:
        page.evaluate(ASK_THESE)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page(
    watched: Callable, site: Path, server: str, axe: str | None, common: bytes, thorough: set[str], tier: str, part: int
) -> None:
    page, found = watched.page, []
    full = tier == "full"
    everything = states(site, addresses(site)[part::PARTS], common)
    pages = everything if full else chosen(unseen(everything), tier)
    for number, address in enumerate(pages):
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(server + address, wait_until="load")
        if axe:
            be_judged(page, full)
        found += [
            f"{address} {what}" for what in looked_at(page, looks_at(number, address in thorough, tier), bool(axe))
        ]
    page.wait_for_timeout(200)
    assert not found, "\n".join(found)
    assert watched.strangers == []
    assert watched.errors == []
    if not axe:
        pytest.skip(f"all but the rules of accessibility was seen: {NO_AXE}")
    for address, state in pages.items():
        mark = SEEN / address
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.write_text(state)


def test_a_pale_word_of_code_is_found(watched: Callable, server: str, axe: str | None) -> None:
    """Also among words of which one is kept, and though the first of them is a single letter."""
    if not axe:
        pytest.skip(NO_AXE)
    page = watched.page
    page.goto(server + "in-place/versions.html", wait_until="load")
    page.add_style_tag(content="pre span.n { color: #eee !important; background: #fff }")
    be_judged(page, full=False)
    found = [line.split(" (")[0] for line in looked_at(page, FEWER_LOOKS, judged=True)]
    assert found == ["at 1280, light: color-contrast", "at 1280, dark: color-contrast"]


def test_a_page_is_asked_again_when_it_or_its_style_is_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.SEEN", tmp_path / "seen")
    names = ["index.html", "in-place/versions.html", "engine/reference_impl.html"]
    for name in names:
        for folder in ("site", "seen"):
            (tmp_path / folder / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text("one")

    def asked(common: bytes) -> dict[str, str]:
        return unseen(states(tmp_path / "site", names, common))

    assert list(asked(b"style")) == names
    for name, state in asked(b"style").items():
        (tmp_path / "seen" / name).write_text(state)
    assert asked(b"style") == {}
    assert list(asked(b"another")) == names
    (tmp_path / "site" / "index.html").write_text("two, ran on 2026-11-24")
    assert list(asked(b"style")) == ["index.html"]
    (tmp_path / "seen" / "index.html").write_text(asked(b"style")["index.html"])
    (tmp_path / "site" / "index.html").write_text("two, ran on 2026-11-25")
    assert asked(b"style") == {}


def test_a_few_of_the_generated_pages_are_seen() -> None:
    pages = {"index.html": "1", **{f"engine/reference_impl/{n}.html": "1" for n in range(26)}}
    assert list(chosen(pages, "pull-request")) == [
        "index.html",
        "engine/reference_impl/0.html",
        "engine/reference_impl/13.html",
    ]
    assert list(chosen(pages, "quick")) == ["index.html"]


def test_each_kind_of_element_is_on_a_page_that_is_asked_every_rule() -> None:
    pages = {
        "one": kinds('<p class="b a">An <em>x</em><br>y</p><p>z</p>'),
        "two": kinds("<p>An <em>x</em></p>"),
        "three": kinds('<p>z<svg><path d="M0"/><g class="wide"/></svg></p>'),
    }
    assert pages["one"] == {" > p.a.b", "p.a.b > em.", "p.a.b > br.", " > p."}
    assert pages["three"] == {" > p.", "p. > svg.", "svg. > path.", "svg. > g.wide"}
    some = holding_each_kind(pages)
    assert set().union(*(pages[one] for one in some)) == set().union(*pages.values()) and some == set(pages)
    assert holding_each_kind({**pages, "all": set().union(*pages.values())}) == {"all"}
    assert [looks_at(1, which, "quick") for which in (True, False)] == [FEWER_LOOKS, ONE_LOOK]
    assert looks_at(1, False, "full") == looks_at(10, False, "quick") == LOOKS
