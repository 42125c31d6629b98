"""Source code as HTML lines, highlighted by Pygments; the lines that a program prints stand out."""

from __future__ import annotations

import html

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.lexers.shell import ShellSessionBaseLexer
from pygments.util import ClassNotFound
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
    signs = _signs(snippet)
    shown = [n for n in range(first, last + 1) if not _is_region_mark(snippet.lines[n - 1])]
    while shown and not snippet.lines[shown[0] - 1].strip():
        shown.pop(0)
    while shown and not snippet.lines[shown[-1] - 1].strip():
        shown.pop()
    coloured = lines(snippet.text, "python", kept)
    parts: list[str] = []
    index = 0
    while index < len(shown):
        sign = signs.get(shown[index])
        end = index
        while end < len(shown) and signs.get(shown[end]) == sign:
            end += 1
        run = shown[index:end]
        hidden = next((number for number, lines in enumerate(covered) if run[0] in lines), None)
        if hidden is not None:
            parts += [outputs.cover(hidden)] if run[0] == covered[hidden].start else []
        elif sign is None:
            parts += [coloured[n - 1] + "\n" for n in run]
        else:
            parts.append(outputs.block(sign, [snippet.lines[n - 1][3:] for n in run]))
        index = end
    return f'<pre tabindex="0"><code>{"".join(parts)}</code></pre>'


def _signs(snippet: Snippet) -> dict[int, str]:
    """For each line that is expected output: its sign."""
    signs: dict[int, str] = {}
    for statement in snippet.statements:
        signs |= {output.line: ">" for output in statement.output}
        if statement.error:
            signs |= dict.fromkeys(range(statement.error.line, statement.error.last_line + 1), "!")
        for warning in statement.warnings:
            signs |= dict.fromkeys(range(warning.line, warning.last_line + 1), "~")
    return signs


def _is_region_mark(line: str) -> bool:
    return line.startswith(("# region:", "# endregion"))
