"""Predictions and exercises in Chromium: answers by mouse and keys are checked, stored, exported and erased.

Without JavaScript, and on paper, the answers are in folds.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.site.axe import AXE, NO_AXE, load_axe
from tests.site.browser_input import paste
from tests.site.conftest import SAVE_DATA
from tests.site.running import need_runtime, program_of
from tests.site.weights import compressed_size, weigh_page

VERSIONS, WORKED = "in-place/versions.html", "why-autograd/worked-example.html"
LEAVES = "why-autograd/leaves.html"
POINT = "exercise-why-autograd-worked-example-who-feels-w2"
START = 90_000  # ms; the limit for the start of Python
FAULTS = "async (selectors) => (await axe.run({include: selectors.map((selector) => [selector])})).violations.map((v) => `${v.id} ${v.nodes.map((n) => n.target)}`)"


@pytest.fixture
def context(context: BrowserContext) -> BrowserContext:
    """Return a context in which Python starts only with *Check*, see `python_starts_with_run_only`."""
    context.add_init_script(SAVE_DATA)
    return context


def open_item(page: Page, server: str, address: str, item: str) -> Locator:
    """Open a page and all its folds, and return the figure of an item."""
    page.goto(server + address)
    figure = page.locator(f"#{item}, figure:has(> #{item})").first
    page.wait_for_function("() => globalThis.gradnotes?.ready")
    page.evaluate(
        "() => { for (const fold of document.querySelectorAll('details.note')) fold.open = true; }"
    )  # some items are in folds
    return figure


def stored_practice(page: Page) -> dict:
    """Return the practice data in the storage of the browser, `{}` if there are none."""
    return json.loads(page.evaluate("localStorage.getItem('practice') ?? '{}'"))


def check_answer(figure: Locator, program: str | None = None) -> Locator:
    """Enter `program`, if given, press *Check*, and return the element with the feedback."""
    if program is not None:
        paste(editor_of(figure), program)
    figure.get_by_role("button", name="Check").click()
    expect(figure.get_by_role("button", name="Stop")).to_be_hidden(timeout=START)
    return figure.locator(".exercise-said")


def editor_of(figure: Locator) -> Locator:
    """Click the plain text area, if it is visible, and return the editor that replaces it."""
    if figure.locator("textarea").is_visible():
        figure.locator("textarea").click()
    box = figure.locator(".cm-content")
    expect(box).to_be_visible()
    return box


# -- predictions ------------------------------------------------------------------------------------


def test_a_wrong_choice_gets_feedback_and_the_right_one_uncovers_the_output(page: Page, server: str) -> None:
    figure = open_item(page, server, VERSIONS, "predict-in-place-versions-what-would-come-out")
    expect(figure.get_by_role("group", name="The right gradient is 3")).to_be_visible()
    expect(figure.locator("pre").first).not_to_contain_text("tensor([1000.")
    expect(figure.get_by_role("button", name="Run")).to_be_hidden()
    figure.get_by_role("radio", name="3.").check()
    figure.get_by_role("button", name="Answer", exact=True).click()
    expect(figure.get_by_role("status")).to_contain_text(
        "✗ Not correct. To compute the right gradient, backward would need the old h[0]."
    )
    expect(figure.locator("pre").first).not_to_contain_text("tensor([1000.")
    figure.get_by_role("radio", name="1000.").check()
    figure.get_by_role("button", name="Answer", exact=True).click()
    expect(figure.get_by_role("status")).to_contain_text("✓ Right, in the end. Your first answer: 3.")
    expect(figure.get_by_role("status")).to_contain_text("The first gradient should be 3 and is 1000")
    expect(figure.locator("pre").first).to_contain_text("tensor([1000.,    4.])")
    expect(figure.get_by_role("button", name="Run")).to_be_visible()
    ((name, entry),) = stored_practice(page)["done"].items()
    assert name.startswith("predict-in-place-versions-what-would-come-out-") and entry["state"] == "later"


def test_emphasized_words_of_feedback_are_elements(page: Page, server: str) -> None:
    """Check the feedback of a prediction, and `gradnotes.prose`, which converts asterisks in the feedback of failed checks."""
    address = "why-autograd/computation-graph.html"
    figure = open_item(page, server, address, "predict-why-autograd-computation-graph-names-gone")
    figure.get_by_role("radio", name="NameError").check()
    figure.get_by_role("button", name="Answer", exact=True).click()
    expect(figure.get_by_role("status").locator("em")).to_have_text("your code")
    page.add_script_tag(url=server + "assets/harmless.js")
    parts = page.evaluate("gradnotes.prose('a *b c*, `d*e*` **f** 2*x*y').map((part) => part.outerHTML ?? part)")
    assert parts == ["a ", "<em>b c</em>", ", ", "<code>d*e*</code>", " ", "<strong>f</strong>", " 2*x*y"]


def test_an_answer_by_keys_is_stored(page: Page, server: str) -> None:
    figure = open_item(page, server, VERSIONS, "predict-in-place-versions-unused-is-fine")
    figure.get_by_role("radio").first.focus()
    for _ in range(3):
        if "tensor([1., 1.])" in figure.locator("label:has(:checked)").all_text_contents():
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(figure.get_by_role("status")).to_contain_text("✓ Right, at once.")
    assert page.evaluate("document.activeElement.textContent") == "Answer again"
    page.reload()
    expect(figure.get_by_role("status")).to_contain_text("✓ Right, at once.")
    expect(figure.locator("pre").first).to_contain_text("tensor([1., 1.])")
    expect(page.locator(".md-nav__link--active .nav-mark").first).to_contain_text("1/5")
    figure.get_by_role("button", name="Answer again").click()
    expect(figure.locator("pre").first).not_to_contain_text("tensor([1., 1.])")
    assert figure.locator(".x-covered").count() == 1 and stored_practice(page)["done"] == {}


def test_an_answer_can_be_a_line(page: Page, server: str) -> None:
    figure = open_item(page, server, VERSIONS, "predict-in-place-versions-counter")
    figure.get_by_role("button", name="Answer", exact=True).click()
    expect(figure.get_by_role("status")).to_have_text("Choose or type an answer first.")
    figure.get_by_role("radio", name="h[0] = 1000.0").check()
    figure.get_by_role("button", name="Answer", exact=True).click()
    expect(figure.get_by_role("status")).to_contain_text("This line does the damage")
    figure.get_by_role("radio", name="mean.backward()").check()
    figure.get_by_role("button", name="Answer", exact=True).click()
    expect(figure.locator("pre").first.locator(".x-raises")).to_contain_text("is at version 1; expected version 0")


def test_a_line_is_chosen_by_a_click_on_it_or_by_keys(page: Page, server: str) -> None:
    figure = open_item(page, server, VERSIONS, "predict-in-place-versions-counter")
    question = figure.get_by_role("group", name="Which line raises an error?")
    code = question.locator("pre code")
    line = code.get_by_role("radio", name="h[0] = 1000.0")
    expect(code.get_by_role("radio")).to_have_count(7)  # "no line raises" is below the program
    expect(question.get_by_role("radio")).to_have_count(8)
    code.get_by_text("1000.0").click()
    expect(line).to_be_checked()
    page.keyboard.press("ArrowDown")
    expect(code.get_by_role("radio", name='print("now at version", h._version)')).to_be_checked()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(figure.get_by_role("status")).to_contain_text("✓ Right, at once.")
    expect(figure.get_by_role("button", name="Answer again")).to_be_focused()
    expect(figure.locator("form pre")).to_have_count(0)  # the program is outside the form, so that it can be run
    assert figure.locator("pre code").first.evaluate("(e) => e.innerText").startswith("import torch")
    page.reload(wait_until="networkidle")
    expect(figure.get_by_role("status")).to_contain_text("✓ Right, at once.")
    figure.get_by_role("button", name="Answer again").click()
    expect(question.locator("pre code .x-covered")).to_have_count(1)
    expect(line).to_be_enabled()
    page.set_viewport_size({"width": 390, "height": 844})
    assert line.bounding_box()["x"] >= figure.bounding_box()["x"]  # type: ignore[index]


def test_an_answer_can_be_typed(page: Page, server: str) -> None:
    figure = open_item(page, server, WORKED, "predict-why-autograd-worked-example-broadcast")
    field = figure.get_by_role("textbox", name="Your answer")
    field.fill("2, 1")
    field.press("Enter")
    expect(figure.get_by_role("status")).to_contain_text("four numbers in memory")
    field.fill("1 1 1")
    field.press("Enter")
    expect(figure.get_by_role("status")).to_have_text("✗ Not correct. Look again at the program.")
    field.fill("0 0")
    field.press("Enter")
    expect(figure.get_by_role("status")).to_contain_text("✓ Right, in the end. Your first answer: 2, 1")


def test_a_solution_that_was_looked_up_is_not_done(page: Page, server: str) -> None:
    figure = open_item(page, server, WORKED, "predict-why-autograd-worked-example-by-hand")
    expect(figure.locator(".x-covered")).to_have_count(2)  # later outputs would reveal the answer
    figure.get_by_role("button", name="Show the answer").click()
    expect(figure.locator("pre").first).to_contain_text("tensor(28.) tensor(8.) tensor(10.)")
    expect(figure.get_by_role("status")).to_contain_text("You have looked at the answer.")
    expect(page.locator(".checkpoint-head")).to_have_text("0 of 7 done.")
    expect(page.locator(".checkpoint-list li").nth(1)).to_contain_text("answer shown")


def test_the_answer_is_folded_without_script_and_at_the_end_of_a_printed_page(chromium: Browser, server: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server + VERSIONS)
    figure = page.locator("figure:has(> #predict-in-place-versions-what-would-come-out)")
    expect(figure.locator("form")).to_be_hidden()
    expect(figure.get_by_text("tensor([1000.,    4.])")).to_be_hidden()
    figure.get_by_text("What the program prints").click()
    expect(figure.get_by_text("tensor([1000.,    4.])")).to_be_visible()
    exercise = page.locator("#exercise-in-place-versions-repair-the-layer")
    expect(exercise.get_by_role("textbox")).to_be_hidden()
    expect(exercise.get_by_role("button")).to_have_count(0)
    expect(exercise.locator(".exercise-start")).to_contain_text("hidden = torch.sigmoid(x @ w)")
    exercise.get_by_text("3 hints").click()
    expect(exercise.get_by_text("sigmoid saved its result.")).to_be_visible()
    exercise.locator("summary", has_text="Solution").click()
    expect(exercise.locator(".exercise-solution pre")).to_be_visible()
    context.close()
    context = chromium.new_context()
    page = context.new_page()
    page.goto(server + VERSIONS)
    page.emulate_media(media="print")
    figure = figure_of(page, "predict-in-place-versions-what-would-come-out")
    expect(figure.locator("form")).to_be_visible()
    expect(figure.get_by_text("tensor([1000.,    4.])")).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".answers").get_by_text("tensor([1000.,    4.])")).to_be_visible()
    context.close()


def figure_of(page: Page, item: str) -> Locator:
    return page.locator(f"figure:has(> #{item})")


# -- exercises --------------------------------------------------------------------------------------


def test_a_point_exercise_asks_for_a_line(page: Page, server: str) -> None:
    figure = open_item(page, server, VERSIONS, "exercise-in-place-versions-the-write-that-matters")
    feedback = check_answer(figure)
    expect(feedback).to_have_text("Select something first.")
    figure.get_by_role("button", name="Solution").click(force=True)  # the button is disabled, and a click explains why
    expect(feedback).to_have_text("Try once before you look at the solution.")
    figure.get_by_role("radio", name="loss.backward()").check()
    expect(check_answer(figure)).to_contain_text("✗ Not yet. This is where the error is raised.")
    figure.get_by_role("radio", name="result = shifted.exp()").check()
    expect(check_answer(figure)).to_contain_text("0 of 1 found, and 1 that does not belong.")
    for number in (1, 2):
        figure.get_by_role("button", name=f"Hint {number} of 2").click()
    expect(figure.get_by_role("list", name="Hints").locator("li")).to_have_count(2)
    expect(figure.get_by_role("button", name="No more hints")).to_be_visible()
    figure.get_by_role("radio", name="scaled.clamp_(max=4)").check()
    expect(check_answer(figure)).to_have_text("✓ Correct. ")
    figure.get_by_role("button", name="Solution").click()
    expect(figure.locator(".exercise-solution")).to_contain_text("scaled.clamp_(max=4)")
    assert stored_practice(page)["done"]["exercise-in-place-versions-the-write-that-matters"]["state"] == "passed"


def test_tensors_can_be_selected_in_the_drawing(page: Page, server: str) -> None:
    figure = open_item(page, server, LEAVES, "exercise-why-autograd-leaves-who-keeps")
    figure.locator('[data-node="w1"]').click()
    figure.locator('[data-node="w2"]').click()
    expect(figure.get_by_role("checkbox", name="w2")).to_be_checked()
    expect(check_answer(figure)).to_contain_text("the name of the quotient")
    figure.get_by_role("checkbox", name="w2").press("Space")
    expect(figure.locator('[data-node="w2"][data-chosen]')).to_have_count(0)
    expect(check_answer(figure)).to_contain_text("✓ Correct.")


def test_nodes_can_be_put_in_order(page: Page, server: str) -> None:
    figure = open_item(page, server, WORKED, "exercise-why-autograd-worked-example-which-order")
    for name in ("loss", "right", "left"):
        figure.get_by_role("button", name=name, exact=True).press("Enter")
    expect(check_answer(figure)).to_contain_text("Correct so far; 2 more to choose.")
    figure.locator("button[aria-pressed=true]", has_text="loss").click()  # withdraw a choice: later ones move up
    expect(figure.locator('button:has-text("left") b')).to_have_text("2")
    expect(check_answer(figure)).to_contain_text("The first one is wrong.")
    figure.get_by_role("button", name="Start over").click()
    for name in ("loss", "right", "left", "stem", "weight"):
        figure.get_by_role("button", name=name, exact=True).click()
    expect(figure.locator("svg .g-badge").first).to_have_text("1")
    expect(check_answer(figure)).to_contain_text("✓ Correct.")


def test_a_repair_exercise_is_checked_in_the_browser(page: Page, site: Path, server: str) -> None:
    """Check the start, wrong answers, invalid Python, an endless loop and the solution.

    The answer must survive a reload.
    """
    figure = open_item(page, server, VERSIONS, "exercise-in-place-versions-repair-the-layer")
    need_runtime(site)
    start = figure.get_by_role("textbox").input_value()
    feedback = check_answer(figure)  # the program was not clicked before
    expect(feedback).to_contain_text("✗ Not yet. Line 11: RuntimeError: one of the variables needed")
    expect(figure.locator(".run-error-line")).to_have_text("loss.backward()")
    editor = editor_of(figure)
    editor.press("Control+End")
    editor.press("Enter")
    expect(figure.locator(".run-error-line")).to_have_count(0)  # the error belongs to the previous program
    expect(figure.locator(".exercise-output")).to_have_count(0)  # the output belongs to the previous program
    assert (feedback.text_content() or "").count("RuntimeError") == 1
    check_answer(figure, start.replace("hidden -=", "hidden.data -="))
    expect(feedback).to_contain_text("There is no error, but the gradient is wrong.")
    check_answer(figure, 'raise ValueError("<img src=x onerror=alert(1)> `<b>`")\n')
    expect(feedback).to_contain_text("ValueError: <img src=x")
    assert feedback.locator("img, b:has-text('<')").count() == 0  # the output of a program must not become markup
    check_answer(figure, "x = (\n")
    expect(feedback).to_contain_text("Line 1: This is not valid Python: '(' was never closed.")
    check_answer(figure, "import torch\nx = torch.ones(5, 3)\n")
    expect(feedback).to_contain_text("The check needs w, which your program does not define.")
    check_answer(figure, start.replace("sigmoid(x @ w)", "sigmoid(x @ w).detach()"))
    expect(feedback).to_contain_text("detach removes the error together with the graph")
    check_answer(figure, start.replace("hidden -=", "hidden = hidden -"))
    expect(feedback).to_contain_text("✓ Correct.")
    paste(editor, "while True:\n    pass\n")
    editor.press("Control+Enter")
    expect(feedback).to_have_text("Running. A program is stopped after 60 seconds.", timeout=START)
    figure.get_by_role("button", name="Stop").click()
    expect(feedback).to_have_text("Stopped.")
    paste(editor, "while True:\n    print()\n")
    page.reload()  # reload at once; the page stores an edit only after a pause
    expect(figure.locator("textarea")).to_have_value("while True:\n    print()\n")
    expect(figure.locator(".practice-mark")).to_have_text("✓ solved")
    figure.get_by_role("button", name="Start over").click()
    expect(figure.locator("textarea")).to_have_value(start)
    expect(figure.get_by_role("button", name="Solution")).to_have_attribute("aria-disabled", "true")


REPAIR = "exercise-in-place-versions-repair-the-layer"


def test_the_editor_loads_when_the_program_is_edited(page: Page, server: str) -> None:
    """Check that the editor loads at the first key, not on focus, and keeps text and cursor."""
    requested_names: list[str] = []
    page.on("request", lambda request: requested_names.append(request.url.rsplit("/", 1)[-1]))
    figure = open_item(page, server, VERSIONS, REPAIR)
    plain = figure.locator("textarea")
    plain.focus()
    page.keyboard.press("Tab")
    page.wait_for_load_state("networkidle")
    assert not {"codemirror.js", "run.js"} & set(requested_names)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Control+End")
    page.keyboard.type("  # mine")
    editor = figure.locator(".cm-content")
    expect(editor).to_be_focused()
    expect(plain).to_be_hidden()
    assert figure.get_by_role("textbox").get_attribute("aria-label").startswith("The program of the exercise: ")
    page.keyboard.type(" too")
    expect(figure.locator(".cm-line").last).to_have_text(re.compile(r"^print\(w\.grad\)  # mine too$"))
    expect(figure.locator(".tok-keyword").first).to_have_text("import")


TEXT_STYLE = """(element) => {
    const {fontFamily, fontSize, lineHeight, paddingLeft, paddingTop} = getComputedStyle(element);
    return [fontFamily, fontSize, lineHeight, paddingLeft, paddingTop];
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_a_program_is_highlighted_before_it_is_edited(page: Page, server: str, width: int) -> None:
    """Check that the transparent text of the plain editor lies exactly over the highlighted program."""
    page.set_viewport_size({"width": width, "height": 844})
    figure = open_item(page, server, VERSIONS, REPAIR)
    plain, colored = figure.get_by_role("textbox"), figure.locator(".exercise-start")
    expect(colored.locator(".kn").first).to_be_visible()
    colors = colored.evaluate("(e) => [...e.querySelectorAll('span')].map((span) => getComputedStyle(span).color)")
    assert len(set(colors)) >= 4
    expect(plain).to_have_css("color", "rgba(0, 0, 0, 0)")
    assert colored.locator("code").text_content() == plain.input_value()
    assert colored.bounding_box() == plain.bounding_box()
    assert colored.locator("code").evaluate(TEXT_STYLE) == plain.evaluate(TEXT_STYLE)
    assert colored.evaluate("(e) => e.inert")  # screen readers and Tab must reach only the plain editor
    plain.evaluate("(e) => e.scrollTo(1000, 0)")
    if width == 390:  # a wide window shows whole lines
        page.wait_for_function("(e) => e.scrollLeft > 0", arg=colored.element_handle())
    assert colored.evaluate("(e) => e.scrollLeft") == plain.evaluate("(e) => e.scrollLeft")


def test_an_edited_program_is_visible_while_the_editor_loads(context: BrowserContext, server: str) -> None:
    """Check that the text of the plain editor becomes visible once the reader edits it.

    After a reload with a stored answer, the editor must load immediately.
    """
    page = context.new_page()
    page.route("**/codemirror.js*", lambda route: route.abort())
    figure = open_item(page, server, VERSIONS, REPAIR)
    plain = figure.locator("textarea")
    plain.press("Control+End")
    plain.press_sequentially("#")
    expect(figure.locator(".exercise-start")).to_be_hidden()
    expect(plain).not_to_have_css("color", "rgba(0, 0, 0, 0)")
    page.wait_for_function("() => localStorage.getItem('practice')?.includes('print(w.grad)#')")
    figure.get_by_role("button", name="Start over").click()
    expect(figure.locator(".exercise-start")).to_be_visible()
    plain.press("End")
    plain.press_sequentially("#")
    page.unroute("**/codemirror.js*")
    page.reload()
    expect(figure.locator(".cm-content")).to_be_visible()
    expect(figure.locator(".tok-keyword").first).to_have_text("import")
    assert page.evaluate("document.activeElement === document.body")


def test_the_editor_of_an_exercise_can_be_used_by_keys(page: Page, server: str) -> None:
    figure = open_item(page, server, VERSIONS, REPAIR)
    start = figure.locator("textarea").input_value()
    editor = editor_of(figure)
    editor.press("Control+a")
    page.keyboard.type("if True:\n1")
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    expect(figure.locator(".cm-line").last).to_have_text(re.compile(r"^ {8}1$"))  # four by the line break, four by Tab
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(figure.get_by_role("button", name="Check")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(editor).to_be_focused()
    expect(editor).to_have_accessible_description(re.compile("Escape, then Tab leaves the editor. Ctrl Enter checks."))
    figure.get_by_role("button", name="Start over").click()
    assert program_of(figure) == start
    page.reload()
    expect(figure.locator("textarea")).to_have_value(start)


def test_a_word_in_composition_keeps_the_plain_editor(page: Page, server: str) -> None:
    """Check that the plain editor is not replaced while an input method composes a word, since this would end the composition."""
    figure = open_item(page, server, VERSIONS, REPAIR)
    plain = figure.locator("textarea")
    plain.dispatch_event("compositionstart")
    plain.press("End")
    plain.press_sequentially("#")
    page.wait_for_load_state("networkidle")
    expect(plain).to_be_visible()
    plain.dispatch_event("compositionend")
    expect(figure.locator(".cm-content")).to_be_focused()


def test_if_the_editor_cannot_load_the_plain_one_works(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.route("**/codemirror.js*", lambda route: route.abort())
    figure = open_item(page, server, VERSIONS, REPAIR)
    with page.expect_event("requestfailed"):
        figure.locator("textarea").click()
    figure.locator("textarea").press("Control+End")
    figure.locator("textarea").press_sequentially("#")
    page.wait_for_function("() => localStorage.getItem('practice')?.includes('print(w.grad)#')")


def test_the_editor_of_an_exercise_fits_a_phone_and_is_not_printed(chromium: Browser, server: str) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.add_init_script(SAVE_DATA)
    page = context.new_page()
    figure = open_item(page, server, VERSIONS, REPAIR)
    assert figure.locator("textarea").evaluate("(e) => getComputedStyle(e).fontSize") == "16px"
    figure.locator("textarea").tap()
    expect(figure.locator(".cm-content")).to_be_visible()
    assert figure.locator(".cm-content").evaluate("(e) => getComputedStyle(e).fontSize") == "16px"
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.emulate_media(media="print")
    expect(figure.locator(".exercise-start")).to_be_visible()
    for part in (".run-editor", ".run-keys", "textarea", ".exercise-bar"):
        expect(figure.locator(part)).to_be_hidden()
    context.close()


# -- remembered answers -----------------------------------------------------------------------------


def test_an_empty_program_is_not_an_attempt(page: Page, server: str) -> None:
    figure = open_item(page, server, VERSIONS, REPAIR)
    expect(check_answer(figure, "\n  \n")).to_have_text("Write a program first.")
    expect(figure.get_by_role("button", name="Solution")).to_have_attribute("aria-disabled", "true")
    assert "done" not in stored_practice(page) or stored_practice(page)["done"] == {}


def test_an_unfinished_answer_is_counted_and_erased(page: Page, server: str) -> None:
    figure = open_item(page, server, VERSIONS, REPAIR)
    start = figure.locator("textarea").input_value()
    paste(editor_of(figure), "half of it")
    page.wait_for_function("() => localStorage.getItem('practice')?.includes('half of it')")
    page.get_by_role("button", name="Your progress").click()
    sheet = page.get_by_role("dialog", name="Your progress")
    expect(sheet).to_contain_text("1 unfinished answer")
    sheet.get_by_role("button", name="Erase", exact=True).click()
    sheet.get_by_role("button", name="Erase all progress").click()
    expect(sheet).to_contain_text("Nothing yet.")
    assert program_of(figure) == start
    page.reload()
    expect(figure.locator("textarea")).to_have_value(start)
    assert page.evaluate("localStorage.getItem('practice')") is None


def test_progress_is_exported_erased_and_imported(page: Page, server: str, tmp_path: Path) -> None:
    figure = open_item(page, server, WORKED, POINT)
    for name in ("w2", "left", "both"):
        figure.get_by_role("checkbox", name=name).check()
    check_answer(figure)
    expect(page.locator(".checkpoint-head")).to_have_text("1 of 7 done.")
    page.goto(server + "tensors/index.html")  # every page shows marks in its list of pages
    mark = page.locator(".md-sidebar--primary .nav-mark")
    page.get_by_role("button", name="Your progress").click()
    sheet = page.get_by_role("dialog", name="Your progress")
    expect(sheet).to_contain_text("When a value is used twice 1 of 7")
    with page.expect_download() as saved:
        sheet.get_by_role("button", name="Export progress").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    assert file.name == "gradnotes-practice.json" and "who-feels-w2" in file.read_text()
    sheet.get_by_role("button", name="Erase", exact=True).click()
    assert "who-feels-w2" in json.dumps(stored_practice(page))  # the first click only asks for confirmation
    sheet.get_by_role("button", name="Erase all progress").click()
    expect(sheet).to_contain_text("Nothing yet.")
    assert page.evaluate("localStorage.getItem('practice')") is None
    for text, message in (("no", "This file was not exported"), (file.read_text(), "1 answer was imported.")):
        sheet.locator("input[type=file]").set_input_files(
            {"name": "x.json", "mimeType": "application/json", "buffer": text.encode()}
        )
        expect(sheet.get_by_role("status")).to_contain_text(message)
    expect(sheet).to_contain_text("When a value is used twice 1 of 7")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.goto(server + WORKED)
    expect(mark.first).to_contain_text("1/7")
    expect(page.locator(f"#{POINT} .practice-mark")).to_have_text("✓ solved")


def test_exercises_work_in_a_browser_without_storage(context: BrowserContext, server: str) -> None:
    context.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no') }})")
    page = context.new_page()
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    figure = open_item(page, server, WORKED, POINT)
    for name in ("w2", "left", "both"):
        figure.get_by_role("checkbox", name=name).check()
    expect(check_answer(figure)).to_contain_text("✓ Correct.")
    page.get_by_role("button", name="Your progress").click()
    expect(page.get_by_role("dialog")).to_contain_text("Your browser stores nothing for this site.")
    assert not failed


def test_malformed_stored_data_is_ignored(page: Page, server: str) -> None:
    """Store data that another page of the same host may have stored under this name."""
    page.goto(server + WORKED)
    for text in (
        "null",
        '{"version": 1, "done": {"a": 3}, "pages": {"b": {"items": 1}}}',
        "{",
    ):
        page.evaluate("text => localStorage.setItem('practice', text)", text)
        page.reload()
        expect(page.locator(".checkpoint-head")).to_have_text("0 of 7 done.")


def test_every_link_of_an_exercise_leads_to_a_page(site: Path) -> None:
    """Check links in questions, hints and answers of predictions and exercises, which MkDocs does not check."""
    pages = [path for path in site.rglob("*.html") if "data-practice=" in path.read_text(encoding="utf-8")]
    assert pages
    for path in pages:
        for figure in re.findall(
            r"<figure [^>]*data-practice=.*?</figure>", path.read_text(encoding="utf-8"), re.DOTALL
        ):
            for href in re.findall(r'href=\\?"([^"\\]+)', figure):
                name, _, section = href.partition("#")
                target = (path.parent / name).resolve() if name else path
                assert target.is_file(), (path, href)
                assert not section or f'id="{section}"' in target.read_text(encoding="utf-8"), (path, href)


# -- accessibility and size -------------------------------------------------------------------------


def test_answered_items_have_no_faults_of_accessibility(page: Page, server: str) -> None:
    """Run axe on answered items; test_every_page.py checks them before an answer."""
    if not AXE.exists():
        pytest.skip(NO_AXE)
    figure = open_item(page, server, WORKED, POINT)
    figure.get_by_role("checkbox", name="w2").check()
    check_answer(figure)
    figure.get_by_role("button", name="Hint 1 of 3").click()
    figure.get_by_role("button", name="Solution").click()
    order = page.locator("#exercise-why-autograd-worked-example-which-order")
    order.get_by_role("button", name="loss", exact=True).click()
    page.locator(".predict").first.get_by_role("button", name="Show the answer").click()
    page.locator(".predict").nth(2).get_by_role("textbox").fill("2 1")
    page.locator(".predict").nth(2).get_by_role("button", name="Answer", exact=True).click()
    load_axe(page)
    for width, scheme in ((1280, "default"), (1280, "slate"), (390, "slate"), (390, "default")):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("name => document.body.setAttribute('data-md-color-scheme', name)", scheme)
        assert page.evaluate(FAULTS, [".predict", ".exercise", ".checkpoint"]) == [], (width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    page.get_by_role("button", name="Your progress").click()
    page.locator("dialog[open]").wait_for()
    assert page.evaluate(FAULTS, ["dialog"]) == []


@pytest.mark.parametrize("address", [VERSIONS, WORKED])
def test_a_page_weighs_a_hundred_kilobytes_at_most(page: Page, server: str, site: Path, address: str) -> None:
    """Add up the compressed sizes of all files that load before the first *Run* or *Check*."""
    weights = weigh_page(page, server, site, address)
    assert {"assets/practice.js", "assets/predict.js", "assets/exercises.js"} <= weights.keys()
    assert not any(name.startswith("runtime/") for name in weights) and "assets/codemirror.js" not in weights
    assert sum(weights.values()) < 100_000, weights


@pytest.mark.parametrize("folder", [".", "zh"])
def test_the_heaviest_pages_weigh_a_hundred_kilobytes_at_most(page: Page, server: str, site: Path, folder: str) -> None:
    for path in sorted((site / folder).rglob("*.html"), key=compressed_size, reverse=True)[:3]:
        address = path.relative_to(site).as_posix()
        weights = weigh_page(page, server, site, address)
        assert sum(weights.values()) < 100_000, (address, weights)
