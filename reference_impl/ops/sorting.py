"""Sort: sort, argsort, msort, topk. Sorting is stable: equal elements keep their order."""

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
    """Return the indices that sort `x` along `dim`. NaN counts as the largest value, and equal elements keep their order."""
    if not x.ndim:
        return np.zeros_like(x, dtype=np.int64)
    if not descending:
        return _backend.positions(np.argsort(x, axis=dim, kind="stable"))
    # The reverse of an ascending sort of the reversed elements: so equal elements keep their order.
    upwards = np.argsort(np.flip(x, dim), axis=dim, kind="stable")
    return _backend.positions(x.shape[dim] - 1 - np.flip(upwards, dim))


def _record_selection(node: type[Node], input: Tensor, indices: Any, dim: int, kind: Any) -> Any:
    """Record an operation that selects the elements at `indices` along `dim`. Return the named tuple `kind` of (values, indices)."""
    x = input._array
    values = np.take_along_axis(x, indices, dim) if x.ndim else x.copy()
    if not indices.flags.c_contiguous:
        values = arrange_as_result(values, indices.strides)
    attributes = {"dim": dim, "keepdim": True, "self_sym_sizes": x.shape}
    return kind(record_values(node, (values, indices), input, **attributes))


@op("function", "method", "out_exact")
def sort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None) -> Any:
    """Return the named tuple (values, indices): the elements sorted along `dim`, and where they were in `input`.

    NaN counts as the largest value. Equal elements keep their order, with or without `stable`.

    Raises:
        IndexError: the dimension does not exist.
    """
    d = checked_dim(dim, input._array.ndim)
    node = SortBackward0 if stable is None else SortBackward1
    indices = _like(input, sorted_indices(input._array, d, descending))
    return _record_selection(node, input, indices, d, return_types.sort)


def _like(input: Tensor, y: Any) -> Any:
    """Return the array `y`, copied to the memory order of `input` if necessary."""
    return y if input._array.flags.c_contiguous else arrange_as_result(y, input._array.strides)


@op("function", "method")
def argsort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Tensor:
    """Return the indices that sort `input` along `dim`, as `sort` does. `stable` has no effect."""
    d = checked_dim(dim, input._array.ndim)
    return Tensor._wrap(_like(input, sorted_indices(input._array, d, descending)))


@op("function", "method", "out_exact")
def msort(input: Tensor) -> Tensor:
    """Return `input` sorted along its first dimension."""
    return sort(input, 0)[0]


# -- the k largest elements


class TopkBackward0(ValueSelecting):
    """The elements that were selected receive g, all others 0."""


@op("function", "method", "out_exact")
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Return the named tuple (values, indices) of the `k` largest elements along `dim`, the largest first.

    Args:
        largest: False returns the smallest elements, the smallest first.
        sorted: accepted and ignored.

    Raises:
        RuntimeError: `k` is negative, there are fewer than `k` elements along `dim`, or `input` is boolean.
        IndexError: the dimension does not exist.
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
