"""Change each documented value of a snippet, one at a time, and check that the comparison with its run fails.

No mutant is run: expected lines are comments, so a mutant has the same run as the unchanged snippet.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from snippetcheck.compare import Finding, compare, compare_output, compare_stderr
from snippetcheck.numbers import NUMBER, are_close
from snippetcheck.outcome import Run, StatementRun
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
    """A snippet with one changed value, or with an expected line removed or doubled. `lines` stand in place of the line."""

    line: int
    kind: str  # of the value: digit, sign, word, bracket, mark or line
    before: str
    after: str
    lines: tuple[str, ...]

    def text(self, snippet: Snippet) -> str:
        """Return the changed text of the snippet."""
        lines = snippet.lines
        return "\n".join([*lines[: self.line - 1], *self.lines, *lines[self.line :]]) + "\n"


@dataclass(frozen=True)
class Score:
    """The number of mutants of one snippet on one engine, and the survivors: those that match the run."""

    snippet: str
    engine: str
    mutants: int
    survivors: tuple[Mutant, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the score as plain values, without the lines of the survivors."""
        values = asdict(self)
        for survivor in values["survivors"]:
            del survivor["lines"]
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
            yield Mutant(number, kind, before, after, (mutated_line,))
        yield Mutant(number, "line", line, "", ())
        yield Mutant(number, "line", line, f"{line} twice", (line, line))


def score(snippet: Snippet, run: Run) -> Score:
    """Compare every mutant of `snippet` with `run`, in which the snippet itself has no findings. A mutant without findings survives."""
    count, survivors = 0, []
    literal_lines = {  # a change of one affects only the output of its statement, so that not all is parsed again
        line.line: index
        for index, statement in enumerate(snippet.statements)
        for line in statement.output
        if not line.has_wildcards and not statement.text_lines
    }
    for mutant in mutants(snippet):
        count += 1
        with contextlib.suppress(SnippetError):  # a malformed mutant is noticed
            index = literal_lines.get(mutant.line)
            if index is None:
                findings = compare(snippet.with_text(mutant.text(snippet)), run)
            else:
                findings = _compare_output(snippet, index, mutant, run.statements[index])
            if not findings:
                survivors.append(mutant)
    return Score(snippet.name, run.engine, count, tuple(survivors))


def _compare_output(snippet: Snippet, index: int, mutant: Mutant, run: StatementRun) -> list[Finding]:
    """Return the findings of a mutant in the output of statement `index`. The mutant changes a `#>` or `#2>` line of this statement."""
    statement, tolerance = snippet.statements[index], snippet.manifest.tolerance
    position = next(n for n, line in enumerate(statement.output) if line.line == mutant.line)
    texts = (text.strip(" \t").partition(">")[2][1:] for text in mutant.lines)
    lines = [replace(statement.output[position], text=text) for text in texts]
    statement = replace(statement, output=(*statement.output[:position], *lines, *statement.output[position + 1 :]))
    findings = compare_output(index, statement, run.output, tolerance)
    return findings + compare_stderr(index, statement, run.stderr, tolerance)


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
    numbers = {position: match[0] for match in NUMBER.finditer(text) for position in range(*match.span())}
    for kind, pattern, replacements in _KINDS:
        for match in pattern.finditer(text):
            before = numbers.get(match.start(), match[0]) if kind == "digit" else match[0]
            for after in replacements(match[0]):
                yield kind, before, after, head + text[: match.start()] + after + text[match.end() :]
