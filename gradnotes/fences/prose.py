"""Render short texts of fences and exercises: `code`, $formulas$, and links to other pages."""

from __future__ import annotations

import html
import posixpath
import re

from gradnotes import inputs
from gradnotes.formulas import REMEDY, FormulaError, mathml
from gradnotes.links import address, link
from gradnotes.markup import Page, inline
from gradnotes.problems import FenceError, close_match
from gradnotes.project import Project

_PART = re.compile(r"`[^`]+`|\[(?P<text>[^\]]+)\]\((?P<target>[^)\s]+)\)|\$(?P<tex>[^\s$](?:[^$]*[^\s$])?)\$(?!\d)")


def prose(project: Project, page: Page, text: str) -> str:
    """Render `text` with its code, formulas and links.

    Raises:
        FenceError: a link is broken, or a formula is not valid TeX.
    """
    out, end = [], 0
    for match in _PART.finditer(text):
        out.append(inline(text[end : match.start()]))
        if match["target"]:
            href = html.escape(_link_target(project, page, match["target"]))
            out.append(f'<a href="{href}">{inline(match["text"])}</a>')
        elif match["tex"]:
            out.append(_formula(match["tex"]))
        else:
            out.append(inline(match[0]))
        end = match.end()
    return "".join([*out, inline(text[end:])])


def without_links(text: str) -> str:
    """Return `text` without bold and italic type, each link replaced by its words."""
    text = re.sub(r"\[([^\]]+)\]\([^)\s]+\)", r"\1", text)
    return re.sub(r"(?<![\w*`])(\*{1,2})(?=\S)([^*`]*(?:`[^`]*`[^*`]*)*)(?<=\S)\1(?!\w)", r"\2", text)


def _formula(tex: str) -> str:
    try:
        return mathml(tex, False)
    except FormulaError as error:
        raise FenceError(f"${tex}$: {error}", REMEDY) from None


def link_to(project: Project, page: Page, target: str) -> str:
    """Render a link to `page.md#section`, a path below docs/. Its text is the title of the page."""
    name, _, section = target.partition("#")
    target_page = project.address_in(_check_page(project, name), page.path)
    href = f"{link(address(target_page), page.path)}{'#' * bool(section)}{section}"
    return f'<a href="{html.escape(href)}">{inline(project.title(target_page))}</a>'


def _link_target(project: Project, page: Page, target: str) -> str:
    name, _, section = target.partition("#")
    if name.endswith(".md"):
        linked = _check_page(project, posixpath.normpath(posixpath.join(posixpath.dirname(page.source), name)))
        name = address(name) if not page.is_chinese else link(address(project.address_in(linked, page.path)), page.path)
    return f"{name}{'#' * bool(section)}{section}"


def _check_page(project: Project, name: str) -> str:
    if not inputs.is_file(project.docs / name):
        remedy = close_match(name, project.pages(), "name a page below docs/")
        raise FenceError(f"broken link: page {name!r} does not exist", remedy)
    return name
