"""Features of notebooks and terminals in the page, supported or explained: values, prompts, input, processes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from gradnotes.browser import check_exercise as exercise_page
from gradnotes.browser.advice import advice
from gradnotes.browser.run import CUT, run_program
from gradnotes.recorder import program
from tests.site.browser_input import paste
from tests.site.running import need_runtime, open_playground, program_of, run
from tests.site.test_exercises_in_browser import REPAIR, VERSIONS, open_item


def outputs_of(text: str, page: str | None = None) -> list[dict[str, Any]]:
    """Return the outputs of a reader's program in the editor of a page. `page` is the page's own program."""
    return json.loads(run_program(text, "x", '"""Page."""\n\nprint("of the page")\n' if page is None else page))[
        "shown"
    ]


def judge(text: str, check: str = "assert x == 2\n") -> dict[str, Any]:
    return json.loads(exercise_page.judge(text, json.dumps({"check": check, "errors": []})))


# -- the value of the last line ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("import torch\nx = torch.ones(2)\nx * 3", "tensor([3., 3.])"),
        ("print(1)\n'a' + 'b'\n# the end\n", "&#x27;ab&#x27;"),
        ("x = 1; x + 4", "5"),
        ("def f():\n    return {1: [2]}\n\nf()  # here", "{1: [2]}"),
    ],
)
def test_a_last_line_that_is_an_expression_shows_its_value(text: str, value: str) -> None:
    assert f"<i>#=</i> {value}</span>" in outputs_of(text)[-1]["html"]


@pytest.mark.parametrize("text", ["x = 1\nx\nx = 2", "print(2)", "None", "for i in range(3):\n    i", "[].append(1)"])
def test_only_the_last_line_shows_its_value(text: str) -> None:
    assert [output for output in outputs_of(text) if 'data-word="value"' in output["html"]] == []


def test_an_error_while_a_value_is_shown_is_reported_with_its_line() -> None:
    text = "class A:\n    def __repr__(self):\n        return 1 / 0\n\nA()"
    result = json.loads(run_program(text, "x", ""))
    assert (result["state"], result["error"]["text"]) == ("failed", "ZeroDivisionError: division by zero")
    assert result["error"]["calls"][0] == [5, "<module>"]


def test_an_unchanged_program_does_not_show_its_last_value() -> None:
    """Check that the page's program, unchanged, shows only what a script prints."""
    page = '"""Page."""\n\nx = 1\nx\n'
    assert outputs_of("x = 1\nx", page) == []
    assert outputs_of("x = 2\nx", page) != []


def test_check_shows_the_value_of_the_readers_last_line_only() -> None:
    report = judge("x = 2\nx * 21", "x + 1\nassert x == 2\n")
    assert (report["state"], report["html"].count('data-word="value"')) == ("passed", 1)
    assert "<i>#=</i> 42</span>" in report["html"]


# -- what Check shows -------------------------------------------------------------------------------


def test_check_shows_output_and_one_error_but_not_the_program() -> None:
    report = judge("print('before')\nx = 1 / 0\n")
    assert report["state"] == "ended" and report["line"] == 2
    assert "ZeroDivisionError" in report["message"]
    assert "before" in report["html"]
    assert not any(part in report["html"] for part in ("print(", "x = 1", "ZeroDivisionError"))
    assert judge("x = 1 / 0\n")["html"] == ""
    assert judge("assert 1 > 2\n")["message"] == "AssertionError"


def test_check_shows_nothing_that_the_check_prints() -> None:
    report = judge("x = 2\nprint('mine')\n", "print('of the check')\nassert x == 2\n")
    assert report["state"] == "passed" and "mine" in report["html"] and "of the check" not in report["html"]


# -- output that is cut -----------------------------------------------------------------------------


def test_cut_output_ends_with_a_note() -> None:
    flood, rest = outputs_of("for i in range(200_000):\n    print('many words')\nprint('the end')")
    cut = CUT.format(limit=program.TEXT_LIMIT)
    assert cut in flood["html"] and flood["html"].index(cut) > flood["html"].index("many words")
    assert cut not in rest["html"]
    whole = outputs_of(f"print('x' * {program.TEXT_LIMIT - 1})")
    assert cut not in whole[0]["html"]
    assert cut in judge("print('x' * 1_000_000)\nx = 2\n")["html"]


# -- what a program cannot do in a page -------------------------------------------------------------


def test_an_error_that_is_not_special_to_the_page_gets_no_advice() -> None:
    for kind, message in (
        ("ValueError", "too many values to unpack (expected 2)"),
        ("RuntimeError", "element 0 of tensors does not require grad and does not have a grad_fn"),
        ("SyntaxError", "invalid syntax"),
        ("ModuleNotFoundError", "No module named 'torch.foo'"),
        ("OSError", "[Errno 44] No such file or directory: 'x'"),
    ):
        assert advice(kind, message) == "", message


@pytest.mark.parametrize(
    ("text", "typed", "ascii"),
    [
        ("print(1，2)", "，", ","),
        ("print（1）", "（", "("),
        ("x = “a”", "“", '"'),
        ("x = [1、2]", "、", ","),
        ("x = 2 × 3", "×", "*"),
    ],
)
def test_punctuation_of_another_keyboard_gets_the_character_to_type(text: str, typed: str, ascii: str) -> None:
    with pytest.raises(SyntaxError) as caught:
        compile(text, "program", "exec")
    message = f"Python reads `{typed}` only in strings and comments. Type `{ascii}` instead."
    assert advice("SyntaxError", caught.value.msg, text) == message


@pytest.mark.parametrize("blank", ["\u3000", "\u00a0"])
def test_a_blank_that_python_does_not_read_gets_advice(blank: str) -> None:
    with pytest.raises(SyntaxError) as caught:
        compile(f"x ={blank}1", "program", "exec")
    assert advice("SyntaxError", caught.value.msg).startswith("This line contains a blank")


def test_other_characters_that_python_does_not_read_get_no_advice() -> None:
    assert advice("SyntaxError", "invalid character '€' (U+20AC)") == ""


@pytest.fixture(scope="module")
def panel(chromium: Browser, site: Any, server: str) -> Iterator[Locator]:
    need_runtime(site)
    context = chromium.new_context()
    yield open_playground(context.new_page(), server)
    context.close()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = input('Your name? ')", "no keyboard input, so input() finds nothing to read"),
        ("import asyncio\nasync def f(): return 1\nasyncio.run(f())", "asyncio.run cannot run here"),
        ("import asyncio\nawait asyncio.sleep(0)", "await works only in a notebook"),
        ("import threading\nthreading.Thread(target=print).start()", "a program cannot start another"),
        ("import subprocess\nsubprocess.run(['ls'])", "a program cannot start another"),
        ("import multiprocessing\nmultiprocessing.Process(target=print).start()", "a program cannot start another"),
        ("import urllib.request\nurllib.request.urlopen('http://example.org')", "no network"),
        ("import urllib.request\nurllib.request.urlopen('https://example.org')", "no network"),
        ("import pandas", "pandas is not available here."),
        ("import torchvision.datasets", "torchvision is not available here."),
        ("import torch\ntorch.ones(40_000, 40_000)", "more memory than a page can have"),
        ("import torch\ntorch.ones(2).cuda()", "A page has no GPU"),
        ("import torch\ntorch.ones(2，3)", "Type , instead"),
        ("# My session:\n>>> x = 1\n", "Python's prompts"),
    ],
)
def test_each_error_gets_advice(panel: Locator, text: str, words: str) -> None:
    run(panel, text)
    expect(panel.locator(".run-advice")).to_contain_text(words)


@pytest.mark.parametrize(
    ("program", "verdict", "error"),
    [
        ("print(1)\nexit()\nprint(2)\n", "Your program ran.", None),
        ("import sys\nsys.exit(0)\n", "Your program ran.", None),
        ("print(1)\nexit(3)\n", "Your program ended with an error.", "SystemExit: 3"),
        ("raise SystemExit('no data')\n", "Your program ended with an error.", "SystemExit: no data"),
    ],
)
def test_exit_is_an_error_only_with_a_status(program: str, verdict: str, error: str | None) -> None:
    """Check that a program that ends by `exit()` shows no error, as in Python."""
    result = json.loads(run_program(program, "run-x", ""))
    assert (result["verdict"], (result["error"] or {}).get("text")) == (verdict, error)
    assert ("SystemExit" in str(result["shown"])) == bool(error)


def test_check_gives_the_same_advice_as_run(panel: Locator, page: Page, server: str) -> None:
    figure = open_item(page, server, VERSIONS, REPAIR)
    figure.locator("textarea").click()
    paste(figure.locator(".cm-content"), "x = input()\n")
    figure.get_by_role("button", name="Check").click()
    expect(figure.locator(".exercise-said")).to_contain_text("no keyboard input", timeout=90_000)


def test_a_value_is_shown_below_its_line(panel: Locator) -> None:
    assert run(panel, "import torch\nx = torch.ones(2)\nx + 1") == "Your program ran."
    value = panel.locator(".cm-line:has-text('x + 1') + .run-output .x-value")
    expect(value).to_contain_text("tensor([2., 2.])")


# -- prompts ----------------------------------------------------------------------------------------

PROMPTS = """>>> import torch
>>> for i in range(2):
...     print(i)
...
0
1
>>> x = torch.ones(2)
>>> x
tensor([1., 1.])
"""
NOTEBOOK = """In [1]: import torch
   ...: x = torch.ones(2)

In [2]: x
Out[2]: tensor([1., 1.])
"""
PROGRAM = "import torch\nfor i in range(2):\n    print(i)\n\nx = torch.ones(2)\nx"


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.mark.usefixtures("python_starts_with_run_only")
@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (PROMPTS, PROGRAM),
        (NOTEBOOK, "import torch\nx = torch.ones(2)\nx"),
        ("x = 1\nprint('>>> x')\n", "x = 1\nprint('>>> x')\n"),
    ],
)
def test_prompts_are_removed_from_pasted_text(page: Page, server: str, text: str, clean: str) -> None:
    panel = open_playground(page, server)
    paste(panel.get_by_role("textbox"), text)
    assert program_of(panel) == clean


@pytest.mark.usefixtures("python_starts_with_run_only")
def test_prompts_are_removed_from_text_pasted_into_the_plain_editor(page: Page, server: str) -> None:
    """Check the text field that an exercise keeps if CodeMirror cannot be loaded."""
    page.route("**/codemirror.js*", lambda route: route.abort())
    figure = open_item(page, server, VERSIONS, REPAIR)
    plain = figure.locator("textarea")
    paste(plain, PROMPTS)
    expect(plain).to_have_value(PROGRAM)
