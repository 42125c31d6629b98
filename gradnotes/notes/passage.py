"""Parse references to lines of a note: `2:141-150` is note 2, lines 141 to 150."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gradnotes.problems import FenceError
from gradnotes.words import say

NOTES = {  # number of a note -> name of the page about it, docs/notes/NAME.md
    0: "pytorch-notes",
    1: "earlier-version",
    2: "autograd",
    3: "core-modules",
    4: "learning-pytorch",
}
_REFERENCE = re.compile(r"([0-4]):([1-9]\d*)(?:-([1-9]\d*))?")


@dataclass(frozen=True, order=True)
class Passage:
    """A range of lines of a note, first and last included."""

    note: int
    first: int
    last: int

    @classmethod
    def read(cls, text: object, location: str) -> Passage:
        """Parse a reference such as `2:141-150` or `2:141`.

        Raises:
            FenceError: `text` is malformed. The message begins with `location`.
        """
        match = _REFERENCE.fullmatch(str(text).strip())
        if match is None or (match[3] and int(match[3]) < int(match[2])):
            raise FenceError(
                f"{location}: {text!r} is not a passage of a note", 'write note and lines, as in "2:141-150"'
            )
        return cls(int(match[1]), int(match[2]), int(match[3] or match[2]))

    @property
    def line_phrase(self) -> str:
        """Return the lines as a phrase, such as "lines 3–5"."""
        if self.last > self.first:
            return say("lines {first}–{last}", first=self.first, last=self.last)
        return say("line {number}", number=self.first)

    def overlaps(self, other: Passage) -> bool:
        """Return whether this passage and `other` have a line in common."""
        return self.note == other.note and self.first <= other.last and other.first <= self.last

    def __str__(self) -> str:
        return say("note {number}, {lines}", number=self.note, lines=self.line_phrase)
