"""Run the snippets of one engine, each in a forked child, and report the runs.

Jobs and answers are lines of JSON on a socket. An answer has the run and the id of its job. The children are copies of the
zygote, which has imported the engine. Changes by a snippet (the default dtype, the seed, print options, the environment) end
with its process.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

from snippetcheck import outcome
from snippetcheck.engines import MEBIBYTE, Engine
from snippetcheck.outcome import Run
from snippetcheck.runner import containment, journal
from snippetcheck.runner.child_handle import ChildHandle
from snippetcheck.runner.watchdog import ClientGone, Watchdog
from snippetcheck.runner.zygote import Zygote, ZygoteLost


def main(connection_fd: int, settings: str) -> None:
    """Serve jobs until the connection closes, then end the process.

    `settings` is the engine as JSON.
    """
    engine = Engine.from_json(settings)
    connection = socket.socket(fileno=connection_fd)
    connection.set_inheritable(False)
    _reset_signals()
    folder = Path.cwd()  # created by the client for this server
    try:
        _serve(engine, connection)
    except ConnectionError:
        pass  # the client has ended
    except ZygoteLost as lost:
        _exit_like(lost.pid)  # the client reports it
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # the client may have been killed
    os._exit(0)


def _serve(engine: Engine, connection: socket.socket) -> None:
    """Start the zygote, report whether the engine was imported, and serve jobs."""
    has_own_memory = containment.use_private_shared_memory(engine.limits.memory * MEBIBYTE)
    containment.become_subreaper()  # this process cleans up when the client closes the connection
    zygote = Zygote(engine, connection)
    if zygote.failed:
        connection.sendall(json.dumps({"failed": zygote.failed}).encode() + b"\n")
        return
    server = _Server(engine, zygote, Jobs(connection), has_own_memory)
    connection.sendall(json.dumps({"ready": True, "origins": zygote.origins}).encode() + b"\n")
    server.serve()


def _exit_like(pid: int) -> None:
    """End with the exit status or the signal with which that child has ended."""
    try:
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except ChildProcessError:
        code = -signal.SIGKILL
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


def _reset_signals() -> None:
    """Reset signal handlers and umask. `nohup` and `&` leave signals ignored."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:  # Python itself ignores these two
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    os.umask(0o022)


class Jobs:
    """The incoming jobs, one line of JSON each."""

    def __init__(self, connection: socket.socket):
        self.connection = connection
        self._read = b""

    def fileno(self) -> int:
        """Return the descriptor to poll."""
        return self.connection.fileno()

    def fill(self) -> bool:
        """Wait for data and read it. Return False at the end of the connection."""
        part = self.connection.recv(1 << 16)
        self._read += part
        return bool(part)

    def first(self) -> dict[str, Any] | None:
        """Return the first complete job, or None."""
        line, end, rest = self._read.partition(b"\n")
        if not end:
            return None
        self._read = rest
        job: dict[str, Any] = json.loads(line)
        return job


class _Server:
    def __init__(self, engine: Engine, zygote: Zygote, jobs: Jobs, has_own_memory: bool):
        self.engine, self.zygote, self.jobs, self.has_own_memory = engine, zygote, jobs, has_own_memory
        self.folders = Path(tempfile.mkdtemp(prefix="snippets-"))
        self.user_processes = containment.user_processes()
        self.spare: ChildHandle | None = None  # a child that waits for its job
        self.prefetched_job: dict[str, Any] | None = None  # the next job, already sent to the spare child

    def new_zygote(self) -> None:
        """Replace the zygote."""
        self.zygote.end()
        self.zygote = Zygote(self.engine, self.jobs.connection)
        if self.zygote.failed:
            raise ZygoteLost(self.zygote.pid)

    def serve(self) -> None:
        """Run jobs until the client ends."""
        try:
            self.prepare()
            while job := self.next_job():
                run, handle = self.run_job(job)
                answer = {"id": job["id"], "run": run.to_json()}
                self.jobs.connection.sendall(json.dumps(answer).encode() + b"\n")
                handle.close()  # only now, since the client is waiting
                if self.has_own_memory:
                    containment.empty(containment.SHARED_MEMORY)
                containment.reap()
        except (ConnectionError, ClientGone):
            pass
        finally:
            self.discard_spare()
            containment.kill_all(os.getpid())

    def next_job(self) -> dict[str, Any] | None:
        """Wait for the next job; None if the client has ended."""
        while not self.prefetch_job():
            if not self.jobs.fill():
                return None
        return self.prefetched_job

    def prefetch_job(self) -> bool:
        """Send the next job to the spare child, if one has arrived. Return whether there is a prefetched job."""
        if self.prefetched_job is None and (job := self.jobs.first()):
            limits = job["limits"]
            user_processes = self.user_processes + limits["processes"] + limits["threads"]
            self.prefetched_job = {**job, "user_processes": user_processes}
            self.prepare()
        return self.prefetched_job is not None

    def prepare(self) -> None:
        """Fork a spare child if necessary, and send it the prefetched job."""
        try:
            self.spare = self.spare or ChildHandle(self.folders, self.zygote)
        except ZygoteLost:  # a snippet has killed it
            self.new_zygote()
            self.spare = ChildHandle(self.folders, self.zygote)
        if self.prefetched_job:
            reserved = self.prefetched_job["limits"]["address_space"] * MEBIBYTE
            is_limited = reserved and self.prefetched_job["limit_memory"]
            self.prefetched_job["address_space"] = self.zygote.address_space + reserved if is_limited else -1
            self.spare.prepare(self.prefetched_job)

    def discard_spare(self) -> None:
        if self.spare:
            self.spare.discard()
            self.spare = None

    def start(self) -> ChildHandle:
        """Start the job in the spare child, and fork the next spare child while it runs."""
        for _ in range(2):
            self.prepare()
            assert self.spare
            if self.spare.start():
                break
            self.discard_spare()  # an earlier snippet has killed it
        self.prepare()
        assert self.spare
        handle, self.spare, self.prefetched_job = self.spare, None, None
        self.prepare()
        self.prefetch_job()
        return handle

    def infrastructure_pids(self) -> set[int]:
        """Return the ids of the processes that belong to no snippet."""
        return {self.zygote.pid, *([self.spare.pid] if self.spare else [])}

    def run_job(self, job: dict[str, Any]) -> tuple[Run, ChildHandle]:
        began = time.perf_counter()
        handle = self.start()
        watchdog = Watchdog(handle, job, self)
        try:
            watchdog.watch()
            seconds = time.perf_counter() - began
            code = os.waitstatus_to_exitcode(watchdog.status)
            run = journal.build_run(self.engine.name, job, handle.record(), code, watchdog.stopped, seconds)
        except ClientGone:
            handle.close()
            raise
        except ZygoteLost:
            raise
        except Exception:
            watchdog.kill()
            run = Run(self.engine.name, outcome.HARNESS_FAILED, traceback.format_exc(), ())
        return run, handle
