"""The numbers in printed text: where each stands, and by how much two texts differ."""

from __future__ import annotations

import decimal
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?(?![\w])|(?<!\w)[-+]?(?:nan|inf)(?!\w)")
_EXACT = decimal.Context(prec=1000, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
_BRACKETS = {"]": "[", ")": "("}


@dataclass(frozen=True)
class Number:
    """A number in a text: its place, and its index in the brackets around it, if there are any."""

    text: str
    start: int
    end: int
    index: tuple[int, ...]

    @property
    def exact(self) -> str:
        """The value, the same for `1.50` and `1.5`, and another for each digit that a float would lose."""
        try:
            return str(_EXACT.normalize(_EXACT.create_decimal(self.text)))
        except decimal.DecimalException:  # an exponent of more than 18 digits
            return self.text


@dataclass(frozen=True)
class Change:
    """A number that is another one in the second text."""

    index: tuple[int, ...]
    expected: str
    actual: str

    @property
    def absolute(self) -> float:
        """The absolute difference; nan where one of the two is nan."""
        return abs(float(self.actual) - float(self.expected))

    @property
    def relative(self) -> float:
        """The difference in relation to the expected value; inf where that is 0."""
        expected = abs(float(self.expected))
        return self.absolute / expected if expected else math.inf

    def __str__(self) -> str:
        place = f"[{', '.join(map(str, self.index))}] " if self.index else ""
        return f"{place}{self.expected} -> {self.actual}  (absolute {self.absolute:.3g}, relative {self.relative:.3g})"


def numbers(text: str) -> list[Number]:
    """The numbers in `text`. A number in square brackets has the index it would have in a tensor."""
    found: list[Number] = []
    position = 0
    stack: list[list[int | str]] = []  # per open bracket: its kind, and how many entries came before
    for match in NUMBER.finditer(text):
        _walk(text[position : match.start()], stack)
        index = tuple(int(entry[1]) for entry in stack if entry[0] == "[")
        found.append(Number(match[0], match.start(), match.end(), index))
        position = match.end()
    return found


def skeleton(text: str) -> str:
    """The text with each number replaced by one sign, and with runs of blanks as one."""
    return re.sub(r"\s+", " ", NUMBER.sub("#", text))


def changes(expected: Sequence[str], actual: Sequence[str]) -> list[Change] | None:
    """The numbers in which two outputs differ, or None if they differ in more than numbers."""
    one, two = "\n".join(expected), "\n".join(actual)
    if skeleton(one) != skeleton(two):
        return None
    return [
        Change(first.index, first.text, second.text)
        for first, second in zip(numbers(one), numbers(two), strict=True)
        if first.text != second.text
    ]


def _walk(text: str, stack: list[list[int | str]]) -> None:
    """Follow the brackets of the text between two numbers.

    Entries are parted by commas, as torch prints them, or by blanks alone, as NumPy does.
    """
    if text and stack and stack[-1][0] == "[" and not text.strip():
        stack[-1][1] = int(stack[-1][1]) + 1
    closed = False  # the last sign but blanks was a closing bracket
    for character in text:
        if character in "[(":
            if closed and stack:
                stack[-1][1] = int(stack[-1][1]) + 1
            stack.append([character, 0])
        elif character in "])":
            if stack and stack[-1][0] == _BRACKETS[character]:
                stack.pop()
        elif character == "," and stack:
            stack[-1][1] = int(stack[-1][1]) + 1
        if not character.isspace():
            closed = character in "])"
