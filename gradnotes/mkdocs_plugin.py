"""Connect gradnotes to MkDocs: caches, front matter, notebook pages, and the line numbers of broken links.

Only this module, gradnotes/serve and gradnotes/site/build.py import MkDocs.
"""

from __future__ import annotations

import logging
import posixpath
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.pages import Page

from gradnotes import front_matter, reading_order
from gradnotes.fences.extension import invalidate, project, save_caches
from gradnotes.notebooks import labs
from gradnotes.problems import InputError, close_match
from gradnotes.translation import sources

log = logging.getLogger("mkdocs.gradnotes")
_CHINESE = re.compile(r'<h[2-4] id="([^"]+)">(<span lang="zh-Hans">(.*?)</span>)')


class GradnotesPlugin(BasePlugin):
    """The event handlers of a build, in the order in which MkDocs calls them."""

    continues_build = False  # whether to keep the data that the caller has derived for this build before MkDocs runs

    def on_config(self, config: Any) -> Any:
        """Discard the data of the previous build, and make mkdocs-jupyter use the template of gradnotes.

        If `continues_build`, the data are kept.
        """
        if not self.continues_build:
            invalidate()
        labs.prepare(project(_root(config)).cache)
        _link_lines.docs, _link_lines.counts = _root(config) / "docs", Counter()
        return config

    def on_nav(self, nav: Any, config: Any, files: Any) -> Any:
        """Make the buttons *previous* and *next* of the pages on the path for newcomers lead along the path."""
        page_by_name = {page.file.src_uri: page for page in nav.pages}
        stops = [stop for stop in reading_order.path(_root(config) / "docs") if stop.page in page_by_name]
        for before, after in pairwise(stops):
            page_by_name[before.page].next_page, page_by_name[after.page].previous_page = (
                page_by_name[after.page],
                page_by_name[before.page],
            )
        return nav

    def on_pre_page(self, page: Any, config: Any, files: Any) -> Any:
        """Make a notebook page use the cached HTML of mkdocs-jupyter, if the notebook has not changed.

        Raises PluginError if the notebook cannot be read or is malformed.
        """
        if page.file.src_uri.endswith(".ipynb"):
            options = config["plugins"]["mkdocs-jupyter"].config
            try:
                page.render = labs.cached_render(page, project(_root(config)).cache, options)
            except InputError as error:
                raise PluginError(f"{error.message}\n    {error.remedy}") from None
        return page

    def on_page_read_source(self, page: Any, config: Any) -> str:
        """Return the text of a page, even if it is not UTF-8: gradnotes.fences.extension reports the problem."""
        return Path(page.file.abs_src_path).read_bytes().decode("utf-8-sig", "replace")

    def on_page_markdown(self, markdown: str, page: Any, config: Any, files: Any) -> str:
        """Set the metadata of a page, and return its text without front matter. Remove a `template` that does not exist, with a warning.

        The metadata of a notebook are those of `labs.read_metadata`, and its text is unchanged. Raises PluginError if a notebook cannot be
        read or is malformed.
        """
        if page.file.src_uri.endswith(".ipynb"):
            try:
                page.meta = labs.read_metadata(Path(page.file.abs_src_path), page.file.src_uri)
            except InputError as error:
                raise PluginError(f"{error.message}\n    {error.remedy}") from None
            return markdown
        front = front_matter.read(Path(config["docs_dir"]), page.file.src_uri)
        page.meta = dict(front.values)
        template = page.meta.get("template")
        if template and not any((Path(folder) / template).is_file() for folder in config["theme"].dirs):
            del page.meta["template"]
            message = f"no template {template!r}"
            log.warning("%s", front.problem("template", message, "name a file of overrides/, or remove the line"))
        return front.body

    def on_page_content(self, html: str, page: Any, config: Any, files: Any) -> str:
        """Convert a notebook, which is still Markdown, to HTML. On other pages, mark Chinese in the table of contents."""
        if not page.file.src_uri.endswith(".ipynb"):
            _mark_chinese(page.toc, {name: (text, span) for name, span, text in _CHINESE.findall(html)})
            return html
        page.markdown, figures = labs.split(html, log.name)
        Page.render(page, config, files)  # mkdocs-jupyter has replaced `page.render`
        return labs.join(page.content, figures)

    def on_post_build(self, config: Any) -> None:
        """Save the caches of the build."""
        save_caches()


class _LinkLines(logging.Filter):
    """The log filter that adds page and line to MkDocs' messages about broken links."""

    _MESSAGE = re.compile(
        r"Doc file '(?P<page>[^']+)' contains an? (?P<kind>[\w ]*link) '(?P<link>[^']+)', (?P<reason>.*)", re.DOTALL
    )
    docs = Path("docs")
    counts: Counter[tuple[str, str]] = Counter()  # how often this build has reported a link of a page

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record of a message about a broken link. Return True, so that no record is dropped."""
        match = self._MESSAGE.fullmatch(record.getMessage())
        if match:
            link, kind = self.original_link(match["page"], match["link"]), match["kind"]
            source, line = self.location(match["page"], link)
            reason, _, suggestion = match["reason"].removeprefix("but ").partition(" Did you mean ")
            reason = {"unrecognized relative link": "not a file", "absolute link": "must be relative"}.get(kind, reason)
            remedy = f"did you mean {suggestion}" if suggestion else "correct it"
            if "is not found" in reason and not suggestion:
                remedy = self.remedy(match["page"], link.partition("#")[0])
            record.msg = f"{source}:{line}: broken link {link!r}: {reason}\n    {remedy}"
            record.args = ()
        return True

    def remedy(self, page: str, path: str) -> str:
        """Return what to do about `path`, a link on a page to a missing page: its new name, or a similar name."""
        folder = posixpath.dirname(sources.english_name(page))
        names = reading_order.markdown_pages(self.docs)
        if new_name := reading_order.new_name(self.docs, posixpath.normpath(posixpath.join(folder, path))):
            return f"the page is now {posixpath.relpath(new_name, folder or '.')}"
        return close_match(path, [posixpath.relpath(name, folder or ".") for name in names], "correct it")

    def original_link(self, page: str, link: str) -> str:
        """Return a link as the author wrote it. A Chinese page is built with links that lead out of zh/ to English pages."""
        folder = posixpath.dirname(page)
        target = posixpath.normpath(posixpath.join(folder, link))
        if not sources.is_chinese(page) or sources.is_chinese(target) or target.startswith("."):
            return link
        return posixpath.relpath(target, posixpath.dirname(sources.english_name(page)) or ".")

    def location(self, page: str, link: str) -> tuple[str, int]:
        """Return the file of a page, and the number of the line with a link; the number is 1 if the page lacks the link.

        MkDocs reports each link that stands several times in their order, so the next call returns the next line. The file is a path below docs/; for a Chinese page, it is the path of the translation.
        """
        name, folder = page, self.docs
        if sources.is_chinese(page):
            name, folder = f"{sources.FOLDER}/{sources.english_name(page)}", self.docs.parent
        path = folder / name
        text = path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""
        self.counts[page, link] += 1
        starts = [match.start() for match in re.finditer(rf"(?:\(|: )<?{re.escape(link)}(?![\w#./?-])", text)] or [0]
        return name, text.count("\n", 0, starts[(self.counts[page, link] - 1) % len(starts)]) + 1


_link_lines = _LinkLines()
logging.getLogger("mkdocs.structure.pages").addFilter(_link_lines)


def _mark_chinese(links: Any, titles: dict[str, tuple[str, str]]) -> None:
    """Restore the `lang` spans that MkDocs removes from the titles of a table of contents.

    `titles` maps the id of a heading to (its text without the span, its text with the span).
    """
    for link in links:
        link.title = link.title.replace(*titles.get(link.id, ("", "")), 1)
        _mark_chinese(link.children, titles)


def _root(config: Any) -> Path:
    return Path(config["config_file_path"]).parent
