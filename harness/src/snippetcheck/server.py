"""The preloaded process of one engine: it forks a child for each snippet and watches over it.

It imports the engine and does nothing else, so that what a snippet changes (the default dtype, the
seed, print options, the environment) ends with the snippet's process. Jobs and runs are lines of
JSON on a socket.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import importlib
import importlib.metadata
import json
import os
import platform
import re
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

from snippetcheck import containment, journal, record
from snippetcheck.engines import Engine, ReplacedModules
from snippetcheck.forked import Forked
from snippetcheck.record import Run
from snippetcheck.watchdog import ClientGone, Watchdog


def main(connection_fd: int, settings: str) -> None:
    """Serve jobs until the connection closes, then end the process. `settings` is the engine as JSON."""
    engine = Engine(**json.loads(settings))
    connection = socket.socket(fileno=connection_fd)
    connection.set_inheritable(False)
    _as_in_a_shell()
    has_own_memory = containment.own_shared_memory()
    try:
        versions = _preload(engine)
    except BaseException:
        connection.sendall(json.dumps({"failed": traceback.format_exc()}).encode() + b"\n")
        return
    server = _Server(engine, connection, has_own_memory)
    connection.sendall(json.dumps({"ready": versions}).encode() + b"\n")
    server.serve()
    os._exit(0)  # the interpreter would take every module of the engine apart first


def _as_in_a_shell() -> None:
    """Undo what a process inherits from whoever started the run: `nohup` and `&` leave signals ignored."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:  # Python itself ignores these two
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    os.umask(0o022)


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
    def __init__(self, engine: Engine, connection: socket.socket, has_own_memory: bool):
        self.engine = engine
        self.connection = connection
        self.has_own_memory = has_own_memory
        containment.become_subreaper()
        containment.die_with_parent()
        self.folders = Path(tempfile.mkdtemp(prefix="snippets-"))
        self.preload_for = [(re.compile(text), names) for text, names in engine.preload_for.items()]
        self.reseed = [_function(name) for name in engine.reseed]
        self.processes = containment.user_processes() + containment.USER_PROCESS_MARGIN
        self.address_space = containment.address_space() + containment.MEMORY_LIMIT
        self.spare: Forked | None = None
        faulthandler.enable()
        faulthandler.register(signal.SIGUSR1, all_threads=True)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(line_buffering=True, encoding="utf-8")  # type: ignore[union-attr]
        self.freeze()

    def freeze(self) -> None:
        for function in self.reseed:
            function()  # else each child fills caches of Python's that an import has emptied: 1,400 pages for NumPy's seed
        gc.collect()
        gc.freeze()  # else a collection in a child would copy every page of the engine

    def preload(self, text: str) -> None:
        """Import what this text, and others like it, will need; once."""
        matching = [entry for entry in self.preload_for if entry[0].search(text)]
        if not matching:
            return
        self.discard_spare()
        for entry in matching:
            for name in entry[1]:
                with contextlib.suppress(ImportError):  # the snippet will tell, if it needs it
                    importlib.import_module(name)
            self.preload_for.remove(entry)
        self.address_space = containment.address_space() + containment.MEMORY_LIMIT
        self.freeze()

    def serve(self) -> None:
        try:
            self.spare = self.fork()
            with self.connection.makefile("rb") as lines:
                for line in lines:
                    answer, forked = self.run_job(json.loads(line))
                    self.connection.sendall(json.dumps(answer.to_json()).encode() + b"\n")
                    forked.close()  # only now, since the client is waiting
                    if self.has_own_memory:
                        containment.empty(containment.SHARED_MEMORY)
                    containment.reap()
        except (ConnectionError, ClientGone):
            pass
        finally:
            self.discard_spare()
            containment.kill_all(os.getpid())
            shutil.rmtree(self.folders, ignore_errors=True)

    def fork(self) -> Forked:
        return Forked(self.folders, self.connection.fileno(), self.reseed)

    def discard_spare(self) -> None:
        if self.spare:
            self.spare.discard()
            self.spare = None

    def run_job(self, job: dict[str, Any]) -> tuple[Run, Forked]:
        self.preload(job["text"])
        job["processes"] = self.processes
        job["address_space"] = self.address_space if job["limit_memory"] else -1
        forked = self.spare or self.fork()
        began = time.perf_counter()
        try:
            forked.start(job)
        except BrokenPipeError:  # a snippet before this one has ended it
            forked.discard()
            forked = self.fork()
            forked.start(job)
        # The next child is forked while this one runs.
        self.spare = self.fork()
        watchdog = Watchdog(forked, job, self.connection.fileno(), {self.spare.pid})
        try:
            watchdog.watch()
            seconds = time.perf_counter() - began
            made = journal.run_of(self.engine.name, job, forked, watchdog.status, watchdog.stopped, seconds)
        except ClientGone:
            forked.close()
            raise
        except Exception:
            watchdog.kill()
            made = Run(self.engine.name, record.HARNESS_FAILED, traceback.format_exc(), ())
        return made, forked


def _function(name: str) -> Callable[[], object]:
    """The function that a dotted name such as `numpy.random.seed` means."""
    module, _, rest = name.partition(".")
    found = importlib.import_module(module)
    for part in rest.split("."):
        found = getattr(found, part)
    return found  # type: ignore[return-value]
