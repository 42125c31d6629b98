"""Describe a mistake in a file of the project: location, message and remedy."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """A mistake in a page or another file, with its location.

    `page` is a path below docs/; `line` counts the front matter too.
    """

    page: str
    line: int
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.message}\n    {self.remedy}"


class InputError(Exception):
    """A file is malformed or cannot be read. The message begins with the file and, if known, the line."""

    def __init__(self, message: str, remedy: str):
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class FenceError(InputError):
    """A fence cannot be rendered. The message does not name the page: gradnotes.fences.extension adds it."""


class RendererError(Exception):
    """The renderer of a fence has a bug: it raised an unexpected error. The message begins with page and line."""


class PageError(Exception):
    """A page has problems. It is raised after the whole page is rendered; a build with a logger logs them instead."""

    def __init__(self, problems: list[Problem]):
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def report(problems: list[Problem], logger: str) -> None:
    """Log each problem as a warning of `logger`, or raise one PageError with all of them if `logger` is empty.

    MkDocs counts the warnings of its loggers, and with `strict` the build then fails, after it has reported all
    problems.
    """
    if not logger and problems:
        raise PageError(problems)
    for problem in problems:
        logging.getLogger(logger).warning("%s", problem)


def close_match(name: str, names: Iterable[str], otherwise: str = "") -> str:
    """Return the remedy "did you mean ...?" if one of `names` is similar to `name`, else `otherwise` or a list of the names."""
    names = list(names)
    matches = difflib.get_close_matches(name, sorted(set(names)), n=1, cutoff=0.5)
    return f"did you mean {matches[0]}?" if matches else otherwise or f"use {', '.join(names)}"
