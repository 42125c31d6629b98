"""Render code that does not run."""

from __future__ import annotations

from gradnotes.fences import highlight
from gradnotes.markup import inline
from gradnotes.project import Project
from gradnotes.words import say


def render_illustrative(project: Project, source: str, language: str, reason: str) -> str:
    """Render a block that is not run, with its reason. Plain text, such as a formula, is not labelled "Not run"."""
    return (
        f'<figure class="illustrative"><figcaption>{"" if language == "text" else say("Not run: ")}{inline(reason)}</figcaption>'
        f"{highlight.block(source, language, project.cache)}</figure>"
    )
