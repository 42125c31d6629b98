"""Compile a program as a whole, run it, and report the start and the end of each top-level statement to an observer.

The children of the harness use this module, and so do a page with a *Run* button and the recorder of a step viewer. Before
each statement, it inserts an operation on a constant. Only the code object refers to this constant: the program's
namespace gets no additional name, and optimizations across statements (`a = 257`, `b = 257`, `a is b`) are the usual ones.
"""

from __future__ import annotations

import ast
import bisect
import builtins
import contextlib
import importlib
import linecache
import os
import pkgutil
import re
import sys
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib.machinery import SourceFileLoader
from typing import Protocol, TextIO

from snippetcheck.outcome import RaisedError, traceback_name
from snippetcheck.source import blocks, first_line

_MESSAGE_LIMIT = 20_000  # the longest message of an error, in characters
_EXPECTATION = re.compile(r"#(?:2?>|[!~]).*")
_MARK = "\0 between two statements"  # source text cannot contain a null character
_EXEC = 1 if sys.version_info < (3, 12) else 0  # levels that `exec` itself takes of the recursion limit
_getframe = sys._getframe  # saved, since a program may replace it
# The files of the functions that start a program or import a module
_STARTERS = (
    *("<frozen importlib", os.path.dirname(importlib.__file__), pkgutil.__file__),
    *(
        os.path.join(os.path.dirname(__file__), name)
        for name in ("program.py", "prompts.py", "engines.py", "settings.py", "runner")
    ),
)


class Observer(Protocol):
    """The methods that are called before and after each statement. `index` counts the statements from 0."""

    def statement_started(self, index: int) -> None:
        """Handle the start of a statement."""

    def statement_finished(self, index: int, error: BaseException | None) -> None:
        """Handle the end of a statement. `error` is the exception that the statement raised, or None."""


class Program:
    """A compiled program. The constructor raises SyntaxError if the text is not Python.

    Attributes:
        spans: the first and last line of each top-level statement, without the docstring. Statements that share a line
            have one span.
    """

    def __init__(self, text: str, path: str):
        self.text, self.path = text, path
        self.compiler_warnings: list[warnings.WarningMessage]
        with warnings.catch_warnings(record=True) as self.compiler_warnings:
            self._compile()

    def _compile(self) -> None:
        tree = self._tree()
        begin = int(ast.get_docstring(tree, clean=False) is not None)
        self.spans = blocks(tree.body[begin:])
        starts = [first for first, _ in self.spans]
        statements, marked = tree.body[:begin], -1
        for node in tree.body[begin:]:
            index = bisect.bisect(starts, first_line(node)) - 1
            # Python allows nothing above the imports from `__future__`
            is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
            if index > marked and not is_future:
                statements.append(_mark_before(node, index))
                marked = index
            statements.append(node)
        tree.body = statements
        self._code = compile(tree, self.path, "exec", dont_inherit=True)

    def _tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    def main_module(self) -> types.ModuleType:
        """Create a `__main__` module as `python file.py` does, and install it in `sys.modules`.

        Also store the lines of the program in `linecache`, for tracebacks.
        """
        module = types.ModuleType("__main__")
        module.__dict__.update(__file__=self.path, __builtins__=builtins, __cached__=None)
        module.__dict__["__loader__"] = SourceFileLoader("__main__", self.path)
        if sys.version_info < (3, 14):
            module.__dict__["__annotations__"] = {}
        sys.modules["__main__"] = module
        linecache.cache[self.path] = (len(self.text), None, self._traceback_lines(), self.path)
        return module

    def _traceback_lines(self) -> list[str]:
        """Return the lines of the program for tracebacks, without expected output, so that the program cannot look it up."""
        lines = [f"{line}\n" for line in self.text.split("\n")]
        ends = [last for _, last in self.spans]
        starts = [first for first, _ in self.spans[1:]] + [len(lines) + 1]
        for last, next_start in zip(ends, starts, strict=False):
            for number in range(last, next_start - 1):
                lines[number] = _EXPECTATION.sub("#", lines[number])
        return lines

    def run(self, module: types.ModuleType, observer: Observer) -> BaseException | None:
        """Run the program with the names of `module`. Return the error that ended the program, or None."""
        show_warnings = partial(self._show_warnings, warnings.showwarning, sys.stderr)
        mark = _Mark(observer, show_warnings)
        constants = tuple(mark if constant == _MARK else constant for constant in self._code.co_consts)
        code = self._code.replace(co_consts=constants)
        error: BaseException | None = None
        with _plain_recursion_limit(_count_frames() + _EXEC):
            try:
                exec(code, module.__dict__)
            except BaseException as raised:
                error = raised
        if self.spans:
            mark.finish(error, len(self.spans))
        return error

    def _show_warnings(self, show: Callable[..., None], stderr: TextIO, index: int) -> None:
        """Show the compiler's warnings about statement `index`, at its start.

        Python shows them before the program runs, so `show` and `stderr` are those of that time.
        """
        starts = [first for first, _ in self.spans]
        for warning in self.compiler_warnings:
            if max(bisect.bisect(starts, warning.lineno) - 1, 0) == index:
                show(warning.message, warning.category, warning.filename, warning.lineno, stderr)

    def describe(self, error: BaseException, with_traceback: bool = False) -> RaisedError:
        """Return an error as RaisedError. If the error cannot be formatted, its message says that."""
        try:
            return self._describe(error, with_traceback)
        except BaseException as failure:
            message = f"an error that cannot be shown: it raises {type(failure).__name__}"
            return RaisedError("BaseException", "", message, None, message)

    def _describe(self, error: BaseException, with_traceback: bool) -> RaisedError:
        import collections.abc  # noqa: F401 - traceback needs it as an attribute of `collections`, which a child may have hidden

        error_class = type(error)
        entry = skip_starters(error.__traceback__ and error.__traceback__.tb_next)  # the first frame is that of `run`
        line, position = None, entry
        while position is not None and line is None:
            line = position.tb_lineno if position.tb_frame.f_code.co_filename == self.path else None
            position = position.tb_next
        if isinstance(error, SyntaxError) and error.filename == self.path and line is None:
            line = error.lineno
        text = "".join(traceback.format_exception(error_class, error, entry, limit=-12)) if with_traceback else ""
        message, is_group = plain(_message(error)), isinstance(error, BaseExceptionGroup)
        is_success = isinstance(error, SystemExit) and exit_status(error.code) == 0
        name = plain(error_class.__name__)
        return RaisedError(name, qualified_name(error_class), message, line, plain(text), is_group, is_success)


class _Mark:
    """The object `mark` in the expressions `mark @ index` that `Program` inserts before statements to call the observer.

    The imports from `__future__` have no such expression before them: the next one reports them.
    """

    def __init__(self, observer: Observer, show_warnings: Callable[[int], None]):
        self.observer, self.index, self.show_warnings = observer, -1, show_warnings

    def __matmul__(self, index: int) -> None:
        while self.index < index:
            if self.index >= 0:
                self.observer.statement_finished(self.index, None)
            self.index += 1
            self.observer.statement_started(self.index)
            self.show_warnings(self.index)

    def finish(self, error: BaseException | None, count: int) -> None:
        """Report the end of the last statement that was reached. `count` is the number of statements."""
        if self.index < 0:  # a program of nothing but imports from `__future__`
            self.__matmul__(count - 1)
        self.observer.statement_finished(self.index, error)


def _mark_before(node: ast.stmt, index: int) -> ast.stmt:
    """Return the expression to insert before statement `index`. The compiler neither folds a matrix product nor warns of its operands."""
    product = ast.BinOp(ast.Constant(_MARK), ast.MatMult(), ast.Constant(index))
    line = first_line(node)
    return ast.fix_missing_locations(ast.Expr(product, lineno=line, end_lineno=line, col_offset=0, end_col_offset=0))


@contextlib.contextmanager
def _plain_recursion_limit(harness_levels: int) -> Iterator[None]:
    """Within the `with` block, raise the recursion limit by `harness_levels`, the number of levels that the harness uses.

    The program reads and sets the limit without these levels.
    """
    get, put = sys.getrecursionlimit, sys.setrecursionlimit
    limit = get()
    put(limit + harness_levels)
    sys.getrecursionlimit, sys.setrecursionlimit = (
        lambda: get() - harness_levels,
        lambda limit: put(limit + harness_levels),
    )
    try:
        yield
    finally:
        sys.getrecursionlimit, sys.setrecursionlimit = get, put
        put(limit)


def _count_frames() -> int:
    """Return the number of frames on the stack up to the caller, its frame included."""
    depth, frame = 0, _getframe(1)
    while frame is not None:
        depth, frame = depth + 1, frame.f_back  # type: ignore[assignment]
    return depth


def skip_starters(entry: types.TracebackType | None) -> types.TracebackType | None:
    """Return the traceback from the first frame that neither starts a program nor imports a module."""
    while entry and entry.tb_frame.f_code.co_filename.startswith(_STARTERS):
        entry = entry.tb_next
    return entry


def qualified_name(kind: type) -> str:
    """Return the name of a class with its module."""
    return plain(f"{kind.__module__}.{kind.__qualname__}")


def plain(text: str) -> str:
    """Return the first _MESSAGE_LIMIT characters of a text, with escapes for lone surrogates."""
    return str.encode(text, "utf-8", "backslashreplace").decode()[:_MESSAGE_LIMIT]


def exit_status(code: object) -> int:
    """Return the exit status with which Python ends after a SystemExit with this code, on Linux and macOS."""
    if not isinstance(code, int):
        return int(code is not None)
    return code & 0xFF if -(2**63) <= code < 2**63 else 0xFF


def _message(error: BaseException) -> str:
    """Return the text that a traceback shows after the class of an error: message, notes and the members of a group."""
    try:
        is_located = isinstance(error, SyntaxError) and error.lineno is not None  # `str` would add the location
        message = str(error.msg if is_located else error)  # type: ignore[attr-defined]
        lines = [message, *map(str, getattr(error, "__notes__", ()))]
    except BaseException:
        return "<exception str() failed>"
    if isinstance(error, BaseExceptionGroup):
        lines += [_member_lines(member) for member in error.exceptions]
    return "\n".join(lines)


def _member_lines(member: BaseException) -> str:
    """Return the lines of a group's member, indented as by `format_exception_only(..., show_group=True)` of Python 3.13."""
    name, message = traceback_name(qualified_name(type(member))), _message(member)
    text = f"{name}: {message}" if message else name
    return "\n".join(f"   {line}" for line in text.split("\n"))
