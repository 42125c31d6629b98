"""Raise and report problems of fences."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Iterable

from gradnotes.problems import InputError, Problem


class FenceError(InputError):
    """A fence that cannot be rendered. It does not know its page; the extension adds that."""


class PageError(Exception):
    """Raised at the end of a page that has problems, unless they are logged instead."""

    def __init__(self, problems: list[Problem]):
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def report(problems: list[Problem], logger: str) -> None:
    """Log each problem as a warning, or raise them all if no logger is named.

    MkDocs counts the warnings of its loggers, and `strict` turns them into errors, so one build reports all problems.
    """
    if not logger and problems:
        raise PageError(problems)
    for problem in problems:
        logging.getLogger(logger).warning("%s", problem)


def close_match(name: str, names: Iterable[str], otherwise: str) -> str:
    """Return `did you mean ...?` if a name is close to `name`, else the remedy `otherwise`."""
    matches = difflib.get_close_matches(name, sorted(set(names)), n=1, cutoff=0.5)
    return f"did you mean {matches[0]}?" if matches else otherwise
