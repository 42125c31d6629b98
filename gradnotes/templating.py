"""Render HTML with the jinja2 templates in gradnotes/templates/.

Each value is escaped unless it is Markup. A line break in a template is removed, with the indentation after it. Code
that also runs in the browser (gradnotes/viewer, figures and browser) writes its HTML as strings, since the browser's
Python has no jinja2.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup

from gradnotes.markup import column_class, split_name
from gradnotes.words import say

FOLDER = Path(__file__).with_name("templates")
# Words between asterisks, but not operators: not `2*x*y`, and not `(*, k) and (*, k)`.
_MARKED = r"(?<![A-Za-z0-9_*])\*{{{0}}}(?=\w)(?P<{1}>[^*`]+)(?<=\w)\*{{{0}}}(?![A-Za-z0-9_*])"
_INLINE = re.compile("|".join([r"`(?P<code>[^`]+)`", _MARKED.format(2, "strong"), _MARKED.format(1, "em")]))
LONG = 20  # characters; a longer word may need a line break on a phone
_LINE_BREAK = re.compile(r"\n\s*")


def render(name: str, /, **values: object) -> Markup:
    """Render the template `name`, a file of gradnotes/templates/ without its suffix.

    Raises jinja2.UndefinedError if the template prints a value that is not in `values`.
    """
    return Markup(_ENVIRONMENT.get_template(f"{name}.html").render(values))


def escape(value: object) -> Markup:
    """Escape a value with `html.escape`, as the code in the browser does. Markup is returned unchanged.

    `markupsafe.escape` would write quotes as other entities.
    """
    return value if isinstance(value, Markup) else Markup(html.escape(str(value)))


def attributes(values: Mapping[str, str | None]) -> Markup:
    """Return the attributes of a tag as ` name="value"` texts. An attribute whose value is None is omitted."""
    pairs = ((name, escape(value)) for name, value in values.items() if value is not None)
    return Markup("".join(f' {name}="{value}"' for name, value in pairs).replace("\n", "&#10;"))


def inline_parts(text: str) -> list[tuple[str, str]]:
    """Split a text into pairs (element, text): "code" for `code`, "em" for *words*, "strong" for **words**, else "".

    Markup is not split.
    """
    if isinstance(text, Markup):
        return [("", text)]
    parts, end = [], 0
    for match in _INLINE.finditer(text):
        element = match.lastgroup or ""
        parts += [("", text[end : match.start()]), (element, match[element])]
        end = match.end()
    return [*parts, ("", text[end:])]


def table_columns(heads: Iterable[str], rows: list[tuple[str, ...]]) -> list[tuple[str, str | None]]:
    """Return (head, CSS class or None) of each column of a table."""
    return [(head, column_class([row[index] for row in rows])) for index, head in enumerate(heads)]


def breakable(text: str) -> Markup:
    """Return the text as HTML in which the words of more than LONG characters may break between the words of a name."""
    words = (split_name(word) if len(word) > LONG else [word] for word in text.split(" "))
    return Markup(" ").join(Markup("<wbr>").join(map(escape, parts)) for parts in words)


def compact_json(data: object) -> str:
    """Return `data` as JSON without spaces, in which characters such as Chinese stand unescaped."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def script_json(data: object) -> Markup:
    """Return `data` as JSON that is safe inside a `<script>` element."""
    return Markup(compact_json(data).replace("<", "\\u003c"))


def say_html(text: str, plural: str = "", /, **values: object) -> Markup:
    """Return an HTML text in the current language, as `words.say` does, with its fields escaped and filled in."""
    fields = {name: value if isinstance(value, int) else escape(value) for name, value in values.items()}
    return Markup(say(text, plural, **fields))


class _JoinLines(Extension):
    """The jinja2 extension that removes each line break of a template, with the indentation after it."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Remove line breaks and indentation from the text between tags. jinja2 calls this."""
        for token in stream:
            is_text = token.type == "data"
            yield Token(token.lineno, "data", _LINE_BREAK.sub("", token.value)) if is_text else token


_ENVIRONMENT = Environment(
    loader=FileSystemLoader(FOLDER),
    autoescape=True,
    undefined=StrictUndefined,
    finalize=escape,
    auto_reload=False,
    extensions=[_JoinLines, "jinja2.ext.do"],
)
_ENVIRONMENT.policies["json.dumps_kwargs"] = {}  # `tojson` sorts keys by default
_ENVIRONMENT.globals |= {"say": say, "say_html": say_html}
_ENVIRONMENT.filters |= {
    "attributes": attributes,
    "breakable": breakable,
    "inline_parts": inline_parts,
    "script_json": script_json,
    "table_columns": table_columns,
}
