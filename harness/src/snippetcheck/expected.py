"""Read the expected output, warnings and error of a statement, and match text with wildcards.

A wildcard stands for one or more characters: `...` in a `#>?` line, and ` ...` at the end of a line of a message.
Everything else is literal, dots included.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby

from snippetcheck.source import SnippetError

# A comment with an expectation: its sign, then one space and text, or no text. `?` marks a line with wildcards.
EXPECTATION = re.compile(r"#(2?>\??|[!~])(?: (.*)|)$")
_CLASS = r"[^\W\d]\w*(?:\.(?:[^\W\d]\w*|<locals>))*"
_ERROR_HEAD = re.compile(rf"({_CLASS})(?:: ?(.*))?$", re.DOTALL)
_WARNING_HEAD = re.compile(rf"({_CLASS}(?<=Warning))(?:: ?(.*))?$")
_FIRST_WARNING_HEAD = re.compile(rf"({_CLASS}(?<=Warning)|{_CLASS}(?=: ))(?:: ?(.*))?$")
_WILDCARD = "..."
_REST_OF_MESSAGE = re.compile(r"(?<!\S)\.\.\.$", re.MULTILINE)

MarkedLine = tuple[int, str, str]  # of a line with an expectation: its number, its sign such as `>?`, its text
# A function that is called with a line, a message and a remedy, and returns the error to raise
Fail = Callable[[int, str, str], SnippetError]


@dataclass(frozen=True)
class ExpectedLine:
    """A `#>` or `#2>` line: its line number in the file, and the text that must be printed."""

    line: int
    text: str
    has_wildcards: bool = False  # `#>?`: each `...` stands for one or more characters; without it, the text is literal
    is_stderr: bool = False  # `#2>`: descriptor 2 is stderr

    @property
    def source(self) -> str:
        """Return the text of the line in the file, with its sign."""
        sign = f"#{'2' * self.is_stderr}>{'?' * self.has_wildcards}"
        return f"{sign} {self.text}".rstrip(" \t")


@dataclass(frozen=True)
class ExpectedMessage:
    """The `#!` lines of an error, or the `#~` lines of one warning: their first and last line number, and the text in them."""

    line: int
    last_line: int
    type: str  # the name of the class; empty in a bare `#!` line, which `bless` completes
    message: str

    @property
    def text(self) -> str:
        """Return the text of the lines without their signs."""
        return f"{self.type}: {self.message}" if self.message else self.type


Expected = tuple[tuple[ExpectedLine, ...], ExpectedMessage | None, tuple[ExpectedMessage, ...]]


def read(marked_lines: list[MarkedLine], fail: Fail) -> Expected:
    """Return the expected output, error and warnings in the lines under a statement. Raises SnippetError for malformed lines."""
    earlier_signs: set[str] = set()
    for sign, group in groupby(marked_lines, key=lambda entry: entry[1].rstrip("?")):
        if sign in earlier_signs:
            remedy = f"keep the #{sign} lines of a statement together"
            raise fail(next(group)[0], f"#{sign} lines are separated by other lines", remedy)
        earlier_signs.add(sign)
    for line, _, text in (entry for entry in marked_lines if entry[1].endswith("?")):
        if len(pieces_of_line(text)) == 1:
            raise fail(line, "#>? without a wildcard", "write ... for what varies in the line, or #> if nothing does")
        if has_only_wildcards(pieces_of_line(text)):
            raise fail(line, "#>? with nothing but wildcards", "write a word of the line beside the ...")
    output = [ExpectedLine(line, text, "?" in sign, "2" in sign) for line, sign, text in marked_lines if ">" in sign]
    error = _read_error([(line, text) for line, sign, text in marked_lines if sign == "!"], fail)
    warnings = _read_warnings([(line, text) for line, sign, text in marked_lines if sign == "~"], fail)
    return tuple(output), error, warnings


def _read_error(lines: list[tuple[int, str]], fail: Fail) -> ExpectedMessage | None:
    """Return the expected error in `#!` lines, given as (line number, text); None without lines.

    For a bare `#!` line, class and message are empty. Raises SnippetError if lines with text name no class, or if a
    message with a wildcard has no word.
    """
    if not lines:
        return None
    first, last = lines[0][0], lines[-1][0]
    if len(lines) == 1 and not lines[0][1]:
        return ExpectedMessage(first, last, "", "")
    match = _ERROR_HEAD.fullmatch("\n".join(text for _, text in lines))
    if not match:
        raise fail(first, "names no error type", "write `#! RuntimeError: message`")
    message = match[2] or ""
    if has_only_wildcards(pieces_of_message(message)):
        raise fail(first, "#! with no word of the message", "write the first words of the message before the ...")
    return ExpectedMessage(first, last, match[1], message)


def _read_warnings(lines: list[tuple[int, str]], fail: Fail) -> tuple[ExpectedMessage, ...]:
    """Return the warnings in `#~` lines. A warning begins at the first line, and at each line with a class that ends in Warning.

    Raises SnippetError if the first line names no class, or if a message with a wildcard has no word.
    """
    warnings: list[ExpectedMessage] = []
    for line, text in lines:
        match = (_WARNING_HEAD if warnings else _FIRST_WARNING_HEAD).fullmatch(text)
        if match:
            warnings.append(ExpectedMessage(line, line, match[1], match[2] or ""))
        elif warnings:
            warnings[-1] = replace(warnings[-1], last_line=line, message=f"{warnings[-1].message}\n{text}")
        else:
            raise fail(line, "names no warning", "write `#~ UserWarning: text`")
    for warning in warnings:
        if has_only_wildcards(pieces_of_message(warning.message)):
            raise fail(
                warning.line, "#~ with no word of the warning", "write the first words of the warning before the ..."
            )
    return tuple(warnings)


def pieces_of_line(text: str) -> list[str]:
    """Split the text of a `#>?` line at its wildcards."""
    return text.split(_WILDCARD)


def pieces_of_message(text: str) -> list[str]:
    """Split the message of an error or a warning at its wildcards, which are ` ...` at the ends of lines."""
    return _REST_OF_MESSAGE.split(text)


def has_only_wildcards(pieces: list[str]) -> bool:
    """Return whether a text, split at its wildcards, has wildcards and otherwise neither letters nor digits."""
    return len(pieces) > 1 and not re.search(r"\w", "".join(pieces))


def matches(pieces: list[str], actual: str) -> bool:
    """Return whether `actual` consists of `pieces`, in order, with at least one character between each piece and the next.

    Each piece is matched where it first fits, the last one at the end, so nothing is tried twice. A blank before a
    wildcard also matches a newline, since a message may continue on the next line.
    """
    if len(pieces) == 1:
        return pieces[0] == actual
    first, *middle = map(_pattern, pieces[:-1])
    between = "".join(f"(?>.+?{pattern})" for pattern in middle)
    return re.fullmatch(f"{first}{between}.+{re.escape(pieces[-1])}", actual, re.DOTALL) is not None


def _pattern(piece: str) -> str:
    return re.escape(piece[:-1]) + "[ \n]" if piece.endswith(" ") else re.escape(piece)
