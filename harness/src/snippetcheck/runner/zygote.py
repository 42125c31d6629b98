"""The process that imports an engine and then only forks: each snippet runs in a copy of it.

A copy shares its memory until either of the two writes to a page, and copying a page takes longer than most of what a snippet
does. So the zygote is a process apart from the server, whose work touches no page of the engine. The server is the parent of
the copies (CLONE_PARENT): only a parent can wait for an exit status.
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
import os
import platform
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from snippetcheck.engines import Engine, ReplacedModules, find
from snippetcheck.runner import child, containment

_CLONE_PARENT, _CLONE_CHILD_CLEARTID, _CLONE_CHILD_SETTID = 0x8000, 0x0020_0000, 0x0100_0000
_PR_GET_TID_ADDRESS = 40
_SYS_CLONE = {"x86_64": 56}.get(platform.machine(), 220)  # on the architectures that came later it is 220
_libc = ctypes.PyDLL(None, use_errno=True)  # its calls keep Python's lock, as a fork must


class ZygoteLost(Exception):
    """The process of the engine, `pid`, has ended: in its imports, or since a snippet has killed it."""

    def __init__(self, pid: int):
        super().__init__(pid)
        self.pid = pid


class Zygote:
    """The process of an engine, as its server sees it.

    `versions` are those of what the engine is made of, `origins` the files of its sources; `failed` is a traceback if it
    cannot be imported. `address_space` in bytes is what it takes itself.
    """

    def __init__(self, engine: Engine, forbidden: socket.socket):
        ours, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                containment.die_with_parent()
                forbidden.close()
                ours.close()
                _ZygoteProcess(engine, theirs).serve()
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
        self._send(folder.encode() + b"\n", descriptors)

    def forked(self) -> int:
        """The id of the process that it was last asked for."""
        return int(self._reply())

    def end(self) -> None:
        """End it, if it is there."""
        self._socket.close()
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)  # it may be in an import that does not end
            os.waitpid(self.pid, 0)

    def _wake(self) -> None:
        """A snippet may have stopped it. Until it is waited for, its id is no other's."""
        os.kill(self.pid, signal.SIGCONT)

    def _send(self, line: bytes, descriptors: Sequence[int]) -> None:
        try:
            self._wake()
            sent = socket.send_fds(self._socket, [line], descriptors)
            self._socket.sendall(line[sent:])
        except OSError:
            raise ZygoteLost(self.pid) from None

    def _reply(self) -> Any:
        """Wait for its next line of JSON."""
        while b"\n" not in self._read:
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


class _ZygoteProcess:
    """The process itself."""

    def __init__(self, engine: Engine, connection: socket.socket):
        self.engine, self.connection = engine, connection

    def serve(self) -> None:
        """Import the engine, say so or why not, and do what the server asks for until it ends."""
        sys.stdout = sys.__stdout__ = _pipe_stream(sys.stdout)  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = _pipe_stream(sys.stderr)  # type: ignore[misc]
        try:
            versions = _preload(self.engine)
            self.reseed = [_function(name) for name in self.engine.reseed]
            self.freeze_heap()
            origins = {name: getattr(find(name, ()), "origin", None) for name in self.engine.sources}
        except BaseException:
            self.reply({"failed": traceback.format_exc()})
            return
        faulthandler.enable()
        faulthandler.register(signal.SIGUSR1, all_threads=True)
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
            self.fork(line[:-1].decode(), child.Descriptors._make(descriptors))

    def reply(self, values: Any) -> None:
        self.connection.sendall(json.dumps(values).encode() + b"\n")

    def freeze_heap(self) -> None:
        """Prepare the memory that children share with this process: each page that a child writes to is copied for it."""
        for function in self.reseed:
            function()  # warm Python's caches now, or each child copies 1,400 memory pages for NumPy's seed
        frozen_by_python = gc.get_freeze_count()
        gc.freeze()  # a collection in a child would copy every page of the engine
        gc.collect()  # lets go of Python's lists of free objects
        self.frozen = gc.get_freeze_count() - frozen_by_python  # counted once, as it walks through the whole heap

    def fork(self, folder: str, descriptors: child.Descriptors) -> None:
        """Fork a child that waits for its job; say which."""
        pid = _clone()
        if pid == 0:
            try:
                self.connection.close()
                child.wait_and_run(descriptors, folder, self.reseed, self.frozen)
            except BaseException:
                os.write(2, traceback.format_exc().encode())
            finally:
                os._exit(child.FAILED)
        for fd in descriptors:
            os.close(fd)
        self.connection.sendall(b"%d\n" % pid)


def _pipe_stream(stream: Any) -> Any:
    """Return a stream on the same descriptor that knows that it cannot seek: in a child a pipe takes its place."""
    fd = stream.fileno()
    saved, (read_end, write_end) = os.dup(fd), os.pipe()
    os.dup2(write_end, fd)
    buffer: Any = open(fd, "wb", closefd=False)
    buffer.raw.name = stream.name
    pipe_stream = io.TextIOWrapper(buffer, "utf-8", stream.errors, line_buffering=True)
    pipe_stream.mode = stream.mode  # type: ignore[misc]
    os.dup2(saved, fd)
    for descriptor in (saved, read_end, write_end):
        os.close(descriptor)
    return pipe_stream


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
    """`os.fork`, but the new process is a child of this one's parent: only a parent can wait for an exit status.

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
