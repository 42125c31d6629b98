"""Render short texts of fences and exercises, which may contain `code`, $formulas$ and links to other pages."""

from __future__ import annotations

import posixpath
import re

from markupsafe import Markup

from gradnotes import inputs, reading_order
from gradnotes.formulas import REMEDY, FormulaError, mathml
from gradnotes.links import Link, address, link, link_language
from gradnotes.markup import Page
from gradnotes.problems import FenceError, close_match
from gradnotes.project import Project
from gradnotes.templating import render
from gradnotes.translation import edition
from gradnotes.words import say

_PART = re.compile(r"`[^`]+`|\[(?P<text>[^\]]+)\]\((?P<target>[^)\s]+)\)|\$(?P<tex>[^\s$](?:[^$]*[^\s$])?)\$(?!\d)")


def prose(project: Project, page: Page, text: str) -> Markup:
    """Render the code, the formulas and the links in `text` as HTML.

    Raises:
        FenceError: a link is broken, or a formula is not valid TeX.
    """
    parts: list[str | Link] = []
    end = 0
    for match in _PART.finditer(text):
        parts.append(text[end : match.start()])
        if match["target"]:
            parts.append(_link(project, page, match["target"], match["text"]))
        else:
            parts.append(_formula(match["tex"]) if match["tex"] else match[0])
        end = match.end()
    return render("prose", parts=[*parts, text[end:]])


def without_links(text: str) -> str:
    """Replace each link in a Markdown text by its text, and remove the asterisks of bold and italic type."""
    text = re.sub(r"\[([^\]]+)\]\([^)\s]+\)", r"\1", text)
    return re.sub(r"(?<![A-Za-z0-9_*`])(\*{1,2})(?=\S)([^*`]*(?:`[^`]*`[^*`]*)*)(?<=\S)\1(?![A-Za-z0-9_])", r"\2", text)


def _formula(tex: str) -> Markup:
    try:
        return Markup(mathml(tex, False))
    except FormulaError as error:
        raise FenceError(f"${tex}$: {error}", REMEDY) from None


def link_to(project: Project, page: Page, target: str) -> Link:
    """Return a link to `target`, `page.md#section` below docs/. Its text is the title of the target page.

    On a Chinese page, the title of an English page is translated if interface.yml has it.

    Raises:
        FenceError: there is no such page.
    """
    name, mark, section = target.partition("#")
    target_page = edition.page_in_edition(project, _check_page(project, name), page.path)
    href = f"{link(address(target_page), page.path)}{mark}{section}"
    return Link(href, say(project.title(target_page)), link_language(target_page, page.path))


def _link(project: Project, page: Page, target: str, text: str) -> Link:
    name, mark, section = target.partition("#")
    language = None
    if name.endswith(".md"):
        target_page = _check_page(project, posixpath.normpath(posixpath.join(posixpath.dirname(page.source), name)))
        target_page = edition.page_in_edition(project, target_page, page.path)
        name, language = link(address(target_page), page.path), link_language(target_page, page.path)
    return Link(f"{name}{mark}{section}", text, language)


def _check_page(project: Project, name: str) -> str:
    if not inputs.is_file(project.docs / name):
        new_name = reading_order.new_name(project.docs, name)
        remedy = close_match(name, project.pages(), "name a page below docs/")
        remedy = f"the page is now {new_name}" if new_name else remedy
        raise FenceError(f"broken link: page {name!r} does not exist", remedy)
    return name
