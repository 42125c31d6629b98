"""Perform the tasks of readers in reader_tasks.yml, each in the fewest steps and without typed addresses.

A task starts on the home page, or on the page that its key `from` names. With `--tier full`, all tasks run in Chromium, Firefox
and WebKitGTK. Otherwise, tasks marked `pull-request` run in Chromium. The tasks in a browser share one page and its caches.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser

from tests.site import drivers
from tests.site.drivers import Driver, Firefox, WebKit, click_on, press, start_browser, wait_for

TASKS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("reader_tasks.yml").read_text(encoding="utf-8"))
DESK, PHONE = (1280, 800), (390, 844)
DRIVERS = {"firefox": Firefox, "webkit": WebKit}

# Whether the page has loaded and its scripts have run. A licence is a text file without scripts.
READY = "document.readyState === 'complete' && (document.contentType !== 'text/html' || Boolean(globalThis.gradnotes)) && !globalThis.isLeft"
# The text field of the open dialog, else the filter of the page.
FIELD = "document.querySelector('dialog[open] textarea, body:not(:has(dialog[open])) input[type=search]')"
# The first three results of the search.
RESULTS = "[...document.querySelectorAll('.search__results a')].slice(0, 3)"
# Functions that find an element by its role and the beginning of its accessible name, and decide whether a text is visible without
# scrolling.
LIBRARY = r"""
const ROLES = { link: "a[href]", button: "button", combobox: "select" };
const visible = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
const nameOf = (node) => node.nodeType === Node.TEXT_NODE ? node.data
    : node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true" ? ""
    : node.getAttribute("aria-label") ?? node.getAttribute("alt") ?? [...node.childNodes].map(nameOf).join("");
const called = (role, name) => {
    const pattern = RegExp(String.raw`^\W*(\d+ )?` + name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
    const matches = (element) => pattern.test((nameOf(element).trim() || element.title).replace(/\s+/g, " "));
    return [...document.querySelectorAll(ROLES[role])].find((element) => matches(element) && visible(element));
};
const plain = (element) => element.textContent.replace(/\s+/g, " ");
const isSeen = (element, text) => {
    const children = [...element.children].filter((child) => !child.matches("script, style") && plain(child).includes(text));
    if (children.length) return children.some((child) => isSeen(child, text));
    const box = element.getBoundingClientRect();
    return visible(element) && box.bottom > 0 && box.top < innerHeight && plain(element).includes(text);
};
/* Return whether a click on an element leads to another page; if so, mark this page as left. */
const leaves = (element) => {
    const link = element?.closest("a[href]:not([download])");
    return globalThis.isLeft = Boolean(link) && link.href.split("#")[0] !== location.href.split("#")[0];
};
/* Apply the rules for print instead of those for the screen. */
const putOnPaper = (rules) => {
    for (const { media, cssRules } of rules) {
        if (media) media.mediaText = [...media].map((medium) => /^screen/.test(medium) ? "not all" : medium.replace(/^print/, "all")).join(", ");
        if (cssRules) putOnPaper(cssRules);
    }
};
"""
# Choose an option by its value or label. The result is whether the list has such an option.
CHOOSE = """(() => {
    const list = called("combobox", %s), text = %s;
    const option = [...list.options].find(({ value, label }) => value === text || label === text);
    if (option) list.value = option.value;
    return Boolean(option) && list.dispatchEvent(new Event("change", { bubbles: true }));
})()"""


def script(expression: str, *values: object) -> str:
    """Return a JavaScript expression for the value of `expression`, in which each `%s` is replaced by a value as JSON.

    It can use the functions of LIBRARY. If it begins with `const`, it is a list of statements, of which the last returns the value.
    """
    body = expression % tuple(map(json.dumps, values)) if values else expression
    return f"(() => {{ {LIBRARY} {'' if body.startswith('const ') else 'return'} {body}; }})()"


def click(driver: Driver, target: str) -> None:
    """Click the first visible element that `target`, as `role name` or `css selector`, describes.

    Its accessible name must begin with the name, in any case; marks and a number may come before it. Wait for the page that it
    opens, if any.
    """
    role, _, name = target.partition(" ")
    if role == "css":
        element = script("[...document.querySelectorAll(%s)].find(visible)", name)
    else:
        element = script("called(%s, %s)", role, name)
    follow(driver, element)


def follow(driver: Driver, element: str) -> None:
    """Click an element, and wait for the page that it opens, if any."""
    link = wait_for(driver, script(f"const element = {element}; return element && {{ leavesPage: leaves(element) }}"))
    click_on(driver, element)
    if link["leavesPage"]:
        wait_for(driver, READY)


def fill(driver: Driver, text: str) -> None:
    """Replace the text of FIELD, as if `text` were pasted."""
    wait_for(driver, f"{FIELD}?.checkVisibility()")
    driver.evaluate(
        f"({FIELD}.focus(), {FIELD}.select(), document.execCommand('insertText', false, {json.dumps(text)}))"
    )


def search(driver: Driver, text: str) -> None:
    """Open the search with its button, and enter `text`."""
    click_on(driver, "document.querySelector('.search-button')")
    fill(driver, text)


def open_result(driver: Driver, address: str) -> None:
    """Click the search result whose address begins with `address`; it must be among the first three."""
    nothing = "/^Nothing/.test(document.querySelector('.search__status').textContent)"
    wait_for(driver, f"{RESULTS}.length && {RESULTS}.every(link => link.querySelector('span')) || {nothing}")
    hrefs = driver.evaluate(f"{RESULTS}.map(link => link.href.replace(location.origin + '/', ''))")
    position = next((n for n, href in enumerate(hrefs) if href.startswith(address)), None)
    assert position is not None, f"{driver.evaluate(FIELD + '.value')!r} leads to {hrefs}, expected {address}"
    follow(driver, f"{RESULTS}[{position}]")
    wait_for_address(driver, address)


def wait_for_address(driver: Driver, address: str) -> None:
    """Wait until the address of the page contains `address` and the page has loaded."""
    wait_for(driver, f"location.href.includes({json.dumps(address)}) && {READY}")


def go_back(driver: Driver, _: int) -> None:
    """Go back one step in the history, and wait until the address has changed."""
    before = driver.evaluate("(setTimeout(() => history.back()), location.href)")
    wait_for(driver, f"location.href !== {json.dumps(before)} && document.readyState === 'complete'")
    driver.evaluate("globalThis.isLeft = false")  # the browser may restore the page with this flag set


def answer(driver: Driver, _: None) -> None:
    """Answer the first prediction on the page with its first choice."""
    wait_for(driver, "globalThis.gradnotes.ready")
    click_on(driver, script("[...document.querySelector('figure.predict').querySelectorAll('label')].find(visible)"))
    click(driver, "button Answer")


def choose(driver: Driver, choice: list[str]) -> None:
    """Choose an option of a list. `choice` is (name of the list, value or label of the option)."""
    name, option = choice
    wait_for(driver, script("Boolean(called('combobox', %s))", name))
    has_option = driver.evaluate(script(CHOOSE, name, option))
    assert has_option, f"the list {name!r} has no option {option!r}"


def wait_for_text(driver: Driver, text: str) -> None:
    """Wait until `text` is visible without scrolling."""
    wait_for(driver, script("isSeen(document.body, %s)", text))


def wait_for_focus(driver: Driver, selector: str) -> None:
    """Wait until the focus is on an element that matches `selector`, or within it."""
    wait_for(driver, f"document.activeElement.closest({json.dumps(selector)}) !== null")


def print_page(driver: Driver, texts: list[str]) -> None:
    """Check that print styles show the texts and hide header, sidebar and footer. (WebKitGTK's driver cannot print.)"""
    driver.evaluate(script("putOnPaper(document.styleSheets)"))
    for text in texts:
        visible = "[...document.querySelectorAll('article *')].some((element) => visible(element) && plain(element).includes(%s))"
        assert driver.evaluate(script(visible, text)), text
    controls = "[...document.querySelectorAll('.md-header, .md-sidebar, .md-footer')].filter(visible).map((element) => element.className)"
    assert driver.evaluate(script(controls)) == []


VERBS: dict[str, Callable[[Driver, Any], None]] = {
    "search": search,
    "open": open_result,
    "click": click,
    "fill": fill,
    "back": go_back,
    "press": press,
    "choose": choose,
    "answer": answer,
    "see": wait_for_text,
    "at": wait_for_address,
    "focus": wait_for_focus,
    "print": print_page,
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    is_full = metafunc.config.getoption("tier") == "full"
    tasks = [task for task in TASKS if is_full or task.get("tier") == "pull-request"]
    metafunc.parametrize("reader", ["chromium", *DRIVERS] if is_full else ["chromium"], indirect=True, scope="module")
    metafunc.parametrize("task", tasks, ids=[task["task"] for task in tasks])


@pytest.fixture(scope="module")
def reader(
    request: pytest.FixtureRequest, chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Driver]:
    """Yield the driver of the browser in which a reader performs the tasks."""
    if request.param in DRIVERS:
        driver = start_browser(DRIVERS[request.param], tmp_path_factory.mktemp("browser"))
        yield driver
        driver.close()
        return
    context = chromium.new_context(reduced_motion="reduce")
    yield drivers.Chromium(context.new_page())
    context.close()


def test_a_reader_completes_the_task(reader: Driver, server: str, task: dict[str, Any]) -> None:
    # Without this, the page of the previous task would restore its search.
    reader.evaluate("location.protocol === 'http:' && (localStorage.clear(), history.replaceState(null, ''))")
    reader.resize(*(PHONE if task.get("phone") else DESK))
    reader.open(server + task.get("from", "index.html"))
    wait_for(reader, READY)
    for step in task["steps"]:
        ((verb, argument),) = step.items()
        try:
            VERBS[verb](reader, argument)
        except TimeoutError:  # its message contains only JavaScript
            address = reader.evaluate("location.href")
            pytest.fail(f"step {step} did not succeed within 30 s; the browser is at {address}", pytrace=False)
