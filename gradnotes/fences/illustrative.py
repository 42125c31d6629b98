"""Render `illustrative` blocks, which are not run, such as a formula, or code for another machine."""

from __future__ import annotations

from markupsafe import Markup

from gradnotes.fences import highlight
from gradnotes.project import Project
from gradnotes.templating import render


def render_illustrative(project: Project, source: str, language: str, reason: str) -> Markup:
    """Render a block with the reason why it is not run. A block of language `text` is not labelled "Not run"."""
    code = highlight.code(source, language, project.cache)
    return render("illustrative", code=code, is_program=language != "text", reason=reason)
