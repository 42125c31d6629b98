"""The editor by keyboard and on a phone, stored edits, and links that contain a program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.site.browser_input import paste
from tests.site.conftest import SAVE_DATA
from tests.site.running import await_end, choose, need_runtime, open_playground, run
from tests.site.test_exercises_in_browser import REPAIR, VERSIONS, editor_of, open_item

BUTTONS = "button:visible, [role=button]:visible"


@pytest.fixture
def playground(context: BrowserContext, python_starts_with_run_only: None, server: str) -> Page:
    page = context.new_page()
    page.goto(server + "playground.html")
    return page


def open_editor(page: Page) -> Locator:
    """Open the editor of the page's first program with a click, which runs nothing. Return its text field."""
    page.locator("figure.snippet pre").click()
    box = page.locator(".run-panel").get_by_role("textbox")
    expect(box).to_be_focused()
    return box


def test_the_editor_is_loaded_at_its_first_use(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    requested_names: list[str] = []
    page.on("request", lambda request: requested_names.append(request.url.rsplit("/", 1)[-1]))
    page.goto(server + "playground.html", wait_until="networkidle")
    assert not {"codemirror.js", "run.js", "frame.html"} & set(requested_names)
    open_editor(page)
    assert {"codemirror.js", "run.js"} <= set(requested_names)
    expect(page.locator(".run-panel .tok-keyword").first).to_have_text("import")


def test_edits_are_stored_until_reset(playground: Page) -> None:
    paste(open_editor(playground), "print('mine')")
    playground.reload()
    box = playground.locator(".run-panel").get_by_role("textbox")
    expect(box).to_have_text("print('mine')")
    expect(playground.locator(".ran")).to_be_hidden()
    choose(playground, "Reset")
    expect(box).to_contain_text("w = torch.tensor(3.0")
    choose(playground, "Blank")
    expect(box).to_have_text("import torch")
    choose(playground, "Reset")
    playground.reload(wait_until="networkidle")
    expect(playground.locator(".run-panel")).to_have_count(0)


def test_on_a_phone_the_code_is_in_view_and_the_menu_works_by_keyboard(playground: Page) -> None:
    """Check also that the note about the engine is shown once per visit, and that Stop is hidden while no program runs."""
    playground.set_viewport_size({"width": 390, "height": 844})
    program = playground.locator("figure.snippet pre").first.bounding_box()
    box = open_editor(playground)
    editor_bounds = box.bounding_box()
    assert program and editor_bounds and program["y"] < 700 and editor_bounds["y"] < 700
    expect(playground.locator(".run-note")).to_contain_text("PyTorch itself does not run here")
    expect(playground.get_by_role("button", name="Run", exact=True)).to_be_visible()
    expect(playground.get_by_role("button", name="Stop")).to_be_hidden()
    more_button, menu = (
        playground.get_by_role("button", name="More", exact=True),
        playground.get_by_role("menu", name="More"),
    )
    more_button.focus()
    keys = [
        ("ArrowDown", "Reset"),
        ("End", "Copy link"),
        ("ArrowDown", "Reset"),
        ("ArrowUp", "Copy link"),
        ("Home", "Reset"),
        ("b", "Blank"),
    ]
    for key, entry in keys:
        playground.keyboard.press(key)
        expect(playground.get_by_role("menuitem", name=entry)).to_be_focused()
        expect(more_button).to_have_attribute("aria-expanded", "true")
    playground.keyboard.press("Escape")
    expect(more_button).to_be_focused()
    expect(menu).to_be_hidden()
    playground.keyboard.press("Enter")
    expect(playground.get_by_role("menuitem", name="Reset")).to_be_focused()
    playground.keyboard.press("Tab")
    expect(menu).to_be_hidden()
    more_button.click()
    expect(menu).to_be_in_viewport(ratio=1)
    more_button.click()
    expect(menu).to_be_hidden()
    playground.reload()
    open_editor(playground)
    expect(playground.locator(".run-note")).to_have_count(0)


def is_saved(page: Page, words: str) -> bool:
    """Return whether the browser has stored a text that contains `words`."""
    return page.evaluate("(words) => Object.values(localStorage).some((text) => text.includes(words))", words)


def wait_until_saved(page: Page, words: str) -> None:
    page.wait_for_function("(words) => Object.values(localStorage).some((text) => text.includes(words))", arg=words)


def test_an_old_tab_does_not_overwrite_newer_edits(playground: Page, context: BrowserContext, server: str) -> None:
    """Check that leaving a tab with an older program keeps the newer one that another tab stored."""
    paste(open_editor(playground), "print('old')")
    wait_until_saved(playground, "'old'")
    other = context.new_page()
    other.goto(server + "playground.html")
    paste(other.locator(".run-panel").get_by_role("textbox"), "print('new')")
    wait_until_saved(other, "'new'")
    playground.goto(server + "index.html")
    assert is_saved(other, "'new'") and not is_saved(other, "'old'")


@pytest.mark.usefixtures("python_starts_with_run_only")
def test_an_old_tab_does_not_overwrite_a_newer_answer(context: BrowserContext, server: str) -> None:
    first, second = context.new_page(), context.new_page()
    for page, words in ((first, "# old"), (second, "# new")):
        paste(editor_of(open_item(page, server, VERSIONS, REPAIR)), words)
        wait_until_saved(page, words)
    first.goto(server + "index.html")
    assert is_saved(second, "# new") and not is_saved(second, "# old")


def test_an_edit_is_stored_if_the_page_is_left_at_once(playground: Page, server: str) -> None:
    paste(open_editor(playground), "print('hasty')")
    playground.goto(server + "index.html")
    wait_until_saved(playground, "'hasty'")  # the old page may store it after the next one has loaded


def test_erase_all_removes_edited_programs(playground: Page, context: BrowserContext, server: str) -> None:
    """Check that stored programs and open editors are reset, and that another tab does not store its old program again."""
    box = open_editor(playground)
    paste(box, "print('mine')")
    wait_until_saved(playground, "'mine'")
    playground.reload()
    expect(box).to_have_text("print('mine')")
    other = context.new_page()
    other.goto(server + "playground.html")
    expect(other.locator(".run-panel").get_by_role("textbox")).to_have_text("print('mine')")
    playground.get_by_role("button", name="Your progress").click()
    sheet = playground.get_by_role("dialog", name="Your progress")
    expect(sheet).to_contain_text("1 program that you have changed")
    sheet.get_by_role("button", name="Erase", exact=True).click()
    assert is_saved(playground, "'mine'")  # Erase asks for confirmation
    sheet.get_by_role("button", name="Erase all progress").click()
    expect(sheet).to_contain_text("Nothing yet.")
    sheet.get_by_role("button", name="Close").click()
    expect(box).to_contain_text("w = torch.tensor(3.0")
    other.close(run_before_unload=True)
    playground.reload(wait_until="networkidle")
    assert not is_saved(playground, "'mine'")
    expect(playground.locator(".run-panel")).to_have_count(0)


def test_a_link_contains_a_program(playground: Page, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    program = "# Grüße, 反向传播 <b>\nfor i in range(3):\n    print(i)"
    paste(open_editor(playground), program)
    choose(playground, "Copy link")
    expect(playground.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    link = playground.evaluate("navigator.clipboard.readText()")
    expect(
        playground.get_by_role("button", name="More")
    ).to_be_visible()  # replaces `Copied`, which is shown for a moment
    assert "playground.html#program=" in link and len(link) < 250
    editor_text = "(editor) => [...editor.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')"
    paste(playground.locator(".cm-content"), "print('mine')")
    wait_until_saved(playground, "'mine'")
    other = context.new_page()
    other.goto(link)
    box = other.locator(".run-panel").get_by_role("textbox")
    expect(box).to_contain_text("反向传播")
    assert box.evaluate(editor_text) == program
    expect(other.locator(".run-status")).to_contain_text("Read it before you run it")
    assert len(other.frames) == 1
    other.goto(link.split("#")[0])  # the reader's own program is unchanged
    other.reload()
    expect(box).to_have_text("print('mine')")
    other.evaluate("(link) => { location.href = link; }", link)  # a link that is opened on the page itself
    expect(box).to_contain_text("反向传播")
    paste(box, "print('of the link')")
    other.reload()
    expect(box).to_have_text("print('of the link')")
    assert "#" not in other.url


def test_the_editor_can_be_left_by_keyboard(page: Page, server: str) -> None:
    page.goto(server + "playground.html")
    box = open_editor(page)
    paste(box, "\n")
    box.press("Control+a")
    box.press("Delete")
    box.press_sequentially("if True:\n")
    box.press("Tab")
    box.press_sequentially("1")
    expect(box.locator(".cm-line").last).to_have_text(
        re.compile(r"^ {8}1$")
    )  # four from the indentation of the new line, four from Tab
    expect(box).to_be_focused()
    box.press("Escape")
    box.press("Tab")
    expect(box).not_to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(box).to_be_focused()


def test_tab_passes_through_an_editor_that_was_not_used(page: Page, server: str) -> None:
    """Check that Tab moves on until the reader has pressed another key, and that a sentence says how to leave the editor."""
    page.goto(f"{server}why-autograd/worked-example.html")
    page.evaluate("gradnotes.load('run.js').then(() => gradnotes.edit(document.querySelector('figure[data-runs]')))")
    panel = page.locator(".run-panel")
    box, more_button = panel.get_by_role("textbox"), panel.get_by_role("button", name="More", exact=True)
    keys = "While you edit, Tab indents; Escape, then Tab leaves the editor. Ctrl Enter runs the program."
    expect(panel.get_by_text(keys)).to_be_visible()
    expect(box).to_have_accessible_description(keys)
    text = box.text_content()
    more_button.focus()
    for _ in range(2):
        page.keyboard.press("Tab")
        expect(box).to_be_focused()
        page.keyboard.press("Shift+Tab")
        expect(more_button).to_be_focused()
    for key in ("Tab", "Tab"):
        page.keyboard.press(key)
    expect(box).not_to_be_focused()
    assert box.text_content() == text
    more_button.focus()
    for key in ("Tab", "ArrowDown", "Home", "Tab"):
        page.keyboard.press(key)
    expect(box).to_be_focused()
    assert box.text_content() != text


def test_the_editor_of_an_excerpt_says_which_lines_the_page_shows(page: Page, server: str, site: Path) -> None:
    need_runtime(site)
    page.goto(f"{server}training/first-network.html")
    figure = page.locator("#snippet-training-first-network-reader")
    shown_lines = (figure.locator("pre code").text_content() or "").rstrip().split("\n")
    figure.get_by_role("button", name="Run").click()
    panel = figure.locator(".run-panel")
    note = panel.locator(".run-note").first
    expect(note).to_have_text(f"This is the whole program. The page shows its lines 1 to {len(shown_lines)}.")
    assert panel.locator(".cm-line").nth(len(shown_lines) - 1).text_content() == shown_lines[-1]
    await_end(panel)
    expect(panel.locator(".run-status")).to_have_text("The output of the whole program is as expected.")


def test_on_a_phone_the_font_of_the_editor_has_16_px(chromium: Browser, server: str) -> None:
    """Check the font size, because iOS zooms in when a field with a smaller font is touched."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.add_init_script(SAVE_DATA)
    page = context.new_page()
    page.goto(server + "playground.html")
    box = open_editor(page)
    assert box.evaluate("(editor) => getComputedStyle(editor).fontSize") == "16px"
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    context.close()


LONG_LINE = """import torch
numbers = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])  # a comment that makes this line wider than any phone, and a good part wider
numbers @ numbers
"""


def test_on_a_phone_an_error_is_within_the_screen(chromium: Browser, site: Path, server: str) -> None:
    """Check that an error stays in view while the editor is scrolled sideways along a long line."""
    need_runtime(site)
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    panel = open_playground(page, server)
    assert run(panel, LONG_LINE) == "Your program ended with an error."
    error = panel.locator(".x-raises")
    expect(error).to_contain_text("RuntimeError")
    scroller = panel.locator(".cm-scroller")
    assert scroller.evaluate("(scroller) => scroller.scrollWidth - scroller.clientWidth") > 100
    for left in (0, 100, 10_000):
        scroller.evaluate("(scroller, left) => { scroller.scrollLeft = left; }", left)
        page.wait_for_timeout(100)
        box, frame = error.bounding_box(), scroller.bounding_box()
        assert box and frame
        assert frame["x"] <= box["x"] and box["x"] + box["width"] <= frame["x"] + frame["width"] <= 390
        assert error.evaluate("(error) => error.scrollWidth <= error.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    context.close()


def test_no_button_is_under_24_px(playground: Page) -> None:
    open_editor(playground)
    small_buttons = playground.locator(f".md-content :is({BUTTONS.replace(':visible', '')})").evaluate_all(
        "(buttons) => buttons.filter((button) => button.checkVisibility())"
        ".map((button) => [button.textContent, button.getBoundingClientRect()])"
        ".filter(([, box]) => box.width && (box.width < 24 || box.height < 24)).map(([text]) => text)"
    )
    assert small_buttons == []


@pytest.fixture
def scriptless_page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", ["index.html", "playground.html", "in-place/versions.html"])
def test_without_scripts_no_button_is_shown(scriptless_page: Page, server: str, name: str) -> None:
    for width in (1280, 390):
        scriptless_page.set_viewport_size({"width": width, "height": 844})
        scriptless_page.goto(server + name)
        expect(scriptless_page.get_by_role("link", name="Pages", exact=True)).to_be_visible(visible=width == 390)
        assert (
            scriptless_page.locator(
                "button:visible, input:visible, select:visible, textarea:visible"
            ).all_text_contents()
            == []
        )


def test_closing_the_search_restores_the_focus(playground: Page) -> None:
    link = playground.locator("article a:visible").first
    link.focus()
    playground.keyboard.press("/")
    expect(playground.locator("dialog[open] textarea")).to_be_focused()
    playground.keyboard.press("Escape")
    expect(link).to_be_focused()
