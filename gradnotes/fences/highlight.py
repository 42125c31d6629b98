"""Highlight source code with Pygments, and mark the expected output in it."""

from __future__ import annotations

import functools

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.lexers.shell import ShellSessionBaseLexer
from pygments.util import ClassNotFound
from snippetcheck.snippet import Snippet, excerpt_parts

from gradnotes.cache import BuildCache
from gradnotes.problems import FenceError
from gradnotes.templating import escape
from gradnotes.viewer import output_markup


def lines(text: str, language: str, cache: BuildCache) -> list[str]:
    """Return each line of `text` as highlighted HTML. No element extends over two lines. If `language` is empty, only escape the text.

    Raises:
        FenceError: Pygments does not know the language.
    """
    return cache.get(("lines", language, text), lambda: _highlight(text, language)).split("\n")


_FORMATTER = HtmlFormatter(nowrap=True)
_lexer = functools.cache(functools.partial(get_lexer_by_name, stripnl=False, ensurenl=False))


def _highlight(text: str, language: str) -> str:
    try:
        lexer = _lexer(language) if language else None
    except ClassNotFound:
        raise FenceError(f"unknown language {language!r}", "use a language that Pygments knows, or `text`") from None
    if lexer is None:
        return escape(text)
    if isinstance(lexer, ShellSessionBaseLexer) and not text.endswith("\n"):
        text += "\n"  # these lexers drop a last line that has no line end
    return highlight(text, lexer, _FORMATTER).removesuffix("\n")


def code(text: str, language: str, cache: BuildCache) -> Markup:
    """Return `text` as highlighted HTML, for the macro `code_block` of the templates."""
    return Markup("\n".join(lines(text, language, cache)))


def snippet_code(snippet: Snippet, first: int, last: int, cache: BuildCache, covered: tuple[range, ...] = ()) -> Markup:
    """Return lines `first` to `last` of a snippet as HTML, with its expected output marked and without region marks.

    Each range of lines in `covered` is replaced by a placeholder.
    """
    html_lines = lines(snippet.text, "python", cache)
    rows: list[str] = []
    for sign, numbers in excerpt_parts(snippet, first, last):
        cover_index = next((index for index, lines in enumerate(covered) if numbers[0] in lines), None)
        if cover_index is not None:
            rows += [output_markup.cover(cover_index)] if numbers[0] == covered[cover_index].start else []
        elif sign is None:
            rows += [html_lines[n - 1] + "\n" for n in numbers]
        else:
            rows.append(output_markup.source_block(sign, [snippet.lines[n - 1] for n in numbers]))
    return Markup("".join(rows))
