"""Runs a program with `reference_impl` as `torch`, and records its backward passes.

It is what the build uses to draw a snippet's graph, and what a page uses to run an example. The
program runs in this very process: the build starts one for it, a page has a worker for it. (The
harness, which decides what is true, runs snippets in forked processes under its own guard.)
"""

from __future__ import annotations

import ast
import contextlib
import io
import sys
import time
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from snippetcheck.engines import ReplacedModules
from snippetcheck.outcome import FINISHED, RAISED, Run, StatementRun
from snippetcheck.program import Program, plain, qualified_name
from snippetcheck.snippet import Snippet, SnippetError, parse
from snippetcheck.source import blocks, first_line

PATH = "program.py"
STAND_IN = str(Path(__file__).parents[1] / "stand_in")  # of packages that examples import and a reader's page has not
TEXT_LIMIT = 200_000  # characters of a statement's output that are kept
PAUSE = 0.1  # seconds between two reports of what a statement has printed so far

Tell = Callable[[int, StatementRun], None]  # is told the index of a statement and what it has done


@dataclass
class Outcome:
    """What a program did: the run as the harness describes one, and its backward passes."""

    run: Run
    stated: Snippet | SnippetError  # what its text says that it does, or what is malformed in it
    lines: list[tuple[int, int]]  # per statement that ran: its first and last line
    passes: list[dict[str, Any]] = field(default_factory=list)
    calls: list[tuple[int, str]] = field(
        default_factory=list
    )  # where an error came from: line and function, outermost first
    value: str | None = None  # of the statement whose value was requested, as a notebook shows it; None if it has none
    cut: frozenset[int] = frozenset()  # indexes of the statements that printed more than is kept


@contextlib.contextmanager
def as_torch() -> Iterator[None]:
    """Let `import torch` mean reference_impl within the block."""
    finder = ReplacedModules({"torch": "reference_impl"})
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "torch"}
    sys.meta_path.insert(0, finder)
    sys.path.append(STAND_IN)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        sys.path.remove(STAND_IN)
        for name in [name for name in sys.modules if name.split(".")[0] == "torch"]:
            del sys.modules[name]
        sys.modules.update(hidden)


class Watcher(Protocol):
    """Looks at the names of a program while it runs."""

    def ends(self, namespace: dict[str, Any], first: int, last: int) -> None:
        """The statement in these lines is over."""

    def over(self, namespace: dict[str, Any]) -> None:
        """The program is."""


class _Valued(Program):
    """A program that records the value of the statement with a certain index, if it is an expression."""

    def __init__(self, text: str, path: str, index: int):
        self.value = _Value()
        self._index = index
        super().__init__(text, path)
        constants = tuple(self.value if constant == _VALUE else constant for constant in self._code.co_consts)
        self._code = self._code.replace(co_consts=constants)

    def _tree(self) -> ast.Module:
        tree = super()._tree()
        statements = tree.body[1:] if ast.get_docstring(tree, clean=False) is not None else tree.body
        spans = blocks(statements)
        first, last = spans[self._index] if 0 <= self._index < len(spans) else (0, 0)
        statement = next((node for node in reversed(statements) if first <= first_line(node) <= last), None)
        if isinstance(statement, ast.Expr):
            mark = ast.copy_location(ast.Constant(_VALUE), statement.value)
            statement.value = ast.copy_location(ast.BinOp(mark, ast.MatMult(), statement.value), statement.value)
        return tree


_VALUE = "\0 the value of"  # no source text can hold it


class _Value:
    """Stands in the code as the left side of a product with the value of a statement."""

    text: str | None = None

    def __matmul__(self, value: object) -> None:
        if value is not None:
            self.text = plain(repr(value))


def run(text: str, tell: Tell | None = None, watcher: Watcher | None = None, value_of: int | None = None) -> Outcome:
    """Run the program to its end or to its first error. Raises SyntaxError if it is not Python.

    `tell` hears of each statement when it ends, and of one that prints for long ten times a second. `value_of` is the index of
    the statement whose value is recorded.
    """
    program = Program(text, PATH) if value_of is None else _Valued(text, PATH, value_of)
    before = sys.modules.get("__main__")
    try:
        with as_torch():
            passes = _recorder(text)
            module = program.main_module()
            observer = _Observer(program, module, passes, tell, watcher)
            with passes, observer.listening():
                error = program.run(module, observer)
            if watcher:
                watcher.over(module.__dict__)
    finally:
        if before is not None:
            sys.modules["__main__"] = before
    stated = _stated(text)
    may_raise = isinstance(stated, Snippet) and stated.statements[-1].error is not None
    raised = observer.statements[-1].error if observer.statements else None
    is_over = len(observer.statements) == len(program.spans)
    ended_well = error is None or (is_over and (may_raise or bool(raised and raised.is_success)))
    outcome = FINISHED if ended_well else RAISED
    lines = program.spans[: len(observer.statements)]
    ran = Run("reference_impl", outcome, "", tuple(observer.statements))
    value = program.value.text if isinstance(program, _Valued) else None
    return Outcome(ran, stated, lines, passes.finished, _calls(error), value, frozenset(observer.cut))


def _calls(error: BaseException | None) -> list[tuple[int, str]]:
    here, found = error.__traceback__ if error else None, []
    while here is not None:
        if here.tb_frame.f_code.co_filename == PATH:
            found.append((here.tb_lineno, here.tb_frame.f_code.co_name))
        here = here.tb_next
    return found


class _Observer:
    """Keeps what each statement prints, warns and raises."""

    def __init__(
        self, program: Program, module: types.ModuleType, passes: Any, tell: Tell | None, watcher: Watcher | None
    ):
        self.program, self.module, self.passes, self.tell, self.watcher = program, module, passes, tell, watcher
        self.out, self.err = _Printed(self.so_far), _Printed(self.so_far)
        self.told = time.monotonic()
        self.warned: list[tuple[str, str]] = []
        self.statements: list[StatementRun] = []
        self.cut: list[int] = []

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """All that is printed or warned within the block is kept; one filter for all, since each forgets what was shown."""
        with contextlib.redirect_stdout(self.out), contextlib.redirect_stderr(self.err), warnings.catch_warnings():
            warnings.showwarning = self.warn  # type: ignore[assignment]
            yield

    def warn(self, message: Warning | str, category: type[Warning], *_: object) -> None:
        """Stands in for `warnings.showwarning`."""
        self.warned.append((qualified_name(category), str(message)))

    def statement_started(self, index: int) -> None:
        """Let the recorder see the names that there are before the statement."""
        self.passes.look_at(self.module.__dict__, self.program.spans[index][0])

    def statement_finished(self, index: int, error: BaseException | None) -> None:
        """Keep what the statement did."""
        raised = self.program.describe(error) if error else None
        shown, self.warned = tuple(self.warned), []
        if self.out.is_cut or self.err.is_cut:
            self.cut.append(index)
        self.statements.append(StatementRun(self.out.take(), self.err.take(), raised, shown))
        if self.watcher:
            self.watcher.ends(self.module.__dict__, *self.program.spans[index])
        if self.tell:
            self.tell(index, self.statements[-1])

    def so_far(self) -> None:
        """Something was printed."""
        if self.tell and time.monotonic() - self.told > PAUSE:
            done = StatementRun(self.out.getvalue(), self.err.getvalue(), None, tuple(self.warned), ended=False)
            self.tell(len(self.statements), done)
            self.told = time.monotonic()


class _Printed(io.StringIO):
    """What is printed, as far as it is kept."""

    is_cut = False

    def __init__(self, written: Callable[[], None]):
        super().__init__()
        self.written = written

    def write(self, text: str) -> int:
        """Keep the text, if there is room; `written` hears of it."""
        room = TEXT_LIMIT - self.tell()
        super().write(text[:room] if room > 0 else text[:0])
        self.is_cut |= len(text) > room
        self.written()
        return len(text)

    def take(self) -> str:
        """What there is, and leave nothing."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        self.is_cut = False
        return text


def _recorder(text: str) -> Any:
    from gradnotes.steps.passes import Passes  # imports the engine, which is there only within as_torch

    return Passes(PATH, text)


def _stated(text: str) -> Snippet | SnippetError:
    try:
        return parse(text, PATH, PATH)
    except SnippetError as error:
        return error
