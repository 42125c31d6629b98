"""Test the main functions of the site in Firefox and WebKitGTK, nightly: display, Run, Check, search, and sliders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site.drivers import Driver, Firefox, WebKit, click, enter, press, start_browser, wait_for
from tests.site.running import need_runtime
from tests.site.test_exercises_in_browser import REPAIR, VERSIONS, WORKED
from tests.site.test_search import TRACEBACK

START = 300.0  # s; the limit for the start of Python. In WebKitGTK, on two cores with a load of 20, it took 140 s.
SLIDER = "tensors/indexing.html"
READY = "document.readyState === 'complete' && Boolean(globalThis.gradnotes)"
# Put a text into a new textarea and select it, so that Ctrl+C copies it.
SELECT = "(() => { const area = document.createElement('textarea'); area.value = %s; area.id = 'copied'; document.body.append(area); area.select(); return true; })()"
# Open all folds of class `note`, and mark the exercise and its button Check with attributes, by which the test selects them.
MARK = """(() => {
    for (const fold of document.querySelectorAll("details.note")) fold.open = true;
    const figure = document.querySelector(%s);
    figure.dataset.tested = "";
    [...figure.querySelectorAll("button")].find((button) => button.textContent.trim() === "Check").dataset.check = "";
})()"""


@pytest.fixture(scope="module", params=[Firefox, WebKit], ids=["firefox", "webkit"])
def browser(request: pytest.FixtureRequest, tier: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """Yield a driver of a new Firefox or WebKitGTK. Skip the test unless the tier is `full`."""
    if tier != "full":
        pytest.skip("Firefox and WebKitGTK (60 CPU seconds) run only with --tier full")
    driver = start_browser(request.param, tmp_path_factory.mktemp("browser"))
    yield driver
    driver.close()


@pytest.fixture
def runtime(site: Path) -> None:
    """Skip the test if the site was built without the Python runtime, which *Run* and *Check* load."""
    need_runtime(site)


def open_page(browser: Driver, address: str) -> None:
    """Open a page, and wait until its scripts have started."""
    browser.open(address)
    wait_for(browser, READY)


def text_of(selector: str) -> str:
    """Return a JavaScript expression for the text of the element that `selector` matches, or '' without such an element."""
    return f"(document.querySelector({json.dumps(selector)})?.textContent ?? '')"


def test_a_page_is_displayed(browser: Driver, server: str) -> None:
    open_page(browser, server + "index.html")
    assert browser.evaluate("document.querySelector('h1').checkVisibility()")
    assert browser.evaluate("getComputedStyle(document.querySelector('.search-button')).cursor") == "pointer"


def test_an_example_runs(browser: Driver, server: str, runtime: None) -> None:
    open_page(browser, server + "index.html")
    click(browser, "[data-run]")
    status = wait_for(browser, f"/compared/.test({text_of('.run-status')}) && {text_of('.run-status')}", START)
    assert status.startswith("The output is the same as on the page:")


def copy(browser: Driver, text: str) -> None:
    """Copy `text` to the clipboard with the keyboard, as a reader does."""
    browser.evaluate(SELECT % json.dumps(text))
    press(browser, "Control", "c")
    browser.evaluate("document.getElementById('copied').remove()")


def test_an_exercise_is_checked(browser: Driver, server: str, runtime: None) -> None:
    open_page(browser, server + VERSIONS)
    wait_for(browser, "gradnotes.ready")
    browser.evaluate(MARK % json.dumps(f"figure:has(> #{REPAIR}), figure#{REPAIR}"))
    feedback = text_of("[data-tested] .exercise-said")
    click(browser, "[data-check]")
    wait_for(browser, f"{feedback}.includes('Not yet.')", START)

    lines = "[...document.querySelectorAll('[data-tested] .cm-line')].map(line => line.textContent).join('\\n')"
    program = browser.evaluate(f"document.querySelector('[data-tested] textarea').value || {lines}")
    copy(browser, program.replace("hidden -=", "hidden = hidden -"))
    if browser.evaluate("document.querySelector('[data-tested] textarea').checkVisibility()"):
        click(browser, "[data-tested] textarea")  # the click replaces the textarea by the editor
    click(browser, "[data-tested] .cm-content")
    press(browser, "Control", "a")
    press(browser, "Control", "v")
    wait_for(browser, f"{lines}.includes('hidden = hidden -')")
    click(browser, "[data-check]")
    wait_for(browser, f"{feedback}.includes('Correct.')", START)


def test_search_finds_a_name_and_back_restores_the_results(browser: Driver, server: str) -> None:
    open_page(browser, server + "glossary.html")
    press(browser, "/")
    wait_for(browser, "document.activeElement.matches('dialog.search textarea')")
    enter(browser, "retain_graph")
    first = "document.querySelector('.search__results a')"
    wait_for(browser, f"{first}?.href.includes('using-autograd/second-backward')")
    press(browser, "Enter")
    wait_for(browser, f"location.pathname.includes('second-backward') && {READY}")
    browser.evaluate("history.back()")
    wait_for(browser, f"location.pathname.endsWith('glossary.html') && document.activeElement === {first}")


def test_search_finds_the_page_of_a_pasted_traceback(browser: Driver, server: str) -> None:
    # On the page of the previous test, WebKit would restore the history state, and with it the open search.
    open_page(browser, server + "index.html")
    copy(browser, TRACEBACK)
    press(browser, "/")
    wait_for(browser, "document.activeElement.matches('dialog.search textarea')")
    press(browser, "Control", "v")
    wait_for(browser, "document.querySelector('.search__results a')?.href.includes('using-autograd/second-backward')")
    assert browser.evaluate("document.querySelector('dialog.search textarea').value") == TRACEBACK


def test_a_fraction_is_displayed(browser: Driver, server: str) -> None:
    open_page(browser, server + WORKED)
    above, below = browser.evaluate(
        "[...document.querySelector('div.formula mfrac').children].map((element) => { const box = element.getBoundingClientRect(); return [box.y, box.height]; })"
    )
    assert above[1] > 4 and below[1] > 4 and above[0] + above[1] <= below[0] + 2


def test_a_slider_moves(browser: Driver, server: str) -> None:
    open_page(browser, server + SLIDER)
    position = "document.querySelector('figure.drawn input[type=range]')?.getAttribute('aria-valuetext')"
    first = wait_for(browser, position)
    browser.evaluate("document.querySelector('figure.drawn input[type=range]').focus()")
    press(browser, "ArrowRight")
    wait_for(browser, f"{position} !== {json.dumps(first)}")
