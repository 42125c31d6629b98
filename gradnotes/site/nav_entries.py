"""The entries of the nav that a page shows beside the one that is read, as HTML.

Pages of a folder share them: making them anew for each page, in the template, took a tenth of a build.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from functools import cache
from typing import Any

from mkdocs.utils import get_relative_url

_ICON = '<span class="md-nav__icon md-icon"></span>'


@dataclass(frozen=True)
class Entries:
    """Those before and after the one that is read, as HTML; and that one, if it is among them, with its number from 1."""

    before: str
    read: Any
    number: int
    after: str


def entries(items: list[Any], page: Any, base_url: str) -> Entries:
    """What the template of the nav shows of `items`: Pages and Sections, of which at most one is read.

    Args:
        page: the page that is read; None for the one that says that there is none, whose links begin with `base_url`.
    """
    number = next((number for number, item in enumerate(items, 1) if item.active), len(items) + 1)
    folder = posixpath.dirname(page.url) if page else None
    before, after = (
        "\n".join(_entry(item, folder, base_url) for item in some) for some in (items[: number - 1], items[number:])
    )
    return Entries(before, items[number - 1] if number <= len(items) else None, number, after)


def _entry(item: Any, folder: str | None, base_url: str) -> str:
    """A page; of a part only its title, which leads to its first page."""
    to = item if item.is_page else item.children[0]
    return _html(to.url, item.title, item.is_page, folder, base_url)


@cache
def _html(url: str, title: str, is_page: bool, folder: str | None, base_url: str) -> str:
    href = posixpath.join(base_url, url) if folder is None else get_relative_url(url, f"{folder}/x.html")
    classes, icon = ("", "") if is_page else (" md-nav__item--pruned md-nav__item--nested", _ICON)
    return (
        f'<li class="md-nav__item{classes}"><a href="{href}" class="md-nav__link">'
        f'<span class="md-ellipsis">{title}</span>{icon}</a></li>'
    )
