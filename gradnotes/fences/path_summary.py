"""Render the `summary` fence: the lists under *In short* of the pages of the path for newcomers, for one sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from markupsafe import Markup
from snippetcheck.fence_types import FenceType

from gradnotes import reading_order
from gradnotes.fences.prose import link_to, prose, without_links
from gradnotes.fences.registry import renders
from gradnotes.markup import Page
from gradnotes.problems import FenceError
from gradnotes.project import Project
from gradnotes.reading_order import Stop
from gradnotes.templating import render
from gradnotes.translation import edition

_SECTION = re.compile(r"^## (?:In short\b.*?|.*?\{#in-short\})\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"^- (.*?)(?=^- |^\s*$|\Z)", re.MULTILINE | re.DOTALL)


@renders(FenceType("summary"))
def render_summary(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render the list under *In short* of each page of the path, grouped by the `stretches` of docs/index.md.

    Raises:
        FenceError: a page of the path has no list under *In short*.
    """
    stops = [stop for stop in reading_order.path(project.docs) if not stop.is_checkpoint]
    stretches = [
        (title, [stop for stop in stops if first <= stop.number <= last])
        for title, first, last in _stretches(project, page)
    ]
    return render(
        "summary",
        stretches=stretches,
        items=partial(_short_items, project, page),
        link_of=lambda stop: link_to(project, page, stop.page),
        prose=partial(prose, project, page),
    )


def _stretches(project: Project, page: Page) -> Iterator[tuple[str, int, int]]:
    """Yield (title, number of the first page, number of the last page) of each group of pages in `stretches`."""
    home, first = edition.page_in_edition(project, "index.md", page.path), 1
    for title, last in project.front_matter(home).values.get("stretches", ()):
        yield title, first, last
        first = last + 1


def _short_items(project: Project, page: Page, stop: Stop) -> list[str]:
    """Return the items of the list under *In short* of a page, without links.

    Raises:
        FenceError: the page has no such list.
    """
    name = edition.page_in_edition(project, stop.page, page.path)
    section = _SECTION.search(project.text(name))
    items = [" ".join(item.split()) for item in _ITEM.findall(section[1])] if section else []
    if not items:
        raise FenceError(f"{name} has no list under 'In short'", "add the heading `## In short` and a list below it")
    return [without_links(item) for item in items]
