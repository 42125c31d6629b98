"""The plugin of MkDocs: the state of the fences, front matter, the pages that mkdocs-jupyter makes, and where a broken link is.

gradnotes/serve is the only other place that knows MkDocs.
"""

from __future__ import annotations

import logging
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.pages import Page

from gradnotes import front_matter, reading_order
from gradnotes.fences.extension import forget, keep, project
from gradnotes.problems import InputError
from gradnotes.site import labs

log = logging.getLogger("mkdocs.gradnotes")
_CHINESE = re.compile(r'<h[2-4] id="([^"]+)">(<span lang="zh-Hans">(.*?)</span>)')


class GradnotesPlugin(BasePlugin):
    """The events of a build, in the order in which MkDocs calls them."""

    is_serving = False  # then gradnotes/serve begins and ends what is kept

    def on_config(self, config: Any) -> Any:
        """Read again what many pages share, and let mkdocs-jupyter use our template."""
        if not self.is_serving:
            forget()
        labs.prepare(project(_root(config)).cache)
        _link_lines.docs = _root(config) / "docs"
        return config

    def on_nav(self, nav: Any, config: Any, files: Any) -> Any:
        """Let the path lead on where a page is on it."""
        of = {page.file.src_uri: page for page in nav.pages}
        stops = [stop for stop in reading_order.path(_root(config) / "docs") if stop.page in of]
        for before, after in pairwise(stops):
            of[before.page].next_page, of[after.page].previous_page = of[after.page], of[before.page]
        return nav

    def on_pre_page(self, page: Any, config: Any, files: Any) -> Any:
        """Keep what mkdocs-jupyter makes of a notebook."""
        if page.file.src_uri.endswith(".ipynb"):
            options = config["plugins"]["mkdocs-jupyter"].config
            try:
                page.render = labs.kept_render(page, project(_root(config)).cache, options)
            except InputError as error:
                raise PluginError(f"{error.message}\n    {error.remedy}") from None
        return page

    def on_page_read_source(self, page: Any, config: Any) -> str:
        """Read a page that is not UTF-8 too: `on_page_markdown` reports it."""
        return Path(page.file.abs_src_path).read_bytes().decode("utf-8-sig", "replace")

    def on_page_markdown(self, markdown: str, page: Any, config: Any, files: Any) -> str:
        """Read the front matter as all of gradnotes does; a notebook has none: its first lines are title and description."""
        if page.file.src_uri.endswith(".ipynb"):
            try:
                page.meta = labs.about(Path(page.file.abs_src_path), page.file.src_uri)
            except InputError as error:
                raise PluginError(f"{error.message}\n    {error.remedy}") from None
            return markdown
        front = front_matter.read(Path(config["docs_dir"]), page.file.src_uri)
        page.meta = dict(front.values)
        template = page.meta.get("template")
        if template and not any((Path(folder) / template).is_file() for folder in config["theme"].dirs):
            del page.meta["template"]
            message = f"no template {template!r}"
            log.warning("%s", front.problem("template", message, "name one of overrides/, or take the line out"))
        return front.body

    def on_page_content(self, html: str, page: Any, config: Any, files: Any) -> str:
        """Convert what mkdocs-jupyter made of a notebook like the Markdown of any page; Chinese stays marked in the contents."""
        if not page.file.src_uri.endswith(".ipynb"):
            _mark_chinese(page.toc, {name: (text, marked) for name, marked, text in _CHINESE.findall(html)})
            return html
        page.markdown, figures = labs.split(html, log.name)
        Page.render(page, config, files)  # the plugin has put its own in the place of `page.render`
        return labs.join(page.content, figures)

    def on_post_build(self, config: Any) -> None:
        """Keep what the next build need not make again."""
        keep()


class _LinkLines(logging.Filter):
    """Puts page and line in front of what MkDocs says of a broken link."""

    _MESSAGE = re.compile(
        r"Doc file '(?P<page>[^']+)' contains an? (?P<kind>[\w ]*link) '(?P<link>[^']+)', (?P<reason>.*)", re.DOTALL
    )
    docs = Path("docs")

    def filter(self, record: logging.LogRecord) -> bool:
        match = self._MESSAGE.fullmatch(record.getMessage())
        if match:
            link, reason = match["link"], match["reason"].removeprefix("but ")
            record.msg = f"{match['page']}:{self.line(match['page'], link)}: broken {match['kind']} {link!r}: {reason}\n    correct it"
            record.args = ()
        return True

    def line(self, page: str, link: str) -> int:
        """The line in which a page has this link; 1 where it cannot be found."""
        path = self.docs / page
        text = path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""
        return text.count("\n", 0, max(text.find(f"({link}"), text.find(f": {link}"), 0)) + 1


_link_lines = _LinkLines()
logging.getLogger("mkdocs.structure.pages").addFilter(_link_lines)


def _mark_chinese(links: Any, of: dict[str, tuple[str, str]]) -> None:
    """Put the mark of the language, which MkDocs drops, back into the titles of a table of contents: id -> text, with its mark."""
    for link in links:
        link.title = link.title.replace(*of.get(link.id, ("", "")), 1)
        _mark_chinese(link.children, of)


def _root(config: Any) -> Path:
    return Path(config["config_file_path"]).parent
