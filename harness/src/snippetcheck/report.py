"""Says what is wrong with a snippet: where, what it printed, what the page says, and what to do."""

from __future__ import annotations

import difflib
import itertools
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from snippetcheck import numbers
from snippetcheck.compare import Finding
from snippetcheck.outcome import Run
from snippetcheck.shell import python_command
from snippetcheck.snippet import Snippet, Statement
from snippetcheck.source import plural, short

_LONGEST = 40  # lines of one side of a difference
_WIDEST = 400  # characters of one of them
_MOST_NUMBERS = 12


def render(
    snippet: Snippet,
    engine: str,
    findings: Sequence[Finding],
    places: Sequence[tuple[Path, int]] = (),
    moved: str | None = None,
) -> str:
    """The report of one snippet on one engine. `places` are the pages and lines that show it."""
    path = short(snippet.path)
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    lines = [f"on {engine}, line {findings[0].line} {findings[0].message}{more}"]
    lines += [f"{short(page)}:{line}: shows {snippet.name}" for page, line in places]
    lines.append(f"{path}: {snippet.title}")
    if moved:
        lines.append(moved)
    source = snippet.lines
    for finding in findings:
        lines += ["", f"{path}:{finding.line}: {finding.message}"]
        if finding.statement is not None:
            statement = snippet.statements[finding.statement]
            lines += [f"    {number:>4} | {source[number - 1]}" for number in _shown_lines(statement)]
        lines += [f"    {line}" for line in difference(finding.expected, finding.actual)]
        if not finding.remedy.startswith("bless"):
            lines.append(f"    remedy: {finding.remedy}")
    if any(finding.remedy.startswith("bless") for finding in findings):
        lines += ["", f"if what it prints is right: {python_command('-m', 'snippetcheck', 'bless', path)}"]
    return "\n".join(lines)


def difference(expected: Sequence[str], actual: Sequence[str]) -> list[str]:
    """Two outputs line by line (- the page, + the run), and the numbers in which they differ."""
    if not expected:
        return [f"+ {_readable(line)}" for line in _cut(actual)]
    if not actual:
        return [f"- {_readable(line)}" for line in _cut(expected)]
    page, run = _narrowed(_cut(expected), _cut(actual))
    lines = [line.rstrip("\n") for line in difflib.ndiff(page, run) if line.strip()]
    alike = [(one, other) for one, other in zip(page, run, strict=False) if one != other]
    if alike and not (alike[0][0] + alike[0][1]).isascii():
        lines.append(f"in ASCII: {ascii(alike[0][0])} -> {ascii(alike[0][1])}")
    changed = numbers.changes(expected, actual)
    if changed:
        lines += ["numbers, page -> run:"]
        lines += [f"  {change}" for change in changed[:_MOST_NUMBERS]]
        if len(changed) > _MOST_NUMBERS:
            worst = max(changed, key=lambda change: change.relative)
            lines.append(f"  and {len(changed) - _MOST_NUMBERS} more; the largest: {worst}")
    return lines


def _narrowed(expected: Sequence[str], actual: Sequence[str]) -> tuple[list[str], list[str]]:
    """Both sides with each line cut to the part around its first difference."""
    starts = [
        max(0, len(os.path.commonprefix(pair)) - _WIDEST // 2)
        for pair in itertools.zip_longest(expected, actual, fillvalue="")
    ]
    page, run = (
        [_readable(line, start) for line, start in zip(one, starts, strict=False)] for one in (expected, actual)
    )
    return page, run


def _readable(line: str, start: int = 0) -> str:
    """A line without what a terminal would act on; of a long one the part from `start` on."""
    if len(line) > _WIDEST:
        more = len(line) - start - _WIDEST
        line = (
            f"[{plural(start, 'character')}]" * (start > 0)
            + line[start : start + _WIDEST]
            + f"[{more} more]" * (more > 0)
        )
    return line if line.isprintable() else printable(line)


def printable(text: str) -> str:
    """A report with escapes for what a terminal would act on or cannot write."""
    return "".join(sign if sign.isprintable() or sign in "\t\n" else ascii(sign)[1:-1] for sign in text)


def which_side_moved(judge: str, findings: Mapping[str, Sequence[Finding]], outputs_agree: bool) -> str | None:
    """Say which of page and engines has moved, from the findings on every engine of a snippet."""
    wrong = [engine for engine, found in findings.items() if found]
    others = [engine for engine in findings if engine != judge]
    if not wrong:
        return None
    if judge not in findings:
        return f"{_verb(wrong, 'differs', 'differ')} from the page; {judge} does not run this snippet"
    if not others:
        return f"only {judge} runs this snippet: the page is stale, or {judge} changed"
    if wrong == [judge]:
        return f"{judge} moved: {_verb(others, 'still prints', 'still print')} what the page says"
    if judge not in wrong:
        return f"{_verb(wrong, 'is', 'are')} wrong: {judge} prints what the page says"
    if len(wrong) == len(findings) and outputs_agree:
        return f"the page is stale: {', '.join(findings)} agree with each other"
    return f"{', '.join(wrong)} differ from the page, and from each other"


def _verb(engines: Sequence[str], singular: str, several: str) -> str:
    """Return the engines with the verb in their number."""
    return f"{', '.join(engines)} {singular if len(engines) == 1 else several}"


def agree(runs: Sequence[Run]) -> bool:
    """Whether several runs of one snippet did the same."""

    def did(run: Run) -> list[object]:
        return [(one.output, one.error and (one.error.type, one.error.message), one.warnings) for one in run.statements]

    return all(did(run) == did(runs[0]) for run in runs)


def _cut(lines: Sequence[str]) -> list[str]:
    if len(lines) <= _LONGEST:
        return list(lines)
    half = _LONGEST // 2
    return [*lines[:half], f"[{plural(len(lines) - 2 * half, 'more line')}]", *lines[-half:]]


def _shown_lines(statement: Statement) -> list[int]:
    """The numbers of the lines of a statement; of a long one its head and its end."""
    span = list(range(statement.first, statement.last + 1))
    return span if len(span) <= 6 else [*span[:3], *span[-2:]]
