"""A program that is compiled once, as a whole, and tells what each of its top-level statements does.

The harness' child, *Run* in a page and the recorder of a step viewer all run programs by this module. Between two
statements stands an operation of ours on a constant that only the code object holds: no name of ours is to be seen in the
program's namespace, and what the compiler does across statements (`a = 257`, `b = 257`, `a is b`) it does here too.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import linecache
import marshal
import re
import sys
import traceback
import types
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from typing import Protocol

from snippetcheck.outcome import Raised
from snippetcheck.source import first_line

_MESSAGE_LIMIT = 20_000  # characters of an error's message
_EXPECTATION = re.compile(r"^#[>!~].*$", re.MULTILINE)
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

    `spans` are the first and the last line of each top-level statement; a docstring is none. `compiled` is what another
    process has made of the text with `compiled()`.
    """

    def __init__(self, text: str, path: str, compiled: bytes = b""):
        self.text, self.path = text, path
        if compiled:
            self.spans, self._first_marked, self._code = marshal.loads(compiled)
        else:
            self._compile()

    def _compile(self) -> None:
        text, path = self.text, self.path
        tree = ast.parse(text, path)
        body = tree.body[1:] if ast.get_docstring(tree, clean=False) is not None else tree.body
        self.spans = [(first_line(node), node.end_lineno or node.lineno) for node in body]
        imports_only = [isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in body]
        self._first_marked = imports_only.index(False) if False in imports_only else len(body)
        marked = [part for node in body[self._first_marked :] for part in (_mark_before(node), node)]
        tree.body[len(tree.body) - len(body) + self._first_marked :] = marked
        self._code = compile(tree, path, "exec", dont_inherit=True)

    def compiled(self) -> bytes:
        """For the same Python elsewhere; nothing where it would run otherwise there: a set has another order then."""
        return b"" if _holds_set(self._code) else marshal.dumps((self.spans, self._first_marked, self._code))

    def main_module(self) -> types.ModuleType:
        """A new `__main__`, as `python file.py` makes it, put in the place of the one before."""
        module = types.ModuleType("__main__")
        module.__dict__.update(__file__=self.path, __builtins__=builtins, __cached__=None)
        module.__dict__["__loader__"] = SourceFileLoader("__main__", self.path)
        if sys.version_info < (3, 14):
            module.__dict__["__annotations__"] = {}
        sys.modules["__main__"] = module
        lines = _EXPECTATION.sub("#", self.text).splitlines(True)  # what is expected, no program may look up
        linecache.cache[self.path] = (len(self.text), None, lines, self.path)
        return module

    def run(self, module: types.ModuleType, observer: Observer) -> BaseException | None:
        """Run it in `module` to its end or to its first error, which is given back."""
        mark = _Mark(observer, self._first_marked)
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
        qualified = f"{kind.__module__}.{kind.__qualname__}"
        return Raised(plain(kind.__name__), plain(qualified), plain(_message(error)), line, plain(shown))


class _Mark:
    """Stands in the code between two statements, as the left side of a product, and tells the observer."""

    def __init__(self, observer: Observer, unmarked: int):
        self.observer, self.reached, self.unmarked = observer, -1, unmarked

    def __matmul__(self, other: object) -> None:
        if self.reached < 0:
            self.pass_over()
        else:
            self.observer.ends(self.reached, None)
        self.reached = self.reached + 1 if self.reached >= 0 else self.unmarked
        self.observer.begins(self.reached)

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


def plain(text: str) -> str:
    """The text without what cannot be written as UTF-8, and not too long."""
    return str.encode(text, "utf-8", "backslashreplace").decode()[:_MESSAGE_LIMIT]


def _message(error: BaseException) -> str:
    """The text that a traceback shows behind the type of the error, with its notes."""
    try:
        message = str(error)
        return "\n".join([message, *map(str, getattr(error, "__notes__", ()))])
    except BaseException as failure:
        return f"<str() of the error raised {type(failure).__name__}>"
