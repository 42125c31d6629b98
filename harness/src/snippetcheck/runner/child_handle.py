"""Start and watch the child process that runs one job, and read its output and journal. The server of an engine uses this."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import socket
import tempfile
from pathlib import Path
from typing import Any

from snippetcheck.engines import MEBIBYTE
from snippetcheck.runner import child, containment
from snippetcheck.runner.journal import Output, Record
from snippetcheck.runner.watchdog import Usage, Watchdog
from snippetcheck.runner.zygote import Zygote, ZygoteLost

_LONGEST_JOURNAL = 1 << 28  # bytes


class ChildHandle(Watchdog):
    """A child process. The constructor has the zygote fork the child, and raises ZygoteLost if the zygote has ended.

    Args:
        folders: the folder in which the folder of the child is created.
        connection: the socket to the client. `run` raises ConnectionError when the client closes this socket.
    """

    def __init__(self, folders: Path, zygote: Zygote, job: dict[str, Any], connection: socket.socket):
        super().__init__(job, Path(tempfile.mkdtemp(dir=folders)))
        self.connection, self.zygote = connection, zygote
        (out, out_end), (err, err_end) = _create_pipe(), _create_pipe()
        limit = job["limits"]["output"] * MEBIBYTE
        self.output, self.errors = Output(out, self.mark, limit), Output(err, self.mark, limit)
        self.journal = _create_memory_file("journal")
        job_out, job_in = os.pipe()
        self._job = open(job_in, "wb")
        token_out, token_in = os.pipe()
        os.write(token_in, self.token)
        os.close(token_in)
        self._fds = [out, err, self.journal]
        try:
            self.pid = zygote.fork(
                str(self.folder), child.Descriptors(job_out, out_end, err_end, self.journal, token_out)
            )
        except ZygoteLost:
            self.close()
            raise
        finally:
            for fd in (job_out, out_end, err_end, token_out):
                os.close(fd)
        self.handle = os.pidfd_open(self.pid)
        self._fds.append(self.handle)
        self._poll = select.poll()
        self._poll.register(self.handle, select.POLLIN)
        self._poll.register(connection, select.POLLRDHUP)

    def start(self) -> None:
        """Send the job to the child, which then runs the program."""
        message = json.dumps({**self.job, "mark": self.mark}).encode() + b"\n"
        with contextlib.suppress(BrokenPipeError), self._job:
            self._job.write(message)  # if the child has ended, its exit code and stderr say why

    def has_ended(self, seconds: float) -> bool:
        """Wait up to `seconds` for the end of the child. Return whether it has ended; if so, set `exit_code`.

        Raises ConnectionError if the client has closed the connection.
        """
        ready = {fd for fd, _ in self._poll.poll(seconds * 1000)}
        if self.connection.fileno() in ready:
            raise ConnectionError("the client has ended")
        if self.handle in ready:
            self.exit_code = self.zygote.exit_code(self.pid)
        return self.handle in ready

    def usage(self) -> Usage:
        """Return the number of processes of the snippet, the number of their threads, their memory, and the size of the output."""
        pids = [self.pid]
        if containment.children(os.getpid()) != {self.zygote.pid} or containment.children(self.pid) != set():
            pids = containment.descendants(os.getpid(), self.zygote.pid, self.pid)  # slow: it reads all of /proc
        memory, threads = containment.memory_and_threads(pids)
        return Usage(len(pids), threads, memory, self.count_output())

    def count_output(self) -> int:
        """Read the new output of the child, and return the number of bytes on stdout and stderr so far, without marks."""
        return self.output.read() + self.errors.read()

    def running_processes(self) -> list[str]:
        """Return the names of the processes that the snippet started and that have not ended with the child."""
        containment.reap()
        self.count_output()  # a process may wait for room in a pipe
        if containment.children(os.getpid()) == {self.zygote.pid}:
            return []  # the usual case. This process, the server, becomes the parent of an orphan
        return [_process_name(pid) for pid in containment.descendants(os.getpid(), self.zygote.pid, with_zombies=True)]

    def kill(self) -> None:
        """Kill every process of the snippet."""
        containment.kill_all(os.getpid(), self.zygote.pid, self.pid)

    def record(self) -> Record:
        """Return the output and the journal of the child so far."""
        self.count_output()  # reads the rest
        journal = os.pread(self.journal, min(os.fstat(self.journal).st_size, _LONGEST_JOURNAL), 0)
        return Record(self.output.parts(), self.errors.parts(), journal, self.token)

    def close(self) -> None:
        """Close the files of the child and remove its folder."""
        for fd in self._fds:
            os.close(fd)
        for name in ("work", "tmp"):  # most of these folders are empty, and a check would take longer
            with contextlib.suppress(OSError):
                os.rmdir(self.folder / name)
        containment.remove_folder(self.folder)


def _create_pipe() -> tuple[int, int]:
    """Create a pipe for stdout or stderr, from which this process can read without waiting. Return both ends.

    As in a shell, the program may open it as /dev/stdout or /dev/stderr.
    """
    read_end, write_end = os.pipe()
    os.set_blocking(read_end, False)
    with contextlib.suppress(OSError):  # beyond the limit for all pipes of a user, the pipe keeps its usual size
        fcntl.fcntl(read_end, fcntl.F_SETPIPE_SZ, MEBIBYTE)
    return read_end, write_end


def _create_memory_file(name: str) -> int:
    """Create a file in memory to which processes can append, but which cannot shrink. Return its descriptor."""
    fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_APPEND)
    return fd


def _process_name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "?"
