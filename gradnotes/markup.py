"""Provide what all fences need: the page that is being rendered, and pieces of HTML."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
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
        """Return the path of the English page, which a Chinese page renders."""
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


def inline(text: str) -> str:
    """Render text with `code` in it."""
    parts = re.split(r"`([^`]+)`", text)
    marked = [f"<code>{html.escape(p)}</code>" if i % 2 else html.escape(p) for i, p in enumerate(parts)]
    return "".join(marked)


def as_attributes(values: Mapping[str, str | None]) -> str:
    """Format the attributes of a tag; an attribute that is None is omitted."""
    pairs = ((name, value) for name, value in values.items() if value is not None)
    return "".join(f' {n}="{html.escape(v).replace(chr(10), "&#10;")}"' for n, v in pairs)


def table(
    heads: Iterable[str],
    rows: Iterable[tuple[str, ...]],
    caption: str | None,
    ids: Iterable[str] = (),
    style: str = "stacking",
    titles: Iterable[str] = (),
) -> str:
    """Render a table whose cells name their column, so that a narrow screen can stack them.

    A column of numbers is aligned right, and a date is not broken. `ids` are the ids of the rows, without `row-`. A row
    with a title is a result of the search.
    """
    heads, rows, ids, titles = list(heads), list(rows), list(ids), list(titles)
    classes = [_class_attribute([row[index] for row in rows]) for index in range(len(heads))]
    style += " wide" if len(heads) > 4 and style == "stacking" else ""
    out = [f'<div class="table-frame" tabindex="0"><table class="{style}">']
    if caption:
        out.append(f"<caption>{inline(caption)}</caption>")
    head_cells = (f'<th scope="col"{name}>{inline(head)}</th>' for head, name in zip(heads, classes, strict=True))
    out.append(f"<thead><tr>{''.join(head_cells)}</tr></thead>")
    out.append("<tbody>")
    for number, row in enumerate(rows):
        name = f' id="row-{html.escape(ids[number])}"' if ids else ""
        columns = zip(heads, row, classes, strict=True)
        cells = (f'<td data-head="{html.escape(head)}"{name}>{cell}</td>' for head, cell, name in columns)
        title = as_attributes({"data-title": titles[number]}) if titles else ""
        out.append(f"<tr{name}{title}>{''.join(cells)}</tr>")
    out.append("</tbody></table></div>")
    return "".join(out)


def column_class(cells: list[str]) -> str | None:
    """Return the class of a column: `number` or `date`, or None."""
    for name, pattern in (("number", _NUMBER), ("date", _DATE)):
        if all(map(pattern.fullmatch, cells)) and any(any(map(str.isdigit, cell)) for cell in cells):
            return name
    return None


def _class_attribute(cells: list[str]) -> str:
    return as_attributes({"class": column_class(cells)})


def fold(title: str, content: str, name: str | None = None) -> str:
    """Render content folded under a title; `name` is the id of the fold."""
    return f'<details class="long-table"{as_attributes({"id": name})}><summary>{title}</summary>{content}</details>'


def script_json(data: object) -> str:
    """Return `data` as JSON that is safe inside a `<script>` element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
