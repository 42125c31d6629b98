"""Start the server of an engine and send it jobs."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from snippetcheck import outcome
from snippetcheck.engines import Engine, EngineError
from snippetcheck.outcome import Run
from snippetcheck.runner import containment
from snippetcheck.runner.jobs import Client, bootstrap_program, build_job, origin_problem
from snippetcheck.runner.journal import signal_name
from snippetcheck.snippet import Snippet

_START_TIME = 120.0  # seconds that the import of an engine may take
_STDERR_LIMIT = 4000  # bytes of a lost server's stderr in a report
_GRACE = 30.0  # seconds beyond the timeout of a snippet to wait for its run: the server may have to end a fork bomb


class _ServerLost(Exception):
    """The server did not answer in time (`is_silent`), or closed its connection."""

    def __init__(self, is_silent: bool):
        super().__init__(is_silent)
        self.is_silent = is_silent


class EngineClient(Client):
    """The client of one engine's server. The first `submit` starts the server.

    If an exception interrupts a wait for the server, as from pytest-timeout or Ctrl-C, a message may be incomplete. Therefore
    the server is ended, and the jobs that it has not answered are abandoned: `result` raises EngineError for them.
    """

    def __init__(self, engine: Engine, hash_seed: int = 0, time_zone: str = "UTC"):
        super().__init__(engine, hash_seed, time_zone)
        self._process: subprocess.Popen[bytes] | None = None
        self._runs: dict[int, Run] = {}  # by job id, until `result` returns them
        self._is_ready = False  # whether the engine is imported
        self._errors = -1  # descriptor of a file in memory to which the server's stderr goes
        self.folder = Path()  # holds the files of the server and of its children

    @property
    def pid(self) -> int | None:
        """Return the id of the server's process; None if the server does not run."""
        return self._process.pid if self._process else None

    def launch(self) -> None:
        """Start the server without waiting for the import of the engine, unless it runs or an import has failed."""
        if self._process is not None or self._failure:
            return
        self._socket, server_socket = socket.socketpair()
        self._buffer = b""
        self._is_ready = False
        # The server removes this folder too, in case this process is killed.
        self.folder = Path(tempfile.mkdtemp(prefix="snippetcheck-server-"))
        program = bootstrap_program(f"server import main; main({server_socket.fileno()}, sys.argv[1])")
        self._errors = os.memfd_create("server-stderr")
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", program, json.dumps(asdict(self.engine))],
                pass_fds=[server_socket.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                env={
                    **self.environment(self.folder),
                    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",  # with huge pages, a fork copies the page table three times as fast
                },
                cwd=self.folder,
                start_new_session=True,
            )
        finally:
            server_socket.close()

    def start(self) -> None:
        """Start the server and wait for the import of the engine. Raises EngineError if the engine cannot be imported."""
        self.launch()
        if self._failure:
            raise EngineError(self._failure)
        if self._is_ready:
            return
        try:
            greeting = self._read_greeting()
        except _ServerLost as lost:
            greeting = {"failed": f"it took more than {_START_TIME:g} s"} if lost.is_silent else {}
        if "origins" not in greeting:
            reason = greeting.get("failed") or f"{self._describe_end()} before it was ready\n{self._read_stderr_end()}"
            problem = f"pyproject.toml: engine {self.engine.name!r} cannot be imported: {reason}"
        else:
            problem = origin_problem(self.engine, greeting["origins"])
        if problem:
            self._end()
            self._failure = problem
            raise EngineError(problem)
        self._is_ready = True

    def _read_greeting(self) -> dict[str, Any]:
        """Return the first message of the server. Raises _ServerLost if none arrives in _START_TIME, or if the connection closes.

        If another exception, as from an alarm, interrupts the wait for the message, the import continues.
        """
        self._wait(select.POLLIN, _START_TIME)
        try:
            greeting: dict[str, Any] = json.loads(self._line(_START_TIME))
            return greeting
        except _ServerLost:
            raise
        except BaseException:
            self._end()
            raise

    def submit(self, snippet: Snippet) -> int:
        """Send `snippet` to the server and return the job id for `result`. Raises EngineError if the engine cannot be imported."""
        self.start()
        job_id = next(self._job_ids)
        with self._end_if_interrupted():
            self._pending[job_id] = snippet
            self._send(build_job(job_id, snippet, self.engine))
        return job_id

    def has_job(self, job_id: int) -> bool:
        """Return whether `result` can return the run of this job: the job was not abandoned, and `result` was not called for it."""
        return job_id in self._pending or job_id in self._runs

    def _send(self, message: dict[str, Any]) -> None:
        """Send a message to the server. If the server is lost, do nothing: `result` notices it."""
        rest = json.dumps(message).encode() + b"\n"
        with contextlib.suppress(_ServerLost, ConnectionError):
            while rest:
                self._wait(select.POLLOUT, _START_TIME)
                rest = rest[self._socket.send(rest, socket.MSG_DONTWAIT) :]

    def result(self, job_id: int) -> Run:
        """Wait for the end of a job and return its run.

        Raises EngineError if the job was abandoned, if its run was returned before, or if an earlier snippet ended the server and
        a new server could not start.
        """
        while job_id not in self._runs:
            if job_id not in self._pending:
                raise self.abandoned_error(job_id)
            if self._process is None:
                raise EngineError(self._failure)
            with self._end_if_interrupted():
                self._receive()
        return self._runs.pop(job_id)

    def _receive(self) -> None:
        """Wait for the next answer and store its run by job id. If the server is lost, store a failed run and replace the server."""
        first, snippet = next(iter(self._pending.items()))
        try:
            answer = json.loads(self._line(snippet.manifest.timeout + _GRACE))
        except _ServerLost as lost:
            self._runs[first] = self._build_lost_run(lost.is_silent)
            del self._pending[first]
            self._start_again()
            return
        if answer["id"] in self._pending:
            self._runs[answer["id"]] = Run.from_json(answer["run"])
            del self._pending[answer["id"]]

    @contextlib.contextmanager
    def _end_if_interrupted(self) -> Iterator[None]:
        """If an exception leaves the `with` block, for example from a signal handler, end the server and abandon its jobs.

        A message may be incomplete, and the running program must end. Unless the exception ends the session, a new server
        imports the engine immediately; otherwise the import would count towards the timeout of the next test.
        """
        try:
            yield
        except BaseException as error:
            self._abandon()
            if not isinstance(error, KeyboardInterrupt | SystemExit):
                with contextlib.suppress(EngineError):  # the next `submit` raises it
                    self.start()
            raise

    def _abandon(self) -> None:
        self._pending.clear()
        self._end()

    def _line(self, seconds: float) -> bytes:
        """Return the next line from the server. Raises _ServerLost if nothing comes for `seconds`, or if the connection closes."""
        while True:
            line, end, rest = self._buffer.partition(b"\n")
            if end:
                self._buffer = rest
                return line
            self._wait(select.POLLIN, seconds)
            try:
                part = self._socket.recv(1 << 16)
            except ConnectionError:
                part = b""
            if not part:
                raise _ServerLost(is_silent=False)
            self._buffer += part

    def _wait(self, event: int, seconds: float) -> None:
        """Wait for `event` on the socket of the server. Raises _ServerLost after `seconds`."""
        poll = select.poll()
        poll.register(self._socket, event)
        if not poll.poll(seconds * 1000):
            raise _ServerLost(is_silent=True)

    def _start_again(self) -> None:
        """Replace a lost server by a new one, and send the pending jobs to the new server."""
        self._end()
        with contextlib.suppress(EngineError):  # `result` raises it again
            for job_id, snippet in list(self._pending.items()):
                self.start()
                self._send(build_job(job_id, snippet, self.engine))

    def _build_lost_run(self, is_silent: bool) -> Run:
        """Return a failed run for the job during which the server was lost. Kill a silent server."""
        assert self._process
        if is_silent:
            self._process.kill()
            kind, detail = outcome.SERVER_LOST, "stopped its server process"
        else:
            reason = self._describe_end()
            code = self._process.returncode
            has_failed = code is not None and code >= 0
            kind = outcome.HARNESS_FAILED if has_failed else outcome.SERVER_LOST
            detail = f"{'lost' if has_failed else 'ended'} its server process: {reason}"
        return Run(self.engine.name, kind, detail, (), tail_stderr=self._read_stderr_end())

    def _describe_end(self) -> str:
        assert self._process
        try:
            code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return "it closed its connection"
        return f"it was ended by {signal_name(-code)}" if code < 0 else f"it ended with exit code {code}"

    def _read_stderr_end(self) -> str:
        """Return the last _STDERR_LIMIT bytes of the server's stderr as text."""
        size = os.fstat(self._errors).st_size
        return os.pread(self._errors, _STDERR_LIMIT, max(0, size - _STDERR_LIMIT)).decode("utf-8", "replace")

    def close(self) -> None:
        """End the server and its processes, and forget a failed import. The next `submit` starts a new server."""
        self._abandon()
        self._failure = ""

    def _end(self) -> None:
        # Reset first: after an exception in this method, the server must not be used.
        process, self._process = self._process, None
        if process is None:
            return
        self._socket.close()
        if not self._is_ready:
            process.kill()  # otherwise it would finish the import first
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.returncode != 0:
            containment.kill_marked(self.marker, self.folder)
        os.close(self._errors)
        shutil.rmtree(self.folder, ignore_errors=True)
