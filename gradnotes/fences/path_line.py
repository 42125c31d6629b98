"""Add a line under the title of each page of the path for newcomers: number, reading time, and pages to read before."""

from __future__ import annotations

import posixpath
import xml.etree.ElementTree as etree
from collections.abc import Callable

from markdown.treeprocessors import Treeprocessor

from gradnotes import inputs, reading_order
from gradnotes.markup import Page
from gradnotes.project import Project
from gradnotes.reading_order import Stop
from gradnotes.translation import edition
from gradnotes.words import say, speaking

REMEDY = "name the page in `needs` as folder/page, without suffix"


class PathLine(Treeprocessor):
    """The Markdown processor that inserts the line under the title, with Markdown links, which MkDocs checks."""

    def __init__(self, md: object, project: Project, page: Callable[[], Page], report: Callable[[int, str, str], None]):
        super().__init__(md)  # type: ignore[arg-type]
        self.project, self.page, self.report = project, page, report

    def run(self, root: etree.Element) -> None:
        """Insert the line after the `h1` of a page on the path. Report the problems of the path that this page has."""
        docs = self.project.docs
        for problem in self.project.memoize("problems of the path", lambda: reading_order.path_problems(docs)):
            if problem.page == self.page().path:
                self.report(problem.line, problem.message, problem.remedy)
        stops = self.project.memoize("path", lambda: reading_order.path(docs))
        stop = next((candidate for candidate in stops if candidate.page == self.page().source), None)
        title = root.find("h1")
        if stop is not None and title is not None:
            with speaking(edition.words_of(self.project, self.page().path)):
                line = self.build_line(stop, stops[-1].number)
            root.insert(list(root).index(title) + 1, line)

    def build_line(self, stop: Stop, last: int) -> etree.Element:
        """Return the line under the title of page `stop` as an HTML element. `last` is the number of the last page.

        Pages in `needs` that do not exist are reported and left out.
        """
        line = etree.Element("p", {"class": "path-line"})
        text = "Checkpoint after page {number} of {last}" if stop.is_checkpoint else "Page {number} of {last}"
        line.text = say(text, number=stop.number, last=last)
        if stop.minutes is not None:
            line.text += " · " + say("{count} minute", "{count} minutes", count=stop.minutes)
        needs = [need for need in stop.needs if self.check_need(need)]
        for number, need in enumerate(needs):
            separator = say(" · builds on ") if number == 0 else say(" and ") if number == len(needs) - 1 else say(", ")
            if number:
                line[-1].tail = separator
            else:
                line.text += separator
            link = etree.SubElement(line, "a", {"href": posixpath.relpath(need, posixpath.dirname(stop.page) or ".")})
            link.text = self.project.title(edition.page_in_edition(self.project, need, self.page().path))
        return line

    def check_need(self, need: str) -> bool:
        """Return whether the page `need`, from `needs` in the front matter, is another page. If not, report a problem."""
        name = need.removesuffix(".md")
        if need == self.page().source:
            message, remedy = f"`needs` names {name!r}, which is this page", "remove it"
        elif not inputs.is_file(self.project.docs / need):
            message, remedy = f"`needs` names {name!r}, but there is no such page", REMEDY
        else:
            return True
        self.report(self.project.front_matter(self.page().path).lines.get("needs", 1), message, remedy)
        return False
