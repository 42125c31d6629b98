"""Evaluates a line of Python on torch and on the engine and compares everything that can be seen of the value, or the error."""

from __future__ import annotations

import ast
import warnings
from typing import Any

import numpy as np
import torch

import reference_impl as engine
from tests.engine.two_engines import outcome_of


def same_on_both(line: str) -> None:
    """Whether `line`, statements of which the last may be an expression, has the same outcome on both engines.

    In it `torch` is the engine's name. Warnings count too, by category and the start of the text.
    """
    theirs, ours = outcome(torch, line), outcome(engine, line)
    assert ours == theirs, f"{line}\n{ours}\n  instead of\n{theirs}"


def outcome(library: Any, line: str) -> Any:
    """The value as numbers, lists and text, or the error as text; and the warnings."""
    statements = ast.parse(line).body
    last = statements.pop() if isinstance(statements[-1], ast.Expr) else ast.parse("None").body[0]
    assert isinstance(last, ast.Expr)
    names = {"torch": library, "np": np, "nn": library.nn, "F": library.nn.functional}

    def run() -> Any:
        exec(compile(ast.Module(statements, []), "<line>", "exec"), names)
        return visible(eval(compile(ast.Expression(last.value), "<line>", "eval"), names))

    always = library.is_warn_always_enabled()
    library.set_warn_always(True)  # also what is said once in a process, which another test may have heard
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = outcome_of(run, quiet=False)
    finally:
        library.set_warn_always(always)
    # NumPy warns of divisions by zero; the engine asks for silence, which `always` overrides.
    told = [(w.category.__name__, str(w.message)[:60]) for w in caught if w.category is not RuntimeWarning]
    return result, told


def visible(value: Any) -> Any:
    """What can be seen of a value."""
    if hasattr(value, "grad_fn"):
        plain = value.detach()
        strides = [s for s, n in zip(plain.stride(), plain.shape, strict=True) if n > 1] if plain.numel() else None
        node = None if value.grad_fn is None else value.grad_fn.name()
        return str(plain.dtype), tuple(plain.shape), strides, _rounded(plain.tolist()), node, value.requires_grad
    if isinstance(value, (tuple, list)):
        return [visible(v) for v in value]
    return repr(value)


def _rounded(values: Any) -> Any:
    if isinstance(values, list):
        return [_rounded(v) for v in values]
    return f"{values:.6g}" if isinstance(values, float) else values
