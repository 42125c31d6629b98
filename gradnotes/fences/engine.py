"""Render the source of a symbol of the engine."""

from __future__ import annotations

import html

from snippetcheck.kinds import FenceType

from gradnotes.engine_source import symbols
from gradnotes.engine_source.symbol_links import source_link
from gradnotes.fences import highlight
from gradnotes.fences.registry import renders
from gradnotes.fences.snippet import tool_button
from gradnotes.markup import Page, as_attributes
from gradnotes.project import Project


@renders(FenceType("engine", ("symbol",)))
def render_engine(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render the source of an engine symbol, with its file and lines."""
    source = symbols.find(keys["symbol"], project.root)
    file = source.path.relative_to(project.root).as_posix()
    title = source.symbol.removeprefix("reference_impl.")
    attributes = {"id": page.id_for("engine-" + title.replace(".", "-").replace("_", "-"))}
    href = source_link(project, source.symbol, page.path)
    location = f"{html.escape(file)}:{source.first}"
    location_html = f'<a href="{html.escape(href)}">{location}</a>' if href else f"<span>{location}</span>"
    return (
        f'<figure class="engine-source"{as_attributes(attributes)}>'
        f'<figcaption><span class="snippet-title"><code>{html.escape(title)}</code></span>'
        f'<span class="snippet-tools">{tool_button("copy", title)}{location_html}</span>'
        f"</figcaption>{highlight.block(source.text, 'python', project.cache)}</figure>"
    )
