"""What a statement did, as lines under it: the same markup at build and in the page."""

from __future__ import annotations

import html

WORDS = {">": "prints", "!": "raises", "~": "warns", "=": "value"}  # nothing is told by colour alone


def block(sign: str, lines: list[str]) -> str:
    """The lines that stand under one sign. A block element ends its line: a line end after it would show as an empty line."""
    rows = "\n".join(f"<i>#{html.escape(sign)}</i> {html.escape(line)}".rstrip() for line in lines)
    return f'<span class="x x-{WORDS[sign]}" data-word="{WORDS[sign]}">{rows}</span>'


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
