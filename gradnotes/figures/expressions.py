"""Evaluate the expressions that a figure watches, with the attributes that torch and reference_impl both have."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any

Namespace = Mapping[str, Any]
Keys = Mapping[str, str]
MAX_PREVIEW = 6  # limit of the elements that are displayed; for a larger tensor, its shape or an ellipsis is displayed


class WatchError(Exception):
    """A figure cannot be drawn from this run. `remedy` says what to change."""

    def __init__(self, message: str, remedy: str):
        super().__init__(message)
        self.message, self.remedy = message, remedy


def expressions(text: str) -> list[str]:
    """Split a comma-separated list of Python expressions: "x, f(a, b)" -> ["x", "f(a, b)"].

    Raises:
        WatchError: the text is not a list of Python expressions.
    """
    return [ast.unparse(element) for element in parse(f"({text},)").elts]  # type: ignore[attr-defined]


def parse(text: str) -> ast.expr:
    """Parse one Python expression. Raise WatchError for any other text."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise WatchError(
            f"not Python: {text.strip('(,)')!r}", "write an expression, such as `x`, `x * 2` or `[1.5, 3.5]`"
        ) from None


def value(expression: str | ast.expr, namespace: Namespace) -> Any:
    """Return the value of an expression in the program's namespace.

    Raises:
        WatchError: the expression is not Python or raises an error.
    """
    tree = parse(expression) if isinstance(expression, str) else expression
    source = ast.unparse(tree)
    try:
        return eval(compile(ast.Expression(tree), "<watch>", "eval"), dict(namespace))
    except NameError as error:
        name = error.name or source
        near = difflib.get_close_matches(name, [key for key in namespace if not key.startswith("_")], n=1)
        remedy = f"did you mean {near[0]}?" if near else "watch a name that the program binds at top level"
        raise WatchError(f"the run never binds {name!r}", remedy) from None
    except Exception as error:
        raise WatchError(f"cannot evaluate `{source}`: {first_line(error)}", "correct the expression") from None


def first_line(error: Exception) -> str:
    """Return the type of an error and the first line of its text."""
    text, _, _ = str(error).partition("\n")
    return f"{type(error).__name__}: {text}"


def call(expression: str) -> ast.Call:
    """Parse a call of a function or method. Raise WatchError for any other expression."""
    tree = parse(expression)
    if not isinstance(tree, ast.Call):
        raise WatchError(f"`{expression}` must be a call", "watch the call itself, such as `torch.gather(t, 1, index)`")
    return tree


def is_tensor(candidate: Any) -> bool:
    """Return whether a value is a tensor of torch or of reference_impl."""
    return hasattr(candidate, "data_ptr") and hasattr(candidate, "stride")


def tensor(expression: str | ast.expr, namespace: Namespace, dimensions: int = 2, elements: int = 64) -> Any:
    """Evaluate an expression that must be a tensor, small enough to be drawn.

    Raises:
        WatchError: the expression cannot be evaluated, its value is not a tensor, or the tensor has more than
            `dimensions` dimensions or more than `elements` elements.
    """
    source = expression if isinstance(expression, str) else ast.unparse(expression)
    result = value(expression, namespace)
    if not is_tensor(result):
        raise WatchError(f"`{source}` must be a tensor, got {type(result).__name__}", "watch a tensor")
    if result.dim() > dimensions:
        size = "x".join(map(str, result.shape))
        raise WatchError(
            f"cannot draw `{source}`: it has {result.dim()} dimensions ({size}); at most {dimensions} dimensions can be drawn",
            "watch a slice such as `x[0, 0]`",
        )
    if result.numel() > elements:
        raise WatchError(
            f"cannot draw `{source}`: it has {result.numel()} elements, the limit is {elements}",
            "use a smaller example or watch a slice",
        )
    return result


def printed_elements(tensor: Any) -> list[str]:
    """Return the elements of a tensor in row-major order, each as `repr` of the tensor prints it."""
    text = repr(tensor.detach())
    text = text[text.index("(") + 1 :]
    body = text[: text.rindex("]") + 1] if "[" in text else text.partition(",")[0].rstrip(")")
    elements = [part for part in re.split(r"[\s,\[\]]+", body) if part]
    return elements if tensor.numel() else []


def plain_numbers(text: str) -> str:
    """Remove the point that torch prints behind whole numbers: `1., 2.` -> `1, 2`. In a sentence it would look like a full stop."""
    return re.sub(r"(?<=\d)\.(?!\w)", "", text)


def join_cells(cells: Iterable[str]) -> str:
    """Return the printed elements of a tensor for a sentence, separated by commas."""
    return plain_numbers(", ".join(cells))


def preview_rows(tensor: Any) -> list[str]:
    """Return the printed rows of a tensor, or only its shape if it has over MAX_PREVIEW elements or over 2 dimensions."""
    if tensor.numel() > MAX_PREVIEW or tensor.dim() > 2:
        return ["×".join(map(str, tensor.shape))]
    elements = printed_elements(tensor)
    columns = tensor.shape[-1] if tensor.dim() else 1
    return [" ".join(elements[n : n + columns]) for n in range(0, len(elements), columns)]


def tensor_record(name: str, tensor: Any) -> dict[str, Any]:
    """Return `name`, `shape` and `cells` (the printed elements) of a tensor as a dict, for `figures.grid`."""
    return {"name": name, "shape": list(tensor.shape), "cells": printed_elements(tensor)}


def names_of(namespace: Namespace) -> dict[str, Any]:
    """Map names of variables to their tensors. Other values and names that begin with `_` are left out."""
    return {name: tensor for name, tensor in namespace.items() if is_tensor(tensor) and not name.startswith("_")}


def check_choice(name: str, choices: Iterable[str], noun: str) -> None:
    """Raise WatchError unless `name` is in `choices`. The message calls a choice `noun`, such as "picture"."""
    choices = list(choices)
    if name not in choices:
        near = difflib.get_close_matches(name, choices, n=1)
        raise WatchError(
            f"no {noun} {name!r}", f"did you mean {near[0]}?" if near else f"use one of {', '.join(choices)}"
        )
