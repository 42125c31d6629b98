"""`find_fences` returns the fences that Markdown renders as blocks, and overlooks no rendered code."""

from __future__ import annotations

import re
from itertools import count

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from snippetcheck.pages import Fence, find_fences

markdown = pytest.importorskip("markdown", reason="the extra `markdown` is not installed")
pytest.importorskip("pymdownx")

from markdown.preprocessors import Preprocessor  # noqa: E402
from snippetcheck.markdown import BEFORE_FENCED_CODE, replace_fences  # noqa: E402

EXTENSIONS = [
    *("abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc"),
    *("pymdownx.details", "pymdownx.tabbed"),
]
INFOS = [" snippet", "python", ' {.text illustrative="a shape"}', ""]
BODY = ["TOKEN", "", "    TOKEN", "- TOKEN", "> TOKEN", "```", "````", "~~~", "# TOKEN", "    ```"]
TEXTS = [
    *(["text"], ["text", "more"], ["text", "- no item"], ["# Heading"], ["***"], ["- item"]),
    ["| a | b |", "|---|---|", "| 1 | 2 |", ""],
]
COMMENTED = [["``` snippet", "TOKEN", "```"], ["text", "", "- item", "", "    ~~~", "    ~~~"]]
CONTAINERS = ["- item", "1. item", "!!! note", '??? note "T"', '=== "tab"', "- ", "> "]
Lines = list[str]


def indent(lines: Lines, prefix: str) -> Lines:
    return [(prefix + line).rstrip() for line in lines]


@st.composite
def fence_lines(draw: st.DrawFn) -> Lines:
    delimiter = draw(st.sampled_from("`~")) * draw(st.integers(3, 5))
    body = draw(st.lists(st.sampled_from(BODY), max_size=4))
    columns = draw(st.sampled_from([0, 0, 0, 0, 0, 1, 2, 3, 4, 6, 8]))
    return indent([delimiter + draw(st.sampled_from(INFOS)), *body, delimiter], " " * columns)


@st.composite
def containers(draw: st.DrawFn, blocks: st.SearchStrategy[Lines]) -> Lines:
    """Draw a list item, admonition, collapsible block, tab or quotation that contains other blocks."""
    first, body = draw(st.sampled_from(CONTAINERS)), draw(blocks)
    if first == "> ":
        return ["", *indent(body, "> "), "", "text", ""]  # Python-Markdown joins adjacent quotations
    can_follow = body[0].startswith(("`", "~", "text"))  # these may follow `first` without a blank line
    if first == "- ":
        item = indent(body, draw(st.sampled_from(["  ", "    "])))
        return ["- " + item[0].lstrip(), *item[1:]] if can_follow else body
    if body[0].startswith("    "):
        body = ["text", "", *body]
    return [first, *([] if can_follow and draw(st.booleans()) else [""]), *indent(body, "    ")]


def sequences(blocks: st.SearchStrategy[Lines]) -> st.SearchStrategy[Lines]:
    pairs = st.tuples(blocks, st.sampled_from([1, 1, 1, 0]))
    return st.lists(pairs, min_size=1, max_size=3).map(
        lambda parts: [line for lines, blanks in parts for line in [*lines, *[""] * blanks]]
    )


LEAVES = st.one_of(
    fence_lines(), fence_lines(), st.sampled_from(TEXTS), st.sampled_from([["    TOKEN"], ["        TOKEN"]])
)
BLOCKS = st.recursive(LEAVES, lambda blocks: containers(sequences(blocks)), max_leaves=5)
COMMENTS = st.sampled_from([["<!--", *lines, "-->"] for lines in COMMENTED])
NOTES = sequences(BLOCKS).map(lambda lines: ["[^NOTE]: note", "", *indent(lines, "    "), "", "    end", ""])


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Draw a page in Markdown, with a unique token in each line of code."""
    numbers = count()
    text = "\n".join(draw(sequences(st.one_of(BLOCKS, BLOCKS, BLOCKS, COMMENTS, NOTES))))
    text = re.sub(r"(\n[ >]*)\1+(?=\n)", r"\1", text)  # two blank lines end a footnote
    text = re.sub("TOKEN|NOTE", lambda match: f"{match[0].lower()}{next(numbers)}x", text)
    return " ".join(re.findall(r"\[\^note\d+x\]", text)) + "\n\n" + text


def render(text: str) -> str:
    """Return the HTML of a page without comments. Each fence becomes a <div> with its line number."""

    class Replace(Preprocessor):
        def run(self, lines: Lines) -> Lines:
            fences = [fence for fence in find_fences("\n".join(lines)) if fence.is_delimited]
            store = converter.htmlStash.store
            return replace_fences(lines, fences, lambda fence: store(f'<div class="fence">{fence.line}</div>'))

    converter = markdown.Markdown(extensions=EXTENSIONS)
    converter.preprocessors.register(Replace(converter), "fences", BEFORE_FENCED_CODE)
    return re.sub(r"<!--.*?-->", "", converter.convert(text), flags=re.DOTALL)


def test_a_fence_at_the_end_of_a_text_is_replaced() -> None:
    lines = ["Text.", "```python", "x = 1", "```"]
    assert replace_fences(lines, find_fences("\n".join(lines)), lambda fence: "fence") == ["Text.", "", "fence"]


def rendered_fences(text: str) -> list[int]:
    """Return the line numbers of the fences that the HTML of a page shows outside code."""
    html = re.sub(r"<pre>.*?</pre>|<code>.*?</code>", "", render(text), flags=re.DOTALL)
    return sorted(int(line) for line in re.findall(r'<div class="fence">(\d+)</div>', html))


def is_rendered(fence: Fence) -> bool:
    """Return whether Markdown renders a fence: it is closed, not in a comment and not indented like code."""
    return fence.is_delimited and not re.match("a fence (in an HTML comment|that is indented)", fence.problem or "")


def code_blocks(text: str) -> list[set[str]]:
    """Return the tokens in each code block of the HTML, both of `render` and of pymdownx.superfences."""
    html = markdown.markdown(text, extensions=[*EXTENSIONS, "pymdownx.superfences"])
    html = render(text) + re.sub(r"<!--.*?-->", "", html, flags=re.DOTALL)
    return [set(re.findall(r"token\d+x", code)) for code in re.findall(r"<pre.*?</pre>", html, re.DOTALL)]


def tokens_in_fences(text: str) -> set[str]:
    """Return the tokens in the blocks of `find_fences`, each extended over the blank and indented lines that follow."""
    blocks = {block.line: block.last_line for block in find_fences(text)}
    tokens: set[str] = set()
    last_line, is_code = 0, False
    for number, line in enumerate(text.split("\n"), 1):
        last_line = max(last_line, blocks.get(number, 0))
        is_blank, is_indented = not line.strip(" >"), bool(re.match("[ >]{4}", line))
        is_code = number in blocks or (is_code and (number <= last_line or is_blank or is_indented))
        tokens |= set(re.findall(r"token\d+x", line)) if is_code else set()
    return tokens


@settings(max_examples=150, deadline=None, derandomize=True)
@given(documents())
@example('- ??? note "T"\n\n        ``` snippet\n        ```\n')
@example("[^1]\n\n[^1]: note\n    - no item\n        ``` snippet\n        ```\n")
@example("[^1]\n\n[^1]: note\n    ``` snippet\n    ```\n\n    end\n")
@example("- ~~~\n  never closed\n\n    ``` snippet\n    ```\n")
@example("> - item\n>\n>     ``` snippet\n>     ```\n>\n>     ``` snippet\n>     ```\n")
def test_find_fences_returns_the_rendered_fences(text: str) -> None:
    assert rendered_fences(text) == [fence.line for fence in find_fences(text) if is_rendered(fence)]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(documents())
@example("``` snippet\n```\n    token1x\n")
@example("- item\n\n``` snippet\n```\n\n    token1x\n")
def test_find_fences_overlooks_no_rendered_code(text: str) -> None:
    assert not [tokens for tokens in code_blocks(text) if tokens and not tokens & tokens_in_fences(text)]
