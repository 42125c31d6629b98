"""Run `>>>` examples: each is compiled by itself, as at the prompt, and an expected error doesn't end the program."""

from __future__ import annotations
import __future__

import ast
import importlib
import linecache
import os
import types
from collections.abc import Sequence

from snippetcheck.program import Observer, Program

SETUP = "doctest_setup in pyproject.toml"  # stands for the file in tracebacks
_FLAGS: dict[str, int] = {name: getattr(__future__, name).compiler_flag for name in __future__.all_feature_names}


class PromptProgram(Program):
    """The program of `>>>` examples that share their names.

    Args:
        sources: the first line and the source of each example.
        may_raise: the indices of the examples that are expected to raise.
        module: the module whose names the examples can use, as in doctest; empty for none.
        setup: a program that runs before the first example.
    """

    def __init__(
        self, path: str, sources: Sequence[tuple[int, str]], may_raise: Sequence[int], module: str, setup: str
    ):
        self.path, self.sources, self.may_raise = path, sources, may_raise
        self.module, self.setup = module, setup
        self.spans = [(first, first + source.count("\n") - 1) for first, source in sources]
        lines = [""] * (self.spans[-1][1] + 1)
        for first, source in sources:
            lines[first - 1 : first - 1 + source.count("\n")] = source.split("\n")[:-1]
        self.text = "\n".join(lines)
        self.compiler_warnings = []

    def run(self, module: types.ModuleType, observer: Observer) -> BaseException | None:
        """Run the examples with the names of `module`, up to the first unexpected error. Return this error, or None."""
        for index, (first, source) in enumerate(self.sources):
            observer.statement_started(index)
            error = self._execute(first, source, module.__dict__, is_first=index == 0)
            observer.statement_finished(index, error)
            if error is not None and index not in self.may_raise:
                return error
        return None

    def _execute(self, first: int, source: str, names: dict[str, object], is_first: bool) -> BaseException | None:
        try:
            if is_first:
                self._prepare(names)
            blank_lines = "\n" * (first - 1)  # for the line numbers, also in a SyntaxError
            tree = compile(blank_lines + source, self.path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
            assert isinstance(tree, ast.Module)
            flags = sum(flag for name, flag in _FLAGS.items() if names.get(name) is getattr(__future__, name))
            exec(compile(ast.Interactive(tree.body), self.path, "single", flags, dont_inherit=True), names)
        except BaseException as error:
            return error
        return None

    def _prepare(self, names: dict[str, object]) -> None:
        """Add the names of `self.module` and of `self.setup` to `names`. Raises ImportError if another file has the module's name."""
        if self.module:
            module = importlib.import_module(self.module)
            if not os.path.samefile(str(module.__file__), self.path):
                raise ImportError(f"{self.module} was imported from {module.__file__}, and not from {self.path}")
            names |= vars(module)
        if self.setup:
            linecache.cache[SETUP] = (len(self.setup), None, self.setup.splitlines(keepends=True), SETUP)
            exec(compile(self.setup, SETUP, "exec", dont_inherit=True), names)
