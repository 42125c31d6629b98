"""Run a session at the Python prompt on torch or on the engine, and record what each statement prints, raises and warns of."""

from __future__ import annotations

import ast
import contextlib
import copy
import importlib
import io
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

Outputs = list[tuple[str, str]]
"""(text, output) of each statement."""


def sessions_of(file: Path) -> Iterator[tuple[str, str]]:
    """Yield (title, text) of each session in a file. A session begins with a line `## title`."""
    parts = re.split(r"^## (.*)\n", file.read_text(), flags=re.MULTILINE)
    return zip(parts[1::2], parts[2::2], strict=True)


def transcript(library: Any, session: str) -> Outputs:
    """Run each statement of `session`, even after an error, and return the statements with their output.

    In the output, addresses and locations in torch's C++ code are removed, and the engine is called torch.

    Raises:
        SyntaxError: `session` is not Python.
    """
    library.manual_seed(0)
    name = library.__name__
    names = {
        "torch": library,
        "nn": importlib.import_module(name + ".nn"),
        "F": importlib.import_module(name + ".nn.functional"),
        "Function": library.autograd.Function,
        "grad": library.autograd.grad,
        "graph": importlib.import_module(name + ".autograd.graph"),
        "data": importlib.import_module(name + ".utils.data"),
        "np": np,
        "copy": copy,
        "__name__": "__main__",
    }
    outputs = []
    library.set_warn_always(True)  # by default, torch gives some warnings only once per process
    for statement in ast.parse(session).body:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            warnings.filterwarnings("ignore", "(divide by zero|invalid value|overflow) encountered", RuntimeWarning)
            try:
                if isinstance(statement, ast.Expr):
                    value = eval(compile(ast.Expression(statement.value), "<session>", "eval"), names)
                    if value is not None:
                        print(repr(value))
                else:
                    exec(compile(ast.Module([statement], []), "<session>", "exec"), names)
            except Exception as error:
                print(f"{type(error).__name__}: {error}", file=printed)
        lines = [printed.getvalue(), *[f"{w.category.__name__} {_location(w)}: {w.message}" for w in warned]]
        outputs.append((ast.unparse(statement), _clean("\n".join(lines))))
    library.set_warn_always(False)
    return outputs


def _location(warned: warnings.WarningMessage) -> str:
    return "at this line" if warned.filename == "<session>" else "elsewhere"


def _clean(text: str) -> str:
    text = re.sub(r"0x[0-9a-f]+", "0x", text.split("\nException raised from")[0])
    text = re.sub(r" \(Triggered internally at [^)]*\)", "", text)
    return text.replace("reference_impl", "torch").strip()
