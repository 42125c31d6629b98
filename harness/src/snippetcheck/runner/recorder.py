"""Run a program and record what each of its statements prints, raises and warns of.

After each statement, the streams are flushed and a mark is written to stdout and stderr. Output of a hook, C code or a
finished subprocess is therefore attributed to the statement that caused it. The journal has lines of JSON for the start and
the end of each statement, with its error and its warnings. Its last line is a token that the process reads after the last
statement; without the token, a run is not finished.

Lines for statements without errors and warnings are created before the first statement. No memory is then allocated for them
between two statements, and an object may get the address of a deleted one, as in plain Python.
"""

from __future__ import annotations

import _thread
import atexit
import builtins
import contextlib
import gc
import io
import json
import os
import sys
import threading
import warnings
import weakref
from dataclasses import asdict
from typing import Any, NoReturn

from snippetcheck.program import Program, exit_status, plain, qualified_name
from snippetcheck.prompts import PromptProgram
from snippetcheck.runner import containment
from snippetcheck.runner.file_access import Reads

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

FAILED = 70  # the exit code of a process in which the harness itself has failed
CLOSED = 71  # the exit code of a process whose program closed private descriptors
# Private descriptors are so high that programs do not use or close them, and so low that the descriptor table stays small.
_FIRST_PRIVATE = (min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 4096) if resource else 216) - 16
# Saved, since a program may replace these functions.
_exit, _getpid, _read, _write = os._exit, os.getpid, os.read, os.write
_to_json = json.JSONEncoder().encode
_collect, _showwarning, _get_ident = gc.collect, warnings.showwarning, _thread.get_ident
_count_handlers, _run_exit_handlers, _join_threads = atexit._ncallbacks, atexit._run_exitfuncs, threading._shutdown  # type: ignore[attr-defined]


class Recorder:
    """Runs a program, observes its statements and writes the journal.

    Args:
        job: the result of `build_job`, and the mark that separates the output of statements.
        output, errors, journal: the private descriptors of stdout, stderr and the journal.
    """

    def __init__(self, job: dict[str, Any], output: int, errors: int, journal: int):
        self.job, prompts = job, job["prompts"]
        self.program = PromptProgram(job["path"], **prompts) if prompts else Program(job["text"], job["path"])
        self.output, self.errors, self.journal = output, errors, journal
        self.mark = job["mark"].encode()
        indices = range(len(self.program.spans))
        self.start_entries = [_encode_entry({"start": index}) for index in indices]
        empty: dict[str, list[str]] = {"warnings": [], "thread_warnings": []}
        self.end_entries = [_encode_entry({"end": index, "error": None, **empty}) for index in indices]
        self.pid, self.thread = _getpid(), _get_ident()
        self.is_copy = False  # whether the program has forked this process, and a statement has ended in it
        self.exit_handlers = _count_handlers()
        self.finalizers = frozenset(weakref.finalize._registry)  # type: ignore[attr-defined]
        self.log_handlers = _log_handlers()
        self.builtins = builtins.__dict__.copy()
        self.warnings: list[tuple[str, str]] = []
        self.thread_warnings: list[tuple[str, str]] = []

    def run(self, token: int, folder: str) -> NoReturn:
        """Run the program to its end or to the error that ends it, complete the journal and end the process.

        Args:
            token: the private descriptor from which to read the token.
            folder: holds the private files of the program.
        """
        containment.limit_resources(self.job)
        sys.path.insert(0, self.job["folder"])
        reads = Reads(self.program.path, folder)
        sys.argv, sys.orig_argv = [self.program.path], [sys.executable, self.program.path]
        warnings.showwarning = self.note_warning
        self.program.run(self.program.main_module(), self)
        if _getpid() != self.pid:
            self.end_copy(len(self.program.spans) - 1)
        self.finish(token, reads)
        _exit(0)

    def statement_started(self, index: int) -> None:
        """Write a journal entry for the start of the statement, unless `is_copy`."""
        if not self.is_copy:
            self.write(self.journal, self.start_entries[index])

    def statement_finished(self, index: int, error: BaseException | None) -> None:
        """Write marks after the output of the statement, and a journal entry with its error and warnings.

        In a forked copy of the process, call `finish_in_copy` instead.
        """
        if _getpid() != self.pid:
            return self.finish_in_copy(index, error)
        error_fields = self.describe(error, index) if error else None
        self.flush()
        self.write(self.output, self.mark)
        self.write(self.errors, self.mark)
        if error_fields or self.warnings or self.thread_warnings:
            lists = {"warnings": self.warnings, "thread_warnings": self.thread_warnings}
            entry = _encode_entry({"end": index, "error": error_fields, **lists})
            self.warnings, self.thread_warnings = [], []
        else:
            entry = self.end_entries[index]
        self.write(self.journal, entry)

    def finish_in_copy(self, index: int, error: BaseException | None) -> None:
        """Handle the end of a statement in a forked copy of the process.

        A copy must end itself in the statement that forks, or in the next statement, which is often `if pid == 0:`. If the
        copy is still running after these, or raises an error, this method ends it. `sys.exit` ends a copy as in plain
        Python.
        """
        if isinstance(error, SystemExit):
            if not isinstance(error.code, int | None):
                with contextlib.suppress(BaseException):  # the program may have closed stderr
                    sys.stderr.write("%s\n" % (error.code,))  # noqa: UP031 - `print` and `str` may be replaced
            self.run_exit_handlers()
            _exit(exit_status(error.code))
        if self.is_copy or error:
            self.end_copy(index)
        self.is_copy = True

    def end_copy(self, index: int) -> None:
        """End this process, a forked copy that went on to the end of statement `index`, and record that in the journal."""
        self.write(self.journal, _encode_entry({"forked": index}))
        _exit(0)

    def describe(self, error: BaseException, index: int) -> dict[str, Any]:
        """Return the fields of RaisedError for the error of a statement. An expected error of the last statement has no traceback."""
        expected = self.job["last_may_raise"] and index == len(self.program.spans) - 1
        return asdict(self.program.describe(error, with_traceback=not expected))

    def finish(self, token: int, reads: Reads) -> None:
        """Clean up as the interpreter does: join threads, call exit handlers, drop all objects. Then write the token."""
        self.run_exit_handlers()
        sys.modules.pop("__main__", None)
        _collect()  # fast, because the objects of the engine are frozen
        self.flush()
        read = {"reads": reads.paths_read(), "reads_itself": reads.read_own_source}
        late_warnings = self.warnings + self.thread_warnings
        self.write(self.journal, _encode_entry({"tail": True, **read, "warnings": late_warnings}))
        self.write(self.journal, _read(token, 64) + b"\n")

    def run_exit_handlers(self) -> None:
        """Join threads, call exit handlers and flush the output streams."""
        _join_threads()
        builtins.__dict__.update(self.builtins)  # the program may have replaced some that are needed here
        if self.has_exit_handlers() or _has_worker_processes():
            _run_exit_handlers()
        self.flush()

    def has_exit_handlers(self) -> bool:
        """Return whether the program registered an exit handler, a `weakref.finalize` or a handler of `logging`.

        All finalizers share one exit handler, and all handlers of `logging` share another. So new ones are found in the
        registries of finalizers and of handlers.
        """
        finalizers = weakref.finalize._registry  # type: ignore[attr-defined]
        is_new = not finalizers.keys() <= self.finalizers or _log_handlers() != self.log_handlers
        return is_new or _count_handlers() != self.exit_handlers

    def write(self, fd: int, line: bytes) -> None:
        """Write to a private descriptor. If this fails, the program has closed it: end the process with the exit code CLOSED."""
        try:
            _write(fd, line)
        except OSError:
            _exit(CLOSED)

    def flush(self) -> None:
        """Flush the output streams of C and of Python, including the streams by which the snippet has replaced these."""
        for name in ("stdout", "stderr", "__stdout__", "__stderr__"):
            try:
                getattr(sys, name).flush()
            except BaseException:
                pass  # closed or replaced by the snippet: its output is lost in plain Python too
        containment.flush_c_stream(None)

    def note_warning(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: Any = None,
        line: str | None = None,
    ) -> None:
        """Record a warning that Python would print on stderr. This method replaces `warnings.showwarning`.

        If the program has redirected `sys.stderr`, the warning is written there. In a copy of this process, which has no journal,
        it is written to stderr.
        """
        if _getpid() != self.pid or not _is_stderr(file or sys.stderr):
            _showwarning(message, category, filename, lineno, file, line)
        else:
            entries = self.warnings if _get_ident() == self.thread else self.thread_warnings
            entries.append((qualified_name(category), plain(str(message))))


def hide_descriptor(fd: int, index: int) -> int:
    """Copy `fd` to the private descriptor number `index` and return that. Close `fd` unless it is stdin, stdout or stderr."""
    private_fd = os.dup2(fd, _FIRST_PRIVATE + index, inheritable=False)
    if fd > 2:
        os.close(fd)
    return private_fd


def _is_stderr(stream: Any) -> bool:
    with contextlib.suppress(ValueError):  # closed, or without a descriptor
        return type(stream) is io.TextIOWrapper and stream.fileno() == 2
    return False


def _encode_entry(values: dict[str, Any]) -> bytes:
    return _to_json(values).encode() + b"\n"


def _log_handlers() -> list[Any]:
    return list(getattr(sys.modules.get("logging"), "_handlerList", ()))


def _has_worker_processes() -> bool:
    process = sys.modules.get("multiprocessing.process")
    return bool(process and process._children)  # type: ignore[attr-defined]
