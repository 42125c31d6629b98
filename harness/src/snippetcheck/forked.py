"""A process that is forked and waits for its job, with the files that it will write."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import signal
import tempfile
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from snippetcheck import child, containment
from snippetcheck.modules import Unseen


class Forked:
    """One child: forked here, given one job, and reaped when it has ended."""

    def __init__(self, folders: Path, forbidden: int, reseed: Sequence[Callable[[], object]], unseen: Unseen):
        self.folder = Path(tempfile.mkdtemp(dir=folders))  # it works below, so that `..` is private too
        self.token = secrets.token_hex(16).encode()
        self.output, self.errors, self.journal = (_memory_file(n) for n in ("stdout", "stderr", "journal"))
        job_out, self._job_in = os.pipe()
        self.done, done_in = os.pipe()
        token_out, token_in = os.pipe()
        os.write(token_in, self.token)
        os.close(token_in)
        theirs = child.Descriptors(job_out, done_in, self.output, self.errors, self.journal, token_out, forbidden)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self._job_in)
                os.close(self.done)
                child.wait_and_run(theirs, str(self.folder), reseed, unseen)
            except BaseException:
                os.write(2, traceback.format_exc().encode())
            finally:
                os._exit(child.FAILED)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for fd in (job_out, done_in, token_out):
            os.close(fd)
        self.handle = os.pidfd_open(self.pid)

    def start(self, job: dict[str, Any]) -> None:
        """Hand the job over. Raises BrokenPipeError if the process is gone."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.handle, signal.SIGCONT)  # a snippet before this one may have stopped it
        line = json.dumps(job).encode() + b"\n"
        while line:
            line = line[os.write(self._job_in, line) :]
        os.close(self._job_in)
        self._job_in = -1

    def printed(self) -> int:
        """How many bytes it has printed so far."""
        return os.fstat(self.output).st_size + os.fstat(self.errors).st_size

    def discard(self) -> None:
        """End a process that was given no job."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self.close()

    def close(self) -> None:
        """Close its files and remove its folder."""
        for fd in (self.output, self.errors, self.journal, self.done, self.handle, self._job_in):
            if fd >= 0:
                os.close(fd)
        for empty in ("work", "tmp"):  # as nearly all are in the end; to find out costs more
            with contextlib.suppress(OSError):
                os.rmdir(self.folder / empty)
        containment.remove_folder(self.folder)


def _memory_file(name: str) -> int:
    """A file in memory. Whoever writes to it appends, so that its length is the end of the output.

    It cannot be made shorter: what was printed stays, though the program truncates its stdout.
    """
    fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_APPEND)
    return fd
