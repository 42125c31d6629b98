"""Every page in Chromium: it fits the screen, requests no other host, logs no error, and axe-core finds nothing on it.

Opening a page takes as long as checking it, so one visit checks all looks: 1280 and 390 px wide, light and dark.

`--tier full` shows axe each page unchanged, in all four looks. Otherwise this is left out:

- A page that has passed with the same content, styles, scripts and rules is not opened again.
- One function makes all pages of the engine's source. Only a few of them are opened, and those that are needed to see each
  kind of element; none in `quick`.
- Every page is checked with the rules on text: headings, names, links, lists. The other rules, on colours (most of axe's
  time), on landmarks, and on sizes at 390 px, depend only on the kind of an element: its tag and classes, and those of its
  parent. They run on pages that together have each kind, about a sixth of all. Shapes of drawings do not count, since they
  have no text. In formulas, nesting does not count, since no style colours single elements of a formula.
- axe judges the colours of an element by its class, its style and its ancestors. Therefore a page keeps one of several equal
  words of code where colours are checked; the others become plain text.
- At 390 px the other rules find the same as at 1280 px, except in the header and the drawer, which all pages share. Pages
  that together have each kind of element outside of the article are checked in all four looks.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Collection, Iterator
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
# Without rules on colours, no word of code has to stay an element.
PLAIN_CODE = """() => {
    for (const word of document.querySelectorAll("pre span:not(:has(*))"))
        if ([...word.attributes].every((attribute) => attribute.name === "class")) word.replaceWith(...word.childNodes);
    document.body.normalize();
}"""
ASK_THESE = "() => axe.configure({rules: [{id: 'color-contrast', selector: '[data-asked]'}]})"

# The scheme changes only colours, so in the dark only the rules on colour run.
COLOURS = ["color-contrast", "link-in-text-block"]
ONLY_COLOURS = {"runOnly": {"type": "rule", "values": COLOURS}}
ONLY_SIZES = {"runOnly": {"type": "rule", "values": ["target-size", "scrollable-region-focusable"]}}
ONLY_TEXT = {"rules": {rule: {"enabled": False} for rule in [*COLOURS, "region"]}}
Look = tuple[int, str, dict]  # width, scheme, options of axe
LOOKS: list[Look] = [(1280, "light", {}), (1280, "dark", ONLY_COLOURS), (390, "dark", ONLY_COLOURS), (390, "light", {})]
FEWER_LOOKS: list[Look] = [*LOOKS[:2], (390, "light", ONLY_SIZES)]
ONE_LOOK: list[Look] = [(1280, "light", ONLY_TEXT)]
WIDTHS = (1280, 390)
SCHEMES = {"light": "default", "dark": "slate"}

SEEN = Path(__file__).parents[2] / ".cache/tests/pages"
PARTS = 10  # of the pages, so that workers share them
GENERATED = "engine/reference_impl"  # begins the address of a page of the engine's source
FEW = 1  # of these in a part, beside those that have a kind of element first

DAY = re.compile(rb"\b20\d\d-\d\d-\d\d\b")
TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)>")
CLASS = re.compile(r"""\bclass=["']?([^"'>]*)""")
VOID = {"br", "hr", "img", "input", "link", "meta", "path", "wbr"}
SHAPES = {"circle", "defs", "ellipse", "g", "image", "line", "marker", "path", "polygon", "polyline", "rect", "use"}
HEAD = re.compile(r"<head\b.*?</head>", re.DOTALL)
ARTICLE = re.compile(r"<article\b.*</article>", re.DOTALL)


@pytest.fixture(scope="module")
def axe() -> str | None:
    """Return the source of axe-core; None if it is not installed, which fails in CI."""
    if AXE.exists():
        return AXE.read_text(encoding="utf-8")
    if os.environ.get("CI"):
        pytest.fail(NO_AXE)
    return None


def page_addresses(site: Path) -> list[str]:
    html_pages = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    shown_pages = [address for address in html_pages if not address.startswith("runtime/") and address != "404.html"]
    return [
        address for address in shown_pages if 'http-equiv="refresh"' not in (site / address).read_text(encoding="utf-8")
    ]


@pytest.fixture(scope="module")
def common(site: Path, chromium: Browser, axe: str | None) -> bytes:
    """Return a digest of everything that affects all pages, without the data that search loads when it opens."""
    digest = hashlib.sha256(f"{chromium.version} {axe}".encode())
    assets = site / "assets"
    searched = {assets / "search_index.js", *assets.glob("search/*.js")}
    styles = sorted({path for path in assets.rglob("*") if path.suffix in (".css", ".js")} - searched)
    for path in (Path(__file__), *styles):
        digest.update(path.read_bytes())
    return digest.digest()


def page_states(site: Path, page_addresses: list[str], common: bytes) -> dict[str, str]:
    """Map each page to a checksum of everything that affects its checks, except the date of its examples' run."""
    return {
        address: hashlib.sha256(common + DAY.sub(b"day", (site / address).read_bytes())).hexdigest()
        for address in page_addresses
    }


def changed_pages(page_states: dict[str, str]) -> dict[str, str]:
    """Return the pages that have not passed in their present state."""
    marks = {address: SEEN / address for address in page_states}
    return {
        address: state
        for address, state in page_states.items()
        if not marks[address].is_file() or marks[address].read_text() != state
    }


def select_pages(changed_pages: dict[str, str], tier: str, chosen: Collection[str] = ()) -> dict[str, str]:
    """Return the changed pages that are not generated, those in `chosen`, and a few other generated ones."""
    generated = [address for address in changed_pages if address.startswith(GENERATED)]
    few = {*generated[:: max(1, len(generated) // FEW)][:FEW], *chosen} if tier != "quick" else set()
    return {address: state for address, state in changed_pages.items() if address not in generated or address in few}


def kinds(html: str) -> set[str]:
    """Return the kinds of elements of a page: the tag and classes of each element after those of its parent.

    In a formula, the parent of each element is the formula. The shapes of a drawing are no kinds.
    """
    element_kinds = set()
    open_elements = [("", "")]
    for end, tag, attributes in TAG.findall(HEAD.sub("", html)):
        if end:
            while len(open_elements) > 1 and open_elements.pop()[0] != tag:
                pass
            continue
        classes = CLASS.search(attributes)
        kind = f"{tag}.{'.'.join(sorted(classes[1].split())) if classes else ''}"
        is_plain_formula = open_elements[-1][1] == "math." and tag.startswith("m") and not classes
        if tag not in SHAPES:
            element_kinds.add(f"{open_elements[-1][1]} > {kind}")
        if tag not in VOID and not attributes.endswith("/"):
            open_elements.append((tag, "math." if is_plain_formula else kind))
    return element_kinds


def cover_each_kind(pages: dict[str, set[str]]) -> set[str]:
    """Return a subset of the pages that has each kind of element."""
    missing_kinds, chosen_addresses = set().union(*pages.values()), set()
    while missing_kinds:
        best = max(sorted(pages), key=lambda address: len(pages[address] & missing_kinds))
        chosen_addresses.add(best)
        missing_kinds -= pages[best]
    return chosen_addresses


@pytest.fixture(scope="module")
def looks_by_address(site: Path) -> dict[str, list[Look]]:
    """Map each page that is checked with all rules to the looks in which it is checked."""
    return choose_looks({address: (site / address).read_text(encoding="utf-8") for address in page_addresses(site)})


def choose_looks(pages: dict[str, str]) -> dict[str, list[Look]]:
    """Choose pages that together have each kind of element, and their looks: all looks for the kinds outside of the article."""
    thorough = cover_each_kind({address: kinds(html) for address, html in pages.items()})
    frames = cover_each_kind({address: kinds(ARTICLE.sub("", html)) for address, html in pages.items()})
    return dict.fromkeys(thorough, FEWER_LOOKS) | dict.fromkeys(frames, LOOKS)


def find_problems(page: Page, looks: list[Look], with_axe: bool) -> Iterator[str]:
    """Yield the problems of the open page: excess width, and violations of axe's rules in these looks."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if overflow > 0:
            yield f"at {width}: {overflow} px too wide"
        for _, scheme, rules in [look for look in looks if with_axe and look[0] == width]:
            page.evaluate("name => document.body.setAttribute('data-md-color-scheme', name)", SCHEMES[scheme])
            yield from (f"at {width}, {scheme}: {violation}" for violation in page.evaluate(RUN, rules))


def prepare_axe(page: Page, looks: list[Look], full: bool = False) -> None:
    """Load axe into the open page. Unless `full`, keep one of several equal elements that these looks judge."""
    if not full:
        page.evaluate(PLAIN_CODE if looks == ONE_LOOK else ONE_OF_A_KIND)
    load_axe(page)
    if not full:
        page.evaluate(ASK_THESE)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page(
    page_monitor: Callable,
    site: Path,
    server: str,
    axe: str | None,
    common: bytes,
    looks_by_address: dict[str, list[Look]],
    tier: str,
    part: int,
) -> None:
    page, problems = page_monitor.page, []
    full = tier == "full"
    state_by_address = page_states(site, page_addresses(site)[part::PARTS], common)
    pages = state_by_address if full else select_pages(changed_pages(state_by_address), tier, looks_by_address)
    for address in pages:
        looks = LOOKS if full else looks_by_address.get(address, ONE_LOOK)
        page.goto("about:blank")  # else Chromium lays out the previous page again
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(server + address, wait_until="load")
        if axe:
            prepare_axe(page, looks, full)
        problems += [f"{address} {problem}" for problem in find_problems(page, looks, bool(axe))]
    page.wait_for_timeout(200)
    assert not problems, "\n".join(problems)
    assert page_monitor.foreign_requests == []
    assert page_monitor.errors == []
    if not axe:
        pytest.skip(f"only the rules of accessibility were not checked: {NO_AXE}")
    for address, state in pages.items():
        mark = SEEN / address
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.write_text(state)


def test_a_pale_word_of_code_is_found(page_monitor: Callable, server: str, axe: str | None) -> None:
    """Find words that are too pale although the first word of their kind is a single letter, which axe does not judge."""
    if not axe:
        pytest.skip(NO_AXE)
    page = page_monitor.page
    page.goto(server + "in-place/versions.html", wait_until="load")
    page.add_style_tag(content="pre span.n { color: #eee !important; background: #fff }")
    prepare_axe(page, FEWER_LOOKS)
    violations = [line.split(" (")[0] for line in find_problems(page, FEWER_LOOKS, with_axe=True)]
    assert violations == ["at 1280, light: color-contrast", "at 1280, dark: color-contrast"]


def test_a_page_is_checked_again_after_a_change_of_it_or_its_style(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.SEEN", tmp_path / "seen")
    names = ["index.html", "in-place/versions.html", "engine/reference_impl.html"]
    for name in names:
        for folder in ("site", "seen"):
            (tmp_path / folder / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text("one")

    def unseen_states(common: bytes) -> dict[str, str]:
        return changed_pages(page_states(tmp_path / "site", names, common))

    assert list(unseen_states(b"style")) == names
    for name, state in unseen_states(b"style").items():
        (tmp_path / "seen" / name).write_text(state)
    assert unseen_states(b"style") == {}
    assert list(unseen_states(b"another")) == names
    (tmp_path / "site" / "index.html").write_text("two, ran on 2026-11-24")
    assert list(unseen_states(b"style")) == ["index.html"]
    (tmp_path / "seen" / "index.html").write_text(unseen_states(b"style")["index.html"])
    (tmp_path / "site" / "index.html").write_text("two, ran on 2026-11-25")
    assert unseen_states(b"style") == {}


def test_a_few_of_the_generated_pages_are_seen() -> None:
    pages = {"index.html": "1", **{f"engine/reference_impl/{n}.html": "1" for n in range(26)}}
    assert list(select_pages(pages, "pull-request")) == [
        "index.html",
        "engine/reference_impl/0.html",
    ]
    chosen = ["index.html", "engine/reference_impl/7.html", "another.html"]
    assert list(select_pages(pages, "pull-request", chosen)) == [
        "index.html",
        "engine/reference_impl/0.html",
        "engine/reference_impl/7.html",
    ]
    assert list(select_pages(pages, "quick")) == ["index.html"]


def test_each_kind_of_element_is_on_a_page_that_is_asked_every_rule() -> None:
    pages = {
        "one": kinds('<head><style>p{}</style></head><p class="b a">An <em>x</em><br>y</p><p>z</p>'),
        "two": kinds("<p>An <em>x</em></p>"),
        "three": kinds('<p>z<svg><path d="M0"/><g class="wide"><text>1</text></g></svg></p>'),
    }
    assert pages["one"] == {" > p.a.b", "p.a.b > em.", "p.a.b > br.", " > p."}
    assert pages["three"] == {" > p.", "p. > svg.", "g.wide > text."}
    chosen_addresses = cover_each_kind(pages)
    assert set().union(*(pages[address] for address in chosen_addresses)) == set().union(
        *pages.values()
    ) and chosen_addresses == set(pages)
    assert cover_each_kind({**pages, "all": set().union(*pages.values())}) == {"all"}
    formula = kinds('<math><mrow><mi>x</mi><mo class="far">+</mo><mtext><code>y</code></mtext></mrow></math>')
    assert formula == {" > math.", "math. > mrow.", "math. > mi.", "math. > mo.far", "math. > mtext.", "math. > code."}


def test_each_kind_outside_of_the_article_is_seen_in_every_look() -> None:
    article = '<article><p class="{}">x</p></article>'
    pages = {
        "one": f"<header><a>x</a></header>{article.format('a')}",
        "two": f"<header><a>x</a></header>{article.format('b')}",
        "three": f'<header><a class="new">x</a></header>{article.format("a")}',
        "four": f"<header><a>x</a></header>{article.format('a')}",
    }
    assert choose_looks(pages) == {"four": LOOKS, "two": FEWER_LOOKS, "three": LOOKS}


def coloured_formula_elements(sheet: str) -> list[str]:
    """Return the selectors of rules that colour single elements of a formula."""
    rules = re.findall(r"([^{}]*)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL))
    return [
        selector.strip()
        for selector, style in rules
        if re.search(r"(^|[;\s])(color|background(-color)?|opacity)\s*:", style)
        and re.search(r"(^|[\s,>+~(])m(i|n|o|row|text|td|tr|sub|sup|frac|sqrt|over)\b(?!-)", selector)
    ]


def test_no_style_colours_single_elements_of_a_formula(site: Path) -> None:
    """Require that all elements of a formula have its colours, since `kinds` ignores their nesting."""
    sheets = [path.read_text(encoding="utf-8") for path in (site / "assets").rglob("*.css")]
    assert sheets and coloured_formula_elements("\n".join(sheets)) == []
    assert coloured_formula_elements(".a { color: red } .formula mi, p { top: 0; color: red } mo { top: 0 }") == [
        ".formula mi, p"
    ]
