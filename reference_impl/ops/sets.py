"""Distinct values and membership: unique, isin. These functions have no gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl.core.arrays import checked_dim
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.promotion import on_one_device
from reference_impl.ops.registry import op


class _NotDifferentiable(Node):
    operation = ""

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        raise NotImplementedError(f"the derivative for '{self.operation}' is not implemented.")


class Unique2Backward0(_NotDifferentiable):
    """The distinct values: torch has no gradient of them."""

    operation = "_unique2"


class UniqueDimBackward0(_NotDifferentiable):
    """The distinct slices along a dimension: torch has no gradient of them."""

    operation = "unique_dim"


def _select_results(results: tuple[Tensor, ...], *flags: bool) -> Any:
    """Return the first of `results` and those whose flag is True. `flags` are for the second and later results.

    The return value is a tuple or, if only the first result remains, this tensor.
    """
    selected = [results[0], *[r for r, is_wanted in zip(results[1:], flags, strict=True) if is_wanted]]
    return selected[0] if len(selected) == 1 else tuple(selected)


@op("function", "method")
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the sorted vector of the distinct values: [3, 1, 3] -> [1, 3]. With `dim`, return the distinct slices along `dim`.

    Args:
        sorted: accepted and ignored.
        return_inverse: also return for each element (with `dim`, each slice) the index of its value in the result: [1, 0, 1].
        return_counts: also return for each distinct value the number of its occurrences: [1, 2].

    Returns:
        A tensor; a tuple of tensors with `return_inverse` or `return_counts`.

    Raises:
        RuntimeError: `dim` is not None, and another dimension has size 0.
        IndexError: the dimension does not exist.
    """
    x = input._array
    if dim is None:
        values, inverse, counts = _unique(x)
        out = record(Unique2Backward0, values, (input,))
        return _select_results((out, *_indices(inverse.reshape(x.shape), counts)), return_inverse, return_counts)
    d = checked_dim(dim, x.ndim)
    _check_slices(x, d, "unique")
    if x.shape[d] == 0:
        no_indices = np.zeros_like(x, dtype=np.int64, shape=(0,))
        out = record(UniqueDimBackward0, x.copy(), (input,))
        return _select_results((out, *_indices(no_indices, no_indices)), return_inverse, return_counts)
    values, inverse, counts = _unique(x, d)
    out = record(UniqueDimBackward0, values, (input,))
    return _select_results((out, *_indices(inverse.reshape(-1), counts)), return_inverse, return_counts)


def _unique(x: Any, axis: int | None = None) -> Any:
    if x.dtype.kind == "b":  # CuPy computes differences, which booleans do not support
        values, inverse, counts = _unique(x.view(np.uint8), axis)
        return values.view(np.bool_), inverse, counts
    return np.unique(x, return_inverse=True, return_counts=True, axis=axis)


def _indices(*arrays: Any) -> list[Tensor]:
    return [Tensor._wrap(_backend.positions(a)) for a in arrays]


def _check_slices(x: Any, dim: int, name: str) -> None:
    if 0 in x.shape and (x.shape[dim] != 0 or x.shape.count(0) > 1):
        raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")


@op("function", "out_exact")
def isin(elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False) -> Tensor:
    """Return for each element whether it is equal to one of `test_elements`, in the shape of `elements`.

    Args:
        elements, test_elements: tensors; one of them may be a number.
        assume_unique: accepted and ignored.
        invert: return whether an element is not equal to any of `test_elements`.

    Raises:
        RuntimeError: a tensor is boolean.
    """
    x, y = [v._array if isinstance(v, Tensor) else v for v in (elements, test_elements)]
    for v in (elements, test_elements):
        if isinstance(v, Tensor) and v._array.dtype.kind == "b":
            raise RuntimeError("Unsupported input type encountered for isin(): Bool")
        if isinstance(v, np.ndarray):
            raise TypeError("expected a tensor or a number, but got numpy.ndarray")
    common = _dtype.result_type_of((x, y))
    like = x if hasattr(x, "dtype") else y
    x, y = [v.astype(common) if hasattr(v, "dtype") else _backend.full_like(like, v, (), common) for v in (x, y)]
    if x.__class__ is not y.__class__:
        x, y = on_one_device(x, y)
    return Tensor._wrap(_backend.as_array(np.isin(x, y, invert=invert)))
