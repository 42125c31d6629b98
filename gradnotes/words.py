"""Translate the texts of the site into the language of the page.

A table per language maps each English text to its translation. A text may have fields in braces, such as `{count}`.
They are filled in after the translation, so that a translation can have them in another order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?!\w)")
_table: ContextVar[Mapping[str, str] | None] = ContextVar("words", default=None)  # None: English


def say(text: str, plural: str = "", /, **values: object) -> str:
    """Return a text in the current language, with its fields, such as `{count}`, filled in.

    A text that the table of the language lacks stays English. Without `values`, braces are literal.

    Args:
        text: the English text; if there is a `plural`, the English text for `count=1`
        plural: the English text for other counts. The tables of other languages translate only the plural.
        values: values of the fields
    """
    table = _table.get()
    phrase = plural if plural and (table is not None or values.get("count") != 1) else text
    phrase = phrase if table is None else table.get(phrase, phrase)
    return phrase.format(**values) if values else phrase


def translatable(text: str) -> str:
    """Return the text unchanged. The call marks a text that `say` translates later: a translation must exist."""
    return text


def say_label(label: str) -> str:
    """Translate a label that contains numbers. The table has the label with a field for each number.

    `step 3 of 10` is looked up as `step {number} of {number2}`. A label that is not in the table is returned unchanged.
    """
    values: dict[str, str] = {}

    def replace(match: re.Match[str]) -> str:
        field = f"number{len(values) + 1 if values else ''}"
        values[field] = match[0]
        return f"{{{field}}}"

    key = _NUMBER.sub(replace, label)
    table = _table.get() or {}
    return table[key].format(**values) if key in table else label


def is_english() -> bool:
    """Return whether the current language is English."""
    return _table.get() is None


@contextmanager
def speaking(table: Mapping[str, str] | None) -> Iterator[None]:
    """Make `say` translate with `table`, English text -> translation, within the `with` block. None means English."""
    token = _table.set(table)
    try:
        yield
    finally:
        _table.reset(token)
