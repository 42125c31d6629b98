"""What a figure asks of a run. Nothing here knows an engine: it calls only what both have."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any

Namespace = Mapping[str, Any]
Keys = Mapping[str, str]
LARGEST = 6  # elements of a tensor whose numbers stand in a graph


class WatchError(Exception):
    """A figure that cannot be drawn from this run: what is wrong, and what to do."""

    def __init__(self, message: str, remedy: str):
        super().__init__(message)
        self.message, self.remedy = message, remedy


def expressions(text: str) -> list[str]:
    """The Python expressions in a list with commas."""
    return [ast.unparse(one) for one in _parsed(f"({text},)").elts]  # type: ignore[attr-defined]


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise WatchError(
            f"not Python: {text.strip('(,)')!r}", "name a tensor, or write an expression of the snippet's names"
        ) from None


def value(expression: str | ast.expr, namespace: Namespace) -> Any:
    """What the expression means in the program."""
    parsed = _parsed(expression) if isinstance(expression, str) else expression
    shown = ast.unparse(parsed)
    try:
        return eval(compile(ast.Expression(parsed), "<watch>", "eval"), dict(namespace))
    except NameError as error:
        name = error.name or shown
        near = difflib.get_close_matches(name, [one for one in namespace if not one.startswith("_")], n=1)
        remedy = f"did you mean {near[0]}?" if near else "watch a name that it binds at its top level"
        raise WatchError(f"the run never binds {name!r}", remedy) from None
    except Exception as error:
        first = str(error).partition("\n")[0]
        raise WatchError(
            f"`{shown}` cannot be evaluated: {type(error).__name__}: {first}", "correct the expression"
        ) from None


def call(expression: str) -> ast.Call:
    """The expression as a call of a function or a method."""
    parsed = _parsed(expression)
    if not isinstance(parsed, ast.Call):
        raise WatchError(f"`{expression}` is no call", "watch the call itself, such as `torch.gather(t, 1, index)`")
    return parsed


def is_tensor(found: Any) -> bool:
    return hasattr(found, "data_ptr") and hasattr(found, "stride")


def tensor(expression: str | ast.expr, namespace: Namespace, dimensions: int = 2, elements: int = 64) -> Any:
    """The tensor that the expression means; raises WatchError for another thing, or one too large to be drawn."""
    shown = expression if isinstance(expression, str) else ast.unparse(expression)
    found = value(expression, namespace)
    if not is_tensor(found):
        raise WatchError(f"`{shown}` is no tensor but {type(found).__name__}", "watch a tensor")
    if found.dim() > dimensions:
        size = "x".join(map(str, found.shape))
        raise WatchError(
            f"`{shown}` has {found.dim()} dimensions ({size}), and {dimensions} can be drawn",
            "watch a part of it, such as `x[0, 0]`",
        )
    if found.numel() > elements:
        raise WatchError(
            f"`{shown}` has {found.numel()} elements, and {elements} can be drawn",
            "take a smaller example, or watch a part of it",
        )
    return found


def cells(found: Any) -> list[str]:
    """The elements in row-major order, each as the tensor's own print shows it."""
    text = repr(found.detach())
    text = text[text.index("(") + 1 :]
    body = text[: text.rindex("]") + 1] if "[" in text else text.partition(",")[0].rstrip(")")
    printed = [one for one in re.split(r"[\s,\[\]]+", body) if one]
    return printed if found.numel() else []


def short(found: Any) -> list[str]:
    """The numbers, a row a line; of a large tensor the shape."""
    if found.numel() > LARGEST or found.dim() > 2:
        return ["×".join(map(str, found.shape))]
    printed = cells(found)
    columns = found.shape[-1] if found.dim() else 1
    return [" ".join(printed[n : n + columns]) for n in range(0, len(printed), columns)]


def described(name: str, found: Any) -> dict[str, Any]:
    """A tensor as a drawing needs it."""
    return {"name": name, "shape": list(found.shape), "cells": cells(found)}


def names_of(namespace: Namespace) -> dict[str, Any]:
    """The tensors that the program has bound, by name."""
    return {name: one for name, one in namespace.items() if is_tensor(one) and not name.startswith("_")}


def one_of(name: str, known: Iterable[str], what: str) -> None:
    """Raise WatchError unless the name is known."""
    known = list(known)
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        raise WatchError(
            f"no {what} {name!r}", f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
        )
