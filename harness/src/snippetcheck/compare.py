"""Compares what a snippet did with what its `#>`, `#!` and `#~` lines say.

Text is compared exactly, on every engine: words, brackets, dtypes, shapes, names of nodes and each
printed digit. Two things are left out: blanks at the end of a line, and what the author's `...`
stands for. A `...` stands for one or more characters of its line (in errors and warnings: of the
message). Where torch itself prints `...`, between commas or alone in a line, it means just that; in
a message `(...)` does too.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from snippetcheck import outcome
from snippetcheck.outcome import Raised, Run
from snippetcheck.snippet import ExpectedError, ExpectedWarning, Snippet, Statement
from snippetcheck.source import plural
from snippetcheck.wildcards import wildcards

_LONGEST_FOLLOWED = 20_000  # characters of a text that itself holds `...`, and that is compared with an author's
_OWN_FRAME = re.compile(rf'File "({re.escape(str(Path(__file__).parent))}/\w+\.py|<string>)", line \d+ in')


@dataclass(frozen=True)
class Finding:
    """One way in which a run is not what the snippet says."""

    line: int  # in the snippet
    message: str
    remedy: str
    expected: tuple[str, ...] = ()
    actual: tuple[str, ...] = ()
    statement: int | None = None  # its index


def compare(snippet: Snippet, run: Run) -> list[Finding]:
    """Everything in which `run` differs from what `snippet` says, in the order of its lines."""
    if len(run.statements) > len(snippet.statements):
        return [_of_another_program(snippet, run)]
    findings: list[Finding] = []
    for index, (statement, did) in enumerate(zip_longest(snippet.statements, run.statements)):
        if did is None:
            findings += _not_reached(index, statement)
        elif not did.ended:
            findings += _output(index, statement, did.output)
        else:
            findings += _output(index, statement, did.output)
            findings += _warnings(index, statement, did.warnings)
            findings += _error(index, statement, did.error)
            findings += _stderr(index, statement, did.stderr)
    findings += _unended_lines(snippet, run)
    findings += _outcome(snippet, run)
    findings += _tail(snippet, run)
    if run.reads_itself:
        what = "reads its own file, in which the lines stand that it is compared with"
        findings.append(Finding(snippet.statements[0].first, what, "let it print what it computes"))
    return findings


def _of_another_program(snippet: Snippet, run: Run) -> Finding:
    counts = f"{plural(len(run.statements), 'statement')}, and the program has {len(snippet.statements)}"
    message = f"{outcome.HARNESS_FAILED}: the run has {counts}: it is not a run of this program"
    return Finding(snippet.statements[0].first, message, "run it again, and report this as a fault of snippetcheck")


def _unended_lines(snippet: Snippet, run: Run) -> list[Finding]:
    """What the next statement prints goes on in the same line, and a page would show two."""
    printed = [(index, did.output) for index, did in enumerate(run.statements) if did.output]
    later = [output for _, output in printed[1:]] + ([run.tail_output] if run.tail_output else [])
    what = "ends what it prints without a line end, so that a later statement goes on in that line"
    return [
        Finding(snippet.statements[index].last, what, "print the line end", statement=index)
        for (index, output), _ in zip(printed, later, strict=False)
        if not output.endswith("\n") and index < len(snippet.statements)
    ]


def output_lines(output: str) -> list[str]:
    """Printed text as the lines that `#>` lines stand for."""
    lines = output.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.rstrip(" \t") for line in lines]


def line_matches(expected: str, actual: str) -> bool:
    """Whether a printed line is what a `#>` line says."""
    if expected == actual:
        return True
    return _fits(expected, actual, in_message=False)


def message_matches(expected: str, actual: str) -> bool:
    """Whether the message of an error or warning is what a `#!` or `#~` line says."""
    expected, actual = _trimmed(expected), _trimmed(actual)
    return expected == actual or _fits(expected, actual, in_message=True)


def type_matches(expected: str, actual: Raised) -> bool:
    """Whether the class of an error is just the one that a `#!` line names."""
    return expected == actual.type or ("." in expected and expected == actual.qualified)


def _fits(expected: str, actual: str, in_message: bool) -> bool:
    """Whether `actual` is `expected` with something for each of the author's `...`.

    A `...` does not reach past a `...` that is printed, so that this one stays checked. Where none is
    printed, each piece is best found as early as can be; else all ways to match are followed at once.
    """
    spans = wildcards(expected, in_message)
    if not spans:
        return expected == actual
    cuts = [0, *itertools.chain.from_iterable(spans), len(expected)]
    pieces = [expected[first:last] for first, last in zip(cuts[::2], cuts[1::2], strict=True)]
    patterns = [_pattern(text, in_message) for text in pieces[:-1]] + [re.escape(pieces[-1])]
    if "..." not in actual:
        return re.fullmatch(earliest(patterns), actual, re.DOTALL) is not None
    if len(actual) > _LONGEST_FOLLOWED:
        return False
    begin = re.match(patterns[0], actual)
    ends = [begin.end()] if begin else []  # where the pieces so far may end
    to_the_end = len(pieces) > 1 and not pieces[-1]
    for pattern in patterns[1:-1] if to_the_end else patterns[1:]:
        reached = _reach(actual, ends)
        ends = [match.end(1) for match in re.finditer(f"(?=({pattern}))", actual) if reached[match.start()]]
    if to_the_end:
        return any(_is_rest(actual, end) for end in ends)
    return len(actual) in ends


def earliest(patterns: list[str]) -> str:
    """The expression for pieces with something between them, in which nothing is tried twice.

    Each piece stands where it first fits, the last one at the end.
    """
    return f"{patterns[0]}{''.join(f'(?>.+?{pattern})' for pattern in patterns[1:-1])}.+{patterns[-1]}"


def _pattern(text: str, in_message: bool) -> str:
    """The expression for a text before a `...`; a message may go on in the next line."""
    if in_message and text.endswith(" "):
        return re.escape(text[:-1]) + r"\s"
    return re.escape(text)


def _reach(actual: str, ends: list[int]) -> bytearray:
    """For each place in `actual`, whether a `...` that stands for something from one of `ends` on may end there."""
    reached = bytearray(len(actual) + 1)
    dots, filled = -1, 0
    for end in ends:
        if dots < end:
            dots = actual.find("...", end)
            dots = len(actual) if dots < 0 else dots
        if dots == end and end < len(actual):
            reached[end + 3] = 1
            continue
        first = max(end + 1, filled)
        reached[first : dots + 1] = b"\1" * (dots + 1 - first)
        filled = max(filled, dots + 1)
    return reached


def _is_rest(actual: str, end: int) -> bool:
    """Whether a `...` at the end of a line may stand for what follows here."""
    return end < len(actual) and (not actual.startswith("...", end) or len(actual) == end + 3)


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip(" \t") for line in text.split("\n"))


def _output(index: int, statement: Statement, output: str) -> list[Finding]:
    expected = tuple(line.text for line in statement.output)
    actual = tuple(output_lines(output))
    if len(expected) == len(actual) and all(map(line_matches, expected, actual)):
        return []
    where = statement.output[0].line if statement.output else statement.last
    for line, text in zip(statement.output, actual, strict=False):
        if not line_matches(line.text, text):
            where = line.line
            break
    else:
        if len(expected) > len(actual):
            where = statement.output[len(actual)].line
        elif expected:
            where = statement.output[-1].line
    if not expected:
        message = f"prints {plural(len(actual), 'line')} and has no #> line"
    elif not actual:
        message = "prints nothing, and its #> lines say otherwise"
    elif len(actual) < len(expected):
        message = f"prints {plural(len(actual), 'line')}; its #> lines say {len(expected)}"
    elif len(actual) > len(expected):
        message = f"prints {plural(len(actual), 'line')}; it has {plural(len(expected), '#> line')}"
    else:
        message = "prints something else than its #> lines say"
    return [Finding(where, message, "bless it if what it prints is right", expected, actual, index)]


def _warnings(index: int, statement: Statement, actual: tuple[tuple[str, str], ...]) -> list[Finding]:
    expected = statement.warnings
    if len(expected) == len(actual) and all(
        one.category == category and message_matches(one.message, message)
        for one, (category, message) in zip(expected, actual, strict=True)
    ):
        return []
    if not expected:
        message = "warns, and has no #~ line"
    elif not actual:
        message = "does not warn, and its #~ line says that it does"
    else:
        message = "warns of something else than its #~ lines say"
    return [
        Finding(
            expected[0].line if expected else statement.last,
            message,
            "bless it if the warning is right",
            tuple(_warning_text(one) for one in expected),
            tuple(f"{category}: {text}" for category, text in actual),
            index,
        )
    ]


def _warning_text(warning: ExpectedWarning) -> str:
    return f"{warning.category}: {warning.message}"


def _error(index: int, statement: Statement, actual: Raised | None) -> list[Finding]:
    expected = statement.error
    if expected is None and actual is None:
        return []
    if expected is None and actual is not None:
        traceback = tuple(actual.text.rstrip().split("\n")) if actual.text else (_raised_text(actual),)
        return [
            Finding(
                actual.line or statement.first,
                f"raises {actual.type}, and has no #! line",
                "correct the snippet; if it is meant to raise, catch the error and print it, or write a bare `#!` under the last"
                " statement and bless it",
                (),
                traceback,
                index,
            )
        ]
    assert expected is not None
    if actual is None:
        return [
            Finding(
                expected.line,
                f"does not raise; its #! line expects {expected.type or 'an error'}",
                "remove the #! line, or change the statement so that it raises",
                (_error_text(expected),),
                (),
                index,
            )
        ]
    if not expected.type:
        message = "has a bare #! line, which says nothing"
    elif not type_matches(expected.type, actual):
        message = f"raises {actual.type}; its #! line expects {expected.type}"
    elif not message_matches(expected.message, actual.message):
        message = "raises with another message than its #! line says"
    else:
        return []
    remedy = "bless it if the error is right"
    return [Finding(expected.line, message, remedy, (_error_text(expected),), (_raised_text(actual),), index)]


def _error_text(error: ExpectedError) -> str:
    return f"{error.type}: {error.message}" if error.message else error.type


def _raised_text(error: Raised) -> str:
    return f"{error.type}: {error.message}" if error.message else error.type


def _stderr(index: int, statement: Statement, stderr: str) -> list[Finding]:
    if not stderr.strip():
        return []
    return [
        Finding(
            statement.last,
            "writes to stderr",
            "print it instead, or keep the statement from writing it: a page cannot show stderr",
            (),
            tuple(output_lines(stderr)),
            index,
        )
    ]


def _not_reached(index: int, statement: Statement) -> list[Finding]:
    if not (statement.output or statement.error or statement.warnings):
        return []
    expected = [line.text for line in statement.output]
    expected += [_warning_text(one) for one in statement.warnings]
    if statement.error:
        expected.append(_error_text(statement.error))
    return [
        Finding(
            statement.first,
            "never ran, though lines under it say what it does",
            "see how the program ended",
            tuple(expected),
            (),
            index,
        )
    ]


_REMEDIES = {
    outcome.EXITED: "let the program run to its end: no os._exit, exec or closing of descriptors",
    outcome.CRASHED: "find the statement that crashes; run it alone with `python -X faulthandler`",
    outcome.TIMED_OUT: "make it end sooner, or give it more time with `# timeout: seconds`",
    outcome.FLOODED: "print less",
    outcome.TOO_MANY_PROCESSES: "start fewer processes",
    outcome.TOO_MUCH_MEMORY: "use less memory",
    outcome.TOO_MUCH_DISK: "write less",
    outcome.LEFT_RUNNING: "end every process and thread that the snippet starts",
    outcome.FORKED: "end the copy with os._exit inside the statement that forks",
    outcome.TAMPERED: "write to no descriptor that the snippet has not opened",
    outcome.SERVER_LOST: "leave the parent process alone",
    outcome.HARNESS_FAILED: "an error of the harness or of the machine, unless the snippet has put something in place of a part of Python",
}


def _outcome(snippet: Snippet, run: Run) -> list[Finding]:
    if run.outcome in (outcome.FINISHED, outcome.RAISED):
        return []
    reached = min(max(len(run.statements) - 1, 0), len(snippet.statements) - 1)
    hanging = next((one for one in run.statements if not one.ended), None)
    actual = _last_words(hanging.stderr if hanging else run.tail_stderr)
    after = run.statements and run.statements[-1].ended and len(run.statements) == len(snippet.statements)
    place = " after its last statement" if after else ""
    return [
        Finding(
            snippet.statements[reached].first,
            f"{run.outcome}{place}: the program {run.detail}",
            _REMEDIES[run.outcome],
            (),
            tuple(actual),
            reached,
        )
    ]


def _last_words(stderr: str) -> list[str]:
    """The end of what went to stderr: where it hung or crashed, without the harness's own frames."""
    lines = [line for line in output_lines(stderr) if not _OWN_FRAME.search(line)]
    return lines[-20:]


def _tail(snippet: Snippet, run: Run) -> list[Finding]:
    findings = []
    last = snippet.statements[-1].last
    for text, stream in ((run.tail_output, "stdout"), (run.tail_stderr, "stderr")):
        if text.strip() and run.outcome in (outcome.FINISHED, outcome.RAISED):
            findings.append(
                Finding(
                    last,
                    f"writes to {stream} after its last statement: a thread, a handler at exit, or the end of an object",
                    "let the statement wait for it",
                    (),
                    tuple(output_lines(text)),
                )
            )
    return findings
