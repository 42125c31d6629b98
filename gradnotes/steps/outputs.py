"""What a statement did, as lines under it: the same markup at build and in the page."""

from __future__ import annotations

import html

WORDS = {">": "prints", "!": "raises", "~": "warns", "=": "value"}  # nothing is told by colour alone


def block(sign: str, lines: list[str]) -> str:
    """The lines that stand under one sign."""
    return source_block(sign, [f"#{sign} {line}" for line in lines])


def source_block(sign: str, lines: list[str]) -> str:
    """Lines as they stand in a snippet, with their marks: `#>? 3 of ...` may be among those of `>`.

    A block element ends its line: a line end after it would show as an empty line.
    """
    marked = (line.partition(" ") for line in lines)
    rows = "\n".join(f"{_mark(mark)} {html.escape(text)}".rstrip() for mark, _, text in marked)
    return f'<span class="x x-{WORDS[sign]}" data-word="{WORDS[sign]}">{rows}</span>'


def _mark(mark: str) -> str:
    note = ' title="... stands for text that differs from run to run, or is left out"' if mark == "#>?" else ""
    return f"<i{note}>{html.escape(mark)}</i>"


def note(sentence: str) -> str:
    """What the page says of an output."""
    return f'<span class="x x-note">{html.escape(sentence)}</span>'


def page(lines: list[str]) -> str:
    """What the page shows, under what a changed program did."""
    rows = "\n".join(html.escape(line) for line in lines)
    return f'<span class="x x-page" data-word="on the page">{rows}</span>'


def cover(number: int) -> str:
    """What stands in the place of lines that the reader is to foretell."""
    return f'<span class="x x-covered" data-covered="{number}" data-word="what comes here?"><i>#</i> ?</span>'
