"""Render a module of the engine, its comments beside its code."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

from snippetcheck.kinds import FenceType

from gradnotes import inputs
from gradnotes.engine_source import annotate
from gradnotes.engine_source.symbol_links import outline_fingerprint, pages_by_operation, source_link
from gradnotes.fences.registry import renders
from gradnotes.links import address, link
from gradnotes.markup import Page
from gradnotes.problems import FenceError
from gradnotes.project import Project


@renders(FenceType("module", ("file",)))
def render_module(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render a module of the engine: each definition with its docstring beside its code."""
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


def _render_module(project: Project, page: Page, path: Path, source: str, pages: dict[str, str]) -> str:
    """Render the parts of a module. `pages` maps an operation to the page about it."""
    module_name = annotate.module_name(path, project.root)
    intro, parts = annotate.split_module(source, path.relative_to(project.root).as_posix())
    dotted_names = annotate.dotted_names_of(source, path, project.root)
    out = [f'<div class="module"><div class="module-intro">{annotate.render_docstring(intro)}</div>']
    for part in parts:
        id_attribute = f' id="{page.id_for(part.name)}"' if part.name else ""
        heading = f"<h2{id_attribute}><code>{html.escape(part.name)}</code></h2>" if part.name else ""
        page_path = pages.get(part.name) if part.kind == "def" and ".ops." in module_name else None
        link_html = ""
        if page_path:
            href = html.escape(link(address(page_path), page.path))
            link_html = f'<p class="taught">Taught in <a href="{href}">{html.escape(project.title(page_path))}</a></p>'
        code_html = annotate.link_code(
            part, dotted_names, module_name, lambda symbol: source_link(project, symbol, page.path)
        )
        block_html = f'<pre tabindex="0"><code>{code_html}</code></pre>'
        if part.kind == "import":
            block_html = f'<details class="module-imports"><summary>Imports</summary>{block_html}</details>'
        out.append(
            f'<section><div class="module-text">{heading}{annotate.render_docstring(part.text) if part.text else ""}{link_html}</div>'
            f'<div class="module-code" data-unsearched>{block_html}</div></section>'
        )
    return "".join([*out, "</div>"])
