"""What all fences have in common: the page they stand on, and pieces of HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """The page a fence stands on, as far as a fence needs to know it."""

    path: str  # below docs/
    ids: set[str]  # ids given on it so far

    def id_for(self, name: str) -> str:
        """`name`, or `name-2` and so on if the page has it already."""
        chosen, number = name, 1
        while chosen in self.ids:
            number += 1
            chosen = f"{name}-{number}"
        self.ids.add(chosen)
        return chosen


def inline(text: str) -> str:
    """Text with `code` in it, as HTML."""
    parts = re.split(r"`([^`]+)`", text)
    marked = [f"<code>{html.escape(p)}</code>" if i % 2 else html.escape(p) for i, p in enumerate(parts)]
    return "".join(marked)


def as_attributes(values: Mapping[str, str | None]) -> str:
    """As they stand in a tag; one that is None is left out."""
    pairs = ((name, value) for name, value in values.items() if value is not None)
    return "".join(f' {n}="{html.escape(v).replace(chr(10), "&#10;")}"' for n, v in pairs)


def table(
    heads: Iterable[str],
    rows: Iterable[tuple[str, ...]],
    caption: str | None,
    ids: Iterable[str] = (),
    style: str = "stacking",
) -> str:
    """A table whose cells know their column, so that a narrow screen can stack them. `ids` are those of its rows."""
    heads, ids = list(heads), list(ids)
    style += " wide" if len(heads) > 4 and style == "stacking" else ""
    out = [f'<div class="table-frame" tabindex="0"><table class="{style}">']
    if caption:
        out.append(f"<caption>{inline(caption)}</caption>")
    out.append("<thead><tr>" + "".join(f'<th scope="col">{inline(h)}</th>' for h in heads) + "</tr></thead>")
    out.append("<tbody>")
    for number, row in enumerate(rows):
        name = f' id="row-{html.escape(ids[number])}"' if ids else ""
        cells = (f'<td data-head="{html.escape(h)}">{c}</td>' for h, c in zip(heads, row, strict=True))
        out.append(f"<tr{name}>{''.join(cells)}</tr>")
    out.append("</tbody></table></div>")
    return "".join(out)


def folded(title: str, shown: str, name: str | None = None) -> str:
    """A long table under its title, which opens it; `name` is the fold's id."""
    return f'<details class="long-table"{as_attributes({"id": name})}><summary>{title}</summary>{shown}</details>'
