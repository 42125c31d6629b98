"""The preloaded process of one engine: it forks a child for each snippet and watches over it.

It imports the engine and does nothing else, so that what a snippet changes (the default dtype, the
seed, print options, the environment) ends with the snippet's process. Jobs and runs are lines of
JSON on a socket.
"""

from __future__ import annotations

import contextlib
import faulthandler
import fcntl
import gc
import importlib
import importlib.metadata
import json
import os
import platform
import re
import secrets
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness import child, containment, record
from harness.engines import Engine, ReplacedModules

_PATIENCE = 1.0  # seconds that a snippet's own processes get to end after it
_DUMP_TIME = 0.1  # seconds to write where a snippet hangs


def main(connection_fd: int, settings: str) -> None:
    """Serve jobs until the connection closes. `settings` is the engine as JSON."""
    engine = Engine(**json.loads(settings))
    connection = socket.socket(fileno=connection_fd)
    connection.set_inheritable(False)
    try:
        versions = _preload(engine)
    except BaseException:
        connection.sendall(json.dumps({"failed": traceback.format_exc()}).encode() + b"\n")
        return
    server = _Server(engine, connection)
    connection.sendall(json.dumps({"ready": versions}).encode() + b"\n")
    server.serve()


def _preload(engine: Engine) -> dict[str, str]:
    sys.path[:0] = [entry for entry in engine.path if entry not in sys.path]
    if engine.replace:
        sys.meta_path.insert(0, ReplacedModules(engine.replace))
    for name in engine.preload:
        module = importlib.import_module(name)
        if name == "torch" and "torch" not in engine.replace:
            # A fork after a matmul hangs when the thread pool has more than one thread.
            module.set_num_threads(1)
    for name in engine.replace:
        importlib.import_module(name)
    versions = {"python": platform.python_version()}
    for name in engine.distributions:
        versions[name] = importlib.metadata.version(name)
    return versions


class _Server:
    def __init__(self, engine: Engine, connection: socket.socket):
        self.engine = engine
        self.connection = connection
        containment.become_subreaper()
        containment.die_with_parent()
        self.folders = Path(tempfile.mkdtemp(prefix="snippets-"))
        self.preload_for = [(re.compile(text), names) for text, names in engine.preload_for.items()]
        self.reseed = [_function(name) for name in engine.reseed]
        self.processes = containment.user_processes() + containment.USER_PROCESS_MARGIN
        self.address_space = containment.address_space() + containment.MEMORY_LIMIT
        faulthandler.enable()
        faulthandler.register(signal.SIGUSR1, all_threads=True)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(line_buffering=True, encoding="utf-8")  # type: ignore[union-attr]
        self.freeze()

    def freeze(self) -> None:
        gc.collect()
        gc.freeze()  # else a collection in a child would copy every page of the engine

    def preload(self, text: str) -> None:
        """Import what this text, and others like it, will need; once."""
        matching = [entry for entry in self.preload_for if entry[0].search(text)]
        for entry in matching:
            for name in entry[1]:
                with contextlib.suppress(ImportError):  # the snippet will tell, if it needs it
                    importlib.import_module(name)
            self.preload_for.remove(entry)
        if matching:
            self.freeze()

    def serve(self) -> None:
        try:
            with self.connection.makefile("rb") as lines:
                for line in lines:
                    answer = self.run_job(json.loads(line))
                    self.connection.sendall(json.dumps(answer).encode() + b"\n")
        except (ConnectionError, _ClientGone):
            pass
        finally:
            containment.kill_all(os.getpid())
            shutil.rmtree(self.folders, ignore_errors=True)

    def run_job(self, job: dict[str, Any]) -> dict[str, Any]:
        self.preload(job["text"])
        folder = Path(tempfile.mkdtemp(dir=self.folders))
        job |= {
            "folder": str(folder),
            "processes": self.processes,
            "address_space": self.address_space if job["limit_memory"] else -1,
        }
        files = [os.memfd_create(name) for name in ("stdout", "stderr", "journal")]
        for fd in files:
            os.set_blocking(fd, True)
            _append_only(fd)
        try:
            return _Watch(self, job, folder, files).run()
        except _ClientGone:
            raise
        except Exception:
            containment.kill_all(os.getpid())
            return record.Run(self.engine.name, record.HARNESS_FAILED, traceback.format_exc(), ()).to_json()
        finally:
            for fd in files:
                os.close(fd)
            containment.remove_folder(folder)


def _function(name: str) -> Callable[[], object]:
    """The function that a dotted name such as `numpy.random.seed` means."""
    module, _, rest = name.partition(".")
    found = importlib.import_module(module)
    for part in rest.split("."):
        found = getattr(found, part)
    return found  # type: ignore[return-value]


def _append_only(fd: int) -> None:
    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_APPEND)


class _ClientGone(Exception):
    """The process that asked for the run has ended."""


class _Watch:
    """One child from its fork to the end of the last of its processes."""

    def __init__(self, server: _Server, job: dict[str, Any], folder: Path, files: list[int]):
        self.server = server
        self.job = job
        self.folder = folder
        self.output, self.errors, self.journal = files
        self.token = secrets.token_hex(16).encode()

    def run(self) -> dict[str, Any]:
        began = time.perf_counter()
        pid = self.fork()
        reason, detail = self.wait(pid)
        if reason:
            containment.kill_all(os.getpid(), pid)
            status = None
        else:
            _, status = os.waitpid(pid, 0)
            reason, detail = self.leftovers(pid)
        seconds = time.perf_counter() - began
        return self.result(reason, detail, status, seconds)

    def fork(self) -> int:
        token_out, token_in = os.pipe()
        os.write(token_in, self.token)
        os.close(token_in)
        pid = os.fork()
        if pid == 0:
            try:
                for seed in self.server.reseed:
                    seed()
                child.run(
                    self.job,
                    self.output,
                    self.errors,
                    self.journal,
                    token_out,
                    self.server.connection.fileno(),
                )
            except BaseException:
                os.write(2, traceback.format_exc().encode())
            finally:
                os._exit(70)
        os.close(token_out)
        return pid

    def wait(self, pid: int) -> tuple[str, str]:
        """Wait for the child; the reason to kill it, if there is one."""
        timeout = self.job["timeout"]
        deadline = time.monotonic() + timeout
        handle = os.pidfd_open(pid)
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        poll.register(self.server.connection, select.POLLRDHUP)
        slice_ = 0.05
        try:
            while True:
                left = deadline - time.monotonic()
                events = dict(poll.poll(max(0, min(slice_, left)) * 1000))
                if self.server.connection.fileno() in events:
                    containment.kill_all(os.getpid(), pid)
                    raise _ClientGone
                if handle in events:
                    return "", ""
                excess = self.excess()
                if excess:
                    return excess
                if time.monotonic() >= deadline:
                    self.ask_where(pid)
                    return record.TIMED_OUT, f"ran longer than {timeout:g} s"
                slice_ = min(slice_ * 1.2, 0.25)
        finally:
            os.close(handle)

    def excess(self) -> tuple[str, str] | None:
        """What the snippet has too much of, if anything."""
        if os.fstat(self.output).st_size + os.fstat(self.errors).st_size > containment.OUTPUT_LIMIT:
            return record.FLOODED, _flood()
        pids = containment.descendants(os.getpid())
        if len(pids) > containment.PROCESS_LIMIT:
            limit = containment.PROCESS_LIMIT
            return record.TOO_MANY_PROCESSES, f"had {len(pids)} processes at a time; {limit} is the limit"
        if self.job["limit_memory"] and containment.resident_memory(pids) > containment.MEMORY_LIMIT:
            return record.TOO_MUCH_MEMORY, f"held more than {_mib(containment.MEMORY_LIMIT)} of memory"
        if containment.folder_size(self.folder, containment.DISK_LIMIT) > containment.DISK_LIMIT:
            return record.TOO_MUCH_DISK, f"wrote more than {_mib(containment.DISK_LIMIT)} to its folder"
        return None

    def ask_where(self, pid: int) -> None:
        """Let the child write to stderr where it hangs."""
        try:
            os.kill(pid, signal.SIGUSR1)
        except ProcessLookupError:
            return
        before = os.fstat(self.errors).st_size
        deadline = time.monotonic() + _DUMP_TIME
        while time.monotonic() < deadline and os.fstat(self.errors).st_size == before:
            time.sleep(0.005)
        time.sleep(0.01)

    def leftovers(self, pid: int) -> tuple[str, str]:
        """End what outlived the child; the run fails if something did not end by itself."""
        deadline = time.monotonic() + _PATIENCE
        while containment.reap():
            if time.monotonic() > deadline:
                names = sorted({_name(left) for left in containment.descendants(os.getpid())})
                containment.kill_all(os.getpid(), pid)
                return record.LEFT_RUNNING, f"left running: {', '.join(names)}"
            time.sleep(0.005)
        return "", ""

    # -- from the journal to a record ---------------------------------------------------------

    def result(self, reason: str, detail: str, status: int | None, seconds: float) -> dict[str, Any]:
        output, errors = self.read(self.output), self.read(self.errors)
        flooded = len(output) + len(errors) > containment.OUTPUT_LIMIT
        lines = self.read(self.journal, 1 << 30).split(b"\n")[:-1]
        done = self.token in lines
        entries = [json.loads(line) for line in lines if line != self.token]
        statements = _statements(entries, output, errors)
        if not reason and flooded:
            reason, detail = record.FLOODED, _flood()
        if not reason:
            reason, detail = self.outcome(entries, statements, status, done, errors)
        tail = _tail(entries)
        return record.Run(
            engine=self.server.engine.name,
            outcome=reason,
            detail=detail,
            statements=tuple(statements),
            tail_output=_text(output[tail["output"] :]),
            tail_stderr=_text(errors[tail["errors"] :]),
            seconds=seconds,
        ).to_json()

    def outcome(
        self,
        entries: list[dict[str, Any]],
        statements: list[record.StatementRun],
        status: int | None,
        done: bool,
        errors: bytes,
    ) -> tuple[str, str]:
        if any("forked" in entry for entry in entries):
            return record.FORKED, "forked, and the copy went on with the program"
        if done and len(statements) == self.job["statements"] and not _stopped(statements, self.job):
            return record.FINISHED, ""
        if done:
            return record.RAISED, ""
        code = os.waitstatus_to_exitcode(status or 0)
        if code == 70 and b"harness/child.py" in errors:
            return record.HARNESS_FAILED, _text(errors[-4000:])
        if code < 0:
            name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
            return record.CRASHED, f"was ended by {name}"
        return (
            record.EXITED,
            f"ended the process itself, with exit code {code}, before its last statement was over",
        )

    def read(self, fd: int, limit: int = containment.OUTPUT_LIMIT + 1) -> bytes:
        return os.pread(fd, min(os.fstat(fd).st_size, limit), 0)


def _stopped(statements: list[record.StatementRun], job: dict[str, Any]) -> bool:
    last = len(statements) - 1
    return bool(statements) and statements[-1].error is not None and last not in job["may_raise"]


def _statements(entries: list[dict[str, Any]], output: bytes, errors: bytes) -> list[record.StatementRun]:
    statements: list[record.StatementRun] = []
    out, err = 0, 0
    running = False
    for entry in entries:
        if "start" in entry:
            running = True
        elif "end" in entry:
            running = False
            error = record.Raised(**entry["error"]) if entry["error"] else None
            statements.append(
                record.StatementRun(
                    _text(output[out : entry["output"]]),
                    _text(errors[err : entry["errors"]]),
                    error,
                    tuple((category, message) for category, message in entry["warnings"]),
                )
            )
            out, err = entry["output"], entry["errors"]
    if running:
        statements.append(record.StatementRun(_text(output[out:]), _text(errors[err:]), None, (), ended=False))
    return statements


def _tail(entries: list[dict[str, Any]]) -> dict[str, int]:
    """Where the output after the last statement begins."""
    last: dict[str, int] = {"output": 0, "errors": 0}
    for entry in entries:
        if "end" in entry:
            last = entry
        elif "start" in entry:
            last = {"output": 1 << 40, "errors": 1 << 40}  # it belongs to the statement that never ended
    return last


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "?"


def _mib(size: int) -> str:
    return f"{size // containment.MEBIBYTE} MiB"


def _flood() -> str:
    return f"printed more than {_mib(containment.OUTPUT_LIMIT)}"
