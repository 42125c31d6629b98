"""Evaluate a line of Python on torch and on the engine, and compare properties of its value, or the error."""

from __future__ import annotations

import ast
import warnings
from typing import Any

import numpy as np
import torch

import reference_impl as engine
from tests.engine.two_engines import outcome_of


def check_same_on_both(line: str) -> None:
    """Assert that `line` has the same outcome on both engines.

    The line contains statements, the last of which may be an expression. The name `torch` in the line stands for each engine in turn.
    Warnings are compared by category and the first 60 characters of their text, except RuntimeWarnings, which NumPy gives.
    """
    expected, actual = outcome(torch, line), outcome(engine, line)
    assert actual == expected, f"{line}\n{actual}\n  instead of\n{expected}"


def outcome(library: Any, line: str) -> Any:
    """Run `line` on an engine and return (outcome, warnings).

    The outcome is (properties of the value, None), or (None, the error as text). Warnings are pairs (category, first 60 characters);
    RuntimeWarnings, which NumPy gives, are omitted.
    """
    statements = ast.parse(line).body
    last = statements.pop() if isinstance(statements[-1], ast.Expr) else ast.parse("None").body[0]
    assert isinstance(last, ast.Expr)
    names = {"torch": library, "np": np, "nn": library.nn, "F": library.nn.functional}

    def run() -> Any:
        exec(compile(ast.Module(statements, []), "<line>", "exec"), names)
        return properties_of(eval(compile(ast.Expression(last.value), "<line>", "eval"), names))

    was_always_enabled = library.is_warn_always_enabled()
    # Repeat warnings that torch gives once per process, since another test may have caused them.
    library.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = outcome_of(run, is_quiet=False)
    finally:
        library.set_warn_always(was_always_enabled)
    # NumPy warns of divisions by zero. The engine's filter hides these warnings, but `always` overrides it.
    messages = [(w.category.__name__, str(w.message)[:60]) for w in caught if w.category is not RuntimeWarning]
    return result, messages


def properties_of(value: Any) -> Any:
    """Return dtype, shape, strides, rounded values, node and requires_grad of a tensor; for a list, those of each item; else the repr."""
    if hasattr(value, "grad_fn"):
        plain = value.detach()
        strides = [s for s, n in zip(plain.stride(), plain.shape, strict=True) if n > 1] if plain.numel() else None
        node = None if value.grad_fn is None else value.grad_fn.name()
        return str(plain.dtype), tuple(plain.shape), strides, _round(plain.tolist()), node, value.requires_grad
    if isinstance(value, (tuple, list)):
        return [properties_of(v) for v in value]
    return repr(value)


def _round(values: Any) -> Any:
    if isinstance(values, list):
        return [_round(v) for v in values]
    return f"{values:.6g}" if isinstance(values, float) else values
