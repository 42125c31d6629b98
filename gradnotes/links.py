"""Write addresses and links between pages, and to snippets on their pages."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from gradnotes.project import Project
from gradnotes.translation import edition, sources


@dataclass(frozen=True)
class Link:
    """A link in HTML, for the macro `link` of the templates."""

    href: str
    text: str  # words in backticks are rendered as code
    language: str | None = None  # of the target, if it is not that of the page


def anchor(name: str, kind: str = "snippet") -> str:
    """Return the HTML id of snippet `name` on its page: `snippet-in-place-versions` for `in_place/versions.py`.

    `kind` is the first word of the id, such as "figure" for a figure of the snippet.
    """
    return f"{kind}-" + name.removesuffix(".py").replace("/", "-").replace("_", "-")


def link(target: str, page: str) -> str:
    """Return the address of `target` relative to `page`. Both are paths below the root of the site."""
    return posixpath.relpath(target, posixpath.dirname(page) or ".")


def address(page: str) -> str:
    """Return the path of a page in the built site: `a/b.html` for `a/b.md`. Other paths are returned unchanged."""
    stem, _, suffix = page.rpartition(".")
    if suffix not in ("md", "markdown", "ipynb"):
        return page
    return f"{stem}.html"


def link_language(target: str, page: str) -> str | None:
    """Return "en" for a link that leads from a Chinese page to an English page, else None. Both are paths of pages."""
    return "en" if sources.is_chinese(page) and not sources.is_chinese(target) else None


def snippet_link(project: Project, name: str, page: str) -> Link:
    """Return the link on `page` to snippet `name` on the page that embeds it.

    Raises:
        FenceError: the snippet is missing or malformed.
        KeyError: no page embeds the snippet.
    """
    target_page = edition.page_in_edition(project, project.pages_by_snippet()[name], page)
    target = "" if target_page == page else link(address(target_page), page)
    title = edition.snippet_title(project, name, page)
    return Link(f"{target}#{anchor(name)}", title, link_language(target_page, page))
