"""Render the `steps` fence: a recorded backward pass of a snippet, to step through."""

from __future__ import annotations

from snippetcheck.fence_types import FenceType

from gradnotes.engine_source.symbol_links import source_link
from gradnotes.fences import recorded
from gradnotes.fences.registry import renders
from gradnotes.links import anchor
from gradnotes.markup import Page
from gradnotes.problems import FenceError
from gradnotes.project import Project
from gradnotes.viewer import pass_viewer


@renders(FenceType("steps", ("file",), ("call",)))
def render_steps(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render the graph and the steps of the backward pass `call:`, counted from 1, of the snippet `file:`. The default is 1.

    Raises:
        FenceError: the snippet is missing, cannot be recorded, or has no such backward pass.
    """
    snippet = project.snippet(keys["file"])
    passes = recorded.load_recording(project, snippet)["passes"]
    call = keys.get("call", "1")
    if not call.isdigit() or not 1 <= int(call) <= len(passes):
        if not passes:
            raise FenceError(f"{snippet.name} has no backward pass", "name a snippet that calls backward")
        raise FenceError(
            f"`call:` must be from 1 to {len(passes)}, got {call}", f"choose a backward pass of {snippet.name}"
        )
    identifier = page.id_for(anchor(snippet.name, "steps"))
    (figure_html,) = pass_viewer.figures(
        passes, identifier, lambda symbol: source_link(project, symbol, page.path), snippet.name, int(call) - 1
    )
    return figure_html
