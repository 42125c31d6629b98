"""The server's handle of one child process, and the output and files that it writes."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

from snippetcheck.engines import MEBIBYTE
from snippetcheck.runner import child, containment
from snippetcheck.runner.journal import Output, Record, new_mark
from snippetcheck.runner.zygote import Zygote

_LONGEST_JOURNAL = 1 << 28  # bytes


class ChildHandle:
    """A child process, which the zygote forks, and which runs one job.

    Raises ZygoteLost if a snippet has killed the zygote.
    """

    def __init__(self, folders: Path, zygote: Zygote):
        self.folder = Path(tempfile.mkdtemp(dir=folders))  # the working directory is below, so that `..` is private too
        self.token = secrets.token_hex(16).encode()
        self.mark = new_mark()
        self.output, self.errors = _OutputPipe(self.mark), _OutputPipe(self.mark)
        self.journal = _memory_file("journal")
        job_out, job_in = os.pipe()
        self._job = open(job_in, "wb")
        token_out, token_in = os.pipe()
        os.write(token_in, self.token)
        os.close(token_in)
        child_descriptors = child.Descriptors(
            job_out, self.output.write_end, self.errors.write_end, self.journal, token_out
        )
        self.pid = zygote.fork(str(self.folder), child_descriptors)
        self.handle = os.pidfd_open(self.pid)
        for fd in (job_out, self.output.write_end, self.errors.write_end, token_out):
            os.close(fd)

    def start(self, job: dict[str, Any]) -> None:
        """Send the job, which starts the program."""
        self.output.limit = self.errors.limit = job["limits"]["output"] * MEBIBYTE
        with (
            contextlib.suppress(BrokenPipeError),
            self._job,
        ):  # if the child has ended, its exit code and stderr say why
            self._job.write(json.dumps({**job, "mark": self.mark}).encode() + b"\n")

    def output_size(self) -> int:
        """Read the new output, and return the number of bytes so far."""
        return self.output.read() + self.errors.read()

    def record(self) -> Record:
        """Return the output and the journal of the child so far."""
        self.output_size()
        journal = os.pread(self.journal, min(os.fstat(self.journal).st_size, _LONGEST_JOURNAL), 0)
        return Record(self.output.parts(), self.errors.parts(), journal, self.token)

    def close(self) -> None:
        """Close the files of the child and remove its folder."""
        for fd in (self.output.fd, self.errors.fd, self.journal, self.handle):
            os.close(fd)
        for empty in ("work", "tmp"):  # most are empty, and a check would take longer
            with contextlib.suppress(OSError):
                os.rmdir(self.folder / empty)
        containment.remove_folder(self.folder)


class _OutputPipe(Output):
    """The reading end of stdout or stderr. It is a pipe, as in a shell: a program may open /dev/stdout for writing.

    `write_end` is handed to the child and then closed.
    """

    def __init__(self, mark: str):
        super().__init__(mark, MEBIBYTE)
        self.fd, self.write_end = os.pipe()
        os.set_blocking(self.fd, False)
        with contextlib.suppress(OSError):  # beyond the limit of the user, a program waits until the pipe is read
            fcntl.fcntl(self.fd, fcntl.F_SETPIPE_SZ, MEBIBYTE)

    def read(self) -> int:
        """Read new output up to the limit, and return the number of bytes so far, without marks."""
        with contextlib.suppress(BlockingIOError):
            while (size := self.size()) <= self.limit and (part := os.read(self.fd, 1 << 16)):
                self.received += part
        return size


def _memory_file(name: str) -> int:
    """Return the descriptor of a file in memory to which processes can append, but which cannot shrink."""
    fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_APPEND)
    return fd
