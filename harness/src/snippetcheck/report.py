"""Format the findings of a snippet for a terminal and for GitHub, and the command lines in messages."""

from __future__ import annotations

import difflib
import itertools
import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from snippetcheck import numbers
from snippetcheck.compare import Finding
from snippetcheck.fence_types import Fence
from snippetcheck.outcome import Run
from snippetcheck.snippet import Snippet, Statement
from snippetcheck.source import display_path, plural

_LONGEST = 40  # the most lines of one side of a diff
_WIDEST = 400  # the most characters of a line
_MOST_NUMBERS = 12


def render(
    snippet: Snippet,
    engine: str,
    findings: Sequence[Finding],
    fences: Sequence[Fence] = (),
    explanation: str | None = None,
) -> str:
    """Return the report of a failed snippet on an engine.

    `fences` are named in the report. `explanation` is a sentence for its head, such as
    the result of `explain_change`.
    """
    path = display_path(snippet.path)
    suffix = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    lines = [f"on {engine}, line {findings[0].line} {findings[0].message}{suffix}"]
    lines += [f"{display_path(fence.page)}:{fence.line}: shows {snippet.name}" for fence in fences]
    lines += [f"{path}: {snippet.title}"] if snippet.title else []
    if explanation:
        lines.append(explanation)
    source = snippet.lines
    for finding in findings:
        lines += ["", f"{path}:{finding.line}: {finding.message}"]
        if finding.statement is not None:
            statement = snippet.statements[finding.statement]
            lines += [f"    {number:>4} | {source[number - 1]}" for number in _excerpt_lines(statement)]
        lines += [f"    {line}" for line in difference(finding.expected, finding.actual)]
        if not finding.remedy.startswith("bless"):
            lines.append(f"    remedy: {finding.remedy}")
    if any(finding.remedy.startswith("bless") for finding in findings):
        lines += ["", f"if what it prints is right: {python_command('-m', 'snippetcheck', 'bless', path)}"]
    return "\n".join(lines)


def difference(expected: Sequence[str], actual: Sequence[str]) -> list[str]:
    """Return the lines of a diff of two outputs (- the page, + the run), and lines for the numbers in which they differ.

    Long outputs and long lines are shortened, and unprintable characters escaped.
    """
    if not expected:
        return [f"+ {_escape_and_crop(line)}" for line in _elide(actual)]
    if not actual:
        return [f"- {_escape_and_crop(line)}" for line in _elide(expected)]
    page, run = _crop_to_difference(_elide(expected), _elide(actual))
    lines = [line.rstrip("\n") for line in difflib.ndiff(page, run) if line.strip()]
    different_lines = [pair for pair in zip(page, run, strict=False) if pair[0] != pair[1]]
    if different_lines and not "".join(different_lines[0]).isascii():
        before, after = different_lines[0]
        lines.append(f"in ASCII: {ascii(before)} -> {ascii(after)}")
    changes = numbers.changes(expected, actual)
    if changes:
        lines += ["numbers, page -> run:"]
        lines += [f"  {change}" for change in changes[:_MOST_NUMBERS]]
        if len(changes) > _MOST_NUMBERS:
            largest_change = max(changes, key=lambda change: change.relative)
            lines.append(f"  and {len(changes) - _MOST_NUMBERS} more; the largest: {largest_change}")
    return lines


def _crop_to_difference(expected: Sequence[str], actual: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return both outputs with long lines cropped, each to the part around its first difference from the other output."""
    pairs = itertools.zip_longest(expected, actual, fillvalue="")
    starts = [max(0, len(os.path.commonprefix(pair)) - _WIDEST // 2) for pair in pairs]
    # `map` stops at the end of the shorter argument, the lines
    return list(map(_escape_and_crop, expected, starts)), list(map(_escape_and_crop, actual, starts))


def _escape_and_crop(line: str, start: int = 0) -> str:
    """Return a line with escapes for unprintable characters. Of a long line, keep _WIDEST characters from `start` on."""
    if len(line) > _WIDEST:
        remaining = len(line) - start - _WIDEST
        before = f"[{plural(start, 'character')}]" if start > 0 else ""
        after = f"[{remaining} more]" if remaining > 0 else ""
        line = before + line[start : start + _WIDEST] + after
    return line if line.isprintable() else printable(line)


def printable(text: str) -> str:
    """Return a text with escapes for unprintable characters, except tabs and newlines."""
    return "".join(sign if sign.isprintable() or sign in "\t\n" else ascii(sign)[1:-1] for sign in text)


def explain_change(judge: str, findings: Mapping[str, Sequence[Finding]], outputs_agree: bool) -> str:
    """Return a sentence on whether the page or an engine changed; empty for a single engine, whose run cannot tell.

    `findings` are by engine. One engine must have some.
    """
    failed = [engine for engine, engine_findings in findings.items() if engine_findings]
    other_engines = [engine for engine in findings if engine != judge]
    if judge not in findings:
        return f"{_with_verb(failed, 'differs', 'differ')} from the page; {judge} does not run this snippet"
    if not other_engines:
        return ""
    if failed == [judge]:
        return f"{judge} changed: {_with_verb(other_engines, 'still prints', 'still print')} what the page says"
    if judge not in failed:
        return f"{_with_verb(failed, 'is', 'are')} wrong: {judge} prints what the page says"
    if len(failed) == len(findings) and outputs_agree:
        return f"the page is stale: {', '.join(findings)} agree with each other"
    return f"{', '.join(failed)} differ from the page, and from each other"


def _with_verb(engines: Sequence[str], singular: str, plural_form: str) -> str:
    """Return the names of the engines, followed by `singular` for one engine or `plural_form` for several."""
    return f"{', '.join(engines)} {singular if len(engines) == 1 else plural_form}"


def runs_agree(runs: Sequence[Run]) -> bool:
    """Return whether the runs of one snippet have equal outputs, errors and warnings."""
    results = [
        [
            (entry.output, entry.error and (entry.error.type, entry.error.message), entry.warnings)
            for entry in run.statements
        ]
        for run in runs
    ]
    return all(result == results[0] for result in results)


def _elide(lines: Sequence[str]) -> list[str]:
    if len(lines) <= _LONGEST:
        return list(lines)
    half = _LONGEST // 2
    return [*lines[:half], f"[{plural(len(lines) - 2 * half, 'more line')}]", *lines[-half:]]


def _excerpt_lines(statement: Statement) -> list[int]:
    """Return the numbers of the lines of a statement to display: all, or the first and last lines of a long statement."""
    span = list(range(statement.first, statement.last + 1))
    return span if len(span) <= 6 else [*span[:3], *span[-2:]]


def python_command(*arguments: str | Path) -> str:
    """Return a command line that runs this Python with these arguments, quoted for a shell in the current folder.

    The interpreter is written as a path below the current folder, else as `python` if the shell then finds it, else as an
    absolute path.
    """
    return shlex.join([_interpreter(), *map(str, arguments)])


def _interpreter() -> str:
    executable = os.path.abspath(sys.executable)
    relative_path = os.path.relpath(executable)
    if not relative_path.startswith(os.pardir + os.sep):
        return relative_path if os.sep in relative_path else os.path.join(os.curdir, relative_path)
    python = shutil.which("python")
    return "python" if python and os.path.abspath(python) == executable else executable


def github_annotation(path: Path | str, line: int, title: str, message: str) -> str:
    """Return an `::error` workflow command, escaped as GitHub's runner requires."""
    return f"::error file={_escape_property(str(path))},line={line},title={_escape_property(title)}::{_escape_data(message)}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
