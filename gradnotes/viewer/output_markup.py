"""Render the output under a statement of a program, with the same markup in the build and in the browser."""

from __future__ import annotations

import html

from gradnotes.words import say, translatable

KINDS = {">": "prints", "!": "raises", "~": "warns", "=": "value"}  # sign of an output -> part of its CSS class
# These words are displayed, so that readers who do not see colors can tell the kinds of output apart.
WORDS = {
    ">": translatable("prints"),
    "!": translatable("raises"),
    "~": translatable("warns"),
    "=": translatable("value"),
}


def block(sign: str, lines: list[str]) -> str:
    """Render lines of output that have no marks yet. All get the mark of `sign`, a key of KINDS."""
    return source_block(sign, [f"#{sign} {line}" for line in lines])


def source_block(sign: str, lines: list[str]) -> str:
    """Render lines of output that have the same sign and begin with their marks: `#` and the sign, or `#>?`.

    The last line has no line end: the block element ends it, and a line end would show as an empty line.
    """
    marked_lines = (line.partition(" ") for line in lines)
    rows = "\n".join(f"{_mark(mark)} {html.escape(text)}".rstrip() for mark, _, text in marked_lines)
    return f'<span class="x x-{KINDS[sign]}" data-word="{say(WORDS[sign])}">{rows}</span>'


def _mark(mark: str) -> str:
    words = say("... stands for text that differs from run to run, or is left out") if mark == "#>?" else ""
    note = f' title="{words}"' if words else ""
    return f"<i{note}>{html.escape(mark)}</i>"


def note(sentence: str) -> str:
    """Render a remark of the site about the output of a program, such as that it was cut."""
    return f'<span class="x x-note">{html.escape(sentence)}</span>'


def page(lines: list[str]) -> str:
    """Render the output that the page has for a statement, to stand under the output of the reader's edited version."""
    rows = "\n".join(html.escape(line) for line in lines)
    return f'<span class="x x-page" data-word="{say("on the page")}">{rows}</span>'


def cover(number: int) -> str:
    """Render the placeholder of the hidden output `number` of a prediction."""
    return f'<span class="x x-covered" data-covered="{number}" data-word="{say("what comes here?")}"><i>#</i> ?</span>'
