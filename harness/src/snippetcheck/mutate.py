"""Changes each documented value of a snippet, one at a time, and sees that the run turns red.

The expected lines are never executed, so a changed text is compared, by the same function as
always, with the run that was made of the unchanged one.
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
from snippetcheck.source import plural, short

_WRITE = ("-m", "pytest", "--snippet-mutate", "--snippet-mutation-evidence")
_WORD = re.compile(r"[A-Za-z_]\w*")
_SIGN = re.compile(r"(?<![\w.)\]])([-+])(?=\d|\.\d|inf|nan)")
_BRACKET = re.compile(r"[\[\](){}<>]")
_MARK = re.compile(r"[,:;=/*%'\"|!?@#&^~$\\`]|(?<!\d)\.(?!\d|\.)")


@dataclass(frozen=True)
class Mutant:
    """One changed value: where, what it was and what it is now, and the whole changed text."""

    line: int
    kind: str  # digit, sign, word, bracket, mark, line
    before: str
    after: str
    text: str


@dataclass(frozen=True)
class Score:
    """What became of the mutants of one snippet on one engine."""

    snippet: str
    engine: str
    mutants: int
    survivors: tuple[Mutant, ...]

    def to_json(self) -> dict[str, Any]:
        """The score as plain values; of a survivor its place and its change, not its whole text."""
        return {
            "snippet": self.snippet,
            "engine": self.engine,
            "mutants": self.mutants,
            "survivors": [
                {"line": one.line, "kind": one.kind, "before": one.before, "after": one.after} for one in self.survivors
            ],
        }


def mutants(snippet: Snippet) -> Iterator[Mutant]:
    """Every changed text of `snippet`: each differs in one documented value."""
    lines = snippet.lines
    for number in documented_lines(snippet):
        line = lines[number - 1]
        for kind, before, after, changed in _changes(line):
            if changed.rstrip() == line.rstrip():
                continue  # a word without letters has no other case
            text = "\n".join([*lines[: number - 1], changed, *lines[number:]]) + "\n"
            yield Mutant(number, kind, before, after, text)
        without = "\n".join([*lines[: number - 1], *lines[number:]]) + "\n"
        yield Mutant(number, "line", line, "", without)
        twice = "\n".join([*lines[:number], line, *lines[number:]]) + "\n"
        yield Mutant(number, "line", line, f"{line} twice", twice)


def score(snippet: Snippet, run: Run, engines: tuple[str, ...]) -> Score:
    """Compare every mutant of `snippet` with `run`. A mutant survives that no comparison reports."""
    total = 0
    survivors: list[Mutant] = []
    for mutant in mutants(snippet):
        total += 1
        if not is_red(mutant, snippet, run, engines):
            survivors.append(mutant)
    return Score(snippet.name, run.engine, total, tuple(survivors))


def is_red(mutant: Mutant, snippet: Snippet, run: Run, engines: tuple[str, ...]) -> bool:
    """Whether the changed text is reported: it is no snippet any more, or it does not fit the run."""
    try:
        changed = parse(mutant.text, snippet.path, snippet.name, engines)
    except SnippetError:
        return True
    return bool(compare(changed, run))


def render(made: Score, snippet: Snippet) -> str:
    """The survivors, for a person: each is a value on the page that nothing checks."""
    lines = [f"not noticed on {made.engine}: {len(made.survivors)} of {plural(made.mutants, 'changed value')}"]
    lines += [f"{short(snippet.path)}:{one.line}: {one.kind} {one.before!r} -> {one.after!r}" for one in made.survivors]
    return "\n".join(lines)


def summary(
    scores: Iterable[Mapping[str, Any]],
    versions: Mapping[str, str],
    date: str = "",
    provenance: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The score of a whole run, for the evidence file; `by_part` counts by the first folder of the snippets.

    `provenance`: what decided it, as `snippetcheck.provenance.describe_sources` gives it.
    """
    scores = sorted(scores, key=lambda one: (one["snippet"], one["engine"]))
    total = sum(one["mutants"] for one in scores)
    survivors = sum(len(one["survivors"]) for one in scores)
    red = [f"{one['snippet']} on {one['engine']}" for one in scores if one["survivors"]]
    return {
        **({"provenance": {**provenance, "red": red}} if provenance else {}),
        "date": date or evidence.now(),
        "versions": dict(versions),
        "snippets": len({one["snippet"] for one in scores}),
        "runs": len(scores),
        "mutants": total,
        "killed": total - survivors,
        "by_engine": _counts(scores, "engine", lambda one: str(one["engine"])),
        "by_part": _counts(scores, "part", lambda one: one["snippet"].rpartition("/")[0].partition("/")[0] or "."),
        "survivors": [
            {"snippet": one["snippet"], "engine": one["engine"], **survivor}
            for one in scores
            for survivor in one["survivors"]
        ],
        "scores": {f"{one['snippet']} {one['engine']}": one["mutants"] for one in scores},
    }


def _counts(
    scores: Iterable[Mapping[str, Any]], name: str, of: Callable[[Mapping[str, Any]], str]
) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    for one in scores:
        row = rows.setdefault(of(one), {name: of(one), "runs": 0, "mutants": 0, "survivors": 0})
        row["runs"] += 1
        row["mutants"] += one["mutants"]
        row["survivors"] += len(one["survivors"])
    return [rows[key] for key in sorted(rows)]


def merge(files: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """One score of several, by the names of their files; a run that is in two counts as in the last.

    Raises EvidenceError if they saw other versions, or if one holds no scores.
    """
    scores: dict[str, dict[str, Any]] = {}
    versions: Mapping[str, str] | None = None
    for name, values in files.items():
        if not {"scores", "survivors", "versions", "date"} <= values.keys():
            raise evidence.EvidenceError(
                f"{name}: is no mutation evidence\n    write it: {python_command(*_WRITE, name)}"
            )
        versions = versions or values["versions"]
        if values["versions"] != versions:
            raise evidence.EvidenceError(f"{name}: ran on {values['versions']}, the first on {versions}")
        for key, mutants in values["scores"].items():
            snippet, _, engine = key.rpartition(" ")
            scores[key] = {"snippet": snippet, "engine": engine, "mutants": mutants, "survivors": []}
        for survivor in values["survivors"]:
            kept = {key: value for key, value in survivor.items() if key not in ("snippet", "engine")}
            scores[f"{survivor['snippet']} {survivor['engine']}"]["survivors"].append(kept)
    oldest: Mapping[str, Any] = min(files.values(), key=lambda values: str(values["date"]), default={"date": ""})
    return summary(scores.values(), versions or {}, oldest["date"], oldest.get("provenance"))


def documented_lines(snippet: Snippet) -> list[int]:
    """The numbers of all `#>`, `#!` and `#~` lines."""
    found: list[int] = []
    for statement in snippet.statements:
        found += [line.line for line in statement.output]
        if statement.error:
            found += range(statement.error.line, statement.error.last_line + 1)
        for warning in statement.warnings:
            found += range(warning.line, warning.last_line + 1)
    return sorted(found)


def _changes(line: str) -> Iterator[tuple[str, str, str, str]]:
    """(kind, before, after, changed line) for each value in an expected line."""
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
