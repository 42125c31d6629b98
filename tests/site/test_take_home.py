"""The error cards and the summary of the path quote the text of the pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradnotes.fences.error_cards import quotes_by_line, render_card
from gradnotes.fences.path_summary import render_summary
from gradnotes.fences.prose import without_links
from gradnotes.markup import Page
from gradnotes.problems import FenceError
from gradnotes.project import Project
from tests.files import write_files

SNIPPET = (
    '"""A sum that fails."""\n\nimport torch\n\ntorch.ones(2).sum().backward()\n#! RuntimeError: element 0 fails ...\n'
)
TEXT = """# Sums

The message is *short*. It comes
from **[the sum](b.md#sums)** of `x * y`. Call
`backward` on another tensor:

``` snippet
file: a/fails.py
```

- Set it first. And more.
- Then run it.

## In short

- A sum fails
  with `x * y`.
- $x$ is [a leaf](b.md).

## Practice
"""


@pytest.fixture
def book(tmp_path: Path) -> Project:
    """Create a project with a path of two pages, and a snippet that raises an error."""
    files = {
        "pyproject.toml": '[tool.snippetcheck]\nfences = ["gradnotes.fences"]\n[tool.snippetcheck.engines.torch]\n',
        "snippets/a/fails.py": SNIPPET,
        "docs/index.md": "---\ntitle: Home\nparts: [a]\nstretches:\n  - [All, 2]\n---\n",
        "docs/a/index.md": f"---\ntitle: Sums\npath: 1\npages: [b]\n---\n\n{TEXT}",
        "docs/a/b.md": "---\ntitle: Leaves\npath: 2\n---\n\n# Leaves\n\n## In short\n\n- A leaf.\n",
    }
    write_files(tmp_path, files)
    return Project(tmp_path)


def card(book: Project, **keys: str) -> str:
    """Render an error card with these keys, by default for the failing snippet."""
    return render_card(book, Page("cards.md", set()), {"snippet": "a/fails.py", "repair": "Set it", **keys})


@pytest.mark.parametrize(
    ("words", "quote"),
    [
        ("The message", "The message is short."),
        ("It comes", "It comes from the sum of <code>x * y</code>."),
        (
            "the sum of ... another tensor",
            "The sum of <code>x * y</code>. Call <code>backward</code> on another tensor.",
        ),
        ("And more ... run it", "And more.<ul><li>Then run it.</li></ul>"),
        ("And more ... run it.", "And more.<ul><li>Then run it.</li></ul>"),
    ],
)
def test_a_card_quotes_its_page(book: Project, words: str, quote: str) -> None:
    html = card(book, cause=words)
    assert "<b>RuntimeError</b> <code>element 0 fails</code>" in html
    assert f"<dt>Cause</dt><dd>{quote}</dd>" in html and "<dt>Repair</dt><dd>Set it first.</dd>" in html
    assert '<a href="a/index.html#snippet-a-fails">Sums</a>' in html


def test_a_card_may_lead_to_a_section(book: Project) -> None:
    assert '<a href="a/b.html#in-short">Leaves</a>' in card(
        book, page="a/b.md#in-short", cause="A leaf", repair="A leaf"
    )


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"cause": "No such words"}, "a/index.md does not contain 'No such words'"),
        ({"cause": "Set it ... never"}, "a/index.md does not contain 'never' after 'Set it'"),
        ({"cause": "Set it", "message": "other"}, "no error or warning of a/fails.py contains 'other'"),
        ({"cause": "Set it", "snippet": "a/gone.py"}, "no snippet 'a/gone.py'"),
    ],
)
def test_a_card_that_quotes_missing_text_is_refused(book: Project, keys: dict[str, str], message: str) -> None:
    with pytest.raises(FenceError) as raised:
        card(book, **keys)
    assert raised.value.message == message


def test_a_malformed_card_has_no_quotes_and_the_others_keep_theirs(book: Project) -> None:
    malformed = "``` card\nsnippet: a/fails.py\nrepair: Set it\n```\n"  # the build says that `cause` is missing
    right = "``` card\nsnippet: a/fails.py\ncause: The message\nrepair: Set it\n```\n"
    (book.docs / "cards.md").write_text(f"---\ntitle: Cards\n---\n\n{malformed}\n{right}", encoding="utf-8")
    quotes = quotes_by_line(book, "cards.md")
    assert list(quotes.values()) == [{"cause": "The message is short.", "repair": "Set it first."}]


def test_the_summary_contains_the_lists_of_the_pages_on_the_path(book: Project) -> None:
    html = render_summary(book, Page("summary.md", set()), {})
    assert '<h2>All</h2><h3><span>1</span> <a href="a/index.html">Sums</a></h3>' in html
    assert "<li>A sum fails with <code>x * y</code>.</li><li><math" in html and "</math> is a leaf.</li>" in html
    assert html.index("a/index.html") < html.index("a/b.html")
    (book.docs / "a/b.md").write_text("---\ntitle: Leaves\npath: 2\n---\n\n# Leaves\n", encoding="utf-8")
    with pytest.raises(FenceError, match="a/b.md has no list under 'In short'"):
        render_summary(Project(book.root), Page("summary.md", set()), {})


def test_without_links_removes_links_and_emphasis() -> None:
    assert (
        without_links("a **bold word** of [`x * y`](b.md), *em `a*b`*, 2 * 3 * 4")
        == "a bold word of `x * y`, em `a*b`, 2 * 3 * 4"
    )
