"""Which lines of a snippet a page shows, and what each is: code, or what it prints, raises or warns of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from snippetcheck.snippet import Snippet


def span(snippet: Snippet, region: str | None = None) -> tuple[int, int]:
    """The first and the last line of a region, or of all that comes after title and manifest. Raises KeyError."""
    head = snippet.manifest.last_line or snippet.title_last_line
    return snippet.regions[region] if region else (head + 1, len(snippet.lines))


def parts(snippet: Snippet, first: int, last: int) -> Iterator[tuple[str | None, list[int]]]:
    """Lines `first` to `last` in groups of one sign, None for code. Marks of regions and blank lines at the ends are left out."""
    lines = snippet.lines
    numbers = [n for n in range(first, last + 1) if n not in snippet.region_marks]
    while numbers and not lines[numbers[0] - 1].strip():
        numbers.pop(0)
    while numbers and not lines[numbers[-1] - 1].strip():
        numbers.pop()
    signs = _signs(snippet)
    for sign, group in groupby(numbers, signs.get):
        yield sign, list(group)


def _signs(snippet: Snippet) -> dict[int, str]:
    """For each line that is expected: its sign."""
    signs: dict[int, str] = {}
    for statement in snippet.statements:
        signs |= {output.line: ">" for output in statement.output}
        if statement.error:
            signs |= dict.fromkeys(range(statement.error.line, statement.error.last_line + 1), "!")
        for warning in statement.warnings:
            signs |= dict.fromkeys(range(warning.line, warning.last_line + 1), "~")
    return signs
