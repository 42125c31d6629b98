"""Describe a mistake in a file of the project: location, message and remedy."""

from __future__ import annotations

import html
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """A problem with its location. `page` is a path below docs/, `line` the line in the file, front matter included."""

    page: str
    line: int
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.message}\n    {self.remedy}"

    def as_html(self) -> str:
        """Return the problem as a box on the page, for the author who has `make serve` running."""
        location, message = html.escape(f"{self.page}:{self.line}"), html.escape(self.message)
        return (
            f'<div class="fence-error" role="alert"><p><strong>{location}</strong> {message}</p>'
            f"<p>{html.escape(self.remedy)}</p></div>"
        )


class InputError(Exception):
    """A malformed file. The message begins with the file and, if known, the line."""

    def __init__(self, message: str, remedy: str):
        super().__init__(message)
        self.message = message
        self.remedy = remedy
