"""`apply_`, `map_` and `map2_`: a function of Python for each element, on the CPU and outside the graph. Slow; for a few elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._tensor import Tensor
from reference_impl.ops.registry import op
from reference_impl.ops.views import expand


def _number(value: Any, kind: np.dtype) -> Any:
    """What `value` is as an element.

    Raises:
        TypeError: no number.
        RuntimeError: too large for the dtype.
    """
    if not hasattr(type(value), "__float__") and not hasattr(type(value), "__index__"):
        name = type(value).__name__
        if kind.kind == "f":
            raise TypeError(f"must be real number, not {name}")
        raise TypeError(f"'{name}' object cannot be interpreted as an integer")
    if kind.kind == "f":
        return float(value)
    if kind.kind == "b":
        return bool(value)
    number, limits = int(value), np.iinfo(kind)
    if not limits.min <= number <= limits.max:
        raise RuntimeError(f"value cannot be converted to type {_C_NAMES[kind.name]} without overflow")
    return number


_C_NAMES = {"uint8": "uint8", "int8": "int8", "int16": "int16", "int32": "int", "int64": "int64"}


def _replaced(tensor: Tensor, function: Callable[..., Any], others: tuple[Tensor, ...]) -> Tensor:
    """Each element of `tensor` becomes what `function` makes of it and the elements of `others` at its place."""
    target = tensor._array
    sources = [_backend.to_numpy(t._array) for t in (tensor, *[expand(o, target.shape) for o in others])]
    for place in np.ndindex(target.shape):
        target[place] = _number(function(*[s[place].item() for s in sources]), target.dtype)
    return tensor


def _refuse_gradients(name: str, *tensors: Tensor) -> None:
    if any(t.requires_grad for t in tensors):
        raise RuntimeError(f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() instead.")


@op("method")
def apply_(self: Tensor, callable: Callable[[Any], Any], /) -> Tensor:
    """Each element x of this tensor becomes callable(x). As in torch the version does not rise.

    Raises:
        RuntimeError: it requires grad, or a result is too large for the dtype.
        TypeError: a result is no number.
    """
    _refuse_gradients("apply_", self)
    return _replaced(self, callable, ())


@op("method")
def map_(self: Tensor, other: Tensor, callable: Callable[[Any, Any], Any]) -> Tensor:
    """Each element x of this tensor becomes callable(x, y), y that of `other`, which broadcasts.

    Raises:
        RuntimeError: one of them requires grad, `other` does not broadcast, or a result is too large for the dtype.
        TypeError: another dtype, or a result that is no number.
    """
    _refuse_gradients("map_", self, other)
    _check_type("map_", "'other'", self, other)
    return _replaced(self, callable, (other,))


@op("method")
def map2_(self: Tensor, x: Tensor, y: Tensor, callable: Callable[[Any, Any, Any], Any]) -> Tensor:
    """As `map_`, with the elements of two tensors."""
    _refuse_gradients("map2_", self, x, y)
    _check_type("map2_", "argument 'x'", self, x)
    _check_type("map2_", "argument 'y'", self, y)
    return _replaced(self, callable, (x, y))


def _check_type(name: str, which: str, tensor: Tensor, other: Tensor) -> None:
    if other.type() != tensor.type():
        raise TypeError(f"{name}: expected {tensor.type()} for {which} (got {other.type()})")
