"""The `...` of an author, which stand for any text, and those that torch itself prints."""

from __future__ import annotations

import re

_ELLIPSIS_OF_TENSOR = re.compile(r"(?:^|[\[,])[ ]*(\.\.\.)(?=,)|^[ \[]*(\.\.\.)[ \],]*$")
_ELLIPSIS_OF_CALL = re.compile(r"\((\.\.\.)\)")  # as in "Use .reshape(...) instead"


def wildcards(expected: str, in_message: bool = False) -> list[tuple[int, int]]:
    """Where the author's `...` stand in a line: those that torch prints are not among them."""
    literal = {match.end(match.lastindex or 0) for match in _ELLIPSIS_OF_TENSOR.finditer(expected)}
    if in_message:
        literal |= {match.end(1) for match in _ELLIPSIS_OF_CALL.finditer(expected)}
    return [match.span() for match in re.finditer(r"\.\.\.", expected) if match.end() not in literal]


def says_nothing(expected: str, in_message: bool = False) -> bool:
    """Whether there is no word and no number beside the author's `...`."""
    spans = wildcards(expected, in_message)
    for first, last in reversed(spans):
        expected = expected[:first] + expected[last:]
    return bool(spans) and not re.search(r"\w", expected)
