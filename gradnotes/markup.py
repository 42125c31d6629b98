"""Describe the page that is being rendered; choose the CSS classes of table columns, and the line breaks of long names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gradnotes.translation import sources

# One number or two (`3/4`, `3 of 4`), with or without a unit; or `–`, which stands for a missing value.
_NUMBER = re.compile(r"[-−+]?\d[\d,.]*(?:e[-+]?\d+)?(?:(?:/| of )\d[\d,.]*)?(?: ?(?:%|s|ms|MiB|kB|MB))?|–?")
_BREAK = re.compile(r"(?<=[._(\[/=,\]])(?=[\w'\"])|(?<=[a-z])(?=[A-Z])")
_DATE = re.compile(r"\d{4}-\d\d-\d\d|–?")


@dataclass(frozen=True)
class Page:
    """The page on which a fence is rendered: its path, and the HTML ids in use."""

    path: str  # below docs/; the path of a Chinese page begins with zh/
    ids: set[str]  # HTML ids in use on the page
    original: Mapping[str, str] | None = None  # keys of the English fence, if this page translates it to Chinese

    @property
    def source(self) -> str:
        """Return the path of the English page: of this page, or of the page that this Chinese page translates."""
        return sources.english_name(self.path)

    @property
    def is_chinese(self) -> bool:
        """Return whether the page belongs to the Chinese edition."""
        return sources.is_chinese(self.path)

    def id_for(self, name: str) -> str:
        """Reserve and return an HTML id that is not in use: `name`, else `name-2`, `name-3`, ..."""
        identifier, number = name, 1
        while identifier in self.ids:
            number += 1
            identifier = f"{name}-{number}"
        self.ids.add(identifier)
        return identifier


def column_class(cells: list[str]) -> str | None:
    """Return the CSS class `number` or `date` of a table column, or None.

    The column must contain at least one number or date, and nothing else but empty cells and `–`.
    """
    for name, pattern in (("number", _NUMBER), ("date", _DATE)):
        if all(map(pattern.fullmatch, cells)) and any(any(map(str.isdigit, cell)) for cell in cells):
            return name
    return None


def split_name(name: str) -> list[str]:
    """Split a name where a line may break: `torch.nn.functional` after each dot, `no_grad` after `_`, `BatchNorm` before `N`."""
    return _BREAK.split(name)
