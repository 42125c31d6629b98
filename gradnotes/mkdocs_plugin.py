"""The only place that knows MkDocs: each event calls one plain function of `gradnotes`."""

from __future__ import annotations

import gc
import logging
from itertools import pairwise
from pathlib import Path
from typing import Any

from jinja2 import FileSystemBytecodeCache
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page

from gradnotes import reading_order
from gradnotes.fences.extension import forget, keep, project
from gradnotes.site import engine_pages, labs, llms
from gradnotes.site.after_build import complete
from gradnotes.site.llms import Listed

log = logging.getLogger("mkdocs.gradnotes")


class GradnotesPlugin(BasePlugin):
    """The events of a build, in the order in which MkDocs calls them."""

    def __init__(self) -> None:
        self.serving = False
        self.generated: dict[str, str] = {}
        self.pages: list[Any] = []

    def on_startup(self, command: str, dirty: bool) -> None:
        """Remember whether the site is served: the server adds a script of its own to each page."""
        self.serving = command == "serve"
        if not self.serving:
            gc.set_threshold(200_000, 50, 50)  # a build ends soon: looking for cycles took it a twentieth of its time

    def on_config(self, config: Any) -> Any:
        """Order the pages."""
        found = reading_order.nav(Path(config["docs_dir"]))
        for problem in found.problems:
            log.warning("%s", problem)
        root = Path(config["config_file_path"]).parent
        self.generated.clear()
        self.generated.update(engine_pages.pages(root))
        engine = [engine_pages.nav(self.generated)] if self.generated else []
        config["nav"] = [*found.items, *engine]
        forget()
        labs.prepare(project(root).cache)
        return config

    def on_files(self, files: Any, config: Any) -> Any:
        """Add the pages that are made from the engine's source."""
        for name, text in self.generated.items():
            files.append(File.generated(config, name, content=text))
        return files

    def on_nav(self, nav: Any, config: Any, files: Any) -> Any:
        """Remember the order of the pages for llms.txt, and let the path lead on where a page is on it."""
        self.pages[:] = nav.pages
        of = {page.file.src_uri: page for page in nav.pages}
        for before, after in pairwise(reading_order.path(Path(config["docs_dir"]))):
            of[before.page].next_page, of[after.page].previous_page = of[after.page], of[before.page]
        return nav

    def on_pre_page(self, page: Any, config: Any, files: Any) -> Any:
        """Let a page be made in another way than from Markdown: it then has its own `render`, as mkdocs-jupyter does it."""
        root = Path(config["config_file_path"]).parent
        if page.file.src_uri in self.generated and page.file.src_uri != engine_pages.INDEX:
            page.render = lambda config, files: engine_pages.render(page, project(root))
        elif page.file.src_uri.endswith(".ipynb"):
            page.render = labs.kept_render(page, project(root).cache, config["plugins"]["mkdocs-jupyter"].config)
        return page

    def on_env(self, env: Any, config: Any, files: Any) -> Any:
        """Keep compiled templates: jinja2 compiles one again when its source is another."""
        folder = Path(config["config_file_path"]).parent / ".cache" / "site" / "templates"
        folder.mkdir(parents=True, exist_ok=True)
        env.bytecode_cache = FileSystemBytecodeCache(str(folder))
        return env

    def on_page_markdown(self, markdown: str, page: Any, config: Any, files: Any) -> str:
        """A notebook has no front matter: its first lines are its title and its description."""
        if page.file.src_uri.endswith(".ipynb"):
            page.meta = labs.about(Path(page.file.abs_src_path))
        return markdown

    def on_page_content(self, html: str, page: Any, config: Any, files: Any) -> str:
        """Convert what mkdocs-jupyter made of a notebook like the Markdown of any page."""
        if not page.file.src_uri.endswith(".ipynb"):
            return html
        page.markdown, figures = labs.split(html, log.name)
        Page.render(page, config, files)  # the plugin has put its own in the place of `page.render`
        return labs.join(page.content, figures)

    def on_post_build(self, config: Any) -> None:
        """Add the files that are made from the built pages."""
        root = Path(config["config_file_path"]).parent
        listed = [
            Listed(
                page.parent.title if page.parent else "",
                str(page.meta.get("title", page.title)),
                page.url,
                str(page.meta.get("description", "")),
            )
            for page in self.pages
        ]
        site = Path(config["site_dir"])
        base = config["site_url"] or ""
        (site / "llms.txt").write_text(
            llms.text(config["site_name"], config["site_description"], base, listed), encoding="utf-8"
        )
        complete(site, project(root), "" if self.serving else base, with_policy=not self.serving)
        keep()
