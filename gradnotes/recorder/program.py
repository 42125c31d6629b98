"""Run a program with `reference_impl` as `torch`, and record its backward passes.

The build records the graphs of snippets with this module, and *Run* in the browser runs examples with it. The program
runs in the current process, so the build starts a process for each program, and the browser uses a web worker. The
verdicts of snippets do not come from here: the harness runs snippets on its own.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.abc
import importlib.util
import io
import sys
import time
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, Protocol

from snippetcheck.engines import ReplacedModules
from snippetcheck.outcome import FINISHED, RAISED, Run, StatementRun
from snippetcheck.program import Program, plain, qualified_name
from snippetcheck.snippet import Snippet, SnippetError, parse
from snippetcheck.source import blocks, first_line

from gradnotes.recorder import plots

PATH = "program.py"
STAND_IN = str(Path(__file__).parents[1] / "stand_in")  # replaces packages that the browser does not have
_REPLACED_PACKAGES = (
    "torch",
    "sklearn",
    "matplotlib",
)  # packages that a program imports from the engine and from STAND_IN
_TENSORBOARD = Path(STAND_IN) / "torch_utils" / "tensorboard.py"  # replaces a module of torch that the engine lacks
TEXT_LIMIT = 200_000  # characters of output per statement
PAUSE = 0.1  # seconds between two progress reports of one statement

# called with the index of a statement, its result so far, and its plots
OnProgress = Callable[[int, StatementRun, Sequence[plots.Figure | str]], None]


@dataclass
class ProgramResult:
    """The run of a program, as the harness represents it, and the other recorded data."""

    run: Run
    expected: Snippet | SnippetError  # the program parsed as a snippet, or the reason why it is not a snippet
    lines: list[tuple[int, int]]  # first and last line of each statement that ran
    passes: list[dict[str, Any]] = field(default_factory=list)
    calls: list[tuple[int, str]] = field(default_factory=list)  # traceback: line and function, outermost first
    # repr of the value that was asked for with `value_of`; None if the value is None or the statement has no value
    value: str | None = None
    cut: frozenset[int] = frozenset()  # indexes of the statements whose output was cut at TEXT_LIMIT
    plots: list[list[plots.Figure | str]] = field(default_factory=list)  # per statement


class _Tensorboard(importlib.abc.MetaPathFinder):
    """The import hook that imports the stand-in for torch.utils.tensorboard."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of the stand-in for `torch.utils.tensorboard`, and None for every other module."""
        if fullname != "torch.utils.tensorboard":
            return None
        return importlib.util.spec_from_file_location(fullname, _TENSORBOARD)


@contextlib.contextmanager
def as_torch() -> Iterator[None]:
    """Within the `with` block, make `import torch` import reference_impl, and import matplotlib and sklearn from STAND_IN."""
    finders = [_Tensorboard(), ReplacedModules({"torch": "reference_impl"})]
    hidden_modules = {
        name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in _REPLACED_PACKAGES
    }
    sys.meta_path[:0] = finders
    sys.path.insert(0, STAND_IN)
    try:
        yield
    finally:
        for finder in finders:
            sys.meta_path.remove(finder)
        sys.path.remove(STAND_IN)
        if "torch.utils.tensorboard" in sys.modules:
            del sys.modules["torch.utils"].tensorboard  # the import has added this attribute to the engine's module
        for name in [name for name in sys.modules if name.split(".")[0] in _REPLACED_PACKAGES]:
            del sys.modules[name]
        sys.modules.update(hidden_modules)


class Watcher(Protocol):
    """An observer of a program's global variables during its run."""

    def statement_finished(self, namespace: dict[str, Any], first: int, last: int) -> None:
        """Process the variables after the statement in lines `first` to `last`."""

    def program_finished(self, namespace: dict[str, Any]) -> None:
        """Process the variables at the end of the program."""


class _ProgramWithValue(Program):
    """A program that records the value of statement `index`, if this statement is an expression."""

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


_VALUE = "\0 the value of"  # cannot occur in source text


class _Value:
    """The left operand of `@` in the changed program; its `__matmul__` records the right operand, the value."""

    text: str | None = None

    def __matmul__(self, value: object) -> None:
        if value is not None:
            self.text = plain(repr(value))


def run(
    text: str,
    on_progress: OnProgress | None = None,
    watcher: Watcher | None = None,
    value_of: int | None = None,
    records_passes: bool = True,
) -> ProgramResult:
    """Run the program to its end or to its first error, and return the result. It includes the error, which is not raised.

    Args:
        text: the program
        on_progress: called after each statement, and at most every PAUSE seconds while a statement prints
        watcher: called after each statement and at the end
        value_of: index of the statement whose value is recorded, if the statement is an expression
        records_passes: whether to record the backward passes; recording takes longer than most programs

    Raises:
        SyntaxError: the text is not Python.
    """
    program = Program(text, PATH) if value_of is None else _ProgramWithValue(text, PATH, value_of)
    expected = _parse_as_snippet(text)  # before the program can replace what the parser uses, such as `len`
    main_module = sys.modules.get("__main__")
    plots.recorders[:] = [plots.Recorder()]
    try:
        with as_torch():
            passes = _new_recorder(text) if records_passes else _NoRecorder()
            module = program.main_module()
            observer = _Observer(program, module, passes, on_progress, watcher)
            with passes, observer.capture_output():
                error = program.run(module, observer)
                observer.finish_plots()
            if watcher:
                watcher.program_finished(module.__dict__)
    finally:
        if main_module is not None:
            sys.modules["__main__"] = main_module
    may_raise = isinstance(expected, Snippet) and expected.statements[-1].error is not None
    last_error = observer.statements[-1].error if observer.statements else None
    is_complete = len(observer.statements) == len(program.spans)
    is_success = error is None or (is_complete and (may_raise or bool(last_error and last_error.is_success)))
    lines = program.spans[: len(observer.statements)]
    harness_run = Run("reference_impl", FINISHED if is_success else RAISED, "", tuple(observer.statements))
    value = program.value.text if isinstance(program, _ProgramWithValue) else None
    calls = _traceback_calls(error)
    cut = frozenset(observer.cut)
    return ProgramResult(harness_run, expected, lines, passes.finished_passes, calls, value, cut, observer.plots)


def _traceback_calls(error: BaseException | None) -> list[tuple[int, str]]:
    traceback, calls = error.__traceback__ if error else None, []
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == PATH:
            calls.append((traceback.tb_lineno, traceback.tb_frame.f_code.co_name))
        traceback = traceback.tb_next
    return calls


class _Observer:
    """Records the output, the warnings and the error of each statement. `Program.run` calls its methods."""

    def __init__(
        self,
        program: Program,
        module: types.ModuleType,
        passes: Any,
        on_progress: OnProgress | None,
        watcher: Watcher | None,
    ):
        self.program, self.module, self.passes = program, module, passes
        self.on_progress, self.watcher = on_progress, watcher
        self.out, self.err = _OutputBuffer(self.report_progress), _OutputBuffer(self.report_progress)
        self.last_report = time.monotonic()
        self.warnings: list[tuple[str, str]] = []
        self.statements: list[StatementRun] = []
        self.cut: list[int] = []
        self.plots: list[list[plots.Figure | str]] = []

    @contextlib.contextmanager
    def capture_output(self) -> Iterator[None]:
        """Capture output and warnings within the `with` block.

        One `catch_warnings` encloses the whole program: each new one would forget which warnings have been issued.
        """
        with contextlib.redirect_stdout(self.out), contextlib.redirect_stderr(self.err), warnings.catch_warnings():
            warnings.showwarning = self.record_warning  # type: ignore[assignment]
            yield

    def record_warning(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: Any = None,
        line: str | None = None,
    ) -> None:
        """Record a warning, or write it to the stream to which the program has redirected `sys.stderr`.

        This method replaces `warnings.showwarning`.
        """
        stream = file or sys.stderr
        if stream is self.err:
            self.warnings.append((qualified_name(category), str(message)))
        elif stream is not None:
            stream.write(warnings.formatwarning(message, category, filename, lineno, line))

    def statement_started(self, index: int) -> None:
        """Pass the program's variables to the recorder of backward passes. Called before statement `index`."""
        self.passes.observe_names(self.module.__dict__, self.program.spans[index][0])

    def statement_finished(self, index: int, error: BaseException | None) -> None:
        """Record the result of statement `index`, and pass it to `watcher` and `on_progress`."""
        error_record = self.program.describe(error) if error else None
        statement_warnings, self.warnings = tuple(self.warnings), []
        if self.out.is_cut or self.err.is_cut:
            self.cut.append(index)
        self.statements.append(StatementRun(self.out.take(), self.err.take(), error_record, statement_warnings))
        self.plots.append(plots.recorders[-1].take())
        if self.watcher:
            self.watcher.statement_finished(self.module.__dict__, *self.program.spans[index])
        if self.on_progress:
            self.on_progress(index, self.statements[-1], self.plots[-1])

    def finish_plots(self) -> None:
        """Add the plots that the program has created but not shown to the result of its last statement."""
        remaining = plots.recorders[-1].finish()
        if self.plots:
            self.plots[-1] += remaining

    def report_progress(self) -> None:
        """Call `on_progress` with the output of the running statement, at most every PAUSE seconds."""
        if self.on_progress and time.monotonic() - self.last_report > PAUSE:
            partial = StatementRun(
                self.out.getvalue(), self.err.getvalue(), None, tuple(self.warnings), has_ended=False
            )
            self.on_progress(len(self.statements), partial, ())
            self.last_report = time.monotonic()


class _OutputBuffer(io.StringIO):
    """A text buffer that stores at most TEXT_LIMIT characters. `is_cut` says whether more were written."""

    is_cut = False

    def __init__(self, on_write: Callable[[], None]):
        super().__init__()
        self.on_write = on_write

    def write(self, text: str) -> int:
        """Store the text up to the limit, and call `on_write`."""
        room = TEXT_LIMIT - self.tell()
        super().write(text[:room] if room > 0 else text[:0])
        self.is_cut |= len(text) > room
        self.on_write()
        return len(text)

    def take(self) -> str:
        """Return the text and empty the buffer."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        self.is_cut = False
        return text


def _new_recorder(text: str) -> Any:
    # not at the top: this imports the engine, which is only possible within as_torch
    from gradnotes.recorder.backward_passes import Passes

    return Passes(PATH, text)


class _NoRecorder(contextlib.nullcontext[None]):
    """A recorder of backward passes that records nothing."""

    finished_passes: list[dict[str, Any]] = []

    def observe_names(self, namespace: dict[str, Any], line: int) -> None:
        """Do nothing. `Passes.observe_names` stores the names of tensors."""


def _parse_as_snippet(text: str) -> Snippet | SnippetError:
    try:
        return parse(text, PATH, PATH)
    except SnippetError as error:
        return error
