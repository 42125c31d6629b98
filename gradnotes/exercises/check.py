"""Check an answer: run the exercise's check after the reader's program, in its namespace, and report the result.

In the tests the harness runs the program in a separate process; in the browser it runs in a web worker.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from snippetcheck.compare import class_matches, message_matches
from snippetcheck.outcome import FINISHED, RAISED, RaisedError, Run
from snippetcheck.program import Program

from gradnotes.words import say

PASSED = "passed"
FAILED = "failed"  # an assert of the check failed, or the check raised another error
ERRORED = "ended"  # the answer raised an error, or its process did not finish
_GAP = "\n\n"


@dataclass(frozen=True)
class CheckResult:
    """The result of checking an answer.

    `state` is PASSED, FAILED or ERRORED. `message` is for the reader. `line` is the line of the check that raised, or
    the line of the error in the answer; 0 if unknown or without error.
    """

    state: str
    message: str = ""
    line: int = 0
    error: RaisedError | None = None


def program_with_check(answer: str, check: str) -> str:
    """Return one program: the answer, then the check. The answer keeps its line numbers."""
    return answer.rstrip("\n") + _GAP + check


def evaluate(answer: str, check: str, run: Run) -> CheckResult:
    """Return the result of an answer from `run`, which must be a run of `program_with_check(answer, check)`."""
    answer_count = len(Program(answer, "answer").spans)
    offset = program_with_check(answer, "").count("\n")
    for index, statement in enumerate(run.statements):
        error = statement.error
        if error is None:
            continue
        if index < answer_count:
            return CheckResult(ERRORED, error.short_summary, error.line or 0, error)
        line = (error.line or offset) - offset
        if error.type == "AssertionError":
            return CheckResult(FAILED, error.message, line, error)
        name_match = re.match(r"name '(\w+)' is not defined", error.message) if error.type == "NameError" else None
        if name_match:
            return CheckResult(
                FAILED,
                say("The check needs `{name}`, which your program does not define.", name=name_match[1]),
                line,
                error,
            )
        message = say(
            "Your program ran, but the check could not use what it defines: {error}",
            error=error.short_summary,
        )
        return CheckResult(FAILED, message, line, error)
    if run.outcome not in (FINISHED, RAISED):
        return CheckResult(ERRORED, f"{run.outcome}: {run.detail}")
    return CheckResult(PASSED)


def error_matches(expected: str, error: RaisedError) -> bool:
    """Return whether `error` has the type and the message of `expected`: "Type: message", or "Type" for any message."""
    error_type, _, message = expected.partition(": ")
    return class_matches(error_type, error.qualified) and (not message or message_matches(message, error.message))
