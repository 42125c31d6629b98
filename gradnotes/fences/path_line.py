"""The line under the title of a page of the path: where on it the page is, how long it takes, what it builds on."""

from __future__ import annotations

import posixpath
import xml.etree.ElementTree as etree
from collections.abc import Callable

from markdown.treeprocessors import Treeprocessor
from snippetcheck.source import plural

from gradnotes import inputs, reading_order
from gradnotes.fences.project import Project
from gradnotes.reading_order import Stop

REMEDY = "name the page in `needs` as folder/page, without suffix"


class PathLine(Treeprocessor):
    """Puts the line behind the title. Its links are those of Markdown, so that the generator resolves and checks them."""

    def __init__(self, md: object, project: Project, page: Callable[[], str], report: Callable[[int, str, str], None]):
        super().__init__(md)  # type: ignore[arg-type]
        self.project, self.page, self.report = project, page, report

    def run(self, root: etree.Element) -> None:
        """Nothing happens on a page that is not on the path, or that has no title in its text."""
        docs = self.project.docs
        for problem in self.project.once("problems of the path", lambda: reading_order.path_problems(docs)):
            if problem.page == self.page():
                self.report(problem.line, problem.message, problem.remedy)
        stops = self.project.once("path", lambda: reading_order.path(docs))
        stop = next((one for one in stops if one.page == self.page()), None)
        title = root.find("h1")
        if stop is not None and title is not None:
            root.insert(list(root).index(title) + 1, self.line(stop, stops[-1].number))

    def line(self, stop: Stop, last: int) -> etree.Element:
        line = etree.Element("p", {"class": "path-line"})
        line.text = f"Checkpoint after page {stop.number}" if stop.is_checkpoint else f"Page {stop.number}"
        line.text += f" of {last}"
        if stop.minutes is not None:
            line.text += f" · {plural(stop.minutes, 'minute')}"
        needed = [need for need in stop.needs if self.known(need)]
        for number, need in enumerate(needed):
            before = " · builds on " if number == 0 else " and " if number == len(needed) - 1 else ", "
            if number:
                line[-1].tail = before
            else:
                line.text += before
            link = etree.SubElement(line, "a", {"href": posixpath.relpath(need, posixpath.dirname(stop.page) or ".")})
            link.text = self.project.title(need)
        return line

    def known(self, need: str) -> bool:
        if inputs.is_file(self.project.docs / need):
            return True
        self.report(1, f"needs {need.removesuffix('.md')!r}, which is no page", REMEDY)
        return False
