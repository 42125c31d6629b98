"""Short texts of fences and exercises as HTML: `code`, and links to other pages."""

from __future__ import annotations

import html
import posixpath
import re

from gradnotes.fences.markup import Page, inline
from gradnotes.fences.problems import FenceError, close_match
from gradnotes.fences.project import Project, address, link

_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")


def prose(project: Project, page: Page, text: str) -> str:
    """`text` with its code and its links. Raises FenceError where a link leads nowhere."""
    out, end = [], 0
    for match in _LINK.finditer(text):
        href = html.escape(_target(project, page, match[2]))
        out += [inline(text[end : match.start()]), f'<a href="{href}">{inline(match[1])}</a>']
        end = match.end()
    return "".join([*out, inline(text[end:])])


def link_to(project: Project, page: Page, target: str) -> str:
    """A link to `page.md#section`, a path below docs/, with the title of the page."""
    name, _, section = target.partition("#")
    where = f"{link(address(_known(project, name)), page.path)}{'#' * bool(section)}{section}"
    return f'<a href="{html.escape(where)}">{inline(project.title(name))}</a>'


def _target(project: Project, page: Page, target: str) -> str:
    name, _, section = target.partition("#")
    if name.endswith(".md"):
        _known(project, posixpath.normpath(posixpath.join(posixpath.dirname(page.path), name)))
        name = address(name)
    return f"{name}{'#' * bool(section)}{section}"


def _known(project: Project, name: str) -> str:
    if not (project.docs / name).is_file():
        remedy = close_match(name, project.pages(), "name a page below docs/")
        raise FenceError(f"a link to {name!r}, and there is no such page", remedy)
    return name
