"""Replace each fence of a page by the HTML of its renderer, and report the problems of the page."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element, SubElement

from jinja2 import TemplateNotFound
from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from snippetcheck.markdown import BEFORE_FENCED_CODE, replace_fences
from snippetcheck.pages import Fence

from gradnotes import formulas, inputs, markup
from gradnotes.fences import (  # noqa: F401  each module registers its fence types
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
from gradnotes.problems import InputError, Problem, RendererError, report
from gradnotes.project import Project
from gradnotes.templating import render
from gradnotes.translation import edition
from gradnotes.words import speaking

PERMALINK_IN_CHINESE = "本节链接"  # the Markdown extension `toc` has one `permalink_title` for all pages
_PERMALINK = 'title="Link to this section"'

_WORD = re.compile(r"[\w#+-]+")  # the first word of an info string is the language
_PROJECTS: dict[Path, Project] = {}  # by folder; a Project is shared by all pages of a build


def project(root: Path) -> Project:
    """Return the Project for `root`. Repeated calls return the same object."""
    return _PROJECTS.setdefault(root.resolve(), Project(root.resolve()))


def invalidate() -> None:
    """Make the next build read changed files again, in all projects."""
    for project in _PROJECTS.values():
        project.invalidate()


def save_caches() -> None:
    """Save the build cache of each project, after a build."""
    for project in _PROJECTS.values():
        project.cache.save()


class SnippetFences(Extension):
    """The Python-Markdown extension. Its options are in `config`."""

    def __init__(self, **config: Any):
        self.config = {
            "root": [".", "the folder that holds docs/ and snippets/"],
            "logger": ["", "name of the logger that gets problems as warnings; if empty, PageError is raised"],
        }
        super().__init__(**config)

    def extendMarkdown(self, md: Markdown) -> None:
        """Register the processors of fences, formulas, glossary terms, tables, links and corrections."""
        root = Path(self.getConfig("root")).resolve()
        page = _PageRenderer(md, project(root), self.getConfig("logger"))
        md.preprocessors.register(_RenderFences(md, page), "gradnotes.fences", BEFORE_FENCED_CODE)
        formulas.install(md, lambda: page.text, page.add_problem)
        md.treeprocessors.register(glossary.FirstUses(md, root, lambda: page.page), "first_uses", 5)
        line = path_line.PathLine(md, page.project, lambda: page.page, page.add_problem)
        # after first_uses, which must not mark terms in this line
        md.treeprocessors.register(line, "path_line", 4)
        md.treeprocessors.register(_LinkWithinEdition(md, page), "edition", 3.8)
        md.treeprocessors.register(table_columns.TableColumns(md), "table_columns", 3.5)
        md.treeprocessors.register(_AppendCorrections(md, page), "corrections", 3)
        md.treeprocessors.register(_RemoveBadAddresses(md, page), "addresses", 2)  # MkDocs parses them with priority 0
        md.postprocessors.register(_FinishPage(md, page), "gradnotes.fences", 0)


class _PageRenderer:
    """Render the fences of one page at a time, and collect the problems of the page."""

    def __init__(self, md: Markdown, project: Project, logger: str):
        self.md = md
        self.project = project
        self.logger = logger
        self.begin([])

    def begin(self, lines: list[str]) -> None:
        """Begin the page whose Markdown, without front matter, is `lines`: find its fences and their problems."""
        name, self.text = self.source(lines)
        self.page = markup.Page(name, set())
        self.problems: list[Problem] = []
        if self.text != "\n".join(lines):  # the page has a file, whose text includes front matter
            self.problems += self.project.front_matter(name).problems
        self.fences = self.project.fences(name, self.text)
        self.problems += [self.problem(fence) for fence in self.fences if fence.problem]
        self.originals = self._english_keys() if self.page.is_chinese else {}

    def is_chinese(self) -> bool:
        """Return whether the page belongs to the Chinese edition."""
        return self.page.is_chinese

    def _english_keys(self) -> dict[int, dict[str, str]]:
        """Map the line of each fence of a Chinese page to the keys of the corresponding English fence.

        If the pages differ in the number of fences, which gradnotes.translation.comparison reports, fences of the same
        snippet or exercise correspond.
        """
        english = list(self.project.fences(self.page.source))
        if len(english) == len(self.fences):
            return {fence.line: other.keys for fence, other in zip(self.fences, english, strict=True)}
        originals = {}
        for fence in self.fences:
            key = _identity(fence)
            if match := next((other for other in english if _identity(other) == key), None):
                english.remove(match)
                originals[fence.line] = match.keys
        return originals

    def name(self) -> str | None:
        """Return the page's path below docs/, from the processor that MkDocs or Zensical adds, or None without either."""
        for processors, name, attribute, path in (
            (self.md.treeprocessors, "relpath", "file", "src_uri"),
            (self.md.preprocessors, "rendering_context", "page", "path"),
        ):
            if name in processors:
                return getattr(getattr(processors[name], attribute), path)
        return None

    def source(self, lines: list[str]) -> tuple[str, str]:
        """Return the path of the page below docs/, and its text.

        The text is that of the file, with front matter, or that of `lines` if the file does not end with `lines`.
        """
        name, body = self.name(), "\n".join(lines)
        if name is None:
            return "page.md", body
        if inputs.is_file(self.project.page_file(name)):
            text = self.project.text(name)
            normalize = self.md.preprocessors["normalize_whitespace"].run  # tabs and blank lines, as in `lines`
            if "\n".join(normalize(text.split("\n"))).rstrip().endswith(body.rstrip()):
                return name, text
        return name, body

    def end(self) -> None:
        """Report the problems of the page: log them, or raise PageError if there is no logger."""
        problems, self.problems = sorted(self.problems, key=lambda problem: problem.line), []
        report(problems, self.logger)

    def corrections_html(self) -> str:
        """Render the corrections of the notes whose proof is on the page. Without corrections, return ""."""
        try:
            with speaking(edition.words_of(self.project, self.page.path)):
                return errata.render_page_corrections(self.project, self.page)
        except InputError:
            return ""  # the page with the `errata` fence reports the error

    def add_problem(self, line: int, message: str, remedy: str) -> None:
        """Add a problem that is not in a fence."""
        self.problems.append(Problem(self.page.path, line, message, remedy))

    def problem(self, fence: Fence, error: InputError | None = None) -> Problem:
        """Return the problem of a fence: the `error` of its renderer, by default the problem that the parser found."""
        message, remedy = (error.message, error.remedy) if error else (fence.problem or "", fence.remedy or "")
        return Problem(self.page.path, fence.problem_line or fence.line, message, remedy)

    def render(self, fence: Fence) -> str:
        """Render a fence. If it has a problem, render the message instead.

        Raises:
            RendererError: the renderer of the fence has a bug.
        """
        if fence.problem:
            return render("problem", problem=self.problem(fence))
        try:
            with speaking(edition.words_of(self.project, self.page.path)):
                return self._render_sound_fence(fence)
        except InputError as error:
            problem = self.problem(fence, error)
        except TemplateNotFound as error:  # also an OSError
            reason = InputError(f"no template {error.name!r}", "create it in gradnotes/templates/")
            problem = self.problem(fence, reason)
        except OSError as error:  # while the page is built, an editor may delete or rename a file
            file = Path(error.filename or self.page.path).name
            reason = InputError(f"{file} cannot be read: {error.strerror or error}", "save it again")
            problem = self.problem(fence, reason)
        except Exception as error:
            raise RendererError(f"{self.page.path}:{fence.line}: {error!r}") from error
        self.problems.append(problem)
        return render("problem", problem=problem)

    def _render_sound_fence(self, fence: Fence) -> str:
        if fence.kind == "illustrative":
            source, language = "\n".join(fence.body), _WORD.findall(fence.info)[0]
            return illustrative.render_illustrative(self.project, source, language, fence.reason or "")
        page = replace(self.page, original=self.originals.get(fence.line)) if self.originals else self.page
        return FENCE_RENDERERS[fence.kind](self.project, page, fence.keys)


def _identity(fence: Fence) -> tuple[str | None, ...]:
    return (fence.kind, *(fence.keys.get(key) for key in ("file", "region", "of", "nth", "part")))


class _RenderFences(Preprocessor):
    """Preprocessor that replaces the fences of a page by their HTML."""

    def __init__(self, md: Markdown, page: _PageRenderer):
        super().__init__(md)
        self.page = page

    def run(self, lines: list[str]) -> list[str]:
        self.page.begin(lines)
        fences = [fence for fence in self.page.fences if fence.is_delimited]
        front_matter_length = self.page.text.rstrip().count("\n") - "\n".join(lines).rstrip().count("\n")
        store = self.page.md.htmlStash.store
        return replace_fences([""] * front_matter_length + lines, fences, lambda fence: store(self.page.render(fence)))[
            front_matter_length:
        ]


class _AppendCorrections(Treeprocessor):
    """Append to a page the corrections of the notes whose proof, a snippet, is on this page.

    This is not a postprocessor, because the extension `toc` runs the postprocessors on each heading.
    """

    def __init__(self, md: Markdown, page: _PageRenderer):
        super().__init__(md)
        self.page = page

    def run(self, root: Element) -> None:
        if html := self.page.corrections_html():
            SubElement(root, "p").text = self.md.htmlStash.store(html)


class _LinkWithinEdition(Treeprocessor):
    """Make each link of a Chinese page lead to a Chinese page or, if that is missing, to the English page."""

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
            english_target = normpath(join(dirname(page.source), path))
            target = edition.page_in_edition(project, english_target, page.path)
            element.set("href", f"{link(target, page.path)}{mark}{section}")
            if target == english_target:
                element.set("hreflang", "en")


class _RemoveBadAddresses(Treeprocessor):
    """Report and remove malformed addresses of links and pictures, for which MkDocs would raise ValueError."""

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
    """Report the problems of a page when it is complete, and translate the titles of permalinks on Chinese pages."""

    def __init__(self, md: Markdown, page: _PageRenderer):
        super().__init__(md)
        self.page = page

    def run(self, text: str) -> str:
        self.page.end()
        return text.replace(_PERMALINK, f'title="{PERMALINK_IN_CHINESE}"') if self.page.is_chinese() else text
