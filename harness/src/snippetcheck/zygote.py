"""The process that has imported an engine, and does nothing but fork: every snippet's process begins as a copy of it.

A copy shares its memory until one of the two writes to it, and to copy a page takes longer than most of what a snippet
does. So it is a process of its own, beside the server that watches: what that one does touches no page of the engine. The
server is the parent of the copies too (CLONE_PARENT), to wait for them and to end with them.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import gc
import importlib
import importlib.metadata
import io
import json
import math
import os
import platform
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from snippetcheck import child, containment, heap
from snippetcheck.engines import Engine, ReplacedModules, find
from snippetcheck.learned import is_lasting
from snippetcheck.modules import Loads
from snippetcheck.unseen import Unseen

_CLONE_PARENT, _CLONE_CHILD_CLEARTID, _CLONE_CHILD_SETTID = 0x8000, 0x0020_0000, 0x0100_0000
_PR_GET_TID_ADDRESS = 40
_SYS_CLONE = {"x86_64": 56}.get(platform.machine(), 220)  # on the architectures that came later it is 220
_FORK, _IMPORT = b"f", b"i"
_HEARTBEAT = 1.0  # seconds
_libc = ctypes.PyDLL(None, use_errno=True)  # its calls keep Python's lock, as a fork must


class ZygoteLost(Exception):
    """The process of the engine, `pid`, has ended: in its imports, or since a snippet has killed it."""

    def __init__(self, pid: int):
        super().__init__(pid)
        self.pid = pid


class Loaded(NamedTuple):
    """What came of imports ahead.

    `failed`: the modules that could not be imported. `spoiled`: what the last of them has done for which no program may be
    forked from that process any more; empty if nothing. `is_for_good`: whether it would do so in every run.
    """

    failed: list[str]
    spoiled: str
    is_for_good: bool = True


class Zygote:
    """The process of an engine, as its server sees it.

    `versions` are those of what the engine is made of, `origins` the files of its sources; `failed` is a traceback if it
    cannot be imported. `address_space` in bytes is what it takes itself.
    """

    def __init__(self, engine: Engine, loads: Loads, forbidden: socket.socket):
        ours, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                containment.die_with_parent()
                forbidden.close()
                ours.close()
                _Engine(engine, loads, theirs).serve()
            except BaseException:
                os.write(2, traceback.format_exc().encode())
            finally:
                os._exit(1)
        theirs.close()
        self._socket = ours
        self._read = b""
        greeting = self._reply()
        self.failed: str = greeting.get("failed", "")
        self.versions: dict[str, str] = greeting.get("versions", {})
        self.origins: dict[str, str | None] = greeting.get("origins", {})
        self.address_space: int = greeting.get("address_space", 0)

    def fork(self, folder: str, descriptors: child.Descriptors) -> None:
        """Let it fork; what comes of it tells `forked`."""
        self._send(_FORK + folder.encode() + b"\n", descriptors)

    def forked(self) -> int:
        """The id of the process that it was last asked for."""
        return int(self._reply())

    def load(self, names: Sequence[str], seconds: float, heartbeat: Callable[[], None]) -> Loaded:
        """Let it import these modules before it forks again, each within `seconds`. Meanwhile calls `heartbeat` every second."""
        name = ""
        try:
            self._send(_IMPORT + json.dumps(names).encode() + b"\n")
            while isinstance(reply := self._reply(seconds, heartbeat), str):
                name = reply
        except ZygoteLost:  # a snippet may have ended it before
            return Loaded([name or names[0]], "it has ended", is_for_good=bool(name))
        except TimeoutError:
            return Loaded([name or names[0]], "its import does not end", is_for_good=False)
        self.address_space = reply["address_space"]
        return Loaded(reply["failed"], reply["spoiled"])

    def end(self) -> None:
        """End it, if it is there."""
        self._socket.close()
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)  # it may be in an import that does not end
            os.waitpid(self.pid, 0)

    def _wake(self) -> None:
        """A snippet may have stopped it. Until it is waited for, its id is no other's."""
        os.kill(self.pid, signal.SIGCONT)

    def _send(self, line: bytes, descriptors: Sequence[int] = ()) -> None:
        try:
            self._wake()
            sent = socket.send_fds(self._socket, [line], descriptors) if descriptors else 0
            self._socket.sendall(line[sent:])
        except OSError:
            raise ZygoteLost(self.pid) from None

    def _reply(self, seconds: float = math.inf, heartbeat: Callable[[], None] = lambda: None) -> Any:
        """What it says next. Raises TimeoutError if it says nothing for so long."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._read:
            if seconds < math.inf and not select.select([self._socket], [], [], min(seconds, _HEARTBEAT))[0]:
                if time.monotonic() > deadline:
                    raise TimeoutError
                heartbeat()
                continue
            try:
                self._wake()
                part = self._socket.recv(1 << 16)
            except OSError:
                part = b""
            if not part:
                raise ZygoteLost(self.pid)
            self._read += part
        line, _, self._read = self._read.partition(b"\n")
        return json.loads(line)


class _Engine:
    """The process itself."""

    def __init__(self, engine: Engine, loads: Loads, connection: socket.socket):
        self.engine, self.loads, self.connection = engine, loads, connection
        self.unseen: Unseen | None = None

    def serve(self) -> None:
        """Import the engine, say so or why not, and do what the server asks for until it ends."""
        try:
            with self.loads:
                versions = _preload(self.engine)
            self.reseed = [_function(name) for name in self.engine.reseed]
            self.own = frozenset(sys.modules)  # what the harness and the settings of the engine load
            self.settle()
            origins = {name: getattr(find(name, ()), "origin", None) for name in self.engine.sources}
        except BaseException:
            self.reply({"failed": traceback.format_exc()})
            return
        faulthandler.enable()
        faulthandler.register(signal.SIGUSR1, all_threads=True)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(line_buffering=True, encoding="utf-8")  # type: ignore[union-attr]
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # of snippets, to all that they find
        self.reply({"versions": versions, "origins": origins, "address_space": containment.address_space()})
        while True:
            line = b""
            descriptors: list[int] = []
            while not line.endswith(b"\n"):
                part, some, _, _ = socket.recv_fds(self.connection, 1 << 16, len(child.Descriptors._fields))
                if not part:
                    os._exit(0)  # the interpreter would take every module of the engine apart first
                line, descriptors = line + part, descriptors + some
            if line.startswith(_FORK):
                self.fork(line[1:-1].decode(), child.Descriptors._make(descriptors))
            else:
                failed, spoiled = self.load(json.loads(line[1:]))
                size = containment.address_space()
                self.reply({"failed": failed, "spoiled": spoiled, "address_space": size})

    def reply(self, values: Any) -> None:
        self.connection.sendall(json.dumps(values).encode() + b"\n")

    def settle(self) -> None:
        """What is loaded now is what children are forked with."""
        self.unseen = Unseen(self.loads, (*self.engine.preload, *self.engine.replace), self.own)
        for function in self.reseed:
            function()  # else each child fills caches of Python's that an import has emptied: 1,400 pages for NumPy's seed
        gc.freeze()  # else a collection in a child would copy every page of the engine
        gc.collect()  # soon done, as nothing is left to look at: it lets go of Python's lists of free objects
        heap.fill_holes()

    def load(self, names: list[str]) -> tuple[list[str], str]:
        """Import modules; those that cannot be, and what the last has done that spoils this process."""
        names = [name for name in names if self.is_to_be_loaded(name)]
        if not names:
            return [], ""
        assert self.unseen
        self.unseen.end()
        failed = []
        gc.disable()  # what is imported stays: to look through it again and again takes a tenth of the time
        with self.loads:
            for name in names:
                with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
                    try:
                        self.reply(name)
                        importlib.import_module(name)
                    except BaseException:  # the program that needs it will tell
                        failed.append(name)
                if out.getvalue():
                    return [name], "its import prints or warns"
                if len(os.listdir("/proc/self/task")) > 1:
                    return [name], "its import starts a thread"
        gc.enable()
        self.settle()
        return failed, ""

    def is_to_be_loaded(self, name: str) -> bool:
        """Whether a module is neither there nor one that a program may change."""
        top, sources = name.partition(".")[0], self.engine.sources
        if name in self.loads.needs or name in sys.modules or top in self.engine.replace:
            return False  # what stands in for another is seen, and must not be hidden under its other name
        return top in self.loads.needs or top in sys.modules or is_lasting(top, find(top, ()), sources)

    def fork(self, folder: str, descriptors: child.Descriptors) -> None:
        """Fork a child that waits for its job; say which."""
        assert self.unseen
        self.unseen.hide_again()
        pid = _clone()
        if pid == 0:
            try:
                self.connection.close()
                child.wait_and_run(descriptors, folder, self.reseed, self.unseen)
            except BaseException:
                os.write(2, traceback.format_exc().encode())
            finally:
                os._exit(child.FAILED)
        for fd in descriptors:
            os.close(fd)
        self.connection.sendall(b"%d\n" % pid)


def _preload(engine: Engine) -> dict[str, str]:
    gc.disable()
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
    gc.enable()
    return versions


def _function(name: str) -> Callable[[], object]:
    """The function that a dotted name such as `numpy.random.seed` means."""
    module, _, rest = name.partition(".")
    found = importlib.import_module(module)
    for part in rest.split("."):
        found = getattr(found, part)
    return found  # type: ignore[return-value]


def _clone() -> int:
    """`os.fork`, but the new process is a child of this one's parent.

    The C library keeps the id of the thread, at an address that the kernel knows; a fork of its own would set it too.
    """
    address = ctypes.c_void_p()
    _libc.prctl(_PR_GET_TID_ADDRESS, ctypes.byref(address), 0, 0, 0)
    flags = _CLONE_PARENT | signal.SIGCHLD
    if address.value:
        flags |= _CLONE_CHILD_SETTID | _CLONE_CHILD_CLEARTID
    ctypes.pythonapi.PyOS_BeforeFork()
    # The address stands where x86 looks for it, and where the others do.
    pid = int(_libc.syscall(ctypes.c_long(_SYS_CLONE), ctypes.c_ulong(flags), None, None, address, address))
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
    else:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(ctypes.get_errno(), "clone")
    return pid
