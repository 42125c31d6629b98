"""What became of an answer: the check behind the reader's program, in its namespace.

The tests ask it of runs in forked processes, the page of one in its worker.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from snippetcheck.compare import message_matches, type_matches
from snippetcheck.outcome import FINISHED, RAISED, Raised, Run
from snippetcheck.program import Program

PASSED = "passed"
FAILED = "failed"  # an assert of the check
ENDED = "ended"  # by an error of the answer, or otherwise
_GAP = "\n\n"


@dataclass(frozen=True)
class Verdict:
    """`state` is one of the above; `message` is what the reader is told; `line` is that of the assert in the check, or of
    the error in the answer."""

    state: str
    message: str = ""
    line: int = 0
    error: Raised | None = None


def program(answer: str, check: str) -> str:
    """The text that is run. The lines of the answer keep their numbers."""
    return answer.rstrip("\n") + _GAP + check


def verdict(answer: str, check: str, run: Run) -> Verdict:
    """What the run of `program(answer, check)` says of the answer."""
    own = len(Program(answer, "answer").spans)
    before = program(answer, "").count("\n")
    for index, statement in enumerate(run.statements):
        error = statement.error
        if error is None:
            continue
        if index < own:
            return Verdict(ENDED, f"{error.type}: {error.message}", error.line or 0, error)
        line = (error.line or before) - before
        if error.type == "AssertionError":
            return Verdict(FAILED, error.message, line, error)
        missing = re.match(r"name '(\w+)' is not defined", error.message) if error.type == "NameError" else None
        if missing:
            return Verdict(FAILED, f"The check looks for `{missing[1]}`. Keep that name.", line, error)
        return Verdict(FAILED, f"The check failed with {error.type}: {error.message}", line, error)
    if run.outcome not in (FINISHED, RAISED):
        return Verdict(ENDED, f"{run.outcome}: {run.detail}")
    return Verdict(PASSED)


def fits(expected: str, error: Raised) -> bool:
    """Whether an error is the one that `# error: Type: message` names."""
    kind, _, message = expected.partition(": ")
    return type_matches(kind, error) and (not message or message_matches(message, error.message))
