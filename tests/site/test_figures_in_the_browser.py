"""Test figures in Chromium: with keys, with the pointer, without JavaScript, on paper, and at two widths."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from gradnotes.project import Project
from tests.sampling import is_picked

INDEX = "tensors/indexing.html"
STEPS = "In the corner of each cell of the result: the column"  # in the caption of a figure on that page
TWO_WRITES = "The second write to place 0"  # in the caption of another figure on that page
# Return a message for each text that overlaps another or leaves its picture, and for each drawing that is scaled below 90 %.
LAYOUT_PROBLEMS = """() => [...document.querySelectorAll("figure.drawn")].flatMap((figure) => {
    const problems = [];
    for (const svg of figure.querySelectorAll("svg")) {
        const frame = svg.getBoundingClientRect();
        if (getComputedStyle(svg).visibility === "hidden") continue;
        const scale = frame.width / svg.viewBox.baseVal.width;
        if (scale < 0.9) problems.push(`${figure.id}: drawn at a scale of ${scale}`);
        const texts = [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]).filter(([, box]) => box.width);
        for (const [text, box] of texts) {
            if (box.left < frame.left - 0.5 || box.right > frame.right + 0.5 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2)
                problems.push(`${figure.id}: leaves the picture: ${text}`);
        }
        texts.forEach(([text, box], index) => {
            for (const [otherText, otherBox] of texts.slice(index + 1)) {
                const width = Math.min(box.right, otherBox.right) - Math.max(box.left, otherBox.left);
                const height = Math.min(box.bottom, otherBox.bottom) - Math.max(box.top, otherBox.top);
                if (width > 1 && height > 4.5) problems.push(`${figure.id}: ${text} overlaps ${otherText}`);
            }
        });
    }
    return problems;
})"""


@pytest.fixture(scope="module")
def pages(root: Path) -> list[str]:
    """Return the addresses of the pages with figures."""
    book = Project(root)
    return [
        page.replace(".md", ".html")
        for page in book.pages()
        if any(fence.kind == "figure" for fence in book.fences(page))
    ]


@pytest.fixture
def index(context: BrowserContext, server: str) -> Page:
    """Open the page about indexing, and wait until its figures have sliders."""
    page = context.new_page()
    page.goto(server + INDEX)
    expect(page.get_by_role("slider").first).to_be_visible()
    return page


def test_the_slider_moves_by_keys_and_announces_its_position(index: Page) -> None:
    figure = index.locator("figure.drawn", has_text=STEPS)
    slider = figure.get_by_role("slider", name="Read")
    expect(slider).to_have_attribute(
        "aria-valuetext", "Read 1 of 4: the index selects column 0; the row stays 0. 1 is copied from [0, 0] to [0, 0]."
    )
    slider.focus()
    index.keyboard.press("ArrowRight")
    index.keyboard.press("ArrowRight")
    expect(figure.locator("[data-now] > p")).to_contain_text("column 2")
    expect(slider).to_have_attribute(
        "aria-valuetext", "Read 3 of 4: the index selects column 2; the row stays 1. 6 is copied from [1, 2] to [1, 0]."
    )
    index.keyboard.press("End")
    expect(figure.locator(".figure-frame:visible")).to_have_count(1)
    expect(figure.locator(".figure-frame:visible")).to_contain_text("Read 4 of 4")
    index.keyboard.press("Home")
    expect(figure.locator(".figure-frame:visible")).to_contain_text("Read 1 of 4")


def test_linked_cells_are_highlighted_by_pointer_and_keys(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.goto(server + "tensors/memory.html")
    figure = page.locator("figure.drawn[data-kind=strides]").first
    expect(figure.get_by_role("slider")).to_be_visible()
    figure.locator("[data-cell='u 0 1']").hover()
    expect(figure.locator(".figure-says li:visible")).to_have_text("Position 3 contains 3: t[1, 0] and u[0, 1].")
    assert figure.locator(".f-lit").evaluate_all("cells => cells.map((cell) => cell.dataset.cell)") == [
        "t 1 0",
        "u 0 1",
        "memory 0 line 0 0 3",
    ]
    figure.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    expect(figure.locator(".f-lit text")).to_have_text(["4"] * 3)


@pytest.fixture
def scriptless_context(chromium: Browser) -> Iterator[BrowserContext]:
    """Yield a browser context without JavaScript, with the width of a phone."""
    context = chromium.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    yield context
    context.close()


def test_without_javascript_all_pictures_and_sentences_are_visible(
    scriptless_context: BrowserContext, server: str
) -> None:
    page = scriptless_context.new_page()
    page.goto(server + INDEX)
    figure = page.locator("figure.drawn", has_text=STEPS)
    assert [element.is_visible() for element in figure.locator(".figure-frame").all()] == [True] * 4
    expect(page.get_by_role("slider")).to_have_count(0)
    page.goto(server + "tensors/memory.html")
    sentences = page.locator("figure.drawn").first.locator(".figure-says li")
    assert [element.is_visible() for element in sentences.all()] == [True] * 6


def test_on_paper_all_pictures_are_visible(index: Page) -> None:
    index.emulate_media(media="print")
    figure = index.locator("figure.drawn", has_text=STEPS)
    expect(figure.locator(".figure-frame")).to_have_count(4)
    expect(figure.locator(".figure-frame:visible")).to_have_count(4)
    expect(figure.get_by_role("slider")).to_be_hidden()


def test_texts_do_not_overlap_or_leave_their_picture(
    context: BrowserContext, server: str, site: Path, pages: list[str], tier: str
) -> None:
    """Check all pages with figures with `--tier full`, else one in eight, selected by a hash of its content."""
    page = context.new_page()
    problems = []
    for address in pages:
        if not is_picked((site / address).read_bytes(), 8, tier):
            continue
        page.goto(server + address)
        # Show figures that the slider or a fold hides.
        page.add_style_tag(content=".figure-frame { visibility: visible !important }")
        page.locator("details").evaluate_all("folds => folds.forEach((fold) => { fold.open = true })")
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            for mark in (0, 99):
                page.locator("figure.drawn input").evaluate_all(
                    "(sliders, value) => sliders.forEach((slider) => { slider.value = value; slider.dispatchEvent(new Event('input')) })",
                    mark,
                )
                problems += [f"{address} at {width}: {problem}" for problem in page.evaluate(LAYOUT_PROBLEMS)]
    assert problems == []


def test_pictures_have_descriptions(index: Page) -> None:
    pictures = index.locator("figure.drawn", has_text=TWO_WRITES).get_by_role("img", include_hidden=True)
    name = pictures.nth(1).evaluate(
        "svg => svg.getAttribute('aria-labelledby').split(' ').map((id) => document.getElementById(id).textContent).join(': ')"
    )
    assert (
        name
        == "Move 2: the index selects position 0. 10 goes to [0]. This position was written before; its value is now 11."
    )


def test_a_page_with_figures_stays_small(site: Path, pages: list[str]) -> None:
    """Limit the compressed size of the styles and the script of figures, and of each page with figures."""
    import gzip

    sizes = {name: len(gzip.compress((site / "assets" / name).read_bytes())) for name in ("figures.css", "figures.js")}
    assert sum(sizes.values()) < 4_000, sizes
    # The largest page has a figure with ten pictures for each of several epochs.
    assert max(len(gzip.compress((site / page).read_bytes())) for page in pages) < 65_000
