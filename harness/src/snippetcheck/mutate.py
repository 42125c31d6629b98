"""Change each documented value of a snippet, one at a time, and check that the comparison with its run fails.

No mutant is run: expected lines are comments, so a mutant has the same run as the unchanged snippet.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from snippetcheck.compare import compare
from snippetcheck.numbers import NUMBER, are_close
from snippetcheck.outcome import Run
from snippetcheck.snippet import Snippet, SnippetError
from snippetcheck.source import display_path, plural

_HEAD = re.compile(r"\s*(?:#2?>|#[!~])?")  # the characters before the value in an expected line
# (kind of a value, its pattern, a function that returns its replacements)
_KINDS: tuple[tuple[str, re.Pattern[str], Callable[[str], list[str]]], ...] = (
    ("digit", re.compile(r"\d"), lambda digit: [str((int(digit) + 1) % 10)]),
    ("sign", re.compile(r"(?<![\w.)\]])[-+](?=\d|\.\d|inf|nan)"), lambda sign: ["-" if sign == "+" else "+", ""]),
    ("sign", NUMBER, lambda number: [] if number[0] in "+-" else [f"-{number}"]),
    ("word", re.compile(r"[A-Za-z_]\w*"), lambda word: [f"{word}x", word.swapcase(), ""]),
    ("bracket", re.compile(r"[\[\](){}<>]"), lambda bracket: [""]),
    ("mark", re.compile(r"[,:;=/*%'\"|!?@#&^~$\\`]|(?<!\d)\.(?!\d|\.)"), lambda mark: [""]),
)


@dataclass(frozen=True)
class Mutant:
    """A snippet with one changed value, or with an expected line removed or doubled. `text` is the changed text of the snippet."""

    line: int
    kind: str  # of the value: digit, sign, word, bracket, mark or line
    before: str
    after: str
    text: str


@dataclass(frozen=True)
class Score:
    """The number of mutants of one snippet on one engine, and the survivors: those that match the run."""

    snippet: str
    engine: str
    mutants: int
    survivors: tuple[Mutant, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the score as plain values, without the texts of the survivors."""
        values = asdict(self)
        for survivor in values["survivors"]:
            del survivor["text"]
        return values


def mutants(snippet: Snippet) -> Iterator[Mutant]:
    """Yield the mutants of `snippet`: each has one documented value changed, or one expected line removed or doubled.

    Changes of floats by at most twice the tolerance of the snippet are left out.
    """
    lines, tolerance = snippet.lines, snippet.manifest.tolerance
    for number in documented_lines(snippet):
        line = lines[number - 1]
        for kind, before, after, mutated_line in _changes(line):
            if mutated_line.rstrip() == line.rstrip():
                continue  # nothing changed, for example the case of a word without letters
            if tolerance and are_close(line, mutated_line, 2 * tolerance):
                continue  # too small a change: the run may differ from the line by the tolerance
            text = "\n".join([*lines[: number - 1], mutated_line, *lines[number:]]) + "\n"
            yield Mutant(number, kind, before, after, text)
        text_without = "\n".join([*lines[: number - 1], *lines[number:]]) + "\n"
        yield Mutant(number, "line", line, "", text_without)
        text_with_copy = "\n".join([*lines[:number], line, *lines[number:]]) + "\n"
        yield Mutant(number, "line", line, f"{line} twice", text_with_copy)


def score(snippet: Snippet, run: Run) -> Score:
    """Compare every mutant of `snippet` with `run`. A mutant without findings survives."""
    count, survivors = 0, []
    for mutant in mutants(snippet):
        count += 1
        with contextlib.suppress(SnippetError):  # a malformed mutant is noticed
            if not compare(snippet.with_text(mutant.text), run):
                survivors.append(mutant)
    return Score(snippet.name, run.engine, count, tuple(survivors))


def render(result: Score, snippet: Snippet) -> str:
    """Return a report of the survivors, each of which shows a documented value that nothing checks."""
    lines = [f"not noticed on {result.engine}: {len(result.survivors)} of {plural(result.mutants, 'changed value')}"]
    path = display_path(snippet.path)
    for mutant in result.survivors:
        lines.append(f"{path}:{mutant.line}: {mutant.kind} {mutant.before!r} -> {mutant.after!r}")
    return "\n".join(lines)


def documented_lines(snippet: Snippet) -> list[int]:
    """Return the sorted numbers of the expected lines. The texts of these lines are the documented values of a snippet."""
    return sorted(
        line
        for statement in snippet.statements
        for line in (statement.want.documented_lines if statement.want else statement.signs)
    )


def _changes(line: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield (kind, before, after, changed line) for each change of a value in an expected line."""
    head = _HEAD.match(line)[0]  # type: ignore[index]
    text = line.removeprefix(head)
    for kind, pattern, replacements in _KINDS:
        for match in pattern.finditer(text):
            before = _number_at(text, match.start()) if kind == "digit" else match[0]
            for after in replacements(match[0]):
                yield kind, before, after, head + text[: match.start()] + after + text[match.end() :]


def _number_at(text: str, position: int) -> str:
    matches = (match[0] for match in NUMBER.finditer(text) if match.start() <= position < match.end())
    return next(matches, text[position])
