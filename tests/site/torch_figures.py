"""Record on PyTorch the values that figures draw.

    python torch_figures.py < questions.json

questions.json contains [[path of a program, keys of a figure fence], ...]. The command prints the list of recordings as JSON.
"""

from __future__ import annotations

import contextlib
import io
import json
import multiprocessing
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from snippetcheck.program import Program

from gradnotes.figures.types import Watch


class _Observer:
    """Passes the state of the program after each statement to a Watch."""

    def __init__(self, watch: Watch, program: Program, module: ModuleType):
        self.watch, self.program, self.module = watch, program, module

    def statement_started(self, index: int) -> None:
        pass

    def statement_finished(self, index: int, error: BaseException | None) -> None:
        self.watch.statement_finished(self.module.__dict__, *self.program.spans[index])


def record_figure(question: tuple[str, dict[str, str]]) -> Any:
    """Run a program, which may end with an error, in this process. Return the recording of a figure. `question` is (path, keys)."""
    path, keys = question
    text = Path(path).read_text(encoding="utf-8")
    program = Program(text, "program.py")
    module, watch = program.main_module(), Watch(keys, text.splitlines())
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program.run(module, _Observer(watch, program, module))
        watch.program_finished(module.__dict__)
    return watch.recording


if __name__ == "__main__":
    import sklearn.datasets  # noqa: F401  many programs import it; here it is imported once, before the forks
    import torch._dynamo  # noqa: F401  optimizers import it

    torch.set_num_threads(1)  # with more threads, forks may hang; each program runs in a separate fork
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        json.dump(pool.map(record_figure, json.load(sys.stdin), chunksize=1), sys.stdout)
