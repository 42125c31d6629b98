"""Source code as HTML lines, highlighted by Pygments; the lines that a program prints stand out."""

from __future__ import annotations

import html

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.lexers.shell import ShellSessionBaseLexer
from pygments.util import ClassNotFound
from snippetcheck.shown import parts
from snippetcheck.snippet import Snippet

from gradnotes.fences.build_cache import BuildCache
from gradnotes.fences.problems import FenceError
from gradnotes.steps import outputs


def lines(text: str, language: str, kept: BuildCache) -> list[str]:
    """Each line of `text` as HTML; no element spans two lines."""
    return kept.get(("lines", language, text), lambda: _highlighted(text, language)).split("\n")


def _highlighted(text: str, language: str) -> str:
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False) if language else None
    except ClassNotFound:
        raise FenceError(f"unknown language {language!r}", "use one that Pygments knows, or text") from None
    if lexer is None:
        return html.escape(text)
    if isinstance(lexer, ShellSessionBaseLexer) and not text.endswith("\n"):
        text += "\n"  # these lexers drop a last line that does not end
    return highlight(text, lexer, HtmlFormatter(nowrap=True)).removesuffix("\n")


def block(text: str, language: str, kept: BuildCache) -> str:
    """Plain source as a block that can be scrolled by keyboard."""
    return f'<pre tabindex="0"><code>{chr(10).join(lines(text, language, kept))}</code></pre>'


def snippet_block(snippet: Snippet, first: int, last: int, kept: BuildCache, covered: tuple[range, ...] = ()) -> str:
    """Lines `first` to `last` of a snippet, its expected lines set apart, its region marks left out.

    Of the lines in a range of `covered` nothing is shown but that something comes here.
    """
    coloured = lines(snippet.text, "python", kept)
    html_of: list[str] = []
    for sign, run in parts(snippet, first, last):
        hidden = next((number for number, lines in enumerate(covered) if run[0] in lines), None)
        if hidden is not None:
            html_of += [outputs.cover(hidden)] if run[0] == covered[hidden].start else []
        elif sign is None:
            html_of += [coloured[n - 1] + "\n" for n in run]
        else:
            html_of.append(outputs.source_block(sign, [snippet.lines[n - 1] for n in run]))
    return f'<pre tabindex="0"><code>{"".join(html_of)}</code></pre>'
