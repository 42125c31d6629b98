"""`find_fences` finds and classifies every block of code on a page, however it is nested."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from snippetcheck.fence_types import FenceType
from snippetcheck.pages import code_spans, fences, find_fences, pages
from snippetcheck.testing import registered

UNCHECKED = {
    "plain": "```\nx\n```",
    "python": "```python\nx\n```",
    "python after blanks": "```   python\nx\n```",
    "four marks": "```` python\n```\nx\n````",
    "tildes": "~~~\nx\n~~~",
    "tildes with a language": "~~~~ py\nx\n~~~~",
    "with a title": '``` python title="a.py" linenums="1"\nx\n```',
    "with braces": "``` {.python .numberLines}\nx\n```",
    "in a list": "- item\n\n    ``` python\n    x\n    ```",
    "in the line of a list item": "1. ``` python\n   x\n   ```",
    "in a nested list": "- a\n    - b\n\n        ``` python\n        x\n        ```",
    "in an admonition": '!!! note "Title"\n\n    ``` python\n    x\n    ```',
    "in a collapsed admonition": "??? note\n    ``` python\n    x\n    ```",
    "in a tab": '=== "pip"\n\n    ``` python\n    x\n    ```',
    "in a tab in an admonition": '!!! note\n    === "a"\n        ``` python\n        x\n        ```',
    "in a quotation": "> ``` python\n> x\n> ```",
    "in a comment": "<!--\n``` python\nx\n```\n-->",
    "in a definition": "term\n:   ``` python\n    x\n    ```",
    "indented like code": "text\n\n    ``` snippet\n    file: a.py\n    ```",
    "indented like code in a list": "- item\n\n        ``` snippet\n        file: a.py\n        ```",
    "indented like code after a list": "- item\n\n``` snippet\nfile: a.py\n```\n\n    ``` snippet\n    file: a.py\n    ```",
    "never closed": "``` python\nx",
    "closed by too few": "```` python\nx\n```",
    "outdented": "- a\n\n    ``` python\nx\n    ```",
    "by indentation": "text\n\n    x = 1\n",
    "by indentation in a list": "- item\n\n        x = 1\n",
    "by indentation with a tab": "text\n\n\tx = 1\n",
    "by indentation under a heading": "text\n# Heading\n    x = 1\n",
    "by indentation under a rule": "- item\n***\n    x = 1\n",
    "by indentation in an admonition": "!!! note\n        x = 1\n",
    "by indentation in a quotation": "> text\n>\n>     x = 1\n",
    "by indentation under a dash that begins no list": "text\n- a\n\n        x = 1\n",
    "by indentation under HTML": "<div markdown>\n    x = 1\n</div>\n",
    "after a character that ends no line": 'text\x0b``` {.text illustrative="x"}\n\n``` python\nx\n```',
    "code tag between escaped marks": "a \\`<code>x</code>\\`",
    "raw HTML of another name": "<samp>1.5</samp>",
    "raw HTML": "<pre><code>x</code></pre>",
    "raw HTML in a line": "see <code>x</code> there",
    "empty reason": '``` {.text illustrative=""}\nx\n```',
    "blank reason": '``` {.text illustrative=" "}\nx\n```',
    "misspelt reason": '``` {.text ilustrative="a shape"}\nx\n```',
    "misspelt snippet": "``` snipet\nfile: a.py\n```",
}


@pytest.mark.parametrize("name", UNCHECKED)
@pytest.mark.parametrize("before", ["", "---\ntitle: x\n---\n\ntext\n\n"], ids=["first", "later"])
def test_code_that_nothing_checks_is_reported(name: str, before: str) -> None:
    unclassified = [fence for fence in find_fences(before + UNCHECKED[name] + "\n") if fence.problem]
    assert unclassified, "no block of code has a problem"
    line = before.count("\n") + 1
    assert line <= unclassified[0].line <= line + 6
    assert unclassified[0].problem and unclassified[0].remedy
    assert unclassified[0].complaint().startswith(f"page.md:{unclassified[0].line}: ")


@pytest.mark.parametrize(
    "text", ["\ufeff``` python\nx\n```\n", "\ufeff---\r\na: b\r\n---\r\n``` python\r\nx\r\n```\r\n"]
)
def test_byte_order_marks_and_line_ends_hide_no_fence(text: str, tmp_path: Path) -> None:
    r"""Check pages that begin with a byte order mark, and one whose lines end with `\r\n`."""
    page = tmp_path / "page.md"
    page.write_bytes(text.encode())
    for page_fences in (fences(page), find_fences(text)):
        assert [(fence.kind, fence.info, fence.body) for fence in page_fences] == [("unclassified", "python", ("x",))]


def test_only_regular_files_are_pages(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    assert pages(tmp_path) == []


NO_CODE = {
    "list in a paragraph": "text\n- a\n    b\n",
    "under a quotation": "> text\n    more\n",
    "inline": "a `x` and ``` y ``` and ````z````",
    "nested list": "- a\n\n    - b\n\n        - c\n\n            text of c\n",
    "paragraph in a list": "1. a\n\n    text\n\n2. b\n\n    text\n",
    "admonition": '!!! note "A"\n\n    text\n\n    more text\n',
    "tabs": '=== "a"\n\n    text\n\n=== "b"\n\n    text\n',
    "wrapped line": "text\n    that goes on\n",
    "code tag in a code span": "write `<code>` or `<pre>`",
}


@pytest.mark.parametrize("name", NO_CODE)
def test_text_is_not_taken_for_code(name: str) -> None:
    assert find_fences(NO_CODE[name] + "\n") == []


MISTAKES = {
    "no file": ("``` snippet\n```", 1, "without `file:`"),
    "misspelt key": ("``` snippet\nfile: a.py\nregoin: b\n```", 3, "unknown key 'regoin'"),
    "repeated key": ("``` snippet\nfile: a.py\nfile: b.py\n```", 3, "is repeated"),
    "empty value": ("``` snippet\nfile:\n```", 2, "has no value"),
    "no key": ("``` snippet\na.py\n```", 2, "not a `key: value` line"),
    "unknown key": ("``` snippet\nsymbol: x\n```", 2, "unknown key 'symbol'"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_in_a_fence_is_reported(name: str) -> None:
    text, line, message = MISTAKES[name]
    (fence,) = find_fences(f"text\n\n{text}\n")
    assert fence.problem and message in fence.problem
    assert fence.remedy
    assert fence.complaint().startswith(f"page.md:{line + 2}: ")


def test_a_directive_of_myst_without_code_is_read_as_text() -> None:
    text = dedent("""
        ```{versionadded} 1.2
        Text with `3`.
        ```

        ````{note}
        ```python
        x
        ```
        ````

        ```{testcode}
        x
        ```

        ```{python}
        x
        ```
    """)
    lines = [(fence.line, fence.last_line, fence.info) for fence in find_fences(text)]
    assert lines == [(7, 9, "python"), (12, 14, "{testcode}"), (16, 18, "{python}")]
    assert code_spans(text) == [(3, "3")]


def test_find_fences_returns_the_type_and_the_keys_of_a_fence() -> None:
    text = dedent("""
        ``` snippet
        file: a/b.py
        region: fix
        ```

        !!! note

            ~~~~ engine
            symbol: reference_impl.core.backward.run_backward
            ~~~~

        ``` {.text illustrative="the shape of a node, not code"}
        ~~~
        ```
    """)
    with registered(FenceType("engine", ("symbol",))):
        snippet, engine, shape = find_fences(text)
    assert (snippet.kind, snippet.keys) == ("snippet", {"file": "a/b.py", "region": "fix"})
    assert (engine.kind, engine.line, engine.last_line) == ("engine", 9, 11)
    assert engine.keys == {"symbol": "reference_impl.core.backward.run_backward"}
    assert (shape.kind, shape.reason, shape.body) == ("illustrative", "the shape of a node, not code", ("~~~",))
    assert not any(fence.problem for fence in (snippet, engine, shape))


@given(
    st.sampled_from(["`", "~"]),
    st.integers(3, 9),
    st.integers(0, 3),
    st.sampled_from(["", "py", " python", ' python title="x"', " {.python}", "{ .python }"]),
    st.lists(st.sampled_from(["x = 1", "", "    y", "``", "# text"]), max_size=4),
)
def test_a_fence_of_any_length_and_depth_is_found(
    mark: str, length: int, depth: int, info: str, body: list[str]
) -> None:
    indent = "    " * depth
    containers = [f"{'    ' * level}- item" for level in range(depth)]
    delimiter = mark * length
    block = [f"{indent}{line}" if line else "" for line in [delimiter + info, *body, delimiter]]
    page_fences = find_fences("\n".join(["text", "", *containers, "", *block, "", "text"]) + "\n")
    assert [(fence.kind, fence.line) for fence in page_fences] == [("unclassified", depth + 4)]
    assert list(page_fences[0].body) == [line.rstrip() if not line.strip() else line for line in body]


def test_code_spans_are_found_only_in_prose() -> None:
    text = dedent("""
        ---
        title: "`no`"
        ---
        The value `28` and ``a `b` c``.

        ``` snippet
        file: `x`
        ```
    """).lstrip()
    assert code_spans(text) == [(4, "28"), (4, "a `b` c")]


def test_a_code_span_may_extend_over_two_lines() -> None:
    text = "a `tensor([1.,\n2.])` b\n\nopen ` here\n\n- `3`\n    and ``4\n    5``\n- \\`6` and `7`\n"
    assert code_spans(text) == [(1, "tensor([1., 2.])"), (6, "3"), (7, "4 5"), (9, "and")]
