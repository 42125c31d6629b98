"""The medians: `median` and `nanmedian`. If two elements are in the middle, the median is the smaller of the two."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend, return_types
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation
from reference_impl.core.node import Node
from reference_impl.core.tensor import Tensor
from reference_impl.ops.extremes import ValueSelecting, evenly_distribute_backward, select
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import op


class MedianBackward1(ValueSelecting):
    """See ValueSelecting."""


class NanmedianBackward1(ValueSelecting):
    """See ValueSelecting."""


def _middle(x: Any, dim: int, ignore_nan: bool) -> Any:
    """Return the index of the median along `dim`. In the result, `dim` has size 1.

    If there is a NaN, the result is the index of a NaN; with `ignore_nan`, it is the index of the median of the other elements.
    """
    if not x.ndim:
        return np.zeros_like(x, dtype=np.int64)
    order = np.argsort(x, axis=dim, kind="stable")  # NaN comes last
    missing = (
        np.sum(np.isnan(x), axis=dim, keepdims=True)
        if x.dtype.kind == "f"
        else np.zeros_like(order).sum(dim, keepdims=True)
    )
    count = x.shape[dim]
    if ignore_nan:
        rank = np.maximum(count - missing - 1, 0) // 2
    else:
        rank = np.where(missing > 0, count - missing, (count - 1) // 2)
    return _backend.positions(np.take_along_axis(order, rank, dim))


def _of_all(self: Any, ignore_nan: bool) -> Any:
    if not self.size:
        return _backend.full_like(self, np.nan if self.dtype.kind == "f" else np.iinfo(self.dtype).min, ())
    flat = np.reshape(self, (-1,))
    return np.take_along_axis(flat, _middle(flat, 0, ignore_nan), 0).reshape(())


@operation("MedianBackward0", self=lambda g, self, result: evenly_distribute_backward(g, self, result))
def _median_of_all(self: Any) -> Any:
    return _of_all(self, False)


@operation("NanmedianBackward0", self=lambda g, self, result: evenly_distribute_backward(g, self, result))
def _nanmedian_of_all(self: Any) -> Any:
    return _of_all(self, True)


def _median(name: str, whole: Any, node: type[Node], input: Tensor, dim: int | None, keepdim: bool) -> Any:
    x = input._array
    if x.dtype.kind == "b":
        refuse_dtype("median_cpu" if dim is None else "median_out", x.dtype)
    if dim is None:
        return whole(input)
    d = checked_dim(dim, x.ndim)
    if x.ndim and not x.shape[d]:
        raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
    return select(node, x, input, _middle(x, d, name == "nanmedian"), d, keepdim, getattr(return_types, name))


@op("function", "method", "out_exact")
def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the median of all elements; with `dim`, the named tuple (values, indices) of the medians along this dimension.

    Of two middle elements the smaller is the median. If there is a NaN, the median is NaN.

    Without elements and `dim`, the result is NaN, or the smallest number of an integer dtype.

    Raises:
        IndexError: the dimension does not exist, or there are no elements along it.
        NotImplementedError: `input` is boolean.
    """
    return _median("median", _median_of_all, MedianBackward1, input, dim, keepdim)


@op("function", "method", "out_exact")
def nanmedian(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the median as `median` does, but ignore NaN. If all elements are NaN, the median is NaN. Errors are those of `median`."""
    return _median("nanmedian", _nanmedian_of_all, NanmedianBackward1, input, dim, keepdim)
