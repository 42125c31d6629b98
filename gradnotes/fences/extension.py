"""Hand each fence to its renderer, and report what fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from posixpath import dirname, join, normpath
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

from gradnotes import formulas, inputs, markup
from gradnotes.fences import (  # noqa: F401  each registers its fences
    engine,
    engine_names,
    errata,
    error_cards,
    errors,
    evidence,
    exercise,
    figure,
    glossary,
    ideas,
    illustrative,
    module,
    operations,
    path_line,
    path_summary,
    predict,
    snippet,
    steps,
    table_columns,
)
from gradnotes.fences.registry import FENCE_RENDERERS
from gradnotes.links import link
from gradnotes.problems import FenceError, InputError, Problem, report
from gradnotes.project import Project
from gradnotes.words import speaking

PERMALINK_IN_CHINESE = "本节链接"  # the option `permalink_title` of `toc` knows one language
_PERMALINK = 'title="Link to this section"'

_PROJECTS: dict[Path, Project] = {}  # shared by all pages of a build


def project(root: Path) -> Project:
    """Return the cached Project for `root`."""
    return _PROJECTS.setdefault(root.resolve(), Project(root.resolve()))


def invalidate() -> None:
    """Discard derived data before a build."""
    for project in _PROJECTS.values():
        project.invalidate()


def save_caches() -> None:
    """Save the caches after a build."""
    for project in _PROJECTS.values():
        project.cache.save()


class SnippetFences(Extension):
    """The Markdown extension. Options: `root`, the project's folder; `logger`, which gets the problems."""

    def __init__(self, **config: Any):
        self.config = {
            "root": [".", "the folder that holds docs/ and snippets/"],
            "logger": ["", "logger that gets problems as warnings; without it PageError is raised"],
        }
        super().__init__(**config)

    def extendMarkdown(self, md: Markdown) -> None:
        """Register the renderers with superfences, and the processors that run before and after it."""
        root = Path(self.getConfig("root")).resolve()
        page = _PageRenderer(md, project(root), self.getConfig("logger"))
        fences = [
            {"name": name, "class": name, "format": page.render_named, "validator": _any_option}
            for name in FENCE_RENDERERS
        ]
        fences.append({"name": "*", "class": "", "format": page.render_other, "validator": _any_option})
        SuperFencesCodeExtension(custom_fences=fences).extendMarkdown(md)
        md.preprocessors.register(_StartPage(md, page), "gradnotes.fences", 26)  # superfences has 25
        formulas.install(md, lambda: page.text, page.add_problem)
        md.treeprocessors.register(glossary.FirstUses(md, root, page.is_chinese), "first_uses", 5)
        line = path_line.PathLine(md, page.project, lambda: page.page, page.add_problem)
        md.treeprocessors.register(
            line, "path_line", 4
        )  # after first_uses, which must not mark terms in titles of pages
        md.treeprocessors.register(_LinkWithinEdition(md, page), "edition", 3.8)
        md.treeprocessors.register(table_columns.TableColumns(md), "table_columns", 3.5)
        md.treeprocessors.register(_AppendCorrections(md, page), "corrections", 3)
        md.treeprocessors.register(_RemoveBadAddresses(md, page), "addresses", 2)  # MkDocs reads them at 0
        md.postprocessors.register(_FinishPage(md, page), "gradnotes.fences", 0)


def _any_option(
    language: str, inputs: dict[str, str], options: dict[str, Any], attrs: dict[str, str], md: Markdown
) -> bool:
    """Accept every option, so that errors in fences are reported with page and line instead of by superfences."""
    options.update(inputs)
    return True


class _PageRenderer:
    """Render the fences of one page, in the order in which superfences finds them."""

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
            self.problems += self.project.front_matter(name).problems
        self.waiting = list(self.project.fences(name, self.text))
        self.originals = self._english_keys() if self.page.is_chinese else {}
        for fence in self.waiting:
            if fence.problem:
                line = fence.problem_line or fence.line
                self.problems.append(Problem(name, line, fence.problem, fence.remedy or ""))

    def is_chinese(self) -> bool:
        """Return whether the page belongs to the Chinese edition."""
        return self.page.is_chinese

    def _english_keys(self) -> dict[int, dict[str, str]]:
        """Map the line of each fence of a Chinese page to the keys of the corresponding English fence.

        The translation gate checks that fences correspond.
        """
        english = self.project.fences(self.page.source)
        if len(english) != len(self.waiting):
            return {}
        return {fence.line: other.keys for fence, other in zip(self.waiting, english, strict=True)}

    def name(self) -> str | None:
        """Return the page's path below docs/, from the processor that MkDocs or Zensical adds."""
        for processors, name, attribute, path in (
            (self.md.treeprocessors, "relpath", "file", "src_uri"),
            (self.md.preprocessors, "rendering_context", "page", "path"),
        ):
            if name in processors:
                return getattr(getattr(processors[name], attribute), path)
        return None

    def source(self, lines: list[str]) -> tuple[str, str]:
        """Return the page's path below docs/, and its whole text if the file exists."""
        name, body = self.name(), "\n".join(lines)
        if name is None:
            return "page.md", body
        if inputs.is_file(self.project.page_file(name)):
            text = self.project.text(name)
            if text.rstrip().endswith(body.rstrip()):
                return name, text
        return name, body

    def end(self) -> None:
        """Report the problems, and the fences that superfences did not recognize."""
        unrecognized = (f for f in self.waiting if not f.problem)
        for fence in unrecognized:
            message = f"{fence.kind} fence not recognized"
            remedy = "add a blank line before it and indent it like the surrounding text"
            self.problems.append(Problem(self.page.path, fence.line, message, remedy))
        self.waiting = []
        problems, self.problems = sorted(self.problems, key=lambda problem: problem.line), []
        report(problems, self.logger)

    def take(self, kind: str, source: str) -> Fence | None:
        """Remove and return the next fence of this type with this body."""
        body = [line.strip() for line in source.split("\n")]
        for index, fence in enumerate(self.waiting):
            if fence.kind == kind and [line.strip() for line in fence.body] == body:
                return self.waiting.pop(index)
        empty = [f for f in self.waiting if f.kind == kind and not "".join(f.body).strip()]
        if empty and not source.strip():
            self.waiting.remove(empty[0])
            return empty[0]
        return None

    def corrections_html(self) -> str:
        """Render the corrections of the notes that the page proves. They are appended to the page."""
        try:
            with speaking(self.project.words(self.page.path)):
                return errata.render_page_corrections(self.project, self.page)
        except InputError:
            return ""  # the page with the `errata` fence reports it

    def add_problem(self, line: int, message: str, remedy: str) -> None:
        """Add a problem outside the fences of the page."""
        self.problems.append(Problem(self.page.path, line, message, remedy))

    def problem(self, fence: Fence | None, message: str, remedy: str, is_known: bool = False) -> str:
        """Add a problem of a fence, unless it is already known, and render it."""
        line = (fence.problem_line or fence.line) if fence else 1
        problem = Problem(self.page.path, line, message, remedy)
        if not is_known:
            self.problems.append(problem)
        return problem.as_html()

    def render_named(self, source: str, language: str, *_: Any, **__: Any) -> str:
        """Render a fence of a registered type."""
        fence = self.take(language, source)
        if fence is None:
            return self.problem(None, f"cannot locate a {language} fence", "check its indentation")
        if fence.problem:
            return self.problem(fence, fence.problem, fence.remedy or "", is_known=True)
        page = replace(self.page, original=self.originals.get(fence.line)) if self.originals else self.page
        try:
            with speaking(self.project.words(page.path)):
                return FENCE_RENDERERS[language](self.project, page, fence.keys)
        except InputError as error:
            return self.problem(fence, error.message, error.remedy)
        except OSError as error:  # while the page is built, an editor may delete or rename a file
            file = Path(error.filename or self.page.path).name
            return self.problem(fence, f"{file} cannot be read: {error.strerror or error}", "save it again")
        except Exception as error:  # superfences would swallow it and show the fence as text
            raise SuperFencesException(f"{self.page.path}:{fence.line}: {error!r}") from error

    def render_other(self, source: str, language: str, *_: Any, **__: Any) -> str:
        """Render an illustrative fence; all others have been reported as unclassified."""
        fence = self.take("illustrative", source)
        if fence is None:
            fence = self.take("unclassified", source)
            if fence is None:
                first = source.partition("\n")[0]
                message = f"cannot find the fence that begins with {first!r}"
                return self.problem(None, message, "check its indentation")
            return self.problem(fence, fence.problem or "", fence.remedy or "", is_known=True)
        try:
            with speaking(self.project.words(self.page.path)):
                return illustrative.render_illustrative(self.project, source, language, fence.reason or "")
        except FenceError as error:
            return self.problem(fence, error.message, error.remedy)


class _StartPage(Preprocessor):
    """Preprocessor that finds the fences of a page before superfences runs."""

    def __init__(self, md: Markdown, page: _PageRenderer):
        super().__init__(md)
        self.page = page

    def run(self, lines: list[str]) -> list[str]:
        self.page.begin(lines)
        return lines


class _AppendCorrections(Treeprocessor):
    """Append the corrections of a page.

    This is a treeprocessor, since the table of contents runs the postprocessors on each heading.
    """

    def __init__(self, md: Markdown, page: _PageRenderer):
        super().__init__(md)
        self.page = page

    def run(self, root: Element) -> None:
        if html := self.page.corrections_html():
            SubElement(root, "p").text = self.md.htmlStash.store(html)


class _LinkWithinEdition(Treeprocessor):
    """Point the links of a Chinese page to Chinese pages, or to English pages that have no Chinese."""

    def __init__(self, md: Markdown, page: _PageRenderer):
        super().__init__(md)
        self.page = page

    def run(self, root: Element) -> None:
        page, project = self.page.page, self.page.project
        if not page.is_chinese:
            return
        for element in root.iter("a"):
            path, mark, section = element.get("href", "").partition("#")
            if not path.endswith((".md", ".ipynb")) or ":" in path or path.startswith("/"):
                continue
            linked = normpath(join(dirname(page.source), path))
            target = project.address_in(linked, page.path)
            element.set("href", f"{link(target, page.path)}{mark}{section}")
            if target == linked:
                element.set("hreflang", "en")


class _RemoveBadAddresses(Treeprocessor):
    """Remove malformed addresses: MkDocs would raise ValueError for them."""

    def __init__(self, md: Markdown, page: _PageRenderer):
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
                    self.page.add_problem(line, f"broken link {address!r}: {error}", "correct it")
                    element.set(key, "")


class _FinishPage(Postprocessor):
    """Finish a page."""

    def __init__(self, md: Markdown, page: _PageRenderer):
        super().__init__(md)
        self.page = page

    def run(self, text: str) -> str:
        self.page.end()
        return text.replace(_PERMALINK, f'title="{PERMALINK_IN_CHINESE}"') if self.page.is_chinese() else text
