"""Run each program in a new Python process: if Python cannot fork, or if the settings require it.

This is slower than forking, since each process imports the engine. It works on every platform. Without `ps`, as on Windows,
the number of processes and their memory are not limited, and processes that the program has started may outlive it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from snippetcheck.engines import MEBIBYTE, EngineError
from snippetcheck.outcome import Run
from snippetcheck.runner import containment, journal
from snippetcheck.runner.jobs import Client, bootstrap_program, build_job, origin_problem
from snippetcheck.runner.subprocess_child import NO_ENGINE
from snippetcheck.runner.watchdog import Usage, Watchdog
from snippetcheck.snippet import Snippet

_START_TIME = 120.0  # seconds that the import of an engine may take
_PATIENCE = 1.0  # seconds to wait for the last output of a killed program
_TABLE = ["ps", "-axo", "pid=,pgid=,stat=,rss=,comm="]


class SubprocessClient(Client):
    """Runs programs on one engine, each in a new process, one at a time. It has the same methods as EngineClient."""

    def launch(self) -> None:
        """Do nothing: each process imports the engine itself."""

    start = launch

    def submit(self, snippet: Snippet) -> int:
        """Queue a program and return the job id. `result` runs the program."""
        job_id = next(self._job_ids)
        self._pending[job_id] = snippet
        return job_id

    def has_job(self, job_id: int) -> bool:
        """Return whether this job has not run yet."""
        return job_id in self._pending

    def result(self, job_id: int) -> Run:
        """Run the program of a job, wait for its end and return its run.

        Raises EngineError if the engine cannot be imported, if the job was abandoned, or if its run was returned before.
        """
        if self._failure:
            raise EngineError(self._failure)
        if job_id not in self._pending:
            raise self.abandoned_error(job_id)
        job = build_job(job_id, self._pending.pop(job_id), self.engine)
        folder = Path(tempfile.mkdtemp(prefix="snippets-"))
        try:
            process = _Process(job, folder, self)
            run = process.run()
        finally:
            containment.remove_folder(folder)
        self._failure = process.import_failure()
        if self._failure:
            raise EngineError(self._failure)
        return run

    def close(self) -> None:
        """Forget the queued jobs and a failed import."""
        self._pending.clear()
        self._failure = ""


class _Process(Watchdog):
    """A process that imports the engine and runs one program."""

    def __init__(self, job: dict[str, Any], folder: Path, client: Client):
        super().__init__(job, folder)
        self.engine, self.marker = client.engine, client.marker
        work, temporary = folder / "work", folder / "tmp"
        work.mkdir()
        temporary.mkdir()
        environment = client.environment(work) | {"TMPDIR": str(temporary)}
        if os.name == "nt":
            environment["USERPROFILE"] = str(work)  # `~` on Windows
        program = bootstrap_program("subprocess_child import main; main(*sys.argv[1:])")
        self.popen = subprocess.Popen(
            [sys.executable, "-c", program, str(folder), json.dumps(asdict(self.engine))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment | job["environment"],
            cwd=work,
            start_new_session=True,
        )
        self.pid = self.popen.pid
        limit = job["limits"]["output"] * MEBIBYTE
        assert self.popen.stdin and self.popen.stdout and self.popen.stderr
        streams = self.popen.stdout, self.popen.stderr
        self.output, self.errors = (journal.Output(stream.fileno(), self.mark, limit) for stream in streams)
        outputs = zip(streams, (self.output, self.errors), strict=True)
        self.readers = [threading.Thread(target=_read_and_close, args=pair, daemon=True) for pair in outputs]
        for thread in self.readers:
            thread.start()
        with contextlib.suppress(OSError):  # the process has ended already
            self.popen.stdin.write(json.dumps({**job, "mark": self.mark}).encode() + b"\n" + self.token)
            self.popen.stdin.close()
        self.origins: dict[str, str | None] = {}  # the file of each module in the `sources` of the engine

    def start(self) -> None:
        """Wait until the engine is imported, at most _START_TIME. The program then begins by itself."""
        deadline = time.monotonic() + _START_TIME
        while time.monotonic() < deadline and not self.has_begun() and not self.has_ended(0.02):
            pass

    def has_begun(self) -> bool:
        """Return whether the first mark was read: the engine is imported, and the program begins."""
        return self.output.marks > 0

    def has_ended(self, seconds: float) -> bool:
        """Wait up to `seconds` for the end of the process, and set `exit_code`. Return whether the process has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.exit_code = self.popen.wait(seconds)
        return self.popen.returncode is not None

    def usage(self) -> Usage:
        """Return the number and the memory of the processes that `ps` lists, 0 for their threads, and the size of the output."""
        rows, output = self.processes(), self.output.size() + self.errors.size()
        return Usage(len(rows), 0, sum(kibibytes for kibibytes, _ in rows) * 1024, output)

    def running_processes(self) -> list[str]:
        """Return the names of the processes that still run. If only open output shows that there are any, return a text in place of their names."""
        names = [command for _, command in self.processes()]
        is_open = any(thread.is_alive() for thread in self.readers)
        return names or ["a process that holds the output open"] * is_open

    def processes(self) -> list[tuple[int, str]]:
        """Return (memory in KiB, name) of each process of the program that `ps` lists.

        Without /proc, only processes in the group of the first one are listed.
        """
        marked_pids = containment.marked_processes(self.marker, self.folder)
        table = subprocess.run(_TABLE, capture_output=True, text=True, check=True).stdout if shutil.which("ps") else ""
        rows = [line.split(maxsplit=4) for line in table.splitlines()]
        return [
            (int(kibibytes), os.path.basename(" ".join(command)))
            for pid, group, state, kibibytes, *command in rows
            if (int(group) == self.pid or int(pid) in marked_pids) and not state.startswith("Z")
        ]

    def kill(self) -> None:
        """Kill the processes of the program; without /proc, only those in its process group."""
        self.popen.kill()
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        containment.kill_marked(self.marker, self.folder)
        self.exit_code = self.popen.wait()
        for thread in self.readers:
            thread.join(_PATIENCE)

    def record(self) -> journal.Record:
        """Return the output and the journal of the program, without the output of the import. Set `origins`."""
        file = self.folder / "journal"
        origins, _, entries = (file.read_bytes() if file.is_file() else b"{}").partition(b"\n")
        self.origins = json.loads(origins)
        return journal.Record(self.output.parts()[1:], self.errors.parts()[1:], entries, self.token)

    def import_failure(self) -> str:
        """Return why the engine could not be imported, or that it was imported from unexpected files; else an empty string."""
        if self.has_begun():
            return origin_problem(self.engine, self.origins)
        text = self.errors.parts()[0].decode("utf-8", "replace")
        if self.exit_code != NO_ENGINE:
            text = f"its process ended with exit code {self.exit_code} before it was ready\n{text}"
        return f"pyproject.toml: engine {self.engine.name!r} cannot be imported: {text}"


def _read_and_close(stream: IO[bytes], output: journal.Output) -> None:
    """Read until all processes have closed the stream. Drop what the import has printed, and what exceeds the limit."""
    with stream:
        while not output.marks and (part := os.read(output.fd, 1 << 16)):
            output.append(part)
            del output.data[: -(1 << 17)]  # what is left tells why an import has failed
        del output.data[: max(0, output.data.find(output.mark))]
        output.read()
        while os.read(output.fd, 1 << 16):
            pass  # with a closed pipe, the program would raise BrokenPipeError
