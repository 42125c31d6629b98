"""Start the zygote, a process that imports an engine once and then forks a copy of itself for each snippet.

A copy shares the memory pages of the zygote until one of the two writes to a page; then the kernel copies that page. Copying
all pages of an engine takes longer than most snippets run. Therefore the zygote does nothing but fork, and report the exit
codes of its copies, because only a parent can wait for them. The server is another process, since its work would write to
many pages.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import signal
import socket
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Any, Self

from snippetcheck.engines import Engine, EngineError, import_engine
from snippetcheck.runner import child, containment, plain_python, recorder

# Since Python 3.12, forking a process with threads warns. This filter is not set by `catch_warnings`, because each child would
# then copy 70 more memory pages.
_IGNORE = ("ignore", None, DeprecationWarning, None, 0)


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
        return self._request(folder, descriptors)

    def exit_code(self, pid: int) -> int:
        """Reap the child `pid`, which has ended, and return its exit code, negative for a signal."""
        try:
            return self._request(str(pid))
        except ZygoteLost:
            return containment.wait(pid)  # this process is now the parent: it is a subreaper

    def end(self) -> None:
        """Kill the zygote and reap it."""
        self._lines.close()
        self._socket.close()
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)  # an import may hang
            os.waitpid(self.pid, 0)

    def _request(self, message: str, descriptors: Sequence[int] = ()) -> int:
        """Send a request and return the answer. Raises ZygoteLost if the zygote has ended."""
        with contextlib.suppress(OSError):  # the zygote has ended: `_reply` raises ZygoteLost
            socket.send_fds(self._socket, [message.encode()], descriptors)  # so short a message arrives in one piece
        return int(self._reply())

    def _reply(self) -> Any:
        """Return the next message of the zygote. Raises ZygoteLost if the zygote has ended."""
        try:
            os.kill(self.pid, signal.SIGCONT)  # a snippet may have stopped it
            return json.loads(self._lines.readline())
        except (OSError, ValueError):  # ValueError: the line is empty or incomplete
            raise ZygoteLost(self.pid) from None


def _serve(engine: Engine, connection: socket.socket) -> None:
    """Import the engine, report the result to the server, and answer its requests until it ends.

    This is the program of the zygote process. A request with descriptors is the folder of a child, which is forked; the answer is
    its process id. Any other request is the id of a child that has ended; the answer is its exit code. If the engine cannot be
    imported, return after the report.
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
        request, descriptors, _, _ = socket.recv_fds(connection, 1 << 16, len(child.Descriptors._fields))
        if not request:
            os._exit(0)  # a normal exit would clean up every module of the engine
        if not descriptors:
            connection.sendall(b"%d\n" % containment.wait(int(request)))
            continue
        containment.reap()  # children that the server has killed
        warnings.filters.insert(0, _IGNORE)  # type: ignore[attr-defined]
        pid = os.fork()
        del warnings.filters[0]  # type: ignore[attr-defined]
        if pid == 0:
            try:
                connection.close()
                child.wait_and_run(child.Descriptors._make(descriptors), request.decode(), reseed)
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
