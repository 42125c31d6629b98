"""Render the `summary` fence: the *In short* sections of the path's pages, for printing on one sheet."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from snippetcheck.kinds import FenceType

from gradnotes import reading_order
from gradnotes.fences.prose import prose, without_links
from gradnotes.fences.registry import renders
from gradnotes.links import address, link
from gradnotes.markup import Page, inline
from gradnotes.problems import FenceError
from gradnotes.project import Project
from gradnotes.reading_order import Stop

_SECTION = re.compile(r"^## In short\b.*?\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"^- (.*?)(?=^- |^\s*$|\Z)", re.MULTILINE | re.DOTALL)


@renders(FenceType("summary"))
def render_summary(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render the *In short* sentences of each page, grouped by the stretches of the path.

    Raises:
        FenceError: a page of the path has no section *In short*.
    """
    stops = [stop for stop in reading_order.path(project.docs) if not stop.is_checkpoint]
    out = []
    for title, first, last in _stretches(project):
        pages_html = (_render_stop(project, page, stop) for stop in stops if first <= stop.number <= last)
        out.append(f"<section><h2>{inline(title)}</h2>{''.join(pages_html)}</section>")
    return f'<div class="brief" data-unsearched>{"".join(out)}</div>'


def _stretches(project: Project) -> Iterator[tuple[str, int, int]]:
    """Yield the title of each stretch of the path, and the numbers of its first and last page."""
    first = 1
    for title, last in project.front_matter("index.md").values.get("stretches", ()):
        yield title, first, last
        first = last + 1


def _render_stop(project: Project, page: Page, stop: Stop) -> str:
    section = _SECTION.search(project.text(stop.page))
    items = [" ".join(item.split()) for item in _ITEM.findall(section[1])] if section else []
    if not items:
        raise FenceError(f"{stop.page} has no list under 'In short'", "add `## In short` and a list to it")
    href = html.escape(link(address(stop.page), page.path))
    items_html = "".join(f"<li>{prose(project, page, without_links(item))}</li>" for item in items)
    return f'<h3><span>{stop.number}</span> <a href="{href}">{inline(stop.title)}</a></h3><ul>{items_html}</ul>'
