"""The preloaded process of one engine: it forks a child for each snippet and watches over it.

It imports the engine and does nothing else, so that what a snippet changes (the default dtype, the
seed, print options, the environment) ends with the snippet's process. Jobs and runs are lines of
JSON on a socket.
"""

from __future__ import annotations

import faulthandler
import gc
import importlib
import importlib.metadata
import json
import os
import platform
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

from snippetcheck import containment, journal, outcome
from snippetcheck.engines import Engine, ReplacedModules, find
from snippetcheck.forked import Forked
from snippetcheck.learned import Learned
from snippetcheck.modules import Loads, Unseen
from snippetcheck.outcome import Run
from snippetcheck.watchdog import ClientGone, Watchdog


def main(connection_fd: int, settings: str, learned: str, loads: Loads) -> None:
    """Serve jobs until the connection closes, then end the process.

    `settings` is the engine as JSON, `learned` the file of what programs import, empty for none; `loads` has noted what
    this process has loaded so far.
    """
    engine = Engine(**json.loads(settings))
    connection = socket.socket(fileno=connection_fd)
    connection.set_inheritable(False)
    _as_in_a_shell()
    folder = Path.cwd()  # its own, as the runner has made it
    try:
        _serve(engine, connection, Path(learned) if learned else None, loads)
    except ConnectionError:
        pass  # the runner has ended meanwhile
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # the runner may have been killed
    os._exit(0)  # the interpreter would take every module of the engine apart first


def _serve(engine: Engine, connection: socket.socket, learned: Path | None, loads: Loads) -> None:
    """Import the engine, say so or why not, and serve."""
    has_own_memory = containment.own_shared_memory()
    try:
        with loads:
            versions = _preload(engine)
    except BaseException:
        connection.sendall(json.dumps({"failed": traceback.format_exc()}).encode() + b"\n")
        return
    server = _Server(engine, connection, has_own_memory, loads, Learned(learned, versions))
    origins = {name: getattr(find(name, ()), "origin", None) for name in engine.sources}
    connection.sendall(json.dumps({"ready": versions, "origins": origins}).encode() + b"\n")
    server.serve()


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
        importlib.import_module(name)
    for name in engine.replace:
        importlib.import_module(name)
    versions = {"python": platform.python_version()}
    for name in engine.distributions:
        versions[name] = importlib.metadata.version(name)
    return versions


class _Server:
    def __init__(self, engine: Engine, connection: socket.socket, has_own_memory: bool, loads: Loads, learned: Learned):
        self.engine = engine
        self.connection = connection
        self.loads, self.learned = loads, learned
        self.has_own_memory = has_own_memory
        containment.become_subreaper()  # the end of the runner shows as that of the connection: this process is to clean up then
        self.folders = Path(tempfile.mkdtemp(prefix="snippets-"))
        self.reseed = [_function(name) for name in engine.reseed]
        self.processes = containment.user_processes() + containment.USER_PROCESS_MARGIN
        self.spare: Forked | None = None
        faulthandler.enable()
        faulthandler.register(signal.SIGUSR1, all_threads=True)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(line_buffering=True, encoding="utf-8")  # type: ignore[union-attr]
        self.unseen: Unseen | None = None
        self.own = frozenset(sys.modules)  # what the harness and the settings of the engine load
        self.import_needed()
        self.settle()

    def settle(self) -> None:
        """What is loaded now is what children are forked with."""
        self.unseen = Unseen(self.loads, (*self.engine.preload, *self.engine.replace))
        self.address_space = containment.address_space() + containment.MEMORY_LIMIT
        for function in self.reseed:
            function()  # else each child fills caches of Python's that an import has emptied: 1,400 pages for NumPy's seed
        gc.collect()
        gc.freeze()  # else a collection in a child would copy every page of the engine

    def import_needed(self) -> bool:
        """Import what several programs need and is not there; False if there is no such module."""
        missing = [name for name in self.learned.needed() if name not in self.loads.needs and name not in sys.modules]
        if not missing:
            return False
        if self.unseen:
            self.unseen.end()
        with self.loads:
            for name in missing:
                try:
                    importlib.import_module(name)
                except Exception:  # the program that needs it will tell
                    self.learned.forget(name)
        return True

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
                    if self.import_needed():
                        self.discard_spare()
                        self.settle()
        except (ConnectionError, ClientGone):
            pass
        finally:
            self.discard_spare()
            containment.kill_all(os.getpid())
            self.learned.save()

    def fork(self) -> Forked:
        assert self.unseen
        self.unseen.hide_again()
        return Forked(self.folders, self.connection.fileno(), self.reseed, self.unseen)

    def discard_spare(self) -> None:
        if self.spare:
            self.spare.discard()
            self.spare = None

    def run_job(self, job: dict[str, Any]) -> tuple[Run, Forked]:
        job["processes"], job["sources"] = self.processes, self.engine.sources
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
            imported = journal.imported(forked)
            if imported is not None:
                self.learned.note(job["path"], (name for name in imported if name not in self.own))
        except ClientGone:
            forked.close()
            raise
        except Exception:
            watchdog.kill()
            made = Run(self.engine.name, outcome.HARNESS_FAILED, traceback.format_exc(), ())
        return made, forked


def _function(name: str) -> Callable[[], object]:
    """The function that a dotted name such as `numpy.random.seed` means."""
    module, _, rest = name.partition(".")
    found = importlib.import_module(module)
    for part in rest.split("."):
        found = getattr(found, part)
    return found  # type: ignore[return-value]
