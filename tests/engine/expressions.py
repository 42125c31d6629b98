"""Evaluate a line of Python on torch and on the engine, and compare the visible properties of the value, or the error."""

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

    The line holds statements, the last of which may be an expression; `torch` names the engine in it. Warnings are compared by
    category and the start of the text.
    """
    expected, actual = outcome(torch, line), outcome(engine, line)
    assert actual == expected, f"{line}\n{actual}\n  instead of\n{expected}"


def outcome(library: Any, line: str) -> Any:
    """Return (outcome, warnings). The outcome is the `visible` value and None, or None and the error as text."""
    statements = ast.parse(line).body
    last = statements.pop() if isinstance(statements[-1], ast.Expr) else ast.parse("None").body[0]
    assert isinstance(last, ast.Expr)
    names = {"torch": library, "np": np, "nn": library.nn, "F": library.nn.functional}

    def run() -> Any:
        exec(compile(ast.Module(statements, []), "<line>", "exec"), names)
        return visible(eval(compile(ast.Expression(last.value), "<line>", "eval"), names))

    was_always_enabled = library.is_warn_always_enabled()
    library.set_warn_always(True)  # repeat warnings that are given once per process: another test may have caused them
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = outcome_of(run, quiet=False)
    finally:
        library.set_warn_always(was_always_enabled)
    # NumPy warns of divisions by zero; the engine filters these warnings, but `always` overrides its filter.
    messages = [(w.category.__name__, str(w.message)[:60]) for w in caught if w.category is not RuntimeWarning]
    return result, messages


def visible(value: Any) -> Any:
    """Return the visible properties of a value."""
    if hasattr(value, "grad_fn"):
        plain = value.detach()
        strides = [s for s, n in zip(plain.stride(), plain.shape, strict=True) if n > 1] if plain.numel() else None
        node = None if value.grad_fn is None else value.grad_fn.name()
        return str(plain.dtype), tuple(plain.shape), strides, _round(plain.tolist()), node, value.requires_grad
    if isinstance(value, (tuple, list)):
        return [visible(v) for v in value]
    return repr(value)


def _round(values: Any) -> Any:
    if isinstance(values, list):
        return [_round(v) for v in values]
    return f"{values:.6g}" if isinstance(values, float) else values
