"""Translate the texts of the site into the language of the page.

A table per language maps each English text to its translation.

A text may have fields in braces, which are filled in after the look-up, so that a language can order them as it likes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?!\w)")
_table: ContextVar[Mapping[str, str] | None] = ContextVar("words", default=None)  # None: English


def say(text: str, plural: str = "", /, **values: object) -> str:
    """Return a text in the current language, with its fields filled in.

    Args:
        text: the English text; with `plural`, that for a `count` of 1
        plural: the English text for other counts; tables of other languages have only this one
        values: values of the fields
    """
    table = _table.get()
    chosen = plural if plural and (table is not None or values.get("count") != 1) else text
    chosen = chosen if table is None else table.get(chosen, chosen)
    return chosen.format(**values) if values else chosen


def translatable(text: str) -> str:
    """Mark a text that `say` translates later, so that the translation gate requires it. Return it unchanged."""
    return text


def say_label(label: str) -> str:
    """Translate a label that a program made. Its numbers are fields of the text: number, number2, ..."""
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
    """Use this table for `say` within the block; None stands for English."""
    token = _table.set(table)
    try:
        yield
    finally:
        _table.reset(token)
