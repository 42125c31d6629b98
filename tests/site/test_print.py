"""Print pages to PDF with Chromium, and check blank space, colors, texts and the number of sheets."""

from __future__ import annotations

import re

import numpy as np
import pypdfium2
import pytest
from playwright.sync_api import BrowserContext, PdfMargins, expect

MARGIN: PdfMargins = {"top": "15mm", "right": "15mm", "bottom": "15mm", "left": "15mm"}


def print_page(context: BrowserContext, address: str) -> pypdfium2.PdfDocument:
    """Print the page at an address on A4 sheets, and return the PDF."""
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    return pypdfium2.PdfDocument(page.pdf(format="A4", print_background=True, margin=MARGIN))


def pixels(page: pypdfium2.PdfPage) -> np.ndarray:
    """Return the gray values of a page between top and bottom margin, rows by columns; 0 is black."""
    rows = np.asarray(page.render(scale=1).to_pil().convert("L"))
    height = len(rows) * 15 // 297
    return rows[height:-height]


def blank_end(page: pypdfium2.PdfPage) -> float:
    """Return the share of the page between the margins, from 0 to 1, that is blank below its last printed row."""
    inked_rows = np.flatnonzero((pixels(page) < 200).any(axis=1))
    return 1 - (inked_rows[-1] + 1) / len(pixels(page)) if len(inked_rows) else 1.0


@pytest.mark.parametrize("name", ["in-place/versions", "why-autograd/worked-example", "cnn-backward/convolution-input"])
def test_printed_pages_have_no_large_blank_end(context: BrowserContext, server: str, name: str) -> None:
    """Limit the blank end of sheets. If programs and figures were not broken across sheets, 80 % of a sheet could be blank."""
    # The last sheet may end anywhere.
    *ends, _ = [blank_end(page) for page in print_page(context, f"{server}{name}.html")]
    assert max(ends) < 0.4 and sum(ends) / len(ends) < 0.2, [f"{end:.2f}" for end in ends]


@pytest.mark.parametrize(("name", "sheets"), [("path-summary", 1), ("error-cards", 2)])
def test_summary_and_cards_fit_on_their_sheets(context: BrowserContext, server: str, name: str, sheets: int) -> None:
    paper = print_page(context, f"{server}{name}.html")
    assert len(paper) == sheets
    words = "".join(page.get_textpage().get_text_range() for page in paper)
    assert not re.search("Print the (cards|sheet)|Next:", words)


def test_paper_is_white_and_has_no_buttons(context: BrowserContext, server: str) -> None:
    context.add_init_script("localStorage.setItem('scheme', 'slate')")
    paper = print_page(context, f"{server}in-place/versions.html")
    assert (pixels(paper[0]) > 240).mean() > 0.8
    words = {line.strip() for page in paper for line in page.get_textpage().get_text_range().splitlines()}
    assert "Three repairs" in words
    assert not words & {"Run", "Copy", "Check", "Show me", "Step", "Play"}


def words_of(paper: pypdfium2.PdfDocument) -> str:
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in paper).split())


def test_a_printed_page_can_be_used_as_a_worksheet(context: BrowserContext, server: str) -> None:
    """Check that questions and choices are printed, answers only at the end, folds open, and few sentences of a slider."""
    words = words_of(print_page(context, f"{server}why-autograd/first-gradients.html"))
    page, _, answers = words.partition(" Answers ")
    question, reason = "What is the slope there?", "At 2 the weight is too large"
    assert question in page and "tensor(0.3750)" in page and reason not in page
    assert reason in answers and "return (2 * (w * x + b - y)).mean()" in answers
    assert "An integer" not in answers and "Only floating point and complex tensors can require a gradient" in page
    assert page.count("the value of loss is") <= 6
    assert "Show the answer" not in words


def test_lists_are_printed_without_form_fields_and_the_engine_with_whole_lines(
    context: BrowserContext, server: str
) -> None:
    operations = words_of(print_page(context, f"{server}operations.html"))
    assert "How to read an entry" in operations
    assert "are both functions of torch" in operations and "Show operations with these words" not in operations
    page = context.new_page()
    page.goto(server + "engine/reference_impl/core/backward.html")
    page.set_viewport_size({"width": 680, "height": 900})  # px; about the width of a sheet between its margins
    page.emulate_media(media="print")
    overflow = "(codes) => codes.filter((code) => code.scrollWidth > code.clientWidth).length"
    assert page.locator(".module-code pre").evaluate_all(overflow) == 0


@pytest.mark.parametrize("name", ["index", "404"])
def test_a_printed_page_has_no_button_that_opens_the_search(context: BrowserContext, server: str, name: str) -> None:
    page = context.new_page()
    page.goto(f"{server}{name}.html")
    button = page.locator(".md-content [data-search-open]").first
    expect(button).to_be_visible()
    page.emulate_media(media="print")
    expect(button).to_be_hidden()
