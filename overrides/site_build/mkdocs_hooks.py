"""The only place that knows MkDocs: each hook calls one plain function of this package."""

from __future__ import annotations

import gc
import logging
from pathlib import Path
from typing import Any

from jinja2 import FileSystemBytecodeCache
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page
from snippet_fences.extension import book, forget, keep

from site_build import engine_pages, labs, llms, nav, nav_entries
from site_build.finish import finish
from site_build.llms import Listed

log = logging.getLogger("mkdocs.site_build")
_serving = False
_generated: dict[str, str] = {}
_pages: list[Any] = []


def on_startup(command: str, dirty: bool) -> None:
    """Remember whether the site is served: the server adds a script of its own to each page."""
    global _serving
    _serving = command == "serve"
    if not _serving:
        gc.set_threshold(200_000, 50, 50)  # a build ends soon: looking for cycles took it a twentieth of its time


def on_config(config: Any) -> Any:
    """Order the pages."""
    found = nav.build(Path(config["docs_dir"]))
    for problem in found.problems:
        log.warning("%s", problem)
    root = Path(config["config_file_path"]).parent
    _generated.clear()
    _generated.update(engine_pages.pages(root))
    engine = [engine_pages.nav(_generated)] if _generated else []
    config["nav"] = [*found.items, *engine]
    forget()
    labs.prepare(book(root).kept)
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made from the engine's source."""
    for name, text in _generated.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_nav(nav: Any, config: Any, files: Any) -> Any:
    """Remember the order of the pages for llms.txt."""
    _pages[:] = nav.pages
    return nav


def on_pre_page(page: Any, config: Any, files: Any) -> Any:
    """Let a page be made in another way than from Markdown: it then has its own `render`, as mkdocs-jupyter does it."""
    root = Path(config["config_file_path"]).parent
    if page.file.src_uri in _generated and page.file.src_uri != engine_pages.INDEX:
        page.render = lambda config, files: engine_pages.render(page, book(root))
    elif page.file.src_uri.endswith(".ipynb"):
        page.render = labs.kept_render(page, book(root).kept, config["plugins"]["mkdocs-jupyter"].config)
    return page


def on_env(env: Any, config: Any, files: Any) -> Any:
    """Keep compiled templates (jinja2 compiles one again when its source is another), and lend them what is slow in them."""
    env.globals["nav_entries"] = nav_entries.entries
    folder = Path(config["config_file_path"]).parent / ".cache" / "site" / "templates"
    folder.mkdir(parents=True, exist_ok=True)
    env.bytecode_cache = FileSystemBytecodeCache(str(folder))
    return env


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """A notebook has no front matter: its first lines are its title and its description."""
    if page.file.src_uri.endswith(".ipynb"):
        page.meta = labs.about(Path(page.file.abs_src_path))
    return markdown


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Convert what mkdocs-jupyter made of a notebook like the Markdown of any page."""
    if not page.file.src_uri.endswith(".ipynb"):
        return html
    page.markdown, figures = labs.split(html, log.name)
    Page.render(page, config, files)  # the plugin has put its own in the place of `page.render`
    return labs.join(page.content, figures)


def on_post_build(config: Any) -> None:
    """Add the files that are made from the built pages."""
    root = Path(config["config_file_path"]).parent
    listed = [
        Listed(
            page.parent.title if page.parent else "",
            str(page.meta.get("title", page.title)),
            page.url,
            str(page.meta.get("description", "")),
        )
        for page in _pages
    ]
    site = Path(config["site_dir"])
    base = config["site_url"] or ""
    (site / "llms.txt").write_text(
        llms.text(config["site_name"], config["site_description"], base, listed), encoding="utf-8"
    )
    finish(site, book(root), with_policy=not _serving)
    keep()
