"""Render the `engine` fence: the source of a definition of reference_impl."""

from __future__ import annotations

from markupsafe import Markup
from snippetcheck.fence_types import FenceType

from gradnotes.engine_source import symbols
from gradnotes.engine_source.symbol_links import source_link
from gradnotes.fences import highlight
from gradnotes.fences.registry import renders
from gradnotes.markup import Page
from gradnotes.project import Project
from gradnotes.templating import render


@renders(FenceType("engine", ("symbol",)))
def render_engine(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render the source of the definition that `symbol:` names, with its file and first line."""
    source = symbols.find(keys["symbol"], project.root)
    title = source.symbol.removeprefix("reference_impl.")
    return render(
        "engine",
        id=page.id_for("engine-" + title.replace(".", "-").replace("_", "-")),
        title=title,
        location=f"{source.path.relative_to(project.root).as_posix()}:{source.first}",
        href=source_link(project, source.symbol, page.path),
        language="en" if page.is_chinese else None,
        code=highlight.code(source.text, "python", project.cache),
    )
