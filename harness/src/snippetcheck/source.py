"""Check the text of a program, and find its comments, its imports and the lines of its statements, without running it.

This module also defines SnippetError, and functions that write paths and plurals in messages.
"""

from __future__ import annotations

import ast
import io
import os
import re
import tokenize
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

# The joiners U+200C and U+200D are part of emoji and of words in some scripts; elsewhere they are invisible.
_INVISIBLE = re.compile(
    "(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
    "|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
_CODING = re.compile(r"[ \t]*#.*?coding[:=][ \t]*([-\w.]+)")


def display_path(path: Path) -> str:
    """Return the path as text for a message: relative to the working directory if it lies below, else unchanged."""
    absolute = Path(os.path.abspath(path))
    return str(absolute.relative_to(Path.cwd())) if absolute.is_relative_to(Path.cwd()) else str(path)


def package_root(path: Path) -> Path:
    """Return the folder in which Python looks for the package of a file: the first folder above without `__init__.py`."""
    return next(folder for folder in path.parents if not (folder / "__init__.py").is_file())


def plural(count: int, noun: str) -> str:
    """Return the count, with commas between thousands, and its noun, which takes an "s" unless the count is 1."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


class SnippetError(Exception):
    """A file is not a well-formed snippet. `str(error)` has the location, the message and the remedy."""

    def __init__(self, path: Path | str, line: int, message: str, remedy: str):
        super().__init__(f"{display_path(Path(path))}:{line}: {message}\n    {remedy}")
        self.path = Path(path)
        self.line = line
        self.message = message
        self.remedy = remedy


def read_utf8(path: Path) -> str:
    """Return the text of a file, with its line ends. Raises SnippetError if it cannot be read or is not UTF-8."""
    try:
        raw = path.read_bytes()
        return raw.decode()
    except OSError as error:
        raise SnippetError(path, 1, f"cannot be read: {error.strerror}", "check the file name") from None
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise SnippetError(path, line, "is not UTF-8", "save the file as UTF-8") from None


def check_text(text: str, fail: Callable[[int, str, str], SnippetError]) -> None:
    """Raise SnippetError for invisible characters, carriage returns, a coding other than UTF-8, or no text or final newline.

    `fail` is called with a line, a message and a remedy, and returns the error to raise.
    """
    if text.startswith("\ufeff"):
        raise fail(1, "begins with a byte order mark", "save the file as UTF-8 without BOM")
    for number, line in enumerate(text.split("\n"), 1):
        if "\r" in line:
            remedy = "save the file with Unix line endings; in an expected line write `#>?` with ... in its place"
            raise fail(number, "has a carriage return", remedy)
        if invisible := _INVISIBLE.search(line):
            code = ord(invisible[0])
            sign = f"an invisible character, U+{code:04X} {unicodedata.name(invisible[0], '')}".rstrip()
            if 0xDC80 <= code <= 0xDCFF:  # so Python decodes such a byte of an output
                sign = f"a byte that is not UTF-8, 0x{code - 0xDC00:02X}"
            remedy = "remove it; in a string write an escape, in an expected line `#>?` with ... in its place"
            raise fail(number, f"has {sign}", remedy)
        coding = _CODING.match(line) if number <= 2 else None
        if coding and coding[1].lower() not in ("utf-8", "utf8"):
            raise fail(number, f"declares the encoding {coding[1]}", "save the file as UTF-8 and remove this line")
    if not text.strip():
        raise fail(1, "is empty", 'begin with a title, """...""", or remove the file')
    if not text.endswith("\n"):
        raise fail(text.count("\n") + 1, "does not end in a newline", "add one")


def comments(text: str) -> dict[int, tuple[int, str]]:
    """Map each line with a comment to the comment's column and its text, from `#` on."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {token.start[0]: (token.start[1], token.string) for token in tokens if token.type == tokenize.COMMENT}


def imports(body: list[ast.stmt], lines: list[str]) -> Iterator[str]:
    """Yield the top-level packages of the absolute imports in these statements. `lines` are the lines of the whole program."""
    for statement in body:
        if not any("import" in line for line in lines[first_line(statement) - 1 : statement.end_lineno]):
            continue  # most statements: walking them takes longer than parsing them
        for node in ast.walk(statement):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.partition(".")[0]


def blocks(body: list[ast.stmt]) -> list[tuple[int, int]]:
    """Return (first line, last line) of each statement. Statements that share a line have one entry."""
    lines: list[tuple[int, int]] = []
    for node in body:
        first, last = first_line(node), node.end_lineno or node.lineno
        if lines and first <= lines[-1][1]:
            lines[-1] = (lines[-1][0], max(last, lines[-1][1]))
        else:
            lines.append((first, last))
    return lines


def first_line(node: ast.stmt) -> int:
    """Return the first line of a statement, including its decorators."""
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])
