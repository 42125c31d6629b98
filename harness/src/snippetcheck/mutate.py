"""Change each documented value of a snippet, one at a time, and check that the comparison fails.

The expected lines are never executed, so each mutant is compared with the run of the unchanged snippet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from snippetcheck import evidence
from snippetcheck.compare import compare
from snippetcheck.numbers import NUMBER
from snippetcheck.outcome import Run
from snippetcheck.shell import python_command
from snippetcheck.snippet import Snippet, SnippetError, parse
from snippetcheck.source import display_path, plural

_WRITE = ("-m", "pytest", "--snippet-mutate", "--snippet-mutation-evidence")
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
    lines = snippet.lines
    for number in documented_lines(snippet):
        line = lines[number - 1]
        for kind, before, after, changed in _changes(line):
            if changed.rstrip() == line.rstrip():
                continue  # for example a word without letters, after a change of case
            text = "\n".join([*lines[: number - 1], changed, *lines[number:]]) + "\n"
            yield Mutant(number, kind, before, after, text)
        without = "\n".join([*lines[: number - 1], *lines[number:]]) + "\n"
        yield Mutant(number, "line", line, "", without)
        twice = "\n".join([*lines[:number], line, *lines[number:]]) + "\n"
        yield Mutant(number, "line", line, f"{line} twice", twice)


def score(snippet: Snippet, run: Run, engines: tuple[str, ...]) -> Score:
    """Compare every mutant of `snippet` with `run`. A mutant without findings survives."""
    total = 0
    survivors: list[Mutant] = []
    for mutant in mutants(snippet):
        total += 1
        if not is_killed(mutant, snippet, run, engines):
            survivors.append(mutant)
    return Score(snippet.name, run.engine, total, tuple(survivors))


def is_killed(mutant: Mutant, snippet: Snippet, run: Run, engines: tuple[str, ...]) -> bool:
    """Return whether the mutant is malformed or does not match the run."""
    try:
        changed = parse(mutant.text, snippet.path, snippet.name, engines)
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


def summary(
    scores: Iterable[Mapping[str, Any]],
    versions: Mapping[str, str],
    date: str = "",
    provenance: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the score of a whole run, for the evidence file.

    `by_part` counts by the first folder of the snippets. `provenance` comes from
    `snippetcheck.provenance.describe_sources`.
    """
    scores = sorted(scores, key=lambda score: (score["snippet"], score["engine"]))
    total = sum(score["mutants"] for score in scores)
    survivors = sum(len(score["survivors"]) for score in scores)
    red = [f"{score['snippet']} on {score['engine']}" for score in scores if score["survivors"]]
    return {
        **({"provenance": {**provenance, "red": red}} if provenance else {}),
        "date": date or evidence.timestamp(),
        "versions": dict(versions),
        "snippets": len({score["snippet"] for score in scores}),
        "runs": len(scores),
        "mutants": total,
        "killed": total - survivors,
        "by_engine": _counts(scores, "engine", lambda score: str(score["engine"])),
        "by_part": _counts(scores, "part", lambda score: score["snippet"].rpartition("/")[0].partition("/")[0] or "."),
        "survivors": [
            {"snippet": score["snippet"], "engine": score["engine"], **survivor}
            for score in scores
            for survivor in score["survivors"]
        ],
        "scores": {f"{score['snippet']} {score['engine']}": score["mutants"] for score in scores},
    }


def _counts(
    scores: Iterable[Mapping[str, Any]], name: str, group_of: Callable[[Mapping[str, Any]], str]
) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    for score in scores:
        group = group_of(score)
        row = rows.setdefault(group, {name: group, "runs": 0, "mutants": 0, "survivors": 0})
        row["runs"] += 1
        row["mutants"] += score["mutants"]
        row["survivors"] += len(score["survivors"])
    return [rows[key] for key in sorted(rows)]


def merge(files: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Merge mutation scores, given by file name. If two files have the same run, the last counts.

    Raises EvidenceError if the versions differ, or if a file has no scores.
    """
    scores: dict[str, dict[str, Any]] = {}
    versions: Mapping[str, str] | None = None
    for name, values in files.items():
        if not {"scores", "survivors", "versions", "date"} <= values.keys():
            raise evidence.EvidenceError(
                f"{name}: not a mutation evidence file\n    create it: {python_command(*_WRITE, name)}"
            )
        versions = versions or values["versions"]
        if values["versions"] != versions:
            raise evidence.EvidenceError(
                f"{name}: versions differ from the first file: got {values['versions']}, expected {versions}"
            )
        for key, mutants in values["scores"].items():
            snippet, _, engine = key.rpartition(" ")
            scores[key] = {"snippet": snippet, "engine": engine, "mutants": mutants, "survivors": []}
        for survivor in values["survivors"]:
            mutant = {key: value for key, value in survivor.items() if key not in ("snippet", "engine")}
            scores[f"{survivor['snippet']} {survivor['engine']}"]["survivors"].append(mutant)
    oldest: Mapping[str, Any] = min(files.values(), key=lambda values: str(values["date"]), default={"date": ""})
    return summary(scores.values(), versions or {}, oldest["date"], oldest.get("provenance"))


def documented_lines(snippet: Snippet) -> list[int]:
    """Return the line numbers of the `#>`, `#!` and `#~` lines, sorted."""
    numbers: list[int] = []
    for statement in snippet.statements:
        numbers += [line.line for line in statement.output]
        if statement.error:
            numbers += range(statement.error.line, statement.error.last_line + 1)
        for warning in statement.warnings:
            numbers += range(warning.line, warning.last_line + 1)
    return sorted(numbers)


def _changes(line: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield (kind, before, after, changed line) for each value in an expected line."""
    text = line[2:]

    def changed(start: int, end: int, new: str) -> str:
        return line[:2] + text[:start] + new + text[end:]

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
