"""The only place that knows MkDocs: each hook calls one plain function of this package."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from site_build import nav
from site_build.finish import finish

log = logging.getLogger("mkdocs.site_build")
_serving = False


def on_startup(command: str, dirty: bool) -> None:
    """Remember whether the site is served: the server adds a script of its own to each page."""
    global _serving
    _serving = command == "serve"


def on_config(config: Any) -> Any:
    """Order the pages."""
    found = nav.build(Path(config["docs_dir"]))
    for problem in found.problems:
        log.warning("%s", problem)
    config["nav"] = found.items
    return config


def on_post_build(config: Any) -> None:
    """Add the files that are made from the built pages."""
    root = Path(config["config_file_path"]).parent
    finish(Path(config["site_dir"]), root, with_policy=not _serving)
