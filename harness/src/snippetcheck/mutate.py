"""Change each documented value of a snippet, one at a time, and check that the comparison fails.

The expected lines are never executed, so each mutant is compared with the run of the unchanged snippet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from snippetcheck.compare import compare
from snippetcheck.numbers import NUMBER, are_close
from snippetcheck.outcome import Run
from snippetcheck.snippet import Snippet, SnippetError
from snippetcheck.source import display_path, plural

_SIGNS = ("#>", "#2>", "#!", "#~")
_WORD = re.compile(r"[A-Za-z_]\w*")
_SIGN = re.compile(r"(?<![\w.)\]])([-+])(?=\d|\.\d|inf|nan)")
_BRACKET = re.compile(r"[\[\](){}<>]")
_MARK = re.compile(r"[,:;=/*%'\"|!?@#&^~$\\`]|(?<!\d)\.(?!\d|\.)")


@dataclass(frozen=True)
class Mutant:
    """One changed value: its line, the value before and after, and the whole changed text."""

    line: int
    kind: str  # digit, sign, word, bracket, mark, line
    before: str
    after: str
    text: str


@dataclass(frozen=True)
class Score:
    """The number of mutants of one snippet on one engine, and the survivors."""

    snippet: str
    engine: str
    mutants: int
    survivors: tuple[Mutant, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the score as plain values. Survivors have no text."""
        return {
            "snippet": self.snippet,
            "engine": self.engine,
            "mutants": self.mutants,
            "survivors": [
                {"line": mutant.line, "kind": mutant.kind, "before": mutant.before, "after": mutant.after}
                for mutant in self.survivors
            ],
        }


def mutants(snippet: Snippet) -> Iterator[Mutant]:
    """Yield the mutants of `snippet`: each differs in one documented value."""
    lines, tolerance = snippet.lines, snippet.manifest.tolerance
    for number in documented_lines(snippet):
        line = lines[number - 1]
        for kind, before, after, changed in _changes(line, _start(line)):
            if changed.rstrip() == line.rstrip():
                continue  # for example a word without letters, after a change of case
            if tolerance and are_close(line, changed, 2 * tolerance):
                continue  # the run may differ from the line by the tolerance, and the mutant from the line by twice that
            text = "\n".join([*lines[: number - 1], changed, *lines[number:]]) + "\n"
            yield Mutant(number, kind, before, after, text)
        without = "\n".join([*lines[: number - 1], *lines[number:]]) + "\n"
        yield Mutant(number, "line", line, "", without)
        twice = "\n".join([*lines[:number], line, *lines[number:]]) + "\n"
        yield Mutant(number, "line", line, f"{line} twice", twice)


def _start(line: str) -> int:
    """Return the column at which the value in an expected line begins: after its sign, if it has one."""
    column = len(line) - len(line.lstrip())
    sign = next((sign for sign in _SIGNS if line.startswith(sign, column)), "")
    return column + len(sign)


def score(snippet: Snippet, run: Run) -> Score:
    """Compare every mutant of `snippet` with `run`. A mutant without findings survives."""
    total = 0
    survivors: list[Mutant] = []
    for mutant in mutants(snippet):
        total += 1
        if not is_killed(mutant, snippet, run):
            survivors.append(mutant)
    return Score(snippet.name, run.engine, total, tuple(survivors))


def is_killed(mutant: Mutant, snippet: Snippet, run: Run) -> bool:
    """Return whether the mutant is malformed or does not match the run."""
    try:
        changed = snippet.with_text(mutant.text)
    except SnippetError:
        return True
    return bool(compare(changed, run))


def render(result: Score, snippet: Snippet) -> str:
    """Return a report of the survivors. Each is a value on a page that nothing checks."""
    lines = [f"not noticed on {result.engine}: {len(result.survivors)} of {plural(result.mutants, 'changed value')}"]
    path = display_path(snippet.path)
    lines += [
        f"{path}:{mutant.line}: {mutant.kind} {mutant.before!r} -> {mutant.after!r}" for mutant in result.survivors
    ]
    return "\n".join(lines)


def documented_lines(snippet: Snippet) -> list[int]:
    """Return the line numbers of the expected lines, sorted."""
    numbers: list[int] = []
    for statement in snippet.statements:
        numbers += statement.want.documented_lines if statement.want else [line.line for line in statement.output]
        if statement.error:
            numbers += range(statement.error.line, statement.error.last_line + 1)
        for warning in statement.warnings:
            numbers += range(warning.line, warning.last_line + 1)
    return sorted(numbers)


def _changes(line: str, column: int) -> Iterator[tuple[str, str, str, str]]:
    """Yield (kind, before, after, changed line) for each value in an expected line, which begins at this column."""
    text = line[column:]

    def changed(start: int, end: int, new: str) -> str:
        return line[:column] + text[:start] + new + text[end:]

    for match in re.finditer(r"\d", text):
        digit = str((int(match[0]) + 1) % 10)
        yield "digit", _around(text, match.start()), digit, changed(match.start(), match.end(), digit)
    for match in _SIGN.finditer(text):
        other = "-" if match[0] == "+" else "+"
        yield "sign", match[0], other, changed(match.start(), match.end(), other)
        yield "sign", match[0], "", changed(match.start(), match.end(), "")
    for match in NUMBER.finditer(text):
        if match[0][0] not in "+-":
            yield "sign", match[0], "-" + match[0], changed(match.start(), match.end(), "-" + match[0])
    for match in _WORD.finditer(text):
        yield "word", match[0], match[0] + "x", changed(match.start(), match.end(), match[0] + "x")
        swapped = match[0].swapcase()
        yield "word", match[0], swapped, changed(match.start(), match.end(), swapped)
        yield "word", match[0], "", changed(match.start(), match.end(), "")
    for match in _BRACKET.finditer(text):
        yield "bracket", match[0], "", changed(match.start(), match.end(), "")
    for match in _MARK.finditer(text):
        yield "mark", match[0], "", changed(match.start(), match.end(), "")


def _around(text: str, position: int) -> str:
    for match in NUMBER.finditer(text):
        if match.start() <= position < match.end():
            return match[0]
    return text[position]
