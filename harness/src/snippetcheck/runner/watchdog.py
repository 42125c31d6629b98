"""Watch the processes of one program, from its start to the end of the last of them, and limit what they use."""

from __future__ import annotations

import secrets
import time
from pathlib import Path
from typing import Any, NamedTuple

from snippetcheck import outcome
from snippetcheck.engines import MEBIBYTE
from snippetcheck.outcome import Run
from snippetcheck.runner import containment
from snippetcheck.runner.journal import Record, build_run, flood, new_mark

_PATIENCE = 1.0  # seconds that the other processes of a program get to end after it
_SHORTEST_INTERVAL, _LONGEST_INTERVAL = 0.05, 0.25  # seconds between two checks of the limits


class Usage(NamedTuple):
    """What all processes of a program use together."""

    processes: int
    threads: int
    memory: int  # bytes


class Watchdog:
    """Runs a job in a process and watches this process, and the processes that it starts. A subclass starts the process.

    Args:
        job: the result of `build_job`.
        folder: holds all files of the program. Its working directory is below, so that `..` is private too.

    Attributes:
        token: the last line of a complete journal.
        exit_code: of the process, negative for a signal.
    """

    def __init__(self, job: dict[str, Any], folder: Path):
        self.job, self.folder = job, folder
        self.token, self.mark = secrets.token_hex(16).encode(), new_mark()
        self.exit_code = 0

    def run(self) -> Run:
        """Run the job. An exception during the wait, as from Ctrl-C, ends all processes of the program."""
        try:
            self.start()
            began = time.perf_counter()
            stopped = self.wait() or self.leftovers()
        except BaseException:
            self.kill()
            raise
        if stopped:
            self.kill()
        return build_run(self.job, self.record(), self.exit_code, stopped, time.perf_counter() - began)

    def wait(self) -> tuple[str, str] | None:
        """Wait for the process. Return the outcome and the reason if the program exceeds a limit, else None."""
        deadline, interval = time.monotonic() + self.job["timeout"], _SHORTEST_INTERVAL
        while not self.has_ended(max(0, min(interval, deadline - time.monotonic()))):
            if exceeded := self.exceeded_limit():
                return exceeded
            if time.monotonic() >= deadline:
                self.dump_traceback()
                return outcome.TIMED_OUT, f"ran longer than {self.job['timeout']:g} s"
            interval = min(interval * 1.2, _LONGEST_INTERVAL)
        return None

    def exceeded_limit(self) -> tuple[str, str] | None:
        """Return the outcome and the reason if the program exceeds a limit, else None."""
        limits, usage = self.job["limits"], self.usage()
        if excess := flood(self.job, self.printed()):
            return excess
        for number, name in ((usage.processes, "processes"), (usage.threads, "threads")):
            if number > limits[name]:
                return outcome.TOO_MANY_PROCESSES, f"had {number} {name} at a time; {limits[name]} is the limit"
        if self.job["limit_memory"] and usage.memory > limits["memory"] * MEBIBYTE:
            return outcome.TOO_MUCH_MEMORY, f"held more than {limits['memory']} MiB of memory"
        size, files = containment.folder_size(self.folder)
        if size > containment.DISK_LIMIT:
            return outcome.TOO_MUCH_DISK, f"wrote more than {containment.DISK_LIMIT // MEBIBYTE} MiB to its folder"
        if files > containment.FILES_LIMIT:
            return outcome.TOO_MUCH_DISK, f"made more than {containment.FILES_LIMIT} files in its folder"
        return None

    def leftovers(self) -> tuple[str, str] | None:
        """Wait for the processes that outlive the first one. Return the outcome and the reason if some do not end, else None."""
        deadline = time.monotonic() + _PATIENCE
        while names := self.running():
            if time.monotonic() > deadline:
                return outcome.LEFT_RUNNING, f"left running: {', '.join(sorted(set(names)))}"
            time.sleep(0.01)
        return None

    def start(self) -> None:
        """Start the program."""
        raise NotImplementedError

    def has_ended(self, seconds: float) -> bool:
        """Wait up to `seconds` for the end of the process, and set `exit_code`. Return whether the process has ended."""
        raise NotImplementedError

    def usage(self) -> Usage:
        """Return what the processes of the program use now."""
        raise NotImplementedError

    def printed(self) -> int:
        """Return the number of bytes on stdout and stderr so far."""
        raise NotImplementedError

    def dump_traceback(self) -> None:
        """Wait until the process has written to stderr what it is doing. It has reached its timeout."""
        raise NotImplementedError

    def running(self) -> list[str]:
        """Return the names of the processes of the program that still run after the end of the first one."""
        raise NotImplementedError

    def record(self) -> Record:
        """Return the output and the journal of the process so far."""
        raise NotImplementedError

    def kill(self) -> None:
        """End all processes of the program."""
        raise NotImplementedError
