"""Read the site in Chromium: copy a program, change the color scheme, open the list of pages, and visit a missing page."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

SCHEMES = ("light", "dark")


def test_copied_program_runs(context: BrowserContext, server: str, tmp_path: Path) -> None:
    """Copy a program from the home page and run it: it must print the lines on the page."""
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.rstrip("/"))
    page = context.new_page()
    page.goto(server + "index.html")
    page.get_by_role("button", name="Copy: How much does the loss").click()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    program = tmp_path / "copied.py"
    program.write_text(page.evaluate("navigator.clipboard.readText()"))
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    completed = subprocess.run(
        [sys.executable, str(program)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert completed.returncode == 0, completed.stderr
    assert completed.stdout == "tensor(9., grad_fn=<MulBackward0>)\ntensor(24.) tensor(6.)\n"


def test_copy_works_without_a_clipboard_permission(context: BrowserContext, site: Path) -> None:
    """Check that Copy uses `document.execCommand` without the clipboard API, as on pages opened from a folder."""
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.evaluate("addEventListener('copy', () => { window.copied = document.activeElement.value; })")
    page.get_by_role("button", name="Copy: How much does the loss").click()
    assert "loss.backward()" in page.evaluate("window.copied")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_switch_changes_the_scheme_of_the_system_permanently(
    context: BrowserContext, server: str, scheme: str
) -> None:
    page = context.new_page()
    page.emulate_media(color_scheme=scheme)
    page.goto(server + "index.html")
    names = {"light": "default", "dark": "slate"}
    other = next(name for name in names if name != scheme)
    body = page.locator("body")
    expect(body).to_have_attribute("data-md-color-scheme", names[scheme])
    page.get_by_title(f"Switch to {other}").click()
    expect(body).to_have_attribute("data-md-color-scheme", names[other])
    page.reload()
    expect(body).to_have_attribute("data-md-color-scheme", names[other])


def test_scheme_follows_the_system_until_the_reader_chooses(page: Page, server: str) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(server + "index.html")
    body = page.locator("body")
    for system, name, other in (("dark", "slate", "light"), ("light", "default", "dark")):
        page.emulate_media(color_scheme=system)
        expect(body).to_have_attribute("data-md-color-scheme", name)
        expect(page.get_by_title(f"Switch to {other}")).to_be_visible()
    page.get_by_title("Switch to dark").click()
    page.emulate_media(color_scheme="dark")
    page.emulate_media(color_scheme="light")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")


def test_a_missing_page_answers_404_and_explains(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    response = page.goto(server + "no/such/page.html")
    assert response is not None and response.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")


def test_a_snippet_is_shown_without_javascript(chromium, site: Path, server: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server + "index.html")
    expect(page.locator("figure.snippet pre").first).to_contain_text("loss.backward()")
    context.close()


def test_the_list_of_pages_opens_and_closes_by_keyboard_on_a_phone(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(server + "index.html")
    opener = page.get_by_role("button", name="Pages")
    expect(opener).to_have_attribute("aria-expanded", "false")
    opener.focus()
    page.keyboard.press("Enter")
    expect(opener).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".md-sidebar--primary")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(opener).to_have_attribute("aria-expanded", "false")


def test_the_section_in_view_is_marked_in_the_table_of_contents(
    context: BrowserContext, site: Path, server: str
) -> None:
    page = context.new_page()
    page.goto(server + "in-place/versions.html")
    links = page.locator(".md-sidebar--secondary a[href^='#']")
    third = links.nth(2)
    third.click()
    expect(third).to_have_attribute("aria-current", "true")
