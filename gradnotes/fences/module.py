"""Render the `module` fence: a module of reference_impl, its docstrings beside its code."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

from markupsafe import Markup
from snippetcheck.fence_types import FenceType

from gradnotes import inputs
from gradnotes.engine_source import annotate
from gradnotes.engine_source.symbol_links import outline_fingerprint, pages_by_operation, source_link
from gradnotes.fences.registry import renders
from gradnotes.links import Link, address, link
from gradnotes.markup import Page
from gradnotes.problems import FenceError
from gradnotes.project import Project
from gradnotes.templating import render


@renders(FenceType("module", ("file",)))
def render_module(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render the module `file:`, a path below the project folder, with each docstring beside its code.

    Raises:
        FenceError: there is no such file.
        InputError: the file cannot be read or is not Python.
    """
    path = project.find_below(project.root, keys["file"])
    if path is None:
        raise FenceError(f"no module {keys['file']!r}", "name a file of the engine relative to the project folder")
    source = inputs.read_text(path, keys["file"])
    defined_names = set(re.findall(r"def (\w+)\(", source))
    pages = {name: page_path for name, page_path in pages_by_operation(project).items() if name in defined_names}
    titles = json.dumps({name: project.title(page_path) for name, page_path in pages.items()}, sort_keys=True)
    cache_key = (
        "module",
        page.path,
        source,
        outline_fingerprint(project),
        json.dumps(pages, sort_keys=True),
        titles,
    )
    return project.cache.get(cache_key, lambda: _render_module(project, page, path, source, pages))


def _render_module(project: Project, page: Page, path: Path, source: str, pages: dict[str, str]) -> Markup:
    """Render the docstring and the code of a module. `pages` maps the name of an operation to its page."""
    module_name = annotate.module_name(path, project.root)
    intro, parts = annotate.split_module(source, path.relative_to(project.root).as_posix())

    def teaching_page(part: annotate.Part) -> Link | None:
        page_path = pages.get(part.name) if part.kind == "def" and ".ops." in module_name else None
        return Link(link(address(page_path), page.path), project.title(page_path)) if page_path else None

    return render(
        "module",
        intro=intro,
        parts=[(part, page.id_for(part.name) if part.name else None, teaching_page(part)) for part in parts],
        blocks=annotate.docstring_blocks,
        linked=partial(
            annotate.link_code,
            dotted_names=annotate.dotted_names_of(source, path, project.root),
            module=module_name,
            address_of=lambda symbol: source_link(project, symbol, page.path),
        ),
    )
