"""A `predict` fence asks for the output of a run. A wrong answer in the fence that equals the output is an error.

Python and the script of the page compare answers in the same way.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import markdown
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from playwright.sync_api import BrowserContext
from snippetcheck.pages import find_fences
from snippetcheck.snippet import load

from gradnotes.fences import predict
from gradnotes.fences.answer_matching import is_error, is_same_answer
from gradnotes.problems import PageError
from tests.files import write_files

SNIPPET = '''"""Two tensors."""

import torch

x = torch.tensor([1.0, 0.25])
print(x)
#> tensor([1.0000, 0.2500])

# region: rest
print(x.sum(), "in all")
#> tensor(1.2500) in all

print(x.sum())
#> tensor(1.2500)

x @ torch.ones(3)
#! RuntimeError: inconsistent tensor size ...
# endregion
'''
FENCE = "Text.\n\n``` predict\nfile: part/two.py\n{}\n```\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Create a project with a page and SNIPPET."""
    files = {
        "pyproject.toml": "[tool.snippetcheck.engines.torch]\n[tool.snippetcheck.engines.reference_impl]\n",
        "docs/part/index.md": "---\ntitle: Part\npages: []\n---\n\nText.\n",
        "snippets/part/two.py": SNIPPET,
    }
    write_files(tmp_path, files)
    return tmp_path


def render(book: Path, *lines: str) -> str:
    """Return the HTML of a page whose `predict` fence for SNIPPET has these lines."""
    configs = {"gradnotes.fences": {"root": str(book)}}
    return markdown.markdown(FENCE.format("\n".join(lines)), extensions=["gradnotes.fences"], extension_configs=configs)


def first_code_block(html: str) -> str:
    """Return the HTML of the first code block of a rendered prediction."""
    return html[html.index("<pre") : html.index("</pre>")]


def read_data(html: str) -> dict:
    """Return the JSON data of a rendered prediction."""
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html)[1])  # type: ignore[index]


def test_the_requested_output_and_all_later_ones_are_hidden(book: Path) -> None:
    html = render(
        book, "ask: What is its sum?", 'of: "in all"', "part: number 1", "wrong: 1. -> And the `quarter`?", "why: Sums."
    )
    assert (
        "1.0000, 0.2500" in first_code_block(html)
        and "1.2500" not in first_code_block(html)
        and "RuntimeError" not in first_code_block(html)
    )
    assert first_code_block(html).count("what comes here?") == 3
    fold = html[html.index("<details") : html.index("</details>")]
    assert fold.count("tensor(1.2500)") == 2 and "RuntimeError" in fold and "Sums." in fold
    assert (read_data(html)["right"], read_data(html)["said"]) == ("1.2500", {"1.": "And the <code>quarter</code>?"})
    assert "1.2500" not in html[html.index("<legend>") : html.index("<label")]


def test_the_right_choice_is_the_printed_output(book: Path) -> None:
    html = render(book, "ask: What is `x`?", "of: print(x)", "wrong: tensor([1., 0.]) -> Ints?")
    labels = re.findall(r'value="(\d)"><span><code>(.*?)</code>', html)
    assert sorted(text for _, text in labels) == ["tensor([1., 0.])", "tensor([1.0000, 0.2500])"]
    assert dict(labels)[str(read_data(html)["choice"])] == "tensor([1.0000, 0.2500])"


def test_a_prediction_of_output_with_wildcards_is_refused(book: Path) -> None:
    path = book / "snippets/part/two.py"
    path.write_text(SNIPPET.replace("#> tensor(1.2500) in all", "#>? tensor(1.2500) ..."))
    with pytest.raises(PageError, match="the answer contains a `#>.` line, whose text differs between runs"):
        render(book, "ask: What is its sum?", 'of: "in all"', "wrong: 1. -> No.")
    html = render(book, "ask: What is its sum?", 'of: "in all"', "part: number 1", "wrong: 1. -> No.")
    assert read_data(html)["right"] == "1.2500"
    assert "#&gt;?</i> tensor(1.2500) ..." in html[html.index("<details") :]


def test_texts_have_code_formulas_and_links(book: Path) -> None:
    hint = "`a$b` and $x^2$, [`c`](part/index.md#d), $1 or $2"
    html = read_data(render(book, "ask: What?", "of: print(x)", f"wrong: 1 -> {hint}"))["said"]["1"]
    assert html.startswith("<code>a$b</code> and <math") and html.endswith("$1 or $2")
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in html and '<a href="part/index.html#d"><code>c</code></a>' in html


def test_an_error_is_an_answer(book: Path) -> None:
    html = render(book, "region: rest", "ask: What now?", "wrong: 3. -> No.")
    assert read_data(html)["error"] and read_data(html)["right"] == "RuntimeError"
    assert "an error: <code>RuntimeError</code>" in html
    html = render(book, "ask: Which line raises?", "answer: line", "wrong: no line raises -> One does.")
    assert read_data(html)["right"] == "x @ torch.ones(3)"
    assert re.findall(r"<label>.*?<span>(?:<code>)?(.*?)<", html)[-1] == "no line raises"


@pytest.mark.parametrize(
    ("lines", "message", "remedy"),
    [
        (["of: print(x)", "wrong: tensor([1., 0.25]) -> ?"], "equals the output", "remove this answer"),
        (["of: print(x)", "answer: typed", "wrong: 1, 1/4 -> ?"], "equals the output", "remove this answer"),
        (["wrong: an error -> ?"], "equals the output", "remove this answer"),
        (["wrong: 1 -> ?", "wrong: 1.0 -> ?"], "is repeated", "remove one"),
        ([], "no wrong answers to choose from", "add lines `wrong: answer -> hint`"),
        (["of: print(y)", "wrong: 1"], "no statement that prints or raises contains", "copy text from a line"),
        (["of: print(x", "wrong: 1"], "3 statements that print or raise", "set `nth:` to a number from 1 to 3"),
        (["of: print(x", "nth: 4", "wrong: 1"], "3 statements", "from 1 to 3"),
        (["of: print(x)", "nth: 4", "wrong: 1"], "1 statement that prints", "remove `nth:`"),
        (["nth: 4", "wrong: 1"], "without `of:`, `nth:` has no effect", "add `of:`"),
        (["nth: 4", "answer: line"], "without `of:`, `nth:` has no effect", "or remove `nth:`"),
        (["part: line 1", "answer: line"], "with `answer: line`, `part:` has no effect", "remove `part:`"),
        (["wrong: 3. To compute it"], "no hint in `wrong: 3. To compute it`", "write `wrong: answer -> hint`"),
        (["wrong: 3. ->"], "no hint in `wrong: 3. ->`", "write `wrong: answer -> hint`"),
        (["wrong: 3. -> No.", "wrong: 4.->No."], "no hint in `wrong: 4.->No.`", "write `wrong: answer -> hint`"),
        (["of: print(x)", "part: number 3", "wrong: 1"], "no part 'number 3'", "write `number 1`"),
        (["of: print(x)", "part: word 1", "wrong: 1"], "no part 'word 1'", "write `number 1`"),
        (["answer: guess", "wrong: 1"], "must be one of choose, typed, line, got 'guess'", "correct the value"),
        (
            ["answer: line", "wrong: y = 2 -> ?"],
            "`wrong:` must be one of the lines to choose from, got 'y = 2'",
            "x @ torch.ones(3)",
        ),
        (["answer: line", "wrong: x @ torch.ones(3) -> ?"], "equals the output", "remove this answer"),
        (["wrong: 1 -> see [there](no.md)"], "page 'no.md' does not exist", ""),
        (["wrong: 1 -> It is $\\frac{1$."], "$\\frac{1$: ", "correct the TeX"),
        (["wrong: 1", "hint: x"], "unknown key 'hint'", "`wrong:`"),
        (["ask: Again?", "wrong: 1"], "key 'ask' is repeated", "keep one"),
    ],
)
def test_a_mistake_in_a_prediction_is_an_error_with_a_remedy(
    book: Path, lines: list[str], message: str, remedy: str
) -> None:
    with pytest.raises(PageError) as caught:
        render(book, "ask: What?", *lines)
    (problem, *_) = caught.value.problems
    assert message in problem.message and remedy in problem.remedy and problem.page == "page.md"


def test_the_ledger_reports_a_wrong_answer_that_is_right(book: Path) -> None:
    """Call the check of `predict` fences by which `make quick` and the harness report mistakes without a build."""
    snippets = {"part/two.py": load(book / "snippets/part/two.py", book / "snippets")}
    for keys, expected in (
        ("ask: Q\nof: print(x)\nwrong: tensor([1., 0.25]) -> ?", "equals the output"),
        ("ask: Q\nof: print(x)\nwrong: tensor([2., 0.25]) -> ?", None),
    ):
        (fence,) = find_fences(FENCE.format(keys), book / "docs/part/index.md")
        messages = [message for message, _ in predict.check_fence(fence, snippets)]
        assert len(messages) == bool(expected) and all(expected in text for text in messages if expected)


EQUAL_ANSWERS = [
    ("1/4", "0.2500"), (".25", "0.2500"), ("0.25000001", "0.2500"), ("2.5e-1", "0.2500"), ("1/3", "0.3333"), ("8", "8."), ("-2", "-2."),
    ("−2", "-2."), ("8", "tensor(8.)"), ("tensor(8)", "tensor(8., grad_fn=<MulBackward0>)"), ("[7, 7]", "tensor([7., 7.])"), ("7 7", "tensor([7., 7.])"),
    ("[[7,7],[7,7]]", "tensor([[7., 7.],\n        [7., 7.]])"), ("2, 3", "torch.Size([2, 3])"), ("(2, 3)", "(2, 3)"), ("2 3", "(2, 3)"),
    ("true", "True"), ("'none'", "None"), ("1e-3", "1.0000e-03"), ("inf", "inf"), ("tensor(1., dtype=torch.float64)", "tensor(1., dtype=torch.float64)"),
    ("3", "tensor(3., dtype=torch.float64)"), ("f(x)", "F(x)"), ("1200", "1e3"),
]  # fmt: skip
DIFFERENT_ANSWERS = [
    ("0.3", "0.3333"), ("0.2501", "0.2500"), ("8.4", "8."), ("7", "tensor([7., 7.])"), ("[7, 7]", "tensor([[7., 7.]])"), ("", "8."),
    ("-0.25", "0.2500"), ("1/0", "0.2500"), ("7 7 7", "tensor([7., 7.])"), ("none", "0."), ("false", "True"), ("0.00100", "1.1000e-03"),
    ("tensor(1., dtype=torch.float32)", "tensor(1., dtype=torch.float64)"), ("nan", "0."), ("[7], 7", "tensor([7., 7.])"), ("1600", "1e3"),
]  # fmt: skip
NUMBERS = st.one_of(
    st.floats(-1e6, 1e6).map(lambda x: f"{x:.4f}"),
    st.integers(-999, 999).map(str),
    st.integers(-99, 99).map("{}.".format),
)


@pytest.mark.parametrize(("answer", "right"), EQUAL_ANSWERS)
def test_answers_with_equal_values_are_the_same(answer: str, right: str) -> None:
    assert is_same_answer(answer, right)


@pytest.mark.parametrize(("answer", "right"), DIFFERENT_ANSWERS)
def test_answers_with_other_values_differ(answer: str, right: str) -> None:
    assert not is_same_answer(answer, right)


@given(st.lists(st.lists(NUMBERS, min_size=1, max_size=3), min_size=1, max_size=3))
@settings(max_examples=200, deadline=None)
@example([["0.0000"]])
def test_the_printed_output_is_a_right_answer_and_a_changed_output_is_not(rows: list[list[str]]) -> None:
    printed = "tensor([" + ", ".join(f"[{', '.join(row)}]" for row in rows) + "])"
    assert is_same_answer(printed, printed) and is_same_answer(printed.removeprefix("tensor"), printed)
    changed = printed.replace(rows[0][0], str(float(rows[0][0]) + 1), 1)
    assert not is_same_answer(changed, printed)


@pytest.mark.parametrize(("answer", "kind", "says"), [
    ("error", "RuntimeError", True), ("an error", "RuntimeError", True), ("it raises RuntimeError", "RuntimeError", True),
    ("an error: RuntimeError", "RuntimeError", True), ("TypeError", "RuntimeError", False), ("no error", "RuntimeError", False), ("", "RuntimeError", False),
])  # fmt: skip
def test_an_answer_is_right_if_it_names_the_error(answer: str, kind: str, says: bool) -> None:
    assert is_error(answer, kind) == says


def test_the_page_compares_answers_as_python_does(context: BrowserContext, server: str) -> None:
    page = context.new_page()
    page.goto(server + "in-place/versions.html")
    page.wait_for_function("() => Boolean(globalThis.gradnotes?.sameAnswer)")
    cases = [*EQUAL_ANSWERS, *DIFFERENT_ANSWERS, *((b, a) for a, b in EQUAL_ANSWERS)]
    results = page.evaluate("cases => cases.map(([answer, right]) => gradnotes.sameAnswer(answer, right))", cases)
    assert results == [is_same_answer(answer, right) for answer, right in cases]
    errors = ["error", "an error", "RuntimeError", "TypeError", "no error", "it raises", "", "Exception: RuntimeError"]
    results = page.evaluate("cases => cases.map((answer) => gradnotes.saysError(answer, 'RuntimeError'))", errors)
    assert results == [is_error(answer, "RuntimeError") for answer in errors]


@pytest.mark.parametrize(
    ("choice", "is_phrase"),
    [
        ("an error", True),
        ("`w` stays 0", True),
        ("it adds the same gradient once more", True),
        ("nothing, because the gradient is there already", True),
        ("报错", True),
        ("more digits", False),
        ("2.0 MulBackward0 tensor(3.)", False),
        ("7 4 1 2 3", False),
        ("weight bias doubled [1, 2]", False),
    ],
)
def test_a_choice_in_words_is_not_formatted_as_code(choice: str, is_phrase: bool) -> None:
    assert predict._is_phrase(choice) is is_phrase
