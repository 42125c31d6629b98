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
import traceback
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from snippetcheck.engines import ReplacedModules
from snippetcheck.record import FINISHED, RAISED, Raised, Run, StatementRun
from snippetcheck.snippet import SnippetError, parse

PATH = "program.py"
TEXT_LIMIT = 200_000  # characters of output that are kept


@dataclass
class Outcome:
    """What a program did: the run as the harness describes one, and its backward passes."""

    run: Run
    lines: list[tuple[int, int]]  # per statement that ran: its first and last line
    passes: list[dict[str, Any]] = field(default_factory=list)


@contextlib.contextmanager
def as_torch() -> Iterator[None]:
    """Let `import torch` mean reference_impl within the block."""
    finder = ReplacedModules({"torch": "reference_impl"})
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "torch"}
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.split(".")[0] == "torch"]:
            del sys.modules[name]
        sys.modules.update(hidden)


def run(text: str) -> Outcome:
    """Run the program, one top-level statement after the other, until one raises that may not.

    Raises SyntaxError if it is not Python.
    """
    tree = ast.parse(text, PATH)
    body = tree.body[1:] if ast.get_docstring(tree) is not None else tree.body
    may_raise = _may_raise(text)
    module = types.ModuleType("__main__")
    module.__dict__["__file__"] = PATH
    before = sys.modules.get("__main__")
    sys.modules["__main__"] = module
    outcome = FINISHED
    statements: list[StatementRun] = []
    lines: list[tuple[int, int]] = []
    try:
        with as_torch():
            passes = _recorder()
            with passes, warnings.catch_warnings():  # one for all: each forgets which warnings were shown
                for node in body:
                    passes.look_at(module.__dict__, node.lineno)
                    did = _statement(node, module.__dict__)
                    statements.append(did)
                    lines.append((_first_line(node), node.end_lineno or node.lineno))
                    if did.error and lines[-1][1] not in may_raise:
                        outcome = RAISED
                        break
    finally:
        if before is not None:
            sys.modules["__main__"] = before
    return Outcome(Run("reference_impl", outcome, "", tuple(statements)), lines, passes.finished)


def _recorder() -> Any:
    from gradnotes.steps.passes import Passes  # imports the engine, which is there only within as_torch

    return Passes()


def _may_raise(text: str) -> set[int]:
    """The last lines of the statements that have a `#!` under them."""
    try:
        snippet = parse(text, PATH, PATH)
    except SnippetError:
        return set()
    return {statement.last for statement in snippet.statements if statement.error}


def _first_line(node: ast.stmt) -> int:
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])


def _statement(node: ast.stmt, namespace: dict[str, Any]) -> StatementRun:
    """Run one statement and say what it did."""
    out, err = io.StringIO(), io.StringIO()
    shown: list[tuple[str, str]] = []
    error = None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        warnings.showwarning = lambda message, category, *_: shown.append((category.__name__, str(message)))
        try:
            exec(compile(ast.Module([node], []), PATH, "exec", dont_inherit=True), namespace)
        except BaseException as raised:
            error = _describe(raised)
    return StatementRun(out.getvalue()[:TEXT_LIMIT], err.getvalue()[:TEXT_LIMIT], error, tuple(shown))


def _describe(error: BaseException) -> Raised:
    kind = type(error)
    inside = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == PATH]
    line = inside[0].lineno if inside else None
    return Raised(kind.__name__, f"{kind.__module__}.{kind.__qualname__}", str(error), line)
