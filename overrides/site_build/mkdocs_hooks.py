"""The only place that knows MkDocs: each hook calls one plain function of this package."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File
from snippet_fences.extension import forget, keep

from site_build import engine_pages, nav
from site_build.finish import finish

log = logging.getLogger("mkdocs.site_build")
_serving = False
_generated: dict[str, str] = {}


def on_startup(command: str, dirty: bool) -> None:
    """Remember whether the site is served: the server adds a script of its own to each page."""
    global _serving
    _serving = command == "serve"


def on_config(config: Any) -> Any:
    """Order the pages."""
    found = nav.build(Path(config["docs_dir"]))
    for problem in found.problems:
        log.warning("%s", problem)
    root = Path(config["config_file_path"]).parent
    _generated.clear()
    _generated.update(engine_pages.pages(root))
    config["nav"] = [*found.items, {engine_pages.TITLE: list(_generated)}] if _generated else found.items
    forget()
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made from the engine's source."""
    for name, text in _generated.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_post_build(config: Any) -> None:
    """Add the files that are made from the built pages."""
    keep()
    root = Path(config["config_file_path"]).parent
    finish(Path(config["site_dir"]), root, with_policy=not _serving)
