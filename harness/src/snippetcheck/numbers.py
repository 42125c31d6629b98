"""Find the numbers in printed text and compare those of two texts."""

from __future__ import annotations

import decimal
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?(?![\w])|(?<!\w)[-+]?(?:nan|inf)(?!\w)")
_EXACT = decimal.Context(prec=1000, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
_TOKEN = re.compile(rf"({NUMBER.pattern})|\S")
_BRACKETS = {"]": "[", ")": "("}


@dataclass(frozen=True)
class Number:
    """A number in a text and, if it stands in square brackets, its index in the tensor."""

    text: str
    index: tuple[int, ...]

    @property
    def exact(self) -> str:
        """Return the number as a normalized decimal, so that equal numbers have equal texts: `1.5` for `1.50`. No digit is rounded."""
        try:
            return str(_EXACT.normalize(_EXACT.create_decimal(self.text)))
        except decimal.DecimalException:  # an exponent of more than 18 digits
            return self.text


@dataclass(frozen=True)
class Change:
    """A number that is written differently in two texts."""

    index: tuple[int, ...]
    expected: str
    actual: str

    @property
    def absolute(self) -> float:
        """Return the absolute difference; nan if it is undefined, as with a nan."""
        return abs(float(self.actual) - float(self.expected))

    def is_within(self, tolerance: float) -> bool:
        """Return whether the two numbers differ by at most `tolerance`, relatively or absolutely; False for two integers."""
        texts = self.expected + self.actual
        if re.fullmatch(r"[-+\d]+", texts):
            return False
        return math.isclose(float(self.expected), float(self.actual), rel_tol=tolerance, abs_tol=tolerance)

    @property
    def relative(self) -> float:
        """Return the absolute difference divided by the size of the expected number; inf if this number is 0."""
        expected = abs(float(self.expected))
        return self.absolute / expected if expected else math.inf

    def __str__(self) -> str:
        index = f"[{', '.join(map(str, self.index))}] " if self.index else ""
        return f"{index}{self.expected} -> {self.actual}  (absolute {self.absolute:.3g}, relative {self.relative:.3g})"


def numbers(text: str) -> list[Number]:
    """Return the numbers in `text`. In square brackets, a number has the index that it has in a tensor.

    Entries are separated by commas, as in torch, or by spaces, as in NumPy.
    """
    values: list[Number] = []
    stack: list[tuple[str, int]] = []  # per open bracket: the bracket, and the number of entries before this position
    is_after_entry = False  # whether the last token was a number or a closing bracket
    for match in _TOKEN.finditer(text):
        token, is_number = match[0], match[1] is not None
        if stack and (token == "," or (is_after_entry and (is_number or token in "[("))):
            stack[-1] = (stack[-1][0], stack[-1][1] + 1)
        if is_number:
            values.append(Number(token, tuple(index for bracket, index in stack if bracket == "[")))
        elif token in "[(":
            stack.append((token, 0))
        elif token in "])" and stack and stack[-1][0] == _BRACKETS[token]:
            stack.pop()
        is_after_entry = is_number or token in "])"
    return values


def skeleton(text: str) -> str:
    """Return the text with `#` for each number and one space for each run of whitespace."""
    return re.sub(r"\s+", " ", NUMBER.sub("#", text))


def changes(expected: Sequence[str], actual: Sequence[str]) -> list[Change] | None:
    """Return the numbers that are written differently in two outputs; None if these differ in more than numbers and whitespace."""
    expected_text, actual_text = "\n".join(expected), "\n".join(actual)
    if skeleton(expected_text) != skeleton(actual_text):
        return None
    return [
        Change(first.index, first.text, second.text)
        for first, second in zip(numbers(expected_text), numbers(actual_text), strict=True)
        if first.text != second.text
    ]


def are_close(expected: str, actual: str, tolerance: float) -> bool:
    """Return whether two texts differ only in whitespace and in floats, which must be within `tolerance`."""
    differences = changes([expected], [actual])
    return differences is not None and all(change.is_within(tolerance) for change in differences)
