"""Run one program, watch its processes until all have ended, and end them if they exceed a limit."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from pathlib import Path
from typing import Any, NamedTuple

from snippetcheck import outcome
from snippetcheck.engines import MEBIBYTE
from snippetcheck.outcome import Run
from snippetcheck.runner import containment
from snippetcheck.runner.journal import Record, build_run, check_output_size

_PATIENCE = 1.0  # seconds that the processes which a program has started get to end after it
_DUMP_TIME = 0.2  # seconds that a process gets to write its traceback after a timeout
_SHORTEST_INTERVAL, _LONGEST_INTERVAL = 0.05, 0.25  # seconds between two checks of the limits


class Usage(NamedTuple):
    """The resources that all processes of a program use together."""

    processes: int
    threads: int
    memory: int  # bytes
    output: int  # bytes on stdout and stderr so far, without marks


class Watchdog:
    """A process that runs one job. `run` watches it and the processes that it starts.

    A subclass starts the process and defines the methods that raise NotImplementedError.

    Args:
        job: the result of `build_job`.
        folder: holds all files of the program. Its working directory is below, so that `..` is private too.

    Attributes:
        token: a random text, the last line of a complete journal.
        mark: a random text that separates the outputs of two statements, and that no program prints by chance.
        pid: the id of the process, which a subclass starts.
        exit_code: the exit code of the process, negative for a signal; 0 while it runs.
    """

    pid: int

    def __init__(self, job: dict[str, Any], folder: Path):
        self.job, self.folder = job, folder
        self.token, self.mark = secrets.token_hex(16).encode(), f"\0{secrets.token_hex(8)}\0"
        self.exit_code = 0

    def run(self) -> Run:
        """Run the job and return its run. An exception during the wait, as from Ctrl-C, ends all processes of the program."""
        try:
            self.start()
            start_time = time.perf_counter()
            stop_reason = self.wait() or self.wait_for_rest()
        except BaseException:
            self.kill()
            raise
        if stop_reason:
            self.kill()
        return build_run(self.job, self.record(), self.exit_code, stop_reason, time.perf_counter() - start_time)

    def wait(self) -> tuple[str, str] | None:
        """Wait until the process ends or exceeds a limit; do not kill it. Return the outcome and the reason if it exceeds a limit, else None."""
        deadline, interval = time.monotonic() + self.job["timeout"], _SHORTEST_INTERVAL
        while not self.has_ended(max(0, min(interval, deadline - time.monotonic()))):
            if stop_reason := self.exceeded_limit():
                return stop_reason
            if time.monotonic() >= deadline:
                self.dump_traceback()
                return outcome.TIMED_OUT, f"ran longer than {self.job['timeout']:g} s"
            interval = min(interval * 1.2, _LONGEST_INTERVAL)
        return None

    def dump_traceback(self) -> None:
        """Have the process write its traceback to stderr, and wait for it. Without DUMP_SIGNAL, it does that by itself."""
        if containment.DUMP_SIGNAL:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, containment.DUMP_SIGNAL)
        time.sleep(_DUMP_TIME)

    def exceeded_limit(self) -> tuple[str, str] | None:
        """Return the outcome and the reason if the program exceeds a limit, else None."""
        limits, usage = self.job["limits"], self.usage()
        if stop_reason := check_output_size(self.job, usage.output):
            return stop_reason
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

    def wait_for_rest(self) -> tuple[str, str] | None:
        """Wait up to _PATIENCE for the processes that the program started. Return the outcome and the reason if one still runs, else None."""
        deadline = time.monotonic() + _PATIENCE
        while names := self.running_processes():
            if time.monotonic() > deadline:
                return outcome.LEFT_RUNNING, f"left running: {', '.join(sorted(set(names)))}"
            time.sleep(0.01)
        return None

    def start(self) -> None:
        """Tell the prepared process to start the program."""
        raise NotImplementedError

    def has_ended(self, seconds: float) -> bool:
        """Wait up to `seconds` for the end of the process, and set `exit_code`. Return whether the process has ended."""
        raise NotImplementedError

    def usage(self) -> Usage:
        """Return the resources that the processes of the program use now."""
        raise NotImplementedError

    def running_processes(self) -> list[str]:
        """Return the names of the processes of the program that still run. This is called after the end of the first process."""
        raise NotImplementedError

    def record(self) -> Record:
        """Return the output and the journal of the process so far."""
        raise NotImplementedError

    def kill(self) -> None:
        """Kill all processes of the program."""
        raise NotImplementedError
