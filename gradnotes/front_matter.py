"""Read the front matter of a page, and check its keys and values."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from snippetcheck.pages import after_front_matter

from gradnotes import inputs
from gradnotes.problems import InputError, Problem


@dataclass(frozen=True)
class FrontMatter:
    """The front matter of one page. `values` has only known keys with values of the right type."""

    page: str  # below docs/
    values: dict[str, Any]
    problems: tuple[Problem, ...]
    body: str  # the text of the page below the front matter
    lines: dict[str, int]  # key -> line in the file

    def problem(self, key: str, message: str, remedy: str) -> Problem:
        """Return a problem at the line of a key, or at line 1 if the page does not have the key."""
        return Problem(self.page, self.lines.get(key, 1), message, remedy)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_addresses(value: object) -> bool:
    pattern = r"(?!.*\.\.)(?!.*\.(md|ipynb|html)$)[\w-][\w./-]*"
    return _is_texts(value) and all(re.fullmatch(pattern, item) for item in value)  # type: ignore[attr-defined]


def _is_moves(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(new, str)
        and re.fullmatch(r"[\w-]+", new)
        and _is_addresses([str(old).partition("#")[0]])
        and re.fullmatch(r"[^#]+(#[\w-]+)?", str(old))
        for old, new in value.items()
    )


def _is_stretches(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, list) and len(item) == 2 and isinstance(item[0], str) and _is_number(item[1]) for item in value
    )


_TEXT = (lambda value: isinstance(value, str), "text", "put it in quotes")
_TEXTS = (_is_texts, "a list of names", "write [name, name]")
_ADDRESSES = (_is_addresses, "a list of pages without suffix", "write [name, folder/name], without .md")
_NUMBER = (lambda value: _is_number(value) and value > 0, "a whole number above 0", "write a number")
# key -> (whether a value is valid, what a value must be, remedy)
_KEYS: dict[str, tuple[Callable[[Any], bool], str, str]] = {
    "title": _TEXT,
    "description": _TEXT,
    "template": _TEXT,
    "parts": _ADDRESSES,
    "pages": _ADDRESSES,
    "needs": _ADDRESSES,
    "covers": _TEXTS,
    "hide": _TEXTS,
    "path": _NUMBER,
    "checkpoint": _NUMBER,
    "minutes": _NUMBER,
    "generated": (lambda value: isinstance(value, bool), "true or false", "write true"),
    "was": _ADDRESSES,
    "moved": (_is_moves, "a mapping of old addresses to sections", "write folder/name#old: new in each line"),
    "footer": (lambda value: isinstance(value, bool), "true or false", "write true"),
    "stretches": (_is_stretches, "a list of pairs of a title and a number", "write [title, 5] in each line"),
}


def read(docs: Path, page: str) -> FrontMatter:
    """Return the front matter of `page`, a path below `docs`. If it cannot be read or parsed, `problems` says why."""
    try:
        text = inputs.read_text(docs / page, page)
    except InputError as error:
        return FrontMatter(page, {}, (_problem(page, error),), "", {})
    return _parse(text, page)


def _problem(page: str, error: InputError) -> Problem:
    line = re.match(rf"{re.escape(page)}:(\d+): ", error.message)
    return Problem(
        page, int(line[1]) if line else 1, error.message[line.end() :] if line else error.message, error.remedy
    )


@lru_cache(maxsize=2048)
def _parse(text: str, page: str) -> FrontMatter:
    file_lines = text.split("\n")
    body_start = after_front_matter(file_lines)
    if not body_start:
        problems = []
        if not text.strip():
            problems = [Problem(page, 1, "the page is empty", "add text or remove the page")]
        elif file_lines[0].rstrip() == "---":
            problems = [Problem(page, 1, "front matter is not closed", "add a line --- below it")]
        elif opening := re.match(r"\s*---.*", text):
            line = opening[0].count("\n") + 1
            remedy = "make --- the first line of the page, with nothing else in it"
            problems = [Problem(page, line, "front matter is not recognized", remedy)]
        return FrontMatter(page, {}, tuple(problems), text if not problems else "", {})
    lines = {
        match[1]: number
        for number, line in enumerate(file_lines[: body_start - 1], 1)
        if (match := re.match(r"(\w+):", line))
    }
    rest = "\n".join(file_lines[body_start:]).lstrip("\n")
    try:
        data = inputs.parse_yaml("\n".join(file_lines[1 : body_start - 1]), page, first_line=2)
    except InputError as error:
        return FrontMatter(page, {}, (_problem(page, error),), rest, lines)
    if data is not None and not isinstance(data, dict):
        problem = Problem(page, 2, f"front matter must be `key: value` lines, got {_kind(data)}", "write `title: ...`")
        return FrontMatter(page, {}, (problem,), rest, lines)
    values, problems = {}, []
    for key, value in (data or {}).items():
        line = lines.get(str(key), 1)
        if key not in _KEYS:
            matches = difflib.get_close_matches(str(key), _KEYS, n=1)
            remedy = f"did you mean {matches[0]}?" if matches else f"use one of {', '.join(_KEYS)}"
            problems.append(Problem(page, line, f"unknown key {key!r} in the front matter", remedy))
        elif value is None:
            problems.append(Problem(page, line, f"`{key}` has no value", "add a value or remove the line"))
        elif not _KEYS[key][0](value):
            _, expected, remedy = _KEYS[key]
            problems.append(Problem(page, line, f"`{key}` must be {expected}, got {value!r}", remedy))
        else:
            values[key] = value
    return FrontMatter(page, values, tuple(problems), rest, lines)


def _kind(value: object) -> str:
    return "a list" if isinstance(value, list) else "text" if isinstance(value, str) else type(value).__name__
