"""A problem of a page: where it is, what it is, what to do about it."""

from __future__ import annotations

import difflib
import html
import logging
from collections.abc import Iterable
from dataclasses import dataclass


class FenceError(Exception):
    """A fence that cannot be shown. It does not know its page; the extension adds that."""

    def __init__(self, message: str, remedy: str, line: int | None = None):
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.line = line


@dataclass(frozen=True)
class Problem:
    """A problem with its place. `line` is the line in the file, front matter included."""

    page: str
    line: int
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.message}\n    {self.remedy}"

    def as_html(self) -> str:
        """The problem as a box on the page, for whoever writes it with `make serve` running."""
        place, message = html.escape(f"{self.page}:{self.line}"), html.escape(self.message)
        return (
            f'<div class="fence-error" role="alert"><p><strong>{place}</strong> {message}</p>'
            f"<p>{html.escape(self.remedy)}</p></div>"
        )


class PageError(Exception):
    """Raised at the end of a page that has problems, unless they are logged instead."""

    def __init__(self, problems: list[Problem]):
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def report(problems: list[Problem], logger: str) -> None:
    """Log each problem as a warning, or raise them all if no logger is named.

    MkDocs counts the warnings of loggers below its own, and `strict` makes them errors: so one
    build shows every problem there is.
    """
    if not logger and problems:
        raise PageError(problems)
    for problem in problems:
        logging.getLogger(logger).warning("%s", problem)


def close_match(name: str, names: Iterable[str], otherwise: str) -> str:
    """`did you mean ...?` for a misspelt name, or else the remedy given."""
    found = difflib.get_close_matches(name, sorted(set(names)), n=1, cutoff=0.5)
    return f"did you mean {found[0]}?" if found else otherwise
