"""Test the page that lists operations: the content of its rows, its filters, and the search results that lead to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from gradnotes.fences.operations import render_operations
from gradnotes.markup import Page as RenderedPage
from gradnotes.project import Project
from tests.site.weights import weigh_page

ROW = re.compile(r'<tr id="row-([^"]+)".*?</tr>', re.DOTALL)


def rows_of(site: Path) -> dict[str, str]:
    """Map the name of each operation on the page to the HTML of its row."""
    return {match[1]: match[0] for match in ROW.finditer((site / "operations.html").read_text(encoding="utf-8"))}


def test_a_row_has_source_gradient_example_and_other_names(site: Path) -> None:
    rows = rows_of(site)
    assert len(rows) > 300
    for part in (
        'href="engine/reference_impl/ops/scatter.html#scatter"',
        '<span data-head="In place"><code>scatter_</code></span>',
        "∂src = gather(g, dim, index)",
        'href="tensors/indexing.html#snippet-tensors-indexing-scatter"',
    ):
        assert part in rows["scatter"], part
    assert 'data-head="View">view if possible</span>' in rows["reshape"]
    assert "also <code>clip</code>" in rows["clamp"]
    assert "made of several operations" in rows["F.cross_entropy"].lower()
    assert "No gradient." in rows["argmax"]


def test_most_operations_have_a_source_and_many_an_example(site: Path) -> None:
    rows = rows_of(site).values()
    assert sum('href="engine/' in row for row in rows) > 0.9 * len(rows)
    assert sum("#snippet-" in row for row in rows) > 140
    assert 'href="tensors/pictures.html#snippet-' in rows_of(site)["F.grid_sample"]
    assert "#snippet-" in rows_of(site)["exp"]


def test_the_example_of_an_operation_is_a_snippet_that_calls_it(root: Path) -> None:
    html = str(render_operations(Project(root), RenderedPage("operations.md", set()), {}))
    rows = {match[1]: match[0] for match in ROW.finditer(html)}
    assert 'href="tensors/pictures.html#snippet-' in rows["F.grid_sample"]
    assert 'href="tensors/creating.html#snippet-tensors-creating-arange"' in rows["arange"]


def test_rows_are_filtered_by_words_family_view_and_in_place(page: Page, server: str) -> None:
    page.goto(server + "operations.html")
    rows = page.locator("[data-filter] tbody tr:visible")
    expect(rows).to_have_count(0)  # all rows are in closed folds
    field = page.get_by_role("searchbox", name="Show operations with these words")
    field.fill("scatter")
    page.get_by_role("combobox", name="In place").select_option("yes")
    expect(rows).to_have_count(4)
    page.get_by_role("combobox", name="In place").select_option("")
    field.fill("")
    page.get_by_role("combobox", name="View").select_option("view if possible")
    expect(page.locator("#row-reshape")).to_be_visible()
    expect(page.locator("#row-view")).to_be_hidden()
    page.get_by_role("combobox", name="View").select_option("")
    page.get_by_role("combobox", name="Family").select_option("Losses")
    expect(page.locator("#row-F\\.mse_loss")).to_be_visible()
    expect(page.locator("[data-filter] details:visible")).to_have_count(1)


def test_filtered_families_count_their_rows_and_no_match_offers_what_to_do(page: Page, server: str) -> None:
    page.goto(server + "operations.html")
    field = page.get_by_role("searchbox", name="Show operations with these words")
    title = page.locator("summary", has_text="Activation functions")
    before = title.text_content() or ""
    field.fill("softmax")
    rows = page.locator("details", has=title).locator("tbody tr:visible")
    expect(rows.first).to_be_visible()
    expect(title).to_have_text(before.replace(": ", f": {rows.count()} of "))
    assert 0 < rows.count() < int(before.rpartition(" ")[2])
    field.fill("no such operation")
    expect(page.locator(".filter-count")).to_contain_text("Nothing in this list matches.")
    page.get_by_role("button", name="Search the site").click()
    expect(page.get_by_role("textbox", name="Search")).to_have_value("no such operation")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Clear the filter").click()
    expect(field).to_have_value("")
    expect(title).to_have_text(before)
    expect(page.locator(".filter-count")).to_have_text("")


def test_the_list_weighs_a_hundred_kilobytes_at_most(page: Page, server: str, site: Path) -> None:
    weights = weigh_page(page, server, site, "operations.html")
    assert "assets/filter.js" in weights and sum(weights.values()) < 100_000, weights


def test_the_row_of_the_typed_name_comes_first(page: Page, server: str) -> None:
    page.goto(server + "operations.html")
    field = page.get_by_role("searchbox", name="Show operations with these words")
    rows = page.locator("[data-filter] tbody tr:visible")
    field.fill("mul")
    expect(rows.first).to_have_attribute("id", "row-mul")
    field.fill("mult")
    expect(rows.first).not_to_have_attribute("id", "row-mul")  # no row has this name, so the order is that of the list
    field.fill("clip")
    expect(rows.first).to_have_attribute("id", "row-clamp")


def test_an_address_with_a_row_opens_its_fold(page: Page, server: str) -> None:
    page.goto(server + "operations.html#row-scatter")
    expect(page.locator("#row-scatter")).to_be_in_viewport()


@pytest.mark.parametrize(
    ("query", "page_address", "row"), [("scatter_", "tensors/indexing.html", "scatter"), ("logsumexp", "", "logsumexp")]
)
def test_the_search_lists_a_row_after_the_page_that_teaches_it(
    page: Page, server: str, query: str, page_address: str, row: str
) -> None:
    page.goto(server + "operations.html", wait_until="networkidle")
    page.keyboard.press("/")
    page.get_by_role("textbox", name="Search").fill(query)
    links = page.locator(".search__results a")
    expect(links.and_(page.locator(f'[href$="operations.html#row-{row}"]'))).to_have_count(1)
    addresses = [link.get_attribute("href") or "" for link in links.all()]
    position = next(n for n, address in enumerate(addresses) if address.endswith(f"#row-{row}"))
    assert position < 6
    if page_address:
        assert any(page_address in address for address in addresses[:position])
