"""What readers come for: each task of reader_tasks.yml is done from the home page, in the fewest steps, without addresses.

The tasks share one browser context. One that begins on the same page as the one before it keeps that page's caches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, Locator, Page, expect

from tests.site.conftest import PATIENCE

TASKS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("reader_tasks.yml").read_text(encoding="utf-8"))
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
IN_VIEW = """element => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.left < innerWidth;
}"""


def field(page: Page) -> Locator:
    """Return the field that a reader has before them: that of the open dialog, else the filter of the page."""
    return page.locator("dialog[open] textarea, body:not(:has(dialog[open])) input[type=search]").first


def search(page: Page, text: str) -> None:
    page.locator(".search-button").click()
    field(page).fill(text)


def open_result(page: Page, address: str) -> None:
    """Open the result at an address; a reader looks at the first three."""
    query = field(page).input_value()
    page.wait_for_function(
        "() => document.querySelector('.search__results a span') || /^Nothing/.test(document.querySelector('.search__status').textContent)"
    )
    links = page.locator(".search__results a")
    hrefs = [link.removeprefix(origin(page)) for link in links.evaluate_all("all => all.slice(0, 3).map(a => a.href)")]
    position = next((n for n, href in enumerate(hrefs) if href.startswith(address)), None)
    assert position is not None, f"{query!r} leads to {hrefs}, expected {address}"
    links.nth(position).click()
    page.wait_for_url(re.compile(re.escape(address)))


def origin(page: Page) -> str:
    return re.match(r"\w+://[^/]+/", page.url)[0]  # type: ignore[index]


def click(page: Page, target: str) -> None:
    """Click on `role name`, or on `css selector`. Of several links with this name, the first that is visible."""
    role, _, name = target.partition(" ")
    if role == "css":
        page.locator(f"{name} >> visible=true").first.click()
        return
    pattern = re.compile(rf"^\W*(\d+ )?{re.escape(name)}", re.IGNORECASE)
    page.get_by_role(role, name=pattern).locator("visible=true").first.click()  # type: ignore[arg-type]


def see(page: Page, text: str) -> None:
    """Find a text on the screen, without scrolling."""
    page.wait_for_function(
        """text => {
            const plain = (node) => node.textContent.replace(/\\s+/g, " ");
            const inView = (element) => {
                const box = element.getBoundingClientRect();
                return box.width > 0 && box.bottom > 0 && box.top < innerHeight && getComputedStyle(element).visibility !== "hidden";
            };
            return [...document.querySelectorAll("body *:not(script, style)")].some((element) =>
                plain(element).includes(text) && ![...element.children].some((child) => plain(child).includes(text)) && inView(element));
        }""",
        arg=text,
    )


def focus(page: Page, selector: str) -> None:
    assert page.evaluate("selector => document.activeElement.closest(selector) !== null", selector)


def print_page(page: Page, texts: list[str]) -> None:
    """See the texts in print, and nothing to click on."""
    page.emulate_media(media="print")
    for text in texts:
        expect(page.locator("article").get_by_text(text).locator("visible=true").first).to_be_visible()
    for selector in (".md-header", ".md-sidebar", ".md-footer"):
        expect(page.locator(selector).first).to_be_hidden()
    page.emulate_media(media="screen")


def answer(page: Page, which: str) -> None:
    """Answer the first prediction of the page."""
    figure = page.locator("figure.predict").first
    figure.locator("label:visible").first.click()
    figure.get_by_role("button", name="Answer").click()


def choose(page: Page, choice: list[str]) -> None:
    page.get_by_role("combobox", name=choice[0]).select_option(choice[1])


VERBS: dict[str, Callable[[Page, Any], None]] = {
    "search": search,
    "open": open_result,
    "click": click,
    "fill": lambda page, text: field(page).fill(text),
    "back": lambda page, _: page.go_back(),
    "press": lambda page, key: page.keyboard.press(key),
    "choose": choose,
    "answer": answer,
    "see": see,
    "at": lambda page, address: page.wait_for_url(re.compile(re.escape(address))),
    "focus": focus,
    "print": print_page,
}


@pytest.fixture(scope="module")
def reader(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport=DESK, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("task", TASKS, ids=[task["task"] for task in TASKS])
def test_a_reader_gets_there(reader: Page, server: str, task: dict[str, Any]) -> None:
    reader.set_viewport_size(PHONE if task.get("phone") else DESK)
    reader.goto("about:blank")  # else the page that the last task left restores its search
    reader.goto(server + task.get("from", "index.html"))
    reader.evaluate("localStorage.clear()")
    for step in task["steps"]:
        ((verb, argument),) = step.items()
        VERBS[verb](reader, argument)
