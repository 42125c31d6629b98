"""The kinds of fences of this site: the function that shows one registers it, with its keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from snippetcheck.kinds import KINDS, Kind, register

if TYPE_CHECKING:
    from gradnotes.fences.markup import Page
    from gradnotes.fences.project import Project

Show = Callable[["Project", "Page", dict[str, str]], str]  # of the fence's keys, as HTML
SHOWN: dict[str, Show] = {}


def shows(kind: Kind) -> Callable[[Show], Show]:
    """Let the decorated function show the fences of this kind."""

    def shows(function: Show) -> Show:
        if kind.name not in KINDS:  # the harness has one of its own
            register(kind)
        SHOWN[kind.name] = function
        return function

    return shows
