"""Check the results of hooks: a new gradient must have the dtype and shape of the old gradient. The core alone accepts any result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reference_impl.core.extensions import extensions
from reference_impl.core.tensor import Tensor


def hook_result(before: Any, after: Any, hook: Any) -> Any:
    """Return `after`, the result of `hook`, once it is checked; if it is None, return `before`, the argument of the hook.

    Both are a gradient or, for a hook on a node, a tuple of gradients.

    Raises:
        TypeError: `after` is not a tensor or, for a hook on a node, not a tuple of tensors.
        RuntimeError: `after` differs from `before` in the number of gradients, a dtype or a shape, or replaces a gradient that is None.
    """
    if after is None:
        return before
    if not isinstance(before, tuple):
        _check_one(before, after, hook)
    else:
        _check_all(before, after, hook)
    return after


extensions.fill(hook_result=hook_result)


def _check_all(before: Sequence[Any], after: Any, hook: Any) -> None:
    if not isinstance(after, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(after).__name__}'")
    if len(after) != len(before):
        raise RuntimeError(
            f"hook '{_name_of(hook)}' has returned an incorrect number of values (got {len(after)}, but expected {len(before)})"
        )
    for old, new in zip(before, after, strict=True):
        if new is not None:
            _check_one(old, new, hook)


def _check_one(before: Tensor | None, after: Any, hook: Any) -> None:
    if before is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if not isinstance(after, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(after).__name__}'")
    if after.dtype != before.dtype:
        changed = f"changed the type of value (was {before.type()} got {after.type()})"
        raise RuntimeError(f"hook '{_name_of(hook)}' has {changed}")
    if after.shape != before.shape:
        raise RuntimeError(f"hook '{_name_of(hook)}' has changed the size of value")


def _name_of(hook: Any) -> str:
    name = getattr(hook, "__name__", None)
    return name if isinstance(name, str) else "<unknown>"
