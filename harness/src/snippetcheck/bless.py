"""Write the output of a snippet into its `#>`, `#!` and `#~` lines.

Output is written literally. A `#>?` line stays if it still matches. Nothing is written if the engines disagree.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import tempfile
from dataclasses import dataclass

from snippetcheck import numbers, outcome, report
from snippetcheck.compare import (
    Finding,
    class_matches,
    compare,
    line_matches,
    message_matches,
    output_lines,
    place_thread_warnings,
    type_matches,
)
from snippetcheck.outcome import RaisedError, Run, StatementRun, warning_name
from snippetcheck.report import python_command
from snippetcheck.snippet import ExpectedError, ExpectedLine, ExpectedWarning, Snippet, SnippetError, Statement, parse
from snippetcheck.source import display_path

_TRIGGERED = re.compile(r"\s*\(Triggered internally at .*", re.DOTALL)
_WIDEST = 110
# PYTHONHASHSEED and TZ of the further runs on the judge. A set of three strings has the same order in all four runs with a
# probability of 1:200. The last two time zones have different dates at every moment.
FURTHER_RUNS = ((1, "UTC"), (2, "<+14>-14"), (3, "<-12>+12"))


class BlessError(Exception):
    """The output of a snippet cannot be written into it. The text has the reason and the remedy."""


@dataclass(frozen=True)
class Blessing:
    """The new text of a snippet, before it is written."""

    snippet: Snippet
    text: str

    @property
    def changed(self) -> bool:
        """Return whether the new text differs from the old one."""
        return self.text != self.snippet.text

    def diff(self) -> str:
        """Return a unified diff, followed by the numbers that change."""
        path = os.path.relpath(self.snippet.path)
        old, new = self.snippet.text.splitlines(), self.text.splitlines()
        lines = list(difflib.unified_diff(old, new, path, path, lineterm="", n=2))
        changed = numbers.changes(
            [line for line in old if line.startswith("#")], [line for line in new if line.startswith("#")]
        )
        for change in changed or []:
            lines.append(f"  {change}")
        return "\n".join(lines)

    def write(self) -> None:
        """Replace the file atomically. Raises BlessError if it changed after it was read, or cannot be written.

        If the file is a link, its target is replaced.
        """
        path = self.snippet.path.resolve()
        name = None
        try:
            if path.read_text(encoding="utf-8") != self.snippet.text:
                command = python_command("-m", "snippetcheck", "bless", display_path(self.snippet.path))
                raise BlessError(
                    f"{display_path(self.snippet.path)}: changed on disk while it ran\n    bless it again: {command}"
                )
            status = path.stat()
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(self.text)
                file.flush()
                os.fsync(handle)
            os.chmod(name, status.st_mode)
            with contextlib.suppress(PermissionError):  # only root may give a file to its owner
                os.chown(name, status.st_uid, status.st_gid)
            os.replace(name, path)
            name = None
        except (OSError, UnicodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is no longer UTF-8"
            raise BlessError(
                f"{display_path(self.snippet.path)}: cannot be written: {reason}\n    the file stays as it was"
            ) from None
        finally:
            if name:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(name)


def bless(snippet: Snippet, judge: Run, other_runs: list[Run], engines: tuple[str, ...]) -> Blessing:
    """Return the snippet with the output of `judge`. Raises BlessError if another run disagrees.

    Args:
        other_runs: runs on the other engines, and `FURTHER_RUNS` on the judge's engine.
        engines: the names that the manifest may use.
    """
    lines = snippet.lines
    edits: list[tuple[int, int, list[str]]] = []  # first, last (exclusive, 0-based), new lines
    if judge.outcome not in (outcome.FINISHED, outcome.RAISED):
        raise _refusal(snippet, compare(snippet, judge)[-1].line, f"{judge.outcome}: {judge.detail}")
    for statement, statement_run in zip(
        snippet.statements, place_thread_warnings(snippet, judge).statements, strict=False
    ):
        edits.append((statement.last, statement.block_last, _block(snippet, statement, statement_run, other_runs)))
    for first, last, block in reversed(edits):
        lines[first:last] = block
    text = "\n".join(lines) + "\n"
    try:
        blessed = parse(text, snippet.path, snippet.name, engines)
    except SnippetError as error:
        raise BlessError(f"{error}\n    its output is not valid in a snippet") from None
    for run in (judge, *other_runs):
        for finding in compare(blessed, run)[:1]:
            raise _disagreement(snippet, judge, run, finding)
    return Blessing(snippet, text)


def _disagreement(snippet: Snippet, judge: Run, run: Run, finding: Finding) -> BlessError:
    line = finding.line if finding.statement is None else snippet.statements[finding.statement].first
    diff = "".join(f"\n    {text}" for text in report.difference(finding.expected, finding.actual))
    if run is judge:
        return _refusal(snippet, line, f"{finding.message}{diff}\n    {finding.remedy}")
    if run.engine == judge.engine:
        remedy = "sort what has no order, as a set; set a seed; or write a `#>?` line by hand, with ... for what cannot be fixed, as the local time"
        return _refusal(snippet, line, f"another run on {run.engine} {finding.message}{diff}\n    {remedy}")
    message = f"{run.engine} disagrees with {judge.engine}: it {finding.message}"
    return _refusal(snippet, line, f"{message}{diff}\n    make the engines agree first")


def _refusal(snippet: Snippet, line: int, message: str) -> BlessError:
    return BlessError(f"{display_path(snippet.path)}:{line}: not blessed: {message}")


def _block(snippet: Snippet, statement: Statement, statement_run: StatementRun, other_runs: list[Run]) -> list[str]:
    """Return the expected lines under a statement, from its run on the judge."""
    is_last = statement is snippet.statements[-1]
    if statement_run.error and not statement.error and not (statement_run.error.is_success and is_last):
        if is_last:
            remedy = "if it is meant to raise, write a bare `#!` under it"
        else:
            remedy = "if it is meant to raise, catch the error and print it, or let it end a file of its own"
        line = statement_run.error.line or statement.first
        raise _refusal(snippet, line, f"raises {statement_run.error.name}: {statement_run.error.message}\n    {remedy}")
    if statement.error and not statement_run.error:
        raise _refusal(
            snippet,
            statement.error.line,
            "no longer raises\n    remove its #! lines if that is right",
        )
    tolerance = snippet.manifest.tolerance
    lines = [line for line in statement.output if not line.is_stderr]
    block = _output(lines, [ExpectedLine(0, text) for text in output_lines(statement_run.output)], tolerance)
    if lines := [line for line in statement.output if line.is_stderr]:
        printed = [ExpectedLine(0, text, is_stderr=True) for text in output_lines(statement_run.stderr)]
        block += _output(lines, printed, tolerance)
    block += _warnings(statement, statement_run.warnings, snippet.text)
    if statement.error and statement_run.error:
        block += _error(
            statement.error, statement_run.error, _error_name(snippet, statement.error, statement_run.error, other_runs)
        )
    return [line.rstrip(" \t") for line in block]


def _output(lines: list[ExpectedLine], printed: list[ExpectedLine], tolerance: float) -> list[str]:
    """Return the lines for the output: literal ones, and each line that still matches by wildcards or by the tolerance."""
    block, begin = list(printed), 0
    for index, line in enumerate(lines):
        if line.has_wildcards or tolerance:
            candidates = [index] if len(lines) == len(printed) else range(begin, len(printed))
            matches = (number for number in candidates if line_matches(line, printed[number].text, tolerance))
            if (fitting := next(matches, None)) is not None:
                block[fitting], begin = line, fitting + 1
    return [line.source for line in block]


def _warnings(statement: Statement, actual: tuple[tuple[str, str], ...], program: str) -> list[str]:
    lines: list[str] = []
    for index, (category, message) in enumerate(actual):
        old = statement.warnings[index] if index < len(statement.warnings) else None
        lines += [f"#~ {line}" for line in _warning(old, category, message, program).split("\n")]
    return lines


def _warning(old: ExpectedWarning | None, category: str, message: str, program: str) -> str:
    is_old = old is not None and class_matches(old.category, category, program)
    name = old.category if old and is_old else warning_name(category)
    if old and is_old and message_matches(old.message, message):
        return f"{name}: {old.message}"
    if not message.strip(" \t"):
        return name
    return f"{name}: {_TRIGGERED.sub(' ...', message)}"  # a location in torch's sources does not help a reader


def _error_name(snippet: Snippet, expected: ExpectedError, actual: RaisedError, other_runs: list[Run]) -> str:
    """Return the name to write: the old one if it matches, else what a traceback prints, else what the engines share."""
    if type_matches(expected.type, actual, snippet.text):
        return expected.type
    elsewhere = [run.statements[-1].error for run in other_runs if run.statements]
    agree = all(error is None or error.name == actual.name for error in elsewhere)
    return actual.name if agree else actual.type


def _error(expected: ExpectedError, actual: RaisedError, name: str) -> list[str]:
    first, line_end, rest = actual.message.partition("\n")
    has_blank_edge = bool(line_end) and not (first.strip() and rest.strip())
    if name == expected.type and message_matches(expected.message, actual.message) and expected.message:
        text = f"{expected.type}: {expected.message}"
    elif not actual.message.strip(" \t"):
        text = name
    elif actual.is_group or has_blank_edge:
        text = f"{name}: {actual.message}"
    else:
        may_shorten = expected.message.endswith(" ...") or rest
        text = f"{name}: {_first_sentence(first) if len(first) > _WIDEST and may_shorten else first}"
        if text != f"{name}: {actual.message}":
            text += " ..."
    return [f"#! {line}" for line in text.split("\n")]


def _first_sentence(text: str) -> str:
    match = re.match(r".{20,}?(?=\. | \()", text)
    return match[0] if match else text
