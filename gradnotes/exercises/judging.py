"""Check an answer: run the exercise's check after the reader's program, in its namespace, and report the result.

The tests use runs in forked processes, the page uses a run in its worker.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from snippetcheck.compare import message_matches, type_matches
from snippetcheck.outcome import FINISHED, RAISED, RaisedError, Run
from snippetcheck.program import Program

PASSED = "passed"
FAILED = "failed"  # an assert of the check
ENDED = "ended"  # the answer raised, or the run ended early
_GAP = "\n\n"


@dataclass(frozen=True)
class Verdict:
    """The result of a check.

    `state` is PASSED, FAILED or ENDED. `message` is for the reader. `line` is the line of the assert in the check, or
    of the error in the answer.
    """

    state: str
    message: str = ""
    line: int = 0
    error: RaisedError | None = None


def program(answer: str, check: str) -> str:
    """Return the program to run. The lines of the answer keep their numbers."""
    return answer.rstrip("\n") + _GAP + check


def verdict(answer: str, check: str, run: Run) -> Verdict:
    """Evaluate the run of `program(answer, check)`."""
    answer_count = len(Program(answer, "answer").spans)
    offset = program(answer, "").count("\n")
    for index, statement in enumerate(run.statements):
        error = statement.error
        if error is None:
            continue
        if index < answer_count:
            return Verdict(ENDED, f"{error.type}: {error.message}", error.line or 0, error)
        line = (error.line or offset) - offset
        if error.type == "AssertionError":
            return Verdict(FAILED, error.message, line, error)
        missing = re.match(r"name '(\w+)' is not defined", error.message) if error.type == "NameError" else None
        if missing:
            return Verdict(FAILED, f"The check looks for `{missing[1]}`. Keep that name.", line, error)
        return Verdict(FAILED, f"The check failed with {error.type}: {error.message}", line, error)
    if run.outcome not in (FINISHED, RAISED):
        return Verdict(ENDED, f"{run.outcome}: {run.detail}")
    return Verdict(PASSED)


def fits(expected: str, error: RaisedError) -> bool:
    """Return whether an error is the one that `# error: Type: message` names."""
    kind, _, message = expected.partition(": ")
    return type_matches(kind, error) and (not message or message_matches(message, error.message))
