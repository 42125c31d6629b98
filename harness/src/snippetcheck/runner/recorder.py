"""Record the run of a program: its observer writes the journal, and marks between the outputs of two statements.

After each statement, the streams are flushed and a mark is written to stdout and stderr. Output of a hook, C code or a
finished subprocess is therefore attributed to the statement that caused it. A journal records the start and end of each
statement. It ends with a token that the process reads after the last statement; without the token, a run is not finished.

The journal entries are created before the first statement, so that the allocator is unchanged between statements: an object
may get the address of a deleted one, as in plain Python.
"""

from __future__ import annotations

import _thread
import atexit
import gc
import json
import os
import sys
import threading
import warnings
import weakref
from dataclasses import asdict
from typing import Any, NoReturn

from snippetcheck.program import Program, plain, qualified_name
from snippetcheck.prompts import PromptProgram
from snippetcheck.runner import containment, plain_python
from snippetcheck.runner.file_access import Reads

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

FAILED = 70  # the exit code of a process in which the harness itself has failed
CLOSED = 71  # the exit code of a process whose program closed private descriptors
# High enough that programs do not use or close them, low enough to keep the descriptor table small.
_FIRST_PRIVATE = (min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 4096) if resource else 216) - 16
# Saved, since a program may replace these functions.
_exit, _getpid, _read, _write = os._exit, os.getpid, os.read, os.write
_to_json = json.JSONEncoder().encode
_collect, _formatwarning, _get_ident = gc.collect, warnings.formatwarning, _thread.get_ident
_count_handlers, _run_exit_handlers, _join_threads = atexit._ncallbacks, atexit._run_exitfuncs, threading._shutdown  # type: ignore[attr-defined]


class Recorder:
    """Observes the statements of a snippet and writes the journal."""

    def __init__(self, job: dict[str, Any], output: int, errors: int, journal: int):
        self.job, prompts = job, job["prompts"]
        self.program = PromptProgram(job["path"], **prompts) if prompts else Program(job["text"], job["path"])
        self.output, self.errors, self.journal = output, errors, journal
        self.mark = job["mark"].encode()
        indices = range(len(self.program.spans))
        self.start_entries = [_entry({"start": index}) for index in indices]
        empty: dict[str, list[str]] = {"warnings": [], "thread_warnings": []}
        self.end_entries = [_entry({"end": index, "error": None, **empty}) for index in indices]
        self.pid, self.thread = _getpid(), _get_ident()
        self.is_copy = False  # whether this process is a fork by the program in which a statement has ended
        self.exit_handlers = _count_handlers()
        self.finalizers = frozenset(weakref.finalize._registry)  # type: ignore[attr-defined]
        self.warnings: list[tuple[str, str]] = []
        self.thread_warnings: list[tuple[str, str]] = []

    def run(self, token: int, folder: str, frozen: int = 0) -> NoReturn:
        """Run the program to its end, or to its first error, and end the process.

        Args:
            token: a descriptor from which to read the token.
            folder: holds the private files of the program.
            frozen: the number of objects in the frozen heap.
        """
        containment.limit_resources(self.job)
        plain_python.hide_preparations(self.program.path, frozen)
        reads = Reads(self.program.path, folder)
        sys.argv = [self.program.path]
        warnings.showwarning = self.note_warning
        self.program.run(self.program.main_module(), self)
        if _getpid() != self.pid:
            self.end_copy(len(self.program.spans) - 1)
        self.finish(token, reads)
        _exit(0)

    def statement_started(self, index: int) -> None:
        """Write a journal entry for the start of the statement, unless this is a forked copy of the process."""
        if self.is_copy:
            return
        self.write(self.journal, self.start_entries[index])

    def statement_finished(self, index: int, error: BaseException | None) -> None:
        """End the output of the statement, and write its error and warnings to the journal."""
        if _getpid() != self.pid:
            return self.copy_finished(index, error)
        raised = self.describe(error, index) if error else None
        self.flush()
        self.write(self.output, self.mark)
        self.write(self.errors, self.mark)
        if raised or self.warnings or self.thread_warnings:
            lists = {"warnings": self.warnings, "thread_warnings": self.thread_warnings}
            entry = _entry({"end": index, "error": raised, **lists})
            self.warnings, self.thread_warnings = [], []
        else:
            entry = self.end_entries[index]
        self.write(self.journal, entry)

    def copy_finished(self, index: int, error: BaseException | None) -> None:
        """Handle the end of a statement in a forked copy of the process.

        The copy may end itself in the statement that forks or in the next one, such as `if pid == 0:`; after that it is ended.
        """
        if isinstance(error, SystemExit):
            self.flush()
            _exit(error.code if isinstance(error.code, int) else int(error.code is not None))
        if self.is_copy or error:
            self.end_copy(index)
        self.is_copy = True

    def end_copy(self, index: int) -> None:
        """End this process, a copy that the program forked in statement `index`, and note `index` in the journal."""
        self.write(self.journal, _entry({"forked": index}))
        _exit(0)

    def describe(self, error: BaseException, index: int) -> dict[str, Any]:
        """Return the fields of RaisedError for the error of a statement."""
        expected = self.job["last_may_raise"] and index == len(self.program.spans) - 1
        return asdict(self.program.describe(error, with_traceback=not expected))

    def finish(self, token: int, reads: Reads) -> None:
        """Clean up as the interpreter does: join threads, call exit handlers, drop all objects. Then write the token."""
        _join_threads()
        if self.has_exit_handlers() or _has_worker_processes():
            _run_exit_handlers()
        self.flush()
        sys.modules.pop("__main__", None)
        _collect()  # fast, because the objects of the engine are frozen
        self.flush()
        read = {"reads": reads.paths_read(), "reads_itself": reads.read_own_source}
        late = self.warnings + self.thread_warnings
        self.write(self.journal, _entry({"tail": True, **read, "warnings": late}))
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
            entries = self.warnings if _get_ident() == self.thread else self.thread_warnings
            entries.append((qualified_name(category), plain(str(message))))


def hide(fd: int, index: int) -> int:
    """Return the private descriptor number `index`, a copy of `fd`. Close `fd` unless it is stdin, stdout or stderr."""
    hidden = os.dup2(fd, _FIRST_PRIVATE + index, inheritable=False)
    if fd > 2:
        os.close(fd)
    return hidden


def _entry(values: dict[str, Any]) -> bytes:
    return _to_json(values).encode() + b"\n"


def _has_worker_processes() -> bool:
    process = sys.modules.get("multiprocessing.process")
    return bool(process and process._children)  # type: ignore[attr-defined]
