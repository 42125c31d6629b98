"""Build a Run from the output, the journal and the exit code of the process that ran a program."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from snippetcheck import outcome
from snippetcheck.engines import MEBIBYTE
from snippetcheck.outcome import Run, StatementRun, checksum
from snippetcheck.runner import recorder

_RUNNER = os.fsencode(os.path.dirname(__file__))


@dataclass(frozen=True)
class Record:
    """The stdout, stderr and journal of a process, and the token that ends a complete journal.

    `output` and `errors` have one part for each finished statement, and a last part for what was printed after these.
    """

    output: list[bytes]
    errors: list[bytes]
    journal: bytes
    token: bytes


class Output:
    """The output of a process on one stream. The process writes a mark after each statement; a plain process also before the first.

    Args:
        fd: the end of a pipe from which to read.
        limit: in bytes. When the stored output exceeds it, `read` reads no more.
    """

    def __init__(self, fd: int, mark: str, limit: int):
        self.fd, self.mark, self.limit = fd, mark.encode(), limit
        self.data = bytearray()
        self.marks = 0  # the number of marks in `data`

    def read(self) -> int:
        """Read the new output; if the pipe blocks, up to its end. Return the number of bytes read so far, without marks."""
        with contextlib.suppress(BlockingIOError):
            while self.size() <= self.limit and (part := os.read(self.fd, 1 << 16)):
                self.append(part)
        return self.size()

    def append(self, part: bytes) -> None:
        """Store the next output, and count the marks in it. To count those in all output each time would be slower than the program."""
        start = max(0, len(self.data) - len(self.mark) + 1)  # a mark may begin in the output before
        self.data += part
        self.marks += self.data.count(self.mark, start)

    def size(self) -> int:
        """Return the number of stored bytes, without marks."""
        return len(self.data) - self.marks * len(self.mark)

    def parts(self) -> list[bytes]:
        """Return the stored output, split at the marks between statements."""
        return bytes(self.data).split(self.mark)


def build_run(
    job: Mapping[str, Any], record: Record, code: int, stop_reason: tuple[str, str] | None, seconds: float
) -> Run:
    """Build the run of a job whose process has ended.

    If the program has written into the journal, the run has the outcome TAMPERED and no statements.

    Args:
        code: the exit code of the process, negative for a signal.
        stop_reason: the outcome and the reason if the harness ended the program, else None.
    """
    engine, output, errors = job["engine"], record.output, record.errors
    entries, is_complete = _read_entries(record), record.token in record.journal.split(b"\n")
    if entries is None:
        detail = "wrote into the journal of its run"
        return Run(engine, outcome.TAMPERED, detail, (), _decode(b"".join(output)), _decode(b"".join(errors)), seconds)
    statements = _build_statements(entries, output, errors)
    ending = stop_reason or check_output_size(job, sum(map(len, (*output, *errors))))
    if ending is None:
        error = statements[-1].error if len(statements) == job["statements"] else None
        is_as_expected = len(statements) == job["statements"] and (
            not error or job["last_may_raise"] or error.is_success
        )
        ending = _describe_outcome(entries, is_complete, is_as_expected, code, b"".join(errors))
    is_cut = bool(statements) and not statements[-1].has_ended
    tail = entries[-1] if entries and "tail" in entries[-1] else {"warnings": [], "reads": None, "reads_itself": False}
    late_warnings = [f"{outcome.warning_name(category)}: {message}" for category, message in tail["warnings"]]
    return Run(
        engine=engine,
        outcome=ending[0],
        detail=ending[1],
        statements=tuple(statements),
        tail_output="" if is_cut else _decode(b"".join(output[len(statements) :])),
        tail_stderr="\n".join(["" if is_cut else _decode(b"".join(errors[len(statements) :])), *late_warnings]),
        seconds=seconds,
        # Checksums are computed in this process: a program may have replaced functions in its own.
        reads=None if tail["reads"] is None else {path: checksum(path) for path in tail["reads"]},
        reads_itself=tail["reads_itself"],
    )


def check_output_size(job: Mapping[str, Any], output_size: int) -> tuple[str, str] | None:
    """Return the outcome and the reason if a program has printed more bytes than its limit, else None."""
    limit = job["limits"]["output"]
    return (outcome.FLOODED, f"printed more than {limit} MiB") if output_size > limit * MEBIBYTE else None


def _read_entries(record: Record) -> list[dict[str, Any]] | None:
    """Return the entries of the journal; None if the Recorder cannot have written them: the program wrote into the journal.

    The entries say that each statement started and ended, in order. An entry with `tail`, which the process writes at its exit,
    must be the last one. Entries with `forked`, from copies of the process, may be anywhere.
    """
    lines = record.journal.split(b"\n")[:-1]
    try:
        entries = [json.loads(line) for line in lines if line != record.token]
        process_entries = [entry for entry in entries if "forked" not in entry]
        for number, entry in enumerate(process_entries):
            index, is_end = divmod(number, 2)
            if not is_end and "tail" in entry:
                if number < len(process_entries) - 1:
                    return None
            elif entry["end" if is_end else "start"] != index:
                return None
    except (ValueError, TypeError, KeyError):
        return None
    return entries


def signal_name(number: int) -> str:
    """Return the name of a signal, such as `SIGKILL` for 9."""
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def _describe_outcome(
    entries: list[dict[str, Any]], is_complete: bool, is_as_expected: bool, code: int, errors: bytes
) -> tuple[str, str]:
    if any("forked" in entry for entry in entries):
        return outcome.FORKED, "forked, and the copy went on with the program"
    if is_complete:
        return (outcome.FINISHED if is_as_expected else outcome.RAISED), ""
    if code == recorder.FAILED and _RUNNER in errors:
        return outcome.HARNESS_FAILED, _decode(errors[-4000:])
    if code == recorder.CLOSED:
        return outcome.EXITED, "closed file descriptors it did not open"
    if code < 0:
        return outcome.CRASHED, f"was ended by {signal_name(-code)}"
    detail = f"ended the process itself, with exit code {code}, before its last statement was over"
    return outcome.EXITED, detail


def _build_statements(entries: list[dict[str, Any]], output: list[bytes], errors: list[bytes]) -> list[StatementRun]:
    ends = [{key: value for key, value in entry.items() if key != "end"} for entry in entries if "end" in entry]
    statements = [
        StatementRun.from_json({**entry, "output": _decode(out), "stderr": _decode(err)})
        for entry, out, err in zip(ends, output, errors, strict=False)
    ]
    if sum("start" in entry for entry in entries) > len(ends):
        rest = [_decode(b"".join(parts[len(ends) :])) for parts in (output, errors)]
        statements.append(StatementRun(rest[0], rest[1], None, (), has_ended=False))
    return statements


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")  # invalid UTF-8 then differs from any text of a page
