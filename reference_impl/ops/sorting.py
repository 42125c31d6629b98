"""Sort: sort, argsort, msort, topk. The selected elements receive the gradient; equal elements keep their order."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend, return_types
from reference_impl.core.arrays import checked_dim
from reference_impl.core.node import Node
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import arrange_as_result
from reference_impl.ops.extremes import ValueSelecting, record_values
from reference_impl.ops.registry import op


class SortBackward0(ValueSelecting):
    """Each element receives the g of its position in the sorted result."""


class SortBackward1(SortBackward0):
    """A sort with the argument `stable`."""


def sorted_indices(x: Any, dim: int, descending: bool) -> Any:
    """Return the indices that sort `x` along `dim`: NaN is the largest, equal elements keep their order."""
    if not x.ndim:
        return np.zeros_like(x, dtype=np.int64)
    if not descending:
        return _backend.positions(np.argsort(x, axis=dim, kind="stable"))
    # Sorted in ascending order from the end and read backwards: equal elements keep their order here too.
    upwards = np.argsort(np.flip(x, dim), axis=dim, kind="stable")
    return _backend.positions(x.shape[dim] - 1 - np.flip(upwards, dim))


def _record_selection(node: type[Node], input: Tensor, indices: Any, dim: int, kind: Any) -> Any:
    """Record an operation that selects several elements along `dim`. Return the named tuple (values, indices)."""
    x = input._array
    values = np.take_along_axis(x, indices, dim) if x.ndim else x.copy()
    if not indices.flags.c_contiguous:
        values = arrange_as_result(values, indices.strides)
    attributes = {"dim": dim, "keepdim": True, "self_sym_sizes": x.shape}
    return kind(record_values(node, (values, indices), input, **attributes))


@op("function", "method", "out_exact")
def sort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None) -> Any:
    """Return the named tuple (values, indices), sorted along `dim`; NaN is the largest. Equal elements keep their order."""
    d = checked_dim(dim, input._array.ndim)
    node = SortBackward0 if stable is None else SortBackward1
    indices = _like(input, sorted_indices(input._array, d, descending))
    return _record_selection(node, input, indices, d, return_types.sort)


def _like(input: Tensor, y: Any) -> Any:
    """Return `y` in the memory order of `input`."""
    return y if input._array.flags.c_contiguous else arrange_as_result(y, input._array.strides)


@op("function", "method")
def argsort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Tensor:
    """Return the indices that sort `input` along `dim`."""
    d = checked_dim(dim, input._array.ndim)
    return Tensor._wrap(_like(input, sorted_indices(input._array, d, descending)))


@op("function", "method", "out")
def msort(input: Tensor) -> Tensor:
    """Return `input` sorted along its first dimension."""
    return sort(input, 0)[0]


# -- a few of the largest


class TopkBackward0(ValueSelecting):
    """The elements that were selected receive g, all others 0."""


@op("function", "method", "out_exact")
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Return the named tuple (values, indices) of the `k` largest (smallest) elements along `dim`.

    Raises:
        RuntimeError: there are fewer than `k` elements.
    """
    x = input._array
    d = checked_dim(dim, x.ndim)
    if not 0 <= k <= (x.shape[d] if x.ndim else 1):
        raise RuntimeError("selected index k out of range")
    if x.dtype.kind == "b":
        raise RuntimeError("topk does not support bool dtypes on CPU")
    indices = sorted_indices(x, d, largest)
    if x.ndim:
        indices = np.take(indices, np.arange(k, like=indices), axis=d)
    return _record_selection(TopkBackward0, input, indices, d, return_types.topk)
