"""The extension itself: it hands each fence to the function that shows it, and reports what fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from pymdownx.superfences import SuperFencesCodeExtension, SuperFencesException
from snippetcheck.pages import Fence

from gradnotes import formulas, front_matter, inputs
from gradnotes.fences import (  # noqa: F401  each registers its fences
    corrections,
    drawn,
    errors,
    figures,
    glossary,
    markup,
    notes,
    path_line,
    practice,
    predictions,
    tables,
)
from gradnotes.fences.kinds import SHOWN
from gradnotes.fences.problems import FenceError, report
from gradnotes.fences.project import Project
from gradnotes.problems import InputError, Problem

_BOOKS: dict[Path, Project] = {}  # what has been read stays read from page to page


def project(root: Path) -> Project:
    """The project of the project at `root`."""
    return _BOOKS.setdefault(root.resolve(), Project(root.resolve()))


def forget() -> None:
    """Before a build: derive again what depends on many files."""
    for project in _BOOKS.values():
        project.forget()


def keep() -> None:
    """After a build: write down what the next one need not make again."""
    for project in _BOOKS.values():
        project.cache.save()


class SnippetFences(Extension):
    """Configuration: `root`, the project's folder; `logger`, where problems go (else they are raised)."""

    def __init__(self, **config: Any):
        self.config = {
            "root": [".", "the folder that holds docs/ and snippets/"],
            "logger": ["", "log problems as warnings there, instead of raising PageError"],
        }
        super().__init__(**config)

    def extendMarkdown(self, md: Markdown) -> None:
        """Register with superfences, and look at the page before and after it."""
        root = Path(self.getConfig("root")).resolve()
        page = _PageOfFences(md, project(root), self.getConfig("logger"))
        fences = [{"name": name, "class": name, "format": page.named, "validator": _any_option} for name in SHOWN]
        fences.append({"name": "*", "class": "", "format": page.other, "validator": _any_option})
        SuperFencesCodeExtension(custom_fences=fences).extendMarkdown(md)
        md.preprocessors.register(_Before(md, page), "gradnotes.fences", 26)  # superfences has 25
        formulas.install(md, lambda: page.text, page.found)
        md.treeprocessors.register(glossary.FirstUses(md, root / "docs" / "glossary.yml"), "first_uses", 5)
        line = path_line.PathLine(md, page.project, lambda: page.page.path, page.found)
        md.treeprocessors.register(line, "path_line", 4)  # behind first_uses: titles of pages are no uses of terms
        md.treeprocessors.register(_Appended(md, page), "corrections", 3)
        md.treeprocessors.register(_Addresses(md, page), "addresses", 2)  # MkDocs reads them at 0
        md.postprocessors.register(_After(md, page), "gradnotes.fences", 0)


def _any_option(
    language: str, inputs: dict[str, str], options: dict[str, Any], attrs: dict[str, str], md: Markdown
) -> bool:
    """Let superfences read every fence: what is wrong with one is said with page and line, not by it."""
    options.update(inputs)
    return True


class _PageOfFences:
    """The fences of the page that is being converted, in the order in which superfences meets them."""

    def __init__(self, md: Markdown, project: Project, logger: str):
        self.md = md
        self.project = project
        self.logger = logger
        self.begin([])

    def begin(self, lines: list[str]) -> None:
        """Find the fences of the page whose body is `lines`."""
        name, self.text = self.source(lines)
        self.page = markup.Page(name, set())
        self.problems: list[Problem] = []
        if self.text != "\n".join(lines):  # the file of the page, front matter included
            self.problems += front_matter.read(self.project.docs, name).problems
        self.waiting = list(self.project.fences(name, self.text))
        for fence in self.waiting:
            if fence.problem:
                line = fence.problem_line or fence.line
                self.problems.append(Problem(name, line, fence.problem, fence.remedy or ""))

    def name(self) -> str | None:
        """The page's path below docs/, where MkDocs or Zensical has left it: with a processor of its own."""
        for processors, name, attribute, path in (
            (self.md.treeprocessors, "relpath", "file", "src_uri"),
            (self.md.preprocessors, "rendering_context", "page", "path"),
        ):
            if name in processors:
                return getattr(getattr(processors[name], attribute), path)
        return None

    def source(self, lines: list[str]) -> tuple[str, str]:
        """The page's path below docs/, and its whole text if the file can be found."""
        name, body = self.name(), "\n".join(lines)
        if name is None:
            return "page.md", body
        if inputs.is_file(self.project.docs / name):
            text = self.project.text(name)
            if text.rstrip().endswith(body.rstrip()):
                return name, text
        return name, body

    def end(self) -> None:
        """Report what went wrong, and the fences that superfences left as they were."""
        unread = (f for f in self.waiting if not f.problem)
        for fence in unread:
            message = f"this {fence.kind} fence is not read as one"
            remedy = "leave a blank line before it, and indent it like the text around it"
            self.problems.append(Problem(self.page.path, fence.line, message, remedy))
        self.waiting = []
        problems, self.problems = sorted(self.problems, key=lambda problem: problem.line), []
        report(problems, self.logger)

    def take(self, kind: str, source: str) -> Fence | None:
        """The next fence of this kind with this body."""
        body = [line.strip() for line in source.split("\n")]
        for index, fence in enumerate(self.waiting):
            if fence.kind == kind and [line.strip() for line in fence.body] == body:
                return self.waiting.pop(index)
        empty = [f for f in self.waiting if f.kind == kind and not "".join(f.body).strip()]
        if empty and not source.strip():
            self.waiting.remove(empty[0])
            return empty[0]
        return None

    def appended(self) -> str:
        """What stands at the end of a page without a fence: the corrections of the notes that it proves."""
        try:
            return corrections.of_page(self.project, self.page)
        except InputError:
            return ""  # an error in docs/errata is told once, by the page that lists them all

    def found(self, line: int, message: str, remedy: str) -> None:
        """Remember what is wrong on the page outside its fences."""
        self.problems.append(Problem(self.page.path, line, message, remedy))

    def problem(self, fence: Fence | None, message: str, remedy: str, known: bool = False) -> str:
        line = (fence.problem_line or fence.line) if fence else 1
        found = Problem(self.page.path, line, message, remedy)
        if not known:
            self.problems.append(found)
        return found.as_html()

    def named(self, source: str, language: str, *_: Any, **__: Any) -> str:
        """Show a fence that names something."""
        fence = self.take(language, source)
        if fence is None:
            return self.problem(None, f"a {language} fence that cannot be placed", "check its indentation")
        if fence.problem:
            return self.problem(fence, fence.problem, fence.remedy or "", known=True)
        try:
            return SHOWN[language](self.project, self.page, fence.keys)
        except InputError as error:
            return self.problem(fence, error.message, error.remedy)
        except Exception as error:  # superfences would swallow it and show the fence as text
            raise SuperFencesException(f"{self.page.path}:{fence.line}: {error!r}") from error

    def other(self, source: str, language: str, *_: Any, **__: Any) -> str:
        """Show an illustrative fence; anything else was reported as unclassified."""
        fence = self.take("illustrative", source)
        if fence is None:
            fence = self.take("unclassified", source)
            if fence is None:
                return self.problem(None, "a fence that cannot be placed", "check its indentation")
            return self.problem(fence, fence.problem or "", fence.remedy or "", known=True)
        try:
            return figures.illustrative(self.project, source, language, fence.reason or "")
        except FenceError as error:
            return self.problem(fence, error.message, error.remedy)


class _Before(Preprocessor):
    def __init__(self, md: Markdown, page: _PageOfFences):
        super().__init__(md)
        self.page = page

    def run(self, lines: list[str]) -> list[str]:
        self.page.begin(lines)
        return lines


class _Appended(Treeprocessor):
    """A treeprocessor, since the table of contents asks the postprocessors about each heading."""

    def __init__(self, md: Markdown, page: _PageOfFences):
        super().__init__(md)
        self.page = page

    def run(self, root: Element) -> None:
        if shown := self.page.appended():
            SubElement(root, "p").text = self.md.htmlStash.store(shown)


class _Addresses(Treeprocessor):
    """Takes out addresses that are none: MkDocs would raise ValueError for them."""

    def __init__(self, md: Markdown, page: _PageOfFences):
        super().__init__(md)
        self.page = page

    def run(self, root: Element) -> None:
        for element in root.iter():
            for key in ("href", "src"):
                address = element.get(key, "")
                try:
                    urlsplit(address)
                except ValueError as error:
                    line = self.page.text.count("\n", 0, max(self.page.text.find(address), 0)) + 1
                    self.page.found(line, f"broken link {address!r}: {error}", "correct it")
                    element.set(key, "")


class _After(Postprocessor):
    def __init__(self, md: Markdown, page: _PageOfFences):
        super().__init__(md)
        self.page = page

    def run(self, text: str) -> str:
        self.page.end()
        return text
