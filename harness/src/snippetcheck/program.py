"""A program that is compiled once, as a whole, and tells what each of its top-level statements does.

The harness' child, *Run* in a page and the recorder of a step viewer all run programs by this module. Between two
statements stands an operation of ours on a constant that only the code object holds: no name of ours is to be seen in the
program's namespace, and what the compiler does across statements (`a = 257`, `b = 257`, `a is b`) it does here too.
"""

from __future__ import annotations

import ast
import bisect
import builtins
import contextlib
import linecache
import marshal
import re
import sys
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from typing import Protocol

from snippetcheck.outcome import Raised, traceback_name
from snippetcheck.source import blocks, first_line

_MESSAGE_LIMIT = 20_000  # characters of an error's message
_EXPECTATION = re.compile(r"#[>!~].*")
_MARK = "\0 between two statements"  # no source text can hold it
_EXEC = 2 if sys.version_info < (3, 12) else 0  # levels that `exec` itself takes of the recursion limit
_getframe = sys._getframe  # a program may replace it


class Observer(Protocol):
    """What is told of the statements, each by its index."""

    def begins(self, index: int) -> None:
        """The statement is about to run."""

    def ends(self, index: int, error: BaseException | None) -> None:
        """The statement is over; with an error the program is too."""


class Program:
    """The program of a text. Raises SyntaxError if it is not Python.

    `spans` are the first and the last line of each top-level statement; a docstring is none, and those that share a line are
    one. `compiled` is what another process has made of the text with `compiled()`.
    """

    def __init__(self, text: str, path: str, compiled: bytes = b""):
        self.text, self.path = text, path
        self.warned: list[warnings.WarningMessage] = []  # by the compiler
        if compiled:
            self.spans, self._first_marked, self._code = marshal.loads(compiled)
        else:
            with warnings.catch_warnings(record=True) as self.warned:
                self._compile()

    def _compile(self) -> None:
        tree = self._tree()
        body = tree.body[1:] if ast.get_docstring(tree, clean=False) is not None else tree.body
        self.spans = blocks(body)
        starts = [first for first, _ in self.spans]
        numbers = [bisect.bisect(starts, first_line(node)) - 1 for node in body]
        is_future = [isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in body]
        begin = is_future.index(False) if False in is_future else len(body)
        self._first_marked = numbers[begin] if begin < len(body) else len(self.spans)
        marked: list[ast.stmt] = []
        for position in range(begin, len(body)):
            if position == begin or numbers[position] != numbers[position - 1]:
                marked.append(_mark_before(body[position]))
            marked.append(body[position])
        tree.body[len(tree.body) - len(body) + begin :] = marked
        self._code = compile(tree, self.path, "exec", dont_inherit=True)

    def _tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    def compiled(self) -> bytes:
        """For the same Python elsewhere; nothing where it would run otherwise there: a set has another order then."""
        return (
            b""
            if self.warned or _holds_set(self._code)
            else marshal.dumps((self.spans, self._first_marked, self._code))
        )

    def main_module(self) -> types.ModuleType:
        """A new `__main__`, as `python file.py` makes it, put in the place of the one before."""
        module = types.ModuleType("__main__")
        module.__dict__.update(__file__=self.path, __builtins__=builtins, __cached__=None)
        module.__dict__["__loader__"] = SourceFileLoader("__main__", self.path)
        if sys.version_info < (3, 14):
            module.__dict__["__annotations__"] = {}
        sys.modules["__main__"] = module
        linecache.cache[self.path] = (len(self.text), None, self._lines(), self.path)
        return module

    def _lines(self) -> list[str]:
        """Return the lines that Python shows of the program, without the expected ones, which no program may look up."""
        lines = [f"{line}\n" for line in self.text.split("\n")]
        ends = [last for _, last in self.spans]
        starts = [first for first, _ in self.spans[1:]] + [len(lines) + 1]
        for last, following in zip(ends, starts, strict=False):
            for number in range(last, following - 1):
                lines[number] = _EXPECTATION.sub("#", lines[number])
        return lines

    def run(self, module: types.ModuleType, observer: Observer) -> BaseException | None:
        """Run it in `module` to its end or to its first error, which is given back."""
        mark = _Mark(observer, self._first_marked, self._show_warnings)
        code = self._code.replace(co_consts=tuple(mark if one == _MARK else one for one in self._code.co_consts))
        error: BaseException | None = None
        with _as_deep_as_plain(_depth() + _EXEC):
            try:
                exec(code, module.__dict__)
            except BaseException as raised:
                error = raised
        if self.spans:
            mark.finish(error, len(self.spans))
        return error

    def _show_warnings(self, index: int) -> None:
        """Show what the compiler warned of in a statement, as if it warned when the statement began."""
        starts = [first for first, _ in self.spans]
        for one in self.warned:
            if max(bisect.bisect(starts, one.lineno) - 1, 0) == index:
                warnings.showwarning(one.message, one.category, one.filename, one.lineno)

    def describe(self, error: BaseException, with_traceback: bool = False) -> Raised:
        """The error in words; its own class may keep it from being told."""
        try:
            return self._described(error, with_traceback)
        except BaseException as failure:
            message = f"an error that cannot be shown: it raises {type(failure).__name__}"
            return Raised("BaseException", "", message, None, message)

    def _described(self, error: BaseException, with_traceback: bool) -> Raised:
        import collections.abc  # noqa: F401 - traceback asks `collections` for it, and a child may have put it out of sight

        kind = type(error)
        own = error.__traceback__.tb_next if error.__traceback__ else None  # the first frame is that of `run`
        line, here = None, own
        while here is not None and line is None:
            line = here.tb_lineno if here.tb_frame.f_code.co_filename == self.path else None
            here = here.tb_next
        if isinstance(error, SyntaxError) and error.filename == self.path and line is None:
            line = error.lineno
        shown = "".join(traceback.format_exception(kind, error, own, limit=-12)) if with_traceback else ""
        message, is_group = plain(_message(error)), isinstance(error, BaseExceptionGroup)
        is_success = isinstance(error, SystemExit) and _is_success(error.code)
        name = plain(kind.__name__)
        return Raised(name, qualified_name(kind), message, line, plain(shown), is_group, is_success)


class _Mark:
    """Stands in the code between two statements, as the left side of a product, and tells the observer."""

    def __init__(self, observer: Observer, unmarked: int, show_warnings: Callable[[int], None]):
        self.observer, self.reached, self.unmarked, self.show_warnings = observer, -1, unmarked, show_warnings

    def __matmul__(self, other: object) -> None:
        if self.reached < 0:
            self.pass_over()
        else:
            self.observer.ends(self.reached, None)
        self.reached = self.reached + 1 if self.reached >= 0 else self.unmarked
        self.observer.begins(self.reached)
        self.show_warnings(self.reached)

    def pass_over(self) -> None:
        """The imports from `__future__` are over, before which nothing may stand."""
        for index in range(self.unmarked):
            self.observer.begins(index)
            self.observer.ends(index, None)

    def finish(self, error: BaseException | None, count: int) -> None:
        """The whole is over."""
        if self.reached < 0 and self.unmarked == count:
            self.pass_over()
        else:
            self.observer.ends(self.reached, error)


def _holds_set(constant: object) -> bool:
    if isinstance(constant, types.CodeType):
        return any(map(_holds_set, constant.co_consts))
    return isinstance(constant, frozenset) or (isinstance(constant, tuple) and any(map(_holds_set, constant)))


def _mark_before(node: ast.stmt) -> ast.stmt:
    """No compiler folds a matrix product of constants, and none warns of it."""
    mark = ast.Expr(ast.BinOp(ast.Constant(_MARK), ast.MatMult(), ast.Constant(0)))
    for part in ast.walk(mark):
        if isinstance(part, ast.expr | ast.stmt):
            part.lineno = part.end_lineno = first_line(node)
            part.col_offset = part.end_col_offset = 0
    return mark


@contextlib.contextmanager
def _as_deep_as_plain(above: int) -> Iterator[None]:
    """Let the program call as deep as `python file.py` does, though frames stand above it, and see the limit of there."""
    get, put = sys.getrecursionlimit, sys.setrecursionlimit
    limit = get()
    put(limit + above)
    sys.getrecursionlimit, sys.setrecursionlimit = lambda: get() - above, lambda limit: put(limit + above)
    try:
        yield
    finally:
        sys.getrecursionlimit, sys.setrecursionlimit = get, put
        put(limit)


def _depth() -> int:
    """How many frames stand above that of the program: `run` and those that called it."""
    depth, frame = 0, _getframe(1)
    while frame is not None:
        depth, frame = depth + 1, frame.f_back  # type: ignore[assignment]
    return depth


def qualified_name(kind: type) -> str:
    """Return the name of a class with its module."""
    return plain(f"{kind.__module__}.{kind.__qualname__}")


def plain(text: str) -> str:
    """The text without what cannot be written as UTF-8, and not too long."""
    return str.encode(text, "utf-8", "backslashreplace").decode()[:_MESSAGE_LIMIT]


def _is_success(status: object) -> bool:
    """Return whether `sys.exit` with this status ends Python in silence, with exit status 0."""
    return status is None or (isinstance(status, int) and status == 0)


def _message(error: BaseException) -> str:
    """Return the text that a traceback shows behind the type of the error: its message, its notes and the members of a group."""
    try:
        is_located = isinstance(error, SyntaxError) and error.lineno is not None  # a traceback shows the place above
        message = str(error.msg if is_located else error)  # type: ignore[attr-defined]
        lines = [message, *map(str, getattr(error, "__notes__", ()))]
    except BaseException:
        return "<exception str() failed>"
    if isinstance(error, BaseExceptionGroup):
        lines += [_indented(member) for member in error.exceptions]
    return "\n".join(lines)


def _indented(member: BaseException) -> str:
    """Return a member of a group as `traceback.format_exception_only(..., show_group=True)` of Python 3.13 does."""
    name, message = traceback_name(qualified_name(type(member))), _message(member)
    text = f"{name}: {message}" if message else name
    return "\n".join(f"   {line}" for line in text.split("\n"))
