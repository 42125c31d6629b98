"""Be the server of one engine: run each snippet in a forked child, and send the run to the client.

Jobs and answers are lines of JSON on a socket. An answer has the run and the id of its job. The children are copies of the
zygote, a process that has imported the engine. What a snippet changes (the default dtype, the seed, print options, the
environment) is therefore lost when its process ends.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import tempfile
import traceback
from pathlib import Path
from typing import Any

from snippetcheck import outcome
from snippetcheck.engines import MEBIBYTE, Engine
from snippetcheck.outcome import Run
from snippetcheck.runner import containment
from snippetcheck.runner.child_handle import ChildHandle
from snippetcheck.runner.zygote import Zygote, ZygoteLost


def main(connection_fd: int, settings: str) -> None:
    """Serve jobs until the client closes the connection, then end this process.

    Args:
        connection_fd: the descriptor of the socket to the client.
        settings: the engine as JSON.
    """
    engine = Engine.from_json(settings)
    connection = socket.socket(fileno=connection_fd)
    connection.set_inheritable(False)
    _reset_signals()
    folder = Path.cwd()  # created by the client for this server
    try:
        _Server(engine, connection).serve()
    except ConnectionError:
        pass  # the client has ended
    except ZygoteLost as lost:
        _exit_like(lost.pid)  # the client reports how this process ended
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # the client may have been killed
    os._exit(0)


def _exit_like(pid: int) -> None:
    """Wait for the child process `pid`, and end this process with the same exit code or signal."""
    code = containment.wait(pid)
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


def _reset_signals() -> None:
    """Reset signal handlers and umask to their defaults. `nohup` and `&` leave signals ignored."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:  # Python itself ignores these two
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    os.umask(0o022)


class _Server:
    def __init__(self, engine: Engine, connection: socket.socket):
        self.engine, self.connection = engine, connection
        self.has_own_memory = containment.use_private_shared_memory(engine.limits.memory * MEBIBYTE)
        containment.become_subreaper()  # this process cleans up when the client closes the connection
        self.folders = Path(tempfile.mkdtemp(prefix="snippets-"))

    def serve(self) -> None:
        """Report the import of the engine and, if it succeeded, run jobs until the client closes the connection.

        Raises ConnectionError if the client closes it during a job, and ZygoteLost if the zygote ends during an import.
        """
        # Not in the constructor either: see `Zygote.start`.
        self.zygote = Zygote().start(self.engine, self.connection)
        self.send(self.zygote.greeting)
        if "failed" in self.zygote.greeting:
            return
        lines = open(self.connection.fileno(), "rb", closefd=False)  # `makefile` would keep a zygote from closing it
        try:
            while (line := lines.readline()).endswith(b"\n"):
                job = json.loads(line)
                run, child = self.run_job(job)
                self.send({"id": job["id"], "run": run.to_json()})
                child.close()  # after the answer, for which the client is waiting
                if self.has_own_memory:
                    for path in containment.SHARED_MEMORY.iterdir():
                        containment.remove_folder(path)
                containment.reap()
        finally:
            containment.kill_all(os.getpid())

    def send(self, message: dict[str, Any]) -> None:
        """Send a line of JSON to the client."""
        self.connection.sendall(json.dumps(message).encode() + b"\n")

    def fork(self, job: dict[str, Any]) -> ChildHandle:
        """Fork a child that waits for its job. Replace the zygote if a snippet has killed it; if that fails, raise ZygoteLost."""
        try:
            return ChildHandle(self.folders, self.zygote, job, self.connection)
        except ZygoteLost:
            self.zygote.end()
        self.zygote = Zygote().start(self.engine, self.connection)
        if "failed" in self.zygote.greeting:
            raise ZygoteLost(self.zygote.pid)
        return ChildHandle(self.folders, self.zygote, job, self.connection)

    def run_job(self, job: dict[str, Any]) -> tuple[Run, ChildHandle]:
        """Run a job in a new child. Return the run, and the child, which the caller must close.

        Raises ConnectionError if the client closes the connection, and ZygoteLost like `fork`.
        """
        child = self.fork(job)
        try:
            return child.run(), child
        except ConnectionError:
            child.close()
            raise
        except Exception:
            return Run(self.engine.name, outcome.HARNESS_FAILED, traceback.format_exc(), ()), child
