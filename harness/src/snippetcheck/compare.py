"""Compare a run with the `#>`, `#!` and `#~` lines of its snippet.

Text is compared exactly on every engine: words, brackets, dtypes, shapes, names of nodes, and every printed digit.
Exceptions are whitespace at the end of a line, numbers within the tolerance of the manifest, wildcards, and the layout of
an expression in a string under a `print`. In a `#>?` line, each `...` stands for one or more characters. At the end of a
`#!` or `#~` line, ` ...` stands for the rest. `>>>` examples are compared as doctest does.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from warnings import catch_warnings

from snippetcheck import numbers, outcome
from snippetcheck.expected import matches, pieces_of_line, pieces_of_message
from snippetcheck.outcome import RaisedError, Run, is_builtin, traceback_name, warning_name
from snippetcheck.snippet import ExpectedLine, ExpectedMessage, Snippet, Statement
from snippetcheck.source import plural

_OWN_FRAME = re.compile(rf'File "({re.escape(str(Path(__file__).parent))}/[\w/]+\.py|<string>)", line \d+ in')

_REMEDY_OF_ERROR = "correct the snippet; if it is meant to raise, catch the error and print it, or write a bare `#!` under the last statement and bless it"


@dataclass(frozen=True)
class Finding:
    """A difference between a run and the expected lines of its snippet, or another reason why the snippet fails."""

    line: int  # in the file of the snippet
    message: str
    remedy: str
    expected: tuple[str, ...] = ()  # the expected lines, for a diff
    actual: tuple[str, ...] = ()  # the lines of the run
    statement: int | None = None  # the index of the statement that differs


def compare(snippet: Snippet, run: Run) -> list[Finding]:
    """Return the findings of a run in the order of statements. Those of the whole program come last.

    If the run has more statements than the program, there is one finding, which says that.
    """
    if len(run.statements) > len(snippet.statements):
        counts = f"{plural(len(run.statements), 'statement')}, but the program has {len(snippet.statements)}"
        message, remedy = f"{outcome.HARNESS_FAILED}: the run has {counts}", _REMEDIES[outcome.HARNESS_FAILED]
        return [Finding(snippet.statements[0].first, message, remedy)]
    run = place_thread_warnings(snippet, run)
    findings: list[Finding] = []
    for index, (statement, statement_run) in enumerate(zip_longest(snippet.statements, run.statements)):
        if statement_run is None:
            findings += _report_unreached(index, statement)
            continue
        if statement.want:
            findings += statement.want.findings(index, statement, statement_run)
            continue
        if statement_run.has_ended:  # the error first: missing output may be a consequence
            findings += compare_error(index, statement, statement_run.error, snippet)
        findings += compare_output(index, statement, statement_run.output, snippet.manifest.tolerance)
        if statement_run.has_ended:
            findings += _compare_warnings(index, statement, statement_run.warnings, snippet.text)
            findings += compare_stderr(index, statement, statement_run.stderr, snippet.manifest.tolerance)
    if not snippet.prompts:
        findings += _report_unended_lines(snippet, run)
    findings += _report_outcome(snippet, run)
    findings += _report_tail(snippet, run)
    if run.reads_itself and not (snippet.page and snippet.path.suffix == ".py"):  # an example imports its module
        message = "reads its own file, which contains the expected output"
        findings.append(Finding(snippet.statements[0].first, message, "print computed values instead"))
    return findings


def place_thread_warnings(snippet: Snippet, run: Run) -> Run:
    """Return the run with each warning of another thread among the warnings of the statement whose `#~` lines expect it.

    When a thread warns, the program may be at any statement between the start and the end of the thread. A warning that no
    statement expects is put at the statement that ran at the time.
    """
    warning_lists = [list(statement_run.warnings) for statement_run in run.statements]
    for begin, statement_run in enumerate(run.statements):
        for warning in statement_run.thread_warnings:
            later_indices, earlier_indices = range(begin, len(warning_lists)), range(begin - 1, -1, -1)
            candidates = (
                (index, position)
                for index in (*later_indices, *earlier_indices)
                for position, expected in enumerate(snippet.statements[index].warnings)
                if position <= len(warning_lists[index])
                and _warning_matches(expected, warning, snippet.text)
                and not any(
                    _warning_matches(expected, next_warning, snippet.text)
                    for next_warning in warning_lists[index][position:][:1]
                )
            )
            index, position = next(candidates, (begin, len(warning_lists[begin])))
            warning_lists[index].insert(position, warning)
    statements = zip(run.statements, warning_lists, strict=True)
    return replace(run, statements=tuple(replace(entry, warnings=tuple(texts)) for entry, texts in statements))


def _warning_matches(expected: ExpectedMessage, actual: tuple[str, str], program: str) -> bool:
    return class_matches(expected.type, actual[0], program) and message_matches(expected.message, actual[1])


def _report_unended_lines(snippet: Snippet, run: Run) -> list[Finding]:
    """Return a finding for each statement whose output lacks a final newline, although more is printed later."""
    outputs = [(index, entry.output) for index, entry in enumerate(run.statements) if entry.output]
    later = [output for _, output in outputs[1:]] + ([run.tail_output] if run.tail_output else [])
    message = "prints no newline at the end, so that a later statement continues the line"
    remedy = "print a newline at the end, or put both into one statement, such as a `with` block or a function"
    return [
        Finding(snippet.statements[index].last, message, remedy, statement=index)
        for (index, output), _ in zip(outputs, later, strict=False)
        if not output.endswith("\n")
    ]


def output_lines(output: str) -> list[str]:
    """Split printed text into lines. Remove blanks and tabs at their ends, and the empty line after a final newline."""
    lines = output.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.rstrip(" \t") for line in lines]


def line_matches(expected: ExpectedLine, actual: str, tolerance: float = 0.0) -> bool:
    """Return whether a printed line matches a `#>`, `#>?` or `#2>` line.

    `tolerance` allows different floats, relatively or absolutely; it has no effect on a line with wildcards.
    """
    if expected.has_wildcards:
        return matches(pieces_of_line(expected.text), actual)
    return expected.text == actual or (tolerance > 0 and numbers.are_close(expected.text, actual, tolerance))


def message_matches(expected: str, actual: str) -> bool:
    """Return whether the message of an error or warning matches a `#!` or `#~` line."""
    expected, actual = _strip_line_ends(expected), _strip_line_ends(actual)
    return expected == actual or matches(pieces_of_message(expected), actual)


def class_matches(expected: str, qualified: str, program: str = "") -> bool:
    """Return whether the name `expected` in a `#!` or `#~` line means the class `qualified`, such as "builtins.ValueError".

    `expected` may be the qualified name, the name that a traceback prints, or the bare name. A bare name means a class of any
    module; but if a built-in class or a class in `program`, the text of the snippet, has this name, the bare name means only that class.
    """
    if expected in (qualified, traceback_name(qualified)):
        return True
    if expected != qualified.rpartition(".")[2] or is_builtin(expected):
        return False
    is_class_of_program = qualified.startswith("__main__.")
    return is_class_of_program or not re.search(rf"^[ \t]*class[ \t]+{re.escape(expected)}\b", program, re.MULTILINE)


def _remedy_of_missing_file(snippet: Snippet, error: RaisedError) -> str:
    """Return the remedy if an error is about a file that is not found but lies beside the snippet; else an empty string."""
    name = error.message.rpartition(": ")[2].strip("'")
    if error.type != "FileNotFoundError" or not name or not os.path.exists(snippet.path.parent / name):
        return ""
    return f"programs run in an empty folder: find the file with `Path(__file__).parent / {name!r}`"


def _remedy_of_missing_name(snippet: Snippet, error: RaisedError) -> str:
    """Return the remedy if an error is about a name that the page binds above the example; else an empty string."""
    match = re.match(r"name '(\w+)' is not defined", error.message)
    if error.type != "NameError" or not match or not snippet.page or snippet.prompts:
        return ""
    name = match[1]
    above = "\n".join(snippet.page.text.split("\n")[: snippet.statements[0].first - 1])
    if not re.search(rf"^[ \t>]*(?:(?:from|import|def|class)\b.*\b{name}\b|{name}\b[^=\n]*=)", above, re.MULTILINE):
        return ""
    return f"each fence is a program: bind {name!r} in it, or write `continue` after its language to go on with the fence above"


def _strip_line_ends(text: str) -> str:
    return "\n".join(line.rstrip(" \t") for line in text.split("\n"))


def compare_output(
    index: int, statement: Statement, output: str, tolerance: float, is_stderr: bool = False
) -> list[Finding]:
    """Return the finding, in a list, if a statement should not have printed this output; else []."""
    lines = [line for line in statement.output if line.is_stderr == is_stderr]
    actual = tuple(output_lines(output))
    are_matches = [line_matches(*pair, tolerance) for pair in zip(lines, actual, strict=False)]
    if len(lines) == len(actual) and all(are_matches):
        return []
    if statement.text_lines and _is_same_expression([line.text for line in lines], actual):
        return []
    line_number = statement.last
    if False in are_matches:
        line_number = lines[are_matches.index(False)].line
    elif len(lines) > len(actual):
        line_number = lines[len(actual)].line
    elif lines:
        line_number = lines[-1].line
    # A line that matches by wildcards or tolerance is reported as printed, so that the diff does not show it.
    expected = tuple(
        text if is_match else line.text for line, text, is_match in zip_longest(lines, actual, are_matches) if line
    )
    sign, changes = "#2>" if is_stderr else "#>", numbers.changes(expected, actual) if tolerance else None
    if not expected:
        message = f"prints {plural(len(actual), 'line')} and has no {sign} line"
    elif not actual:
        message = f"prints nothing; its {sign} lines say {len(expected)}"
    elif len(actual) < len(expected):
        message = f"prints {plural(len(actual), 'line')}; its {sign} lines say {len(expected)}"
    elif len(actual) > len(expected):
        message = f"prints {plural(len(actual), 'line')}; it has {plural(len(expected), f'{sign} line')}"
    elif changes:
        largest_change = max(
            (change for change in changes if not change.is_within(tolerance)), key=lambda item: item.relative
        )
        message = f"prints a number beyond the tolerance of {tolerance:g}: {largest_change}"
    else:
        message = f"prints something other than its {sign} lines say"
    message = f"on stderr: {message}" if is_stderr else message
    return [Finding(line_number, message, "bless it if the output is right", expected, actual, index)]


def _is_same_expression(*texts: Sequence[str]) -> bool:
    """Return whether two texts are one Python expression in different layouts, since pytest-examples reformats long output."""
    try:
        with catch_warnings(action="ignore"):  # pytest may be set to raise a warning, such as that of "\d"
            first, second = (ast.dump(ast.parse("\n".join(lines), mode="eval")) for lines in texts)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return first == second


def _compare_warnings(
    index: int, statement: Statement, actual: tuple[tuple[str, str], ...], program: str
) -> list[Finding]:
    expected = statement.warnings
    are_matches = [_warning_matches(*pair, program) for pair in zip(expected, actual, strict=False)]
    if len(expected) == len(actual) and all(are_matches):
        return []
    if not expected:
        message = "warns, and has no #~ line"
    elif not actual:
        message = "does not warn, but its #~ line expects a warning"
    else:
        message = "warns of something other than its #~ lines say"
    line, remedy = expected[0].line if expected else statement.last, "bless it if the warning is right"
    texts = tuple(f"{warning_name(category)}: {text}" for category, text in actual)
    return [Finding(line, message, remedy, tuple(warning.text for warning in expected), texts, index)]


def compare_error(index: int, statement: Statement, actual: RaisedError | None, snippet: Snippet) -> list[Finding]:
    """Return the finding, in a list, if a statement should not have raised this error, or should have raised another; else []."""
    expected = statement.error
    if expected is None:
        if actual is None or (actual.is_success and statement is snippet.statements[-1]):
            return []
        traceback = tuple(actual.text.rstrip().split("\n")) if actual.text else (actual.summary,)
        message = f"raises {actual.name}, and has no #! line"
        remedy = _remedy_of_missing_file(snippet, actual) or _remedy_of_missing_name(snippet, actual)
        remedy = remedy or _REMEDY_OF_ERROR
        return [Finding(actual.line or statement.first, message, remedy, (), traceback, index)]
    if actual is None:
        message = f"does not raise; its #! line expects {expected.type or 'an error'}"
        remedy = "remove the #! line, or change the statement so that it raises"
        return [Finding(expected.line, message, remedy, (expected.text,), (), index)]
    if not expected.type:
        message = "has a bare #! line, which names no error"
    elif not class_matches(expected.type, actual.qualified, snippet.text):
        message = f"raises {actual.name}; its #! line expects {expected.type}"
    elif not message_matches(expected.message, actual.message):
        message = "raises with another message than its #! line says"
    else:
        return []
    remedy = "bless it if the error is right"
    return [Finding(expected.line, message, remedy, (expected.text,), (actual.summary,), index)]


def compare_stderr(index: int, statement: Statement, stderr: str, tolerance: float) -> list[Finding]:
    """Return the finding, in a list, if a statement should not have written this to stderr; else []."""
    if any(line.is_stderr for line in statement.output):
        return compare_output(index, statement, stderr, tolerance, is_stderr=True)
    if not stderr.strip():
        return []
    remedy = "print it instead, keep the statement from writing it, or write a bare `#2>` under it and bless it"
    return [Finding(statement.last, "writes to stderr", remedy, (), tuple(output_lines(stderr)), index)]


def _report_unreached(index: int, statement: Statement) -> list[Finding]:
    texts = [line.text for line in statement.output] + [warning.text for warning in statement.warnings]
    texts += [statement.error.text] if statement.error else []
    message, remedy = "never ran, although it has expected lines", "see how the program ended"
    return [Finding(statement.first, message, remedy, tuple(texts), (), index)] if texts else []


_REMEDIES = {
    outcome.EXITED: "let the program run to its end: no os._exit, exec or closing of descriptors",
    outcome.CRASHED: "change the statement that crashes",
    outcome.TIMED_OUT: "make it end sooner, or give it more time with `# timeout: seconds`",
    outcome.FLOODED: "print less, or allow more with `# limits: output=MiB`",
    outcome.TOO_MANY_PROCESSES: "start fewer, or allow more with `# limits: processes=N, threads=N`",
    outcome.TOO_MUCH_MEMORY: "use less memory, or allow more with `# limits: memory=MiB`",
    outcome.TOO_MUCH_DISK: "write less",
    outcome.LEFT_RUNNING: "end every process and thread that the snippet starts",
    outcome.FORKED: "end the copy with os._exit inside the statement that forks",
    outcome.TAMPERED: "write only to descriptors that the snippet has opened",
    outcome.SERVER_LOST: "send signals only to processes that the snippet has started",
    outcome.HARNESS_FAILED: "report it as a fault of snippetcheck, unless the snippet replaces a part of Python",
}


def _report_outcome(snippet: Snippet, run: Run) -> list[Finding]:
    if run.outcome in (outcome.FINISHED, outcome.RAISED):
        return []
    index = min(max(len(run.statements) - 1, 0), len(snippet.statements) - 1)
    interrupted_run = next((statement for statement in run.statements if not statement.has_ended), None)
    stderr = output_lines(interrupted_run.stderr if interrupted_run else run.tail_stderr)
    actual = [text for text in stderr if not _OWN_FRAME.search(text)][-20:]
    is_after_end = run.statements and run.statements[-1].has_ended and len(run.statements) == len(snippet.statements)
    message = f"{run.outcome}{' after its last statement' if is_after_end else ''}: the program {run.detail}"
    line, remedy = snippet.statements[index].first, _REMEDIES[run.outcome]
    return [Finding(line, message, remedy, (), tuple(actual), index)]


def _report_tail(snippet: Snippet, run: Run) -> list[Finding]:
    if run.outcome not in (outcome.FINISHED, outcome.RAISED):
        return []
    last = snippet.statements[-1].last
    remedy = "let a statement wait for the thread, or do what writes the text, as `del x` does"
    message = "after its last statement, from a thread, an exit handler or a finalizer"
    stderr = "" if snippet.prompts else run.tail_stderr  # doctest doesn't compare it
    return [
        Finding(last, f"writes to {stream} {message}", remedy, (), tuple(output_lines(text)))
        for text, stream in ((run.tail_output, "stdout"), (stderr, "stderr"))
        if text.strip()
    ]
