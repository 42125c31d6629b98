"""The only place that knows MkDocs: the state of the fences, the pages that mkdocs-jupyter makes, and `mkdocs serve`."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from mkdocs.plugins import BasePlugin
from mkdocs.structure.pages import Page

from gradnotes import reading_order
from gradnotes.fences.extension import forget, keep, project
from gradnotes.site import finish, generate, labs

log = logging.getLogger("mkdocs.gradnotes")
_CHINESE = re.compile(r'<h[2-4] id="([^"]+)">(<span lang="zh-Hans">(.*?)</span>)')


class GradnotesPlugin(BasePlugin):
    """The events of a build, in the order in which MkDocs calls them."""

    def __init__(self) -> None:
        self.serving = False

    def on_startup(self, command: str, dirty: bool) -> None:
        """Remember whether the site is served: then it is finished here, not by a command."""
        self.serving = command == "serve"

    def on_serve(self, server: Any, config: Any, builder: Callable[[], None]) -> Any:
        """Before each further build, generate again what its sources may have changed."""

        def anew() -> None:
            for problem in generate.write(_root(config)):
                log.warning("%s", problem)
            builder()

        server.builder = anew
        server.unwatch(config["docs_dir"])  # what it holds is generated; mkdocs.yml names the sources
        return server

    def on_config(self, config: Any) -> Any:
        """Read anew what many pages share, and let mkdocs-jupyter use our template."""
        forget()
        labs.prepare(project(_root(config)).cache)
        return config

    def on_nav(self, nav: Any, config: Any, files: Any) -> Any:
        """Let the path lead on where a page is on it."""
        of = {page.file.src_uri: page for page in nav.pages}
        for before, after in pairwise(reading_order.path(_root(config) / "docs")):
            of[before.page].next_page, of[after.page].previous_page = of[after.page], of[before.page]
        return nav

    def on_pre_page(self, page: Any, config: Any, files: Any) -> Any:
        """Keep what mkdocs-jupyter makes of a notebook."""
        if page.file.src_uri.endswith(".ipynb"):
            options = config["plugins"]["mkdocs-jupyter"].config
            page.render = labs.kept_render(page, project(_root(config)).cache, options)
        return page

    def on_page_markdown(self, markdown: str, page: Any, config: Any, files: Any) -> str:
        """A notebook has no front matter: its first lines are its title and its description."""
        if page.file.src_uri.endswith(".ipynb"):
            page.meta = labs.about(Path(page.file.abs_src_path))
        return markdown

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
        if self.serving:
            finish.complete(Path(config["site_dir"]), _root(config), served=True)


def _mark_chinese(links: Any, of: dict[str, tuple[str, str]]) -> None:
    """Put the mark of the language, which MkDocs drops, back into the titles of a table of contents: id -> text, with its mark."""
    for link in links:
        link.title = link.title.replace(*of.get(link.id, ("", "")), 1)
        _mark_chinese(link.children, of)


def _root(config: Any) -> Path:
    return Path(config["config_file_path"]).parent
