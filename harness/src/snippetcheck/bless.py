"""Write the output, the error and the warnings of a snippet into its expected lines.

They are written literally, except that the message of an error or a warning may be shortened, with ` ...` at its end. An
expected line stays if it still matches by wildcards or by the tolerance. Nothing is written if the runs differ: the runs on
two engines, or those on the first engine with different hash seeds and time zones.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from snippetcheck import numbers, outcome, report
from snippetcheck.compare import (
    Finding,
    class_matches,
    compare,
    compare_error,
    line_matches,
    message_matches,
    output_lines,
    place_thread_warnings,
)
from snippetcheck.outcome import RaisedError, Run, StatementRun, warning_name
from snippetcheck.report import python_command
from snippetcheck.snippet import ExpectedLine, ExpectedMessage, Snippet, SnippetError, Statement
from snippetcheck.source import display_path, plural

_TRIGGERED = re.compile(r"\s*\(Triggered internally at .*", re.DOTALL)
_WIDEST = 110
_MOST_ROUNDS = 3
_Edit = tuple[int, int, list[str]]  # (index of the first line to replace, index after the last of them, the new lines)
# PYTHONHASHSEED and TZ of the further runs on the first engine, the judge. A set of three strings has the same order in
# all four runs with a probability of 1:200. The last two time zones have different dates at every moment.
FURTHER_RUNS = ((1, "UTC"), (2, "<+14>-14"), (3, "<-12>+12"))


class BlessError(Exception):
    """The output of a snippet cannot be written into its file. `str(error)` has the reason and the remedy."""


@dataclass(frozen=True)
class Blessing:
    """A snippet, and the snippet with its output, which is not yet written into the file."""

    snippet: Snippet
    blessed: Snippet

    @property
    def text(self) -> str:
        """Return the new text of the file."""
        return self.blessed.file_text

    @property
    def is_changed(self) -> bool:
        """Return whether the new text differs from the present text of the file."""
        return self.text != self.snippet.file_text

    def diff(self) -> str:
        """Return a unified diff of the file. If its comments differ only in numbers, a line for each changed number follows."""
        path = os.path.relpath(self.snippet.path)
        old, new = self.snippet.file_text.splitlines(), self.text.splitlines()
        lines = list(difflib.unified_diff(old, new, path, path, lineterm="", n=2))
        comments = ([line for line in text if line.lstrip().startswith("#")] for text in (old, new))
        return "\n".join([*lines, *(f"  {change}" for change in numbers.changes(*comments) or [])])

    def write(self) -> None:
        """Replace the file by the new text, atomically. If the file is a link, replace its target.

        Raises BlessError if the file has changed since it was read, or cannot be written.
        """
        path, location = self.snippet.path.resolve(), display_path(self.snippet.path)
        name = None
        try:
            if path.read_bytes().decode() != self.snippet.file_text:
                command = python_command("-m", "snippetcheck", "bless", location)
                raise BlessError(f"{location}: changed on disk while it ran\n    bless it again: {command}")
            status = path.stat()
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(self.text)
                file.flush()
                os.fsync(handle)
            os.chmod(name, status.st_mode)
            with contextlib.suppress(PermissionError):  # only root may change the owner of a file
                os.chown(name, status.st_uid, status.st_gid)
            os.replace(name, path)
            name = None
        except (OSError, UnicodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is no longer UTF-8"
            remedy = "check the disk and the permissions; the file is unchanged"
            raise BlessError(f"{location}: cannot be written: {reason}\n    {remedy}") from None
        finally:
            if name:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(name)


def bless_repeatedly(snippet: Snippet, run: Callable[[Snippet], list[Run]]) -> Blessing:
    """Bless a snippet, and bless the result as long as new lines have moved its statements: it may print its line numbers.

    `run` returns the run of the judge and the other runs. Raises BlessError like `bless`, and if the lines still move after
    _MOST_ROUNDS.
    """
    before = snippet
    for _ in range(_MOST_ROUNDS):
        judge, *other_runs = run(before)
        blessed = bless(before, judge, other_runs).blessed
        if _lines_of_statements(blessed) == _lines_of_statements(before):
            return Blessing(snippet, blessed)
        before = blessed
    message = "what it prints depends on its line numbers, and moves its lines each time it is blessed"
    raise _refusal(snippet, snippet.statements[0].first, f"{message}\n    print no line numbers")


def _lines_of_statements(snippet: Snippet) -> list[tuple[int, int]]:
    return [(statement.first, statement.last) for statement in snippet.statements]


def bless(snippet: Snippet, judge: Run, other_runs: list[Run]) -> Blessing:
    """Return a Blessing of the snippet. Its text has the output, the error and the warnings of the run `judge`.

    Raises BlessError if the program ends or raises otherwise than expected, if its output cannot stand in the file, or if the
    new text does not match one of the runs.

    Args:
        judge: the run on the first engine.
        other_runs: runs on the other engines, and further runs on the first engine.
    """
    if judge.outcome not in (outcome.FINISHED, outcome.RAISED):
        raise _refusal(snippet, compare(snippet, judge)[-1].line, f"{judge.outcome}: {judge.detail}")
    edits: list[_Edit] = []
    statement_runs = place_thread_warnings(snippet, judge).statements
    for statement, statement_run in zip(snippet.statements, statement_runs, strict=False):
        edits += _find_edits(snippet, statement, statement_run, other_runs)
    text = _apply_edits(snippet.text, edits)
    try:
        blessed_snippet = snippet.with_text(text)
    except SnippetError as error:
        line = _line_before_edits(error.line, edits)
        raise _refusal(snippet, line, f"its output {error.message}\n    {error.remedy}") from None
    for number, path in _machine_paths(snippet, text):
        message = f"its output shows {path!r}, a path of this machine"
        remedy = f"print only the name, or write {_line_with_wildcards(snippet)}, with ... for the path"
        raise _refusal(snippet, _line_before_edits(number, edits), f"{message}\n    {remedy}")
    for run in (judge, *other_runs):
        for finding in compare(blessed_snippet, run)[:1]:
            raise _disagreement(snippet, judge, run, finding)
    return Blessing(snippet, _edit_page(snippet, edits, text) if snippet.page else blessed_snippet)


def _machine_paths(snippet: Snippet, text: str) -> Iterator[tuple[int, str]]:
    """Yield each new line of `text`, by its number, with the path that it shows of the project or of this Python.

    A path that the program itself names may stand there.
    """
    folder = snippet.path.resolve().parent
    root = next((parent for parent in (folder, *folder.parents) if (parent / "pyproject.toml").is_file()), folder)
    places = [str(snippet.path.resolve()), sys.executable, *map(sysconfig.get_path, ("stdlib", "purelib", "platlib"))]
    if len(root.parts) > 2:  # a folder such as /tmp is also on other machines
        places.insert(0, str(root))
    known_lines = set(snippet.text.split("\n"))
    for number, line in enumerate(text.split("\n"), 1):
        for path in places:
            if line not in known_lines and path not in snippet.text and re.search(rf"{re.escape(path)}(?![\w-])", line):
                yield number, path


def _apply_edits(text: str, edits: list[_Edit], prefixes: Sequence[str] = ()) -> str:
    """Return `text` with the edits applied. For a page, `prefixes` has the text in front of the example in each line."""
    lines = text.split("\n")
    for first, last, block in sorted(edits, reverse=True):
        prefix = prefixes[first - 1] if prefixes else ""
        end = "\r" if lines[first - 1].endswith("\r") else ""  # a page may have the line endings of Windows
        lines[first:last] = [(prefix + line).rstrip(" \t") + end for line in block]
    return "\n".join(lines)


def _line_before_edits(line: int, edits: list[_Edit]) -> int:
    """Return the number that a line of the edited text had before. For a line that an edit wrote, return that of the line above the edit."""
    for first, last, block in sorted(edits):
        if first < line <= first + len(block):
            return first
        if line > first:
            line -= len(block) - (last - first)
    return line


def _edit_page(snippet: Snippet, edits: list[_Edit], text: str) -> Snippet:
    """Return the example as read from the page with the edits applied. Raises BlessError unless its text is `text`."""
    assert snippet.page
    page_lines, lines = snippet.page.text.replace("\r\n", "\n").split("\n"), snippet.text.split("\n")
    pairs = zip(page_lines, lines, strict=False)
    prefixes = [line[: len(line) - len(end)] if line.endswith(end) else "" for line, end in pairs]
    page = _apply_edits(snippet.page.text, edits, prefixes)
    for example in snippet.page.read(page):
        if isinstance(example, Snippet) and (example.name, example.text) == (snippet.name, text):
            return example
    remedy = (
        "a docstring needs r in front of its quotes if the output has backslashes, and a fence blanks in place of tabs"
    )
    raise _refusal(
        snippet, snippet.statements[0].first, f"with this output, the example could not be read again\n    {remedy}"
    )


def _disagreement(snippet: Snippet, judge: Run, run: Run, finding: Finding) -> BlessError:
    line = finding.line if finding.statement is None else snippet.statements[finding.statement].first
    diff = "".join(f"\n    {text}" for text in report.difference(finding.expected, finding.actual))
    if run is judge:
        is_text = finding.statement is not None and snippet.statements[finding.statement].text_lines
        remedy = (
            "write `#>` lines in place of the string, since the output has backslashes" if is_text else finding.remedy
        )
        return _refusal(snippet, line, f"{finding.message}{diff}\n    {remedy}")
    if run.engine == judge.engine:
        remedy = (
            "sort unordered values such as sets, set a seed, wait in the same statement for a process or thread that prints, "
            f"or write {_line_with_wildcards(snippet)}, with ... for text that varies, such as the local time"
        )
        return _refusal(snippet, line, f"another run on {run.engine} {finding.message}{diff}\n    {remedy}")
    message = f"{run.engine} disagrees with {judge.engine}: it {finding.message}"
    return _refusal(snippet, line, f"{message}{diff}\n    make the engines agree first")


def _line_with_wildcards(snippet: Snippet) -> str:
    return "`# doctest: +ELLIPSIS` after the example" if snippet.prompts else "a `#>?` line by hand"


def _refusal(snippet: Snippet, line: int, message: str) -> BlessError:
    return BlessError(f"{display_path(snippet.path)}:{line}: not blessed: {message}")


def _find_edits(
    snippet: Snippet, statement: Statement, statement_run: StatementRun, other_runs: list[Run]
) -> list[_Edit]:
    """Return the edits that make the expected lines of a statement agree with its run.

    Raises BlessError for an unexpected error, for the lack of an expected error, and if `_place_output` raises it.
    """
    error, want = statement_run.error, statement.want
    if error and not statement.may_raise:
        findings = want.findings(0, statement, statement_run) if want else compare_error(0, statement, error, snippet)
        for finding in findings:
            raise _refusal(snippet, finding.line, f"raises {error.summary}\n    {finding.remedy}")
    if statement.may_raise and not error:
        line = statement.error.line if statement.error else statement.want.first
        lines = "#! lines" if statement.error else "traceback"
        raise _refusal(snippet, line, f"no longer raises\n    remove its {lines} if that is right")
    if statement.want:
        indent = _indentation(snippet.lines[statement.first - 1])
        block = [indent + line for line in statement.want.lines_to_write(statement_run)]
        return [(statement.last, statement.want.last, block)]
    tolerance = snippet.manifest.tolerance
    expected = [line for line in statement.output if not line.is_stderr]
    output = _merge_output(expected, [ExpectedLine(0, text) for text in output_lines(statement_run.output)], tolerance)
    if stderr_lines := [line for line in statement.output if line.is_stderr]:
        printed_lines = [ExpectedLine(0, text, is_stderr=True) for text in output_lines(statement_run.stderr)]
        output += _merge_output(stderr_lines, printed_lines, tolerance)
    other_warnings = {message for run in other_runs for entry in run.statements for _, message in entry.warnings}
    old_warnings = (*statement.warnings, *[None] * len(statement_run.warnings))
    pairs = zip(old_warnings, statement_run.warnings, strict=False)
    texts = [_warning_text(old, *warning, snippet.text, other_warnings) for old, warning in pairs]
    block = [f"#~ {line}" for text in texts for line in text.split("\n")]
    if statement.error and error:
        text = _error_text(snippet, statement.error, error, other_runs)
        block += [f"#! {line}" for line in text.split("\n")]
    return _place_output(snippet, statement, output, block)


def _place_output(
    snippet: Snippet, statement: Statement, output: list[ExpectedLine], messages: list[str]
) -> list[_Edit]:
    """Return the edits that put `output` in the places of the present lines, and the `#~` and `#!` lines `messages` below.

    Raises BlessError if the present lines stand in several places and their number has changed.
    """
    old = statement.output
    if not old:
        return [(statement.last, statement.block_last, [line.source for line in output] + messages)]
    new = [line.text if statement.text_lines else line.source for line in output]
    indents = [_indentation(snippet.lines[(statement.text_lines or (line.line,))[0] - 1]) for line in old]
    first, last = old[0].line, old[-1].line
    if len(set(indents)) == 1 and last - first + 1 == len(old):
        edits = [(first - 1, last, [indents[0] + text for text in new])]
    elif len(new) == len(old):
        places = zip(old, indents, new, strict=True)
        edits = [(line.line - 1, line.line, [indent + text]) for line, indent, text in places]
    else:
        message = f"prints {plural(len(new), 'line')}, but its {len(old)} expected lines are in several places"
        raise _refusal(snippet, statement.first, f"{message}\n    move them under the whole statement, at column 0")
    end = max(statement.last, last)
    return edits if statement.text_lines else [*edits, (end, max(end, statement.block_last), messages)]


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _merge_output(lines: list[ExpectedLine], printed_lines: list[ExpectedLine], tolerance: float) -> list[ExpectedLine]:
    """Return `printed_lines`, with expected lines from `lines` in place of those that they match by wildcards or tolerance.

    Each expected line replaces at most one: the line of the same index if both lists are equally long, else the next
    match.
    """
    block, begin = list(printed_lines), 0
    for index, line in enumerate(lines):
        if line.has_wildcards or tolerance:
            candidates = [index] if len(lines) == len(printed_lines) else range(begin, len(printed_lines))
            matches = (number for number in candidates if line_matches(line, printed_lines[number].text, tolerance))
            if (match := next(matches, None)) is not None:
                block[match], begin = line, match + 1
    return block


def _warning_text(
    old: ExpectedMessage | None, category: str, message: str, program: str, other_warnings: set[str]
) -> str:
    if old and not class_matches(old.type, category, program):
        old = None
    name = old.type if old else warning_name(category)
    if old and message_matches(old.message, message):
        return f"{name}: {old.message}"
    if not message.strip(" \t"):
        return name
    text = _TRIGGERED.sub("", message)  # a location in torch's sources does not help a reader
    if text == message:
        return f"{name}: {text}"
    if text in other_warnings:  # ` ...` stands for at least one character of each message
        text = _first_sentence(text) if _first_sentence(text) != text else text.rpartition(" ")[0] or text
    return f"{name}: {text} ..."


def _error_text(snippet: Snippet, expected: ExpectedMessage, actual: RaisedError, other_runs: list[Run]) -> str:
    """Return the class and the message to write into `#!` lines.

    The name in the file stays if it matches. Otherwise, write the name that a traceback prints, or the bare name if the
    engines print different names.
    """
    is_same_class = class_matches(expected.type, actual.qualified, snippet.text)
    if is_same_class and expected.message and message_matches(expected.message, actual.message):
        return expected.text
    other_errors = [run.statements[-1].error for run in other_runs if run.statements]
    has_same_name = all(error is None or error.name == actual.name for error in other_errors)
    name = expected.type if is_same_class else actual.name if has_same_name else actual.type
    if not actual.message.strip(" \t"):
        return name
    first, line_end, rest = actual.message.partition("\n")
    has_blank_edge = bool(line_end) and not (first.strip() and rest.strip())
    if actual.is_group or has_blank_edge:
        return f"{name}: {actual.message}"
    may_shorten = expected.message.endswith(" ...") or rest
    text = _first_sentence(first) if len(first) > _WIDEST and may_shorten else first
    return f"{name}: {text}" if text == actual.message else f"{name}: {text} ..."


def _first_sentence(text: str) -> str:
    match = re.match(
        r".{20,}?(?:\.(?= )|(?= \())", text
    )  # with its full stop: ` ...` stands for a blank and what follows
    return match[0] if match else text
