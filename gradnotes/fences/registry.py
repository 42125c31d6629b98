"""Register fence types and the functions that render their fences."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from snippetcheck.fence_types import FENCE_TYPES, FenceType, register

if TYPE_CHECKING:
    from gradnotes.markup import Page
    from gradnotes.project import Project

Render = Callable[["Project", "Page", dict[str, str]], str]  # takes the fence's keys, returns HTML
FENCE_RENDERERS: dict[str, Render] = {}  # by name of the fence type


def renders(kind: FenceType) -> Callable[[Render], Render]:
    """Return a decorator that registers a function as the renderer of a fence type, and the type if it is new."""

    def register_renderer(function: Render) -> Render:
        if kind.name not in FENCE_TYPES:  # the harness registers its own types
            register(kind)
        FENCE_RENDERERS[kind.name] = function
        return function

    return register_renderer
