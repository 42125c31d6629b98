"""Describe the page that is being rendered, and the columns of its tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gradnotes.translation import sources

# A number, two of them as in 3/4 and 3 of 4, or no value; with a unit.
_NUMBER = re.compile(r"[-−+]?\d[\d,.]*(?:e[-+]?\d+)?(?:(?:/| of )\d[\d,.]*)?(?: ?(?:%|s|ms|MiB|kB|MB))?|–?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d|–?")


@dataclass(frozen=True)
class Page:
    """The page of a fence: its path, and the ids in use."""

    path: str  # below docs/; that of a Chinese page begins with zh/
    ids: set[str]  # ids in use on it
    original: Mapping[str, str] | None = None  # on a Chinese page, the keys of the English fence

    @property
    def source(self) -> str:
        """Return the path of the English page: the page itself or, for a Chinese page, the one that it translates."""
        return sources.english_name(self.path)

    @property
    def is_chinese(self) -> bool:
        """Return whether the page belongs to the Chinese edition."""
        return sources.is_chinese(self.path)

    def id_for(self, name: str) -> str:
        """Reserve and return an unused id: `name`, or `name-2` and so on."""
        chosen, number = name, 1
        while chosen in self.ids:
            number += 1
            chosen = f"{name}-{number}"
        self.ids.add(chosen)
        return chosen


def column_class(cells: list[str]) -> str | None:
    """Return the class of a column: `number` or `date`, or None."""
    for name, pattern in (("number", _NUMBER), ("date", _DATE)):
        if all(map(pattern.fullmatch, cells)) and any(any(map(str.isdigit, cell)) for cell in cells):
            return name
    return None
