"""Start the zygote, a process that imports an engine once and then forks a copy of itself for each snippet.

A copy shares the memory pages of the zygote until one of the two writes to a page; then the kernel copies that page. Copying
all pages of an engine takes longer than most snippets run. Therefore the zygote does nothing but fork. The server is another
process, since its work would write to many pages. The server is the parent of the copies (CLONE_PARENT), because only a
parent can wait for an exit status.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import json
import os
import platform
import signal
import socket
import sys
import traceback
from typing import Any, Self

from snippetcheck.engines import Engine, EngineError
from snippetcheck.runner import child, containment, plain_python, recorder
from snippetcheck.runner.engine_import import import_engine

_CLONE_PARENT, _CLONE_CHILD_CLEARTID, _CLONE_CHILD_SETTID = 0x8000, 0x0020_0000, 0x0100_0000
_PR_GET_TID_ADDRESS = 40
_SYS_CLONE = {"x86_64": 56}.get(platform.machine(), 220)  # newer architectures use 220
_libc = ctypes.PyDLL(None, use_errno=True)  # PyDLL keeps the GIL during calls, which a fork needs


class ZygoteLost(Exception):
    """The zygote with the process id `pid` has ended: an import of the engine failed, or a snippet killed the zygote."""

    def __init__(self, pid: int):
        super().__init__(pid)
        self.pid = pid


class Zygote:
    """The zygote process, as the server uses it.

    Attributes:
        greeting: the first message of the zygote. If the engine is imported, `origins` in it maps each module in the
            `sources` of the engine to its file; otherwise `failed` is the reason.
    """

    def start(self, engine: Engine, server_connection: socket.socket) -> Self:
        """Start the process and wait for the import of the engine. Raises ZygoteLost if the process ends during the import.

        This is a method and not the constructor: Python 3.11 would count the constructor as a further level of
        recursion in each child.

        Args:
            server_connection: the socket between server and client, which the zygote closes.
        """
        own_socket, zygote_socket = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                containment.die_with_parent()
                server_connection.close()
                own_socket.close()
                _serve(engine, zygote_socket)
            except ConnectionError:
                pass  # the server has ended
            except BaseException:
                os.write(2, traceback.format_exc().encode())
            finally:
                os._exit(1)
        zygote_socket.close()
        self._socket = own_socket
        self._lines = own_socket.makefile("rb")
        self.greeting: dict[str, Any] = self._reply()
        return self

    def fork(self, folder: str, descriptors: child.Descriptors) -> int:
        """Fork a child that waits for its job, and return its process id. Raises ZygoteLost if the zygote has ended."""
        try:
            self._wake()
            socket.send_fds(self._socket, [folder.encode()], descriptors)  # so short a message arrives in one piece
        except OSError:
            raise ZygoteLost(self.pid) from None
        return int(self._reply())

    def end(self) -> None:
        """Kill the zygote and reap it."""
        self._lines.close()
        self._socket.close()
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)  # an import may hang
            os.waitpid(self.pid, 0)

    def _wake(self) -> None:
        """Let the zygote continue if a snippet has stopped it. Its process id is valid until `end`, even if it has ended."""
        os.kill(self.pid, signal.SIGCONT)

    def _reply(self) -> Any:
        """Return the next message of the zygote. Raises ZygoteLost if the zygote has ended."""
        try:
            self._wake()
            return json.loads(self._lines.readline())
        except (OSError, ValueError):  # ValueError: the line is empty or incomplete
            raise ZygoteLost(self.pid) from None


def _serve(engine: Engine, connection: socket.socket) -> None:
    """Import the engine, report the result to the server, and fork a child for each request until the server ends.

    This is the program of the zygote process. If the engine cannot be imported, return after the report.
    """
    sys.stdout = sys.__stdout__ = _create_pipe_stream(sys.stdout)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _create_pipe_stream(sys.stderr)  # type: ignore[misc]
    try:
        reseed, origins = import_engine(engine)
    except EngineError as error:
        connection.sendall(json.dumps({"failed": str(error)}).encode() + b"\n")
        return
    plain_python.hide_calls()
    plain_python.freeze_heap()
    faulthandler.register(containment.DUMP_SIGNAL, all_threads=True)
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # snippets may send signals to this process
    connection.sendall(json.dumps({"origins": origins}).encode() + b"\n")
    while True:
        folder, descriptors, _, _ = socket.recv_fds(connection, 1 << 16, len(child.Descriptors._fields))
        if not folder:
            os._exit(0)  # a normal exit would clean up every module of the engine
        pid = _clone()
        if pid == 0:
            try:
                connection.close()
                child.wait_and_run(child.Descriptors._make(descriptors), folder.decode(), reseed)
            except BaseException:
                os.write(2, traceback.format_exc().encode())
            finally:
                os._exit(recorder.FAILED)
        for fd in descriptors:
            os.close(fd)
        connection.sendall(b"%d\n" % pid)


def _create_pipe_stream(stream: Any) -> Any:
    """Return a new text stream for the descriptor of `stream`. During its creation, the descriptor is a pipe, as in a child."""
    fd = stream.fileno()
    saved_fd, (read_end, write_end) = os.dup(fd), os.pipe()
    os.dup2(write_end, fd)
    new_stream: Any = open(fd, "w", encoding="utf-8", errors=stream.errors, closefd=False)
    new_stream.reconfigure(line_buffering=True)
    new_stream.buffer.raw.name = stream.name
    os.dup2(saved_fd, fd)
    for descriptor in (saved_fd, read_end, write_end):
        os.close(descriptor)
    return new_stream


def _clone() -> int:
    """Fork like `os.fork`, but make this process's parent the parent of the copy. Return the id of the copy, and 0 in the copy.

    The C library stores the thread id at an address that the kernel knows. Like `fork` of the C library, this function has
    the kernel update the id. Raises OSError if the kernel cannot fork.
    """
    address = ctypes.c_void_p()
    _libc.prctl(_PR_GET_TID_ADDRESS, ctypes.byref(address), 0, 0, 0)
    flags = _CLONE_PARENT | signal.SIGCHLD
    if address.value:
        flags |= _CLONE_CHILD_SETTID | _CLONE_CHILD_CLEARTID
    ctypes.pythonapi.PyOS_BeforeFork()
    # The address is passed twice: x86 and other architectures expect it in different positions.
    pid = int(_libc.syscall(ctypes.c_long(_SYS_CLONE), ctypes.c_ulong(flags), None, None, address, address))
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
    else:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(ctypes.get_errno(), "cannot fork a process for the snippet: clone failed")
    return pid
