"""Run each program in a new Python process, if Python cannot fork or if the settings require it.

This is slower than forking, since each process imports the engine. Only functions of every platform are used. Without
`ps`, as on Windows, the number of processes and their memory are not limited, and only the program itself is ended.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, TypeVar

from snippetcheck import outcome
from snippetcheck.engines import MEBIBYTE, Engine, EngineError
from snippetcheck.outcome import Run
from snippetcheck.runner import containment, journal
from snippetcheck.runner.jobs import build_job, clean_environment, origin_problem, start_program
from snippetcheck.runner.limits import exceeded_limit
from snippetcheck.runner.subprocess_child import NO_ENGINE
from snippetcheck.snippet import Snippet

_START_TIME = 120.0  # seconds for an engine to be imported
_PATIENCE = 1.0  # seconds that a program's own processes get to end after it
_DUMP_TIME = 0.2  # seconds to write where a program hangs
_TABLE = ["ps", "-axo", "pid=,pgid=,stat=,rss=,comm="]
_SHORTEST_INTERVAL, _LONGEST_INTERVAL = 0.02, 0.25  # seconds between two checks of the limits

_Result = TypeVar("_Result")


class SubprocessClient:
    """Runs programs on one engine, one at a time, with the methods of `EngineClient`."""

    def __init__(self, engine: Engine, hash_seed: int = 0, time_zone: str = "UTC"):
        self.engine = engine
        self.hash_seed, self.time_zone = hash_seed, time_zone
        self._job_ids = itertools.count(1)
        self._pending: dict[int, Snippet] = {}
        self._failure = ""

    def launch(self) -> None:
        """Do nothing: each process imports the engine itself."""

    start = launch

    def submit(self, snippet: Snippet) -> int:
        """Queue a program and return the job id for `result`, which runs it. Raises EngineError."""
        if self._failure:
            raise EngineError(self._failure)
        job_id = next(self._job_ids)
        self._pending[job_id] = snippet
        return job_id

    def has_job(self, job_id: int) -> bool:
        """Return whether this job has not run yet."""
        return job_id in self._pending

    def result(self, job_id: int) -> Run:
        """Run the program of a job. Raises EngineError if the engine cannot be imported."""
        if self._failure:
            raise EngineError(self._failure)
        job = build_job(job_id, self._pending.pop(job_id), self.engine)
        folder = Path(tempfile.mkdtemp(prefix="snippets-"))
        try:
            process = _Process(job, self.engine, folder, self.hash_seed, self.time_zone)
            stopped, seconds = process.watch()
            origins, entries = process.journal()
        finally:
            containment.remove_folder(folder)
        self._failure = process.import_failure(origins)
        if self._failure:
            raise EngineError(self._failure)
        record = journal.Record(process.output.parts()[1:], process.errors.parts()[1:], entries, process.token)
        return journal.build_run(self.engine.name, job, record, process.popen.wait(), stopped, seconds)

    def run(self, snippet: Snippet) -> Run:
        """Run one snippet and wait for it."""
        return self.result(self.submit(snippet))

    def close(self) -> None:
        """Forget the jobs and a failed import."""
        self._pending.clear()
        self._failure = ""

    def __enter__(self) -> SubprocessClient:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _Process:
    """One process that runs a program. It is watched until the processes that the program has started end too."""

    def __init__(self, job: dict[str, Any], engine: Engine, folder: Path, hash_seed: int, time_zone: str):
        self.job, self.engine, self.folder = job, engine, folder
        work, temporary = folder / "work", folder / "tmp"
        work.mkdir()
        temporary.mkdir()
        self.marker = f"SNIPPET_RUN={secrets.token_hex(8)}"  # in the environment of all processes of the program
        environment = clean_environment(engine, work, hash_seed, time_zone, self.marker) | {"TMPDIR": str(temporary)}
        if os.name == "nt":
            environment["USERPROFILE"] = str(work)  # `~` on Windows
        mark, self.token = journal.new_mark(), secrets.token_hex(16).encode()
        program = start_program("subprocess_child import main; main(*sys.argv[1:])")
        self.popen = subprocess.Popen(
            [sys.executable, "-c", program, str(folder), json.dumps(asdict(engine))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment | job["environment"],
            cwd=work,
            start_new_session=True,
        )
        limit = job["limits"]["output"] * MEBIBYTE
        assert self.popen.stdin and self.popen.stdout and self.popen.stderr
        self.output, self.errors = (_Output(stream, mark, limit) for stream in (self.popen.stdout, self.popen.stderr))
        with contextlib.suppress(OSError):  # it has ended already
            self.popen.stdin.write(json.dumps({**job, "mark": mark}).encode() + b"\n" + self.token)
            self.popen.stdin.close()

    def watch(self) -> tuple[tuple[str, str] | None, float]:
        """Wait for the end of the program. Return the outcome and the reason if it exceeds a limit, and the seconds.

        An exception that interrupts the wait, as from Ctrl-C, ends the program.
        """
        try:
            self.wait(_START_TIME, lambda: self.output.has_begun())
            began = time.monotonic()
            stopped = self.wait(self.job["timeout"] + _DUMP_TIME, self.exceeded_limit)
            stopped = stopped or self.leftovers()
            seconds = time.monotonic() - began
        except BaseException:
            self.kill()
            raise
        if stopped or self.popen.poll() is None:
            self.kill()
        return stopped, seconds

    def wait(self, seconds: float, condition: Callable[[], _Result]) -> _Result | None:
        """Return the first true value of `condition`; None if the process ends first or after `seconds`."""
        deadline, interval = time.monotonic() + seconds, _SHORTEST_INTERVAL
        while time.monotonic() < deadline:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.popen.wait(interval)
                return None
            if result := condition():
                return result
            interval = min(interval * 1.2, _LONGEST_INTERVAL)
        return None

    def exceeded_limit(self) -> tuple[str, str] | None:
        """Return the outcome and the reason if the program exceeds a limit, else None."""
        rows = self.processes()
        printed, memory = self.output.size() + self.errors.size(), sum(kibibytes for kibibytes, _ in rows) * 1024
        return exceeded_limit(self.job, self.folder, printed, len(rows), 0, memory)

    def leftovers(self) -> tuple[str, str] | None:
        """Return the outcome and the reason if the program, or a process that it started, still runs; else None."""
        if self.popen.poll() is None:
            return outcome.TIMED_OUT, f"ran longer than {self.job['timeout']:g} s"
        deadline = time.monotonic() + _PATIENCE
        while True:
            rows = self.processes()
            if not (rows or self.output.thread.is_alive() or self.errors.thread.is_alive()):
                return None
            if time.monotonic() > deadline:
                names = sorted({command for _, command in rows}) or ["a process that holds the output open"]
                return outcome.LEFT_RUNNING, f"left running: {', '.join(names)}"
            time.sleep(0.02)

    def processes(self) -> list[tuple[int, str]]:
        """Return (memory in KiB, name) of each process of the program that `ps` lists.

        Without /proc, processes in other sessions are missing.
        """
        marked = containment.marked_processes(self.marker, self.folder)
        table = subprocess.run(_TABLE, capture_output=True, text=True, check=True).stdout if shutil.which("ps") else ""
        rows = [line.split(maxsplit=4) for line in table.splitlines()]
        return [
            (int(kibibytes), os.path.basename(" ".join(command)))
            for pid, group, state, kibibytes, *command in rows
            if (int(group) == self.popen.pid or int(pid) in marked) and not state.startswith("Z")
        ]

    def kill(self) -> None:
        """End the processes of the program; without /proc, only those of its session."""
        self.popen.kill()
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, signal.SIGKILL)
        containment.kill_marked(self.marker, self.folder)
        self.popen.wait()
        for stream in (self.output, self.errors):
            stream.thread.join(_PATIENCE)

    def journal(self) -> tuple[dict[str, str | None], bytes]:
        """Return the file of each module in the `sources` of the engine, and the journal of the program."""
        file = self.folder / "journal"
        origins, _, entries = (file.read_bytes() if file.is_file() else b"{}").partition(b"\n")
        return json.loads(origins), entries

    def import_failure(self, origins: dict[str, str | None]) -> str:
        """Return why the engine could not be imported, else an empty string."""
        if self.output.has_begun():
            return origin_problem(self.engine, origins)
        code = self.popen.wait()
        text = self.errors.parts()[0].decode("utf-8", "replace")
        reason = text if code == NO_ENGINE else f"its process ended with exit code {code} before it was ready\n{text}"
        return f"engine {self.engine.name!r} cannot be imported:\n{reason}"


class _Output(journal.Output):
    """Reads stdout or stderr of a process to its end, in a thread. `parts()[0]` is what the import of the engine printed."""

    def __init__(self, stream: IO[bytes], mark: str, limit: int):
        super().__init__(mark, limit)
        self.stream = stream
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self) -> None:
        """Read until the last process closes the stream."""
        with self.stream:
            while part := os.read(self.stream.fileno(), 1 << 16):
                if self.size() <= self.limit:
                    self.received += part

    def has_begun(self) -> bool:
        """Return whether the program has begun."""
        return self.mark in self.received
