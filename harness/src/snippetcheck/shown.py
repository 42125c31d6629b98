"""Split the displayed lines of a snippet into code, output, errors and warnings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from snippetcheck.snippet import Snippet


def excerpt_span(snippet: Snippet, region: str | None = None) -> tuple[int, int]:
    """Return the first and last line of a region, or of the program after title and manifest. Raises KeyError."""
    head = snippet.manifest.last_line or snippet.title_last_line
    return snippet.regions[region] if region else (head + 1, len(snippet.lines))


def excerpt_parts(snippet: Snippet, first: int, last: int) -> Iterator[tuple[str | None, list[int]]]:
    """Yield lines `first` to `last`, grouped by sign; None is the sign of code.

    Region marks are omitted, and so are blank lines at both ends.
    """
    lines = snippet.lines
    numbers = [n for n in range(first, last + 1) if n not in snippet.region_marks]
    while numbers and not lines[numbers[0] - 1].strip():
        numbers.pop(0)
    while numbers and not lines[numbers[-1] - 1].strip():
        numbers.pop()
    signs = _line_signs(snippet)
    for sign, group in groupby(numbers, signs.get):
        yield sign, list(group)


def _line_signs(snippet: Snippet) -> dict[int, str]:
    """Return the sign of each expected line, by line number."""
    signs: dict[int, str] = {}
    for statement in snippet.statements:
        signs |= {output.line: ">" for output in statement.output}
        if statement.error:
            signs |= dict.fromkeys(range(statement.error.line, statement.error.last_line + 1), "!")
        for warning in statement.warnings:
            signs |= dict.fromkeys(range(warning.line, warning.last_line + 1), "~")
    return signs
