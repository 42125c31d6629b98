"""axe-core finds no barriers on pages in use: with an open editor, a filtered table, search results, or a link of a note.

test_every_page.py checks each page right after it is loaded.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.site.axe import AXE, NO_AXE, load_axe
from tests.site.browser_input import paste
from tests.site.test_every_page import APPEARANCES, FEWER_APPEARANCES, RUN, SCHEMES


def open_menu_of_editor(page: Page) -> None:
    page.locator("figure.snippet pre").click()
    paste(page.locator(".run-panel").get_by_role("textbox"), "import torch\n\nprint(torch.ones(2) * 1.5)  # mine\n")
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.get_by_role("menu")).to_be_visible()


def open_editor_of_exercise(page: Page) -> None:
    page.wait_for_function("() => globalThis.gradnotes?.ready")
    page.locator("textarea:visible").first.click()
    expect(page.locator(".exercise .cm-content")).to_be_visible()


def filter_table(page: Page) -> None:
    page.get_by_role("searchbox").first.fill("grad")
    expect(page.locator("[data-filter] tbody tr:visible").first).to_be_visible()


def follow_link_of_note(page: Page) -> None:
    page.locator(".idea-links a[href*='in-place/']").first.click()
    expect(page.get_by_role("navigation", name="Note 2")).to_be_visible()


def search(page: Page) -> None:
    page.keyboard.press("/")
    page.get_by_role("textbox", name="Search").fill("what is a leaf")
    expect(page.locator(".search__results a").first).to_be_visible()
    expect(page.locator(".search__results a span").first).to_be_visible()


@pytest.mark.usefixtures("python_starts_with_run_only")
@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("playground", open_menu_of_editor),
        ("in-place/versions", open_editor_of_exercise),
        ("what-has-changed", filter_table),
        ("errors", filter_table),
        ("operations", filter_table),
        ("notes/autograd", follow_link_of_note),
        ("index", search),
    ],
)
def test_axe_finds_no_barrier_on_a_page_in_use(
    context: BrowserContext, server: str, name: str, use: Callable[[Page], None], tier: str
) -> None:
    """Check at several widths and in both color schemes. No page may be wider than the window."""
    if not AXE.is_file():
        pytest.skip(NO_AXE)
    page = context.new_page()
    page.goto(f"{server}{name}.html", wait_until="networkidle")
    use(page)
    load_axe(page)
    appearances = APPEARANCES if tier == "full" else FEWER_APPEARANCES
    violations_by_appearance: dict[str, list[str]] = {}
    for width, scheme, options in appearances:
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("(scheme) => { document.body.dataset.mdColorScheme = scheme; }", SCHEMES[scheme])
        violations_by_appearance[f"{width} {scheme}"] = page.evaluate(RUN, options)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations_by_appearance == {appearance: [] for appearance in violations_by_appearance}
