"""Run one snippet in a forked process.

After each statement, the streams are flushed and a mark is written to stdout and stderr. Output of a hook, C code or a
finished subprocess is therefore attributed to the statement that caused it. A journal records the start and end of each
statement. It ends with a token that the process reads after the last statement; without the token, a run is not finished.

The journal entries are created before the first statement, so that the allocator is unchanged between statements: an object
may get the address of a deleted one, as in plain Python.
"""

from __future__ import annotations

import _thread
import atexit
import base64
import fcntl
import gc
import json
import os
import resource
import signal
import sys
import tempfile
import threading
import warnings
import weakref
from collections.abc import Callable, Sequence
from dataclasses import asdict
from types import BuiltinFunctionType
from typing import Any, NamedTuple

from snippetcheck.program import Program, plain, qualified_name
from snippetcheck.prompts import PromptProgram
from snippetcheck.runner import containment, plain_python
from snippetcheck.runner.file_access import Reads

FAILED = 70  # the exit code of a child in which the harness itself has failed
CLOSED = 71  # the exit code of a child whose program closed private descriptors
# High enough that programs do not use or close them, low enough to keep the descriptor table small.
_PRIVATE_FD = min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 4096) - 16
# A program may replace these.
_exit, _getpid, _read, _write = os._exit, os.getpid, os.read, os.write
_to_json = json.JSONEncoder().encode
_collect, _count_threads, _formatwarning = gc.collect, _thread._count, warnings.formatwarning
_count_handlers, _run_exit_handlers, _join_threads = atexit._ncallbacks, atexit._run_exitfuncs, threading._shutdown  # type: ignore[attr-defined]


def wait_and_run(descriptors: Descriptors, folder: str, reseed: Sequence[Callable[[], object]], frozen: int) -> None:
    """Detach from the zygote, wait for a job and the signal to start, and run it. Does not return.

    The process is forked, and receives its job, while the previous snippet runs, which saves time. All signals are blocked
    until the start. `frozen` is the number of objects in the frozen heap.
    """
    global _exit
    # With `patch = fork`, coverage.py has replaced it with a function that saves the measurements of this process.
    _exit = os._exit
    os.setsid()
    containment.die_with_parent()
    containment.become_subreaper()
    hidden = Descriptors._make(map(_hide, descriptors))
    os.dup2(hidden.output, 1)
    os.dup2(hidden.errors, 2)
    work, temporary = f"{folder}/work", f"{folder}/tmp"
    os.mkdir(work)
    os.mkdir(temporary)
    os.chdir(work)
    os.environ["HOME"], os.environ["TMPDIR"] = work, temporary
    tempfile.tempdir = None
    for function in reseed:
        function()
    with os.fdopen(hidden.job, "rb") as lines:
        job = json.loads(lines.readline() or b"null")
        child = _Child(job, hidden.output, hidden.errors, hidden.journal) if job else None
        if not lines.readline() or not child:
            os._exit(0)  # the server has no more jobs
    while pending := signal.sigpending():
        signal.sigwait(pending)  # sent by the previous snippet
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    containment.limit_resources(job["address_space"], job["user_processes"])
    plain_python.hide_preparations(job["path"], frozen)
    reads = Reads(job["path"], folder)
    child.run()
    child.finish(hidden.token, reads)
    # A replaced `_exit` has work to do (coverage.py saves its measurements), so the server waits for the end of the process.
    is_over = containment.is_alone() and not _count_threads() and isinstance(_exit, BuiltinFunctionType)
    _write(hidden.done, b"." if is_over else b"+")
    _exit(0)


def _hide(fd: int) -> int:
    hidden = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _PRIVATE_FD)
    os.close(fd)
    return hidden


class Descriptors(NamedTuple):
    """The open files that a child is forked with."""

    job: int  # a pipe with the job, one line of JSON, and an empty line to start it
    done: int  # a pipe for the report of the end
    output: int
    errors: int
    journal: int
    token: int  # a pipe with the token that ends the journal


class _Child:
    """Observes the statements of a snippet and writes the journal."""

    def __init__(self, job: dict[str, Any], output: int, errors: int, journal: int):
        prompts = job["prompts"]
        self.program = (
            PromptProgram(job["path"], **prompts)
            if prompts
            else Program(job["text"], job["path"], base64.b64decode(job["compiled"]))
        )
        self.last_may_raise: bool = job["last_may_raise"]
        self.output, self.errors, self.journal = output, errors, journal
        self.mark = job["mark"].encode()
        indices = range(len(self.program.spans))
        self.start_entries = [_entry({"start": index}) for index in indices]
        self.end_entries = [_entry({"end": index, "error": None, "warnings": []}) for index in indices]
        self.pid = _getpid()
        self.exit_handlers = _count_handlers()
        self.finalizers = frozenset(weakref.finalize._registry)  # type: ignore[attr-defined]
        self.warnings: list[tuple[str, str]] = []

    def run(self) -> None:
        """Run the program to its end, or to its first error."""
        sys.argv = [self.program.path]
        warnings.showwarning = self.note_warning
        self.program.run(self.program.main_module(), self)

    def statement_started(self, index: int) -> None:
        """Write a journal entry for the start of the statement."""
        self.write(self.journal, self.start_entries[index])

    def statement_finished(self, index: int, error: BaseException | None) -> None:
        """End the output of the statement, and write its error and warnings to the journal."""
        raised = self.describe(error, index) if error else None
        self.flush()
        if _getpid() != self.pid:
            self.write(self.journal, _entry({"forked": index}))
            _exit(0)
        self.write(self.output, self.mark)
        self.write(self.errors, self.mark)
        if raised or self.warnings:
            entry = _entry({"end": index, "error": raised, "warnings": self.warnings})
            self.warnings = []
        else:
            entry = self.end_entries[index]
        self.write(self.journal, entry)

    def describe(self, error: BaseException, index: int) -> dict[str, Any]:
        """Return the error of a statement as plain values."""
        expected = self.last_may_raise and index == len(self.program.spans) - 1
        return asdict(self.program.describe(error, with_traceback=not expected))

    def finish(self, token: int, reads: Reads) -> None:
        """End as the interpreter would: join threads, call exit handlers, drop all objects; then write the token."""
        _join_threads()
        if self.has_exit_handlers() or _has_worker_processes():
            _run_exit_handlers()
        self.flush()
        sys.modules.pop("__main__", None)
        _collect()  # fast, because the objects of the engine are frozen
        self.flush()
        read = {"reads": reads.paths_read(), "reads_itself": reads.read_own_source}
        self.write(self.journal, _entry({"tail": True, **read, "warnings": self.warnings}))
        self.write(self.journal, _read(token, 64) + b"\n")

    def has_exit_handlers(self) -> bool:
        """Return whether the program registered an exit handler or a finalizer. All finalizers share one handler."""
        finalizers = weakref.finalize._registry  # type: ignore[attr-defined]
        return _count_handlers() != self.exit_handlers or not finalizers.keys() <= self.finalizers

    def write(self, fd: int, line: bytes) -> None:
        """Write to one of the private descriptors; end the process if the program has closed it."""
        try:
            _write(fd, line)
        except OSError:
            _exit(CLOSED)

    def flush(self) -> None:
        """Flush all output streams, including those that the snippet has replaced."""
        for name in ("stdout", "stderr", "__stdout__", "__stderr__"):
            try:
                getattr(sys, name).flush()
            except BaseException:
                pass  # closed or replaced by the snippet: its output is lost in plain Python too
        containment.flush_c_streams()

    def note_warning(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: Any = None,
        line: str | None = None,
    ) -> None:
        """Replace `warnings.showwarning`. It is called for the warnings that Python would print."""
        if _getpid() != self.pid:  # a copy of this process, which has no journal
            sys.stderr.write(_formatwarning(message, category, filename, lineno, line))
        else:
            self.warnings.append((qualified_name(category), plain(str(message))))


def _entry(values: dict[str, Any]) -> bytes:
    return _to_json(values).encode() + b"\n"


def _has_worker_processes() -> bool:
    process = sys.modules.get("multiprocessing.process")
    return bool(process and process._children)  # type: ignore[attr-defined]
