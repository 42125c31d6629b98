"""Count values: bincount and histogram. torch cannot differentiate these functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reference_impl import _backend, _dtype, return_types
from reference_impl.core.tensor import Tensor
from reference_impl.ops.not_implemented import record_not_implemented
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.ranges import linspace
from reference_impl.ops.registry import op


def _bins_of(x: Any, edges: Any) -> Any:
    """Return the index of the bin of each value of `x`, for bins of equal width. The last bin includes its right edge.

    The index is computed by a division. If rounding has made it wrong by 1, a comparison with the edges corrects it.
    """
    bins = edges.shape[0] - 1
    guess = ((x - edges[0]) * bins / (edges[-1] - edges[0])).astype(np.int64)
    guess = np.clip(guess, 0, bins - 1)
    guess = np.where(x < edges[guess], guess - 1, guess)
    guess = np.where((guess < bins - 1) & (x >= edges[np.minimum(guess + 1, bins)]), guess + 1, guess)
    return np.clip(guess, 0, bins - 1)


@op("function", "method")
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Return how often each of the integers 0, 1, 2, ... occurs in `input`: [1, 1, 3] -> [0, 2, 0, 1].

    The result is int64; with `weights` it is float64, or float32 for float32 weights.

    Args:
        weights: amounts that the elements of `input` add to the result, instead of 1.
        minlength: smallest length of the result, which is filled up with zeros.

    Raises:
        RuntimeError: `input` is not a vector or has negative numbers, `weights` has another shape, or `minlength` is negative.
        NotImplementedError: `input` is not integer.
    """
    x = input._array
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if x.dtype.kind not in "iu":
        refuse_dtype("bincount_cpu", x.dtype)
    if x.ndim != 1 or (x.size and x.min() < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is None:
        return Tensor._wrap(np.bincount(x, minlength=minlength).astype(np.int64))
    w = weights._array
    if w.shape != x.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    counts = np.bincount(x, w, minlength)
    counts = counts.astype(np.float32) if w.dtype == np.float32 else counts
    return record_not_implemented("bincount", (counts,), (input, weights))[0]


@op("function", "method")
def histogram(
    input: Tensor, bins: Any = 100, *, range: Any = None, weight: Tensor | None = None, density: bool = False
) -> Any:
    """Return the named tuple (hist, bin_edges): the number of elements in each bin, and the edges of the bins.

    The last bin includes its right edge. Elements outside all bins are not counted.

    Args:
        bins: the number of bins of equal width, or a tensor with the edges in ascending order.
        range: the first and the last edge of bins of equal width; by default the smallest and the largest element, or 0 and 1 if
            `input` has no elements. If both are equal, 0.5 is subtracted from the first and added to the last.
        weight: amounts that the elements add to their bins, instead of 1; as many as `input` has elements.
        density: whether to divide by the total and by the widths of the bins.

    Raises:
        RuntimeError: there are no bins; `range` is descending, not finite or not two numbers; the edges are not a vector; or
            `bins` or `weight` has another dtype than `input`, or `weight` another number of elements.
        NotImplementedError: `input` is not floating point.
    """
    x = input._array
    if x.dtype.kind != "f":
        refuse_dtype("histogramdd", x.dtype)
    edges = _check_edges(x, bins._array) if isinstance(bins, Tensor) else _even_edges(x, bins, range)
    if weight is not None:
        _check_weight(x, weight._array)
    _check_bins(edges.shape[0] - 1)
    weights = np.ones_like(x) if weight is None else weight._array
    flat, counts = np.reshape(x, (-1,)), np.reshape(weights, (-1,))
    inside = (flat >= edges[0]) & (flat <= edges[-1])
    flat, counts = flat[inside], counts[inside]
    if isinstance(bins, Tensor):
        places = np.minimum(np.searchsorted(edges, flat, side="right") - 1, edges.shape[0] - 2)
    else:
        places = _bins_of(flat, edges)
    hist = np.bincount(places, counts, edges.shape[0] - 1).astype(x.dtype)
    if density:
        hist = hist / (np.sum(hist) * np.diff(edges))
    return return_types.histogram(record_not_implemented("histogram", (hist, edges), (input, bins, weight)))


def _check_edges(x: Any, edges: Any) -> Any:
    """Return a copy of the edges. Raise RuntimeError unless they are a vector of at least one number of the dtype of `x`."""
    if x.dtype != edges.dtype:
        names = [_dtype.from_numpy(array.dtype).c_name for array in (x, edges)]
        raise RuntimeError(
            "torch.histogramdd: input tensor and bins tensors should have the same dtype, "
            f"but got input with dtype {names[0]} and bins for dimension 0 with dtype {names[1]}"
        )
    if edges.ndim != 1:
        raise RuntimeError(
            f"torch.histogramdd: bins tensor should have one dimension, but got {edges.ndim} dimensions in the bins tensor "
            "for dimension 0"
        )
    if not edges.size:
        raise RuntimeError(
            "torch.histogramdd: bins tensor should have at least 1 element, but got 0 elements in the bins tensor for dimension 0"
        )
    return edges.copy()


def _check_weight(x: Any, weight: Any) -> None:
    """Raise RuntimeError unless the weights have the dtype and the number of elements of `x`."""
    if x.dtype != weight.dtype:
        names = [_dtype.from_numpy(array.dtype).c_name for array in (x, weight)]
        raise RuntimeError(
            "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype, "
            f"but got input({names[0]}), and weight({names[1]})"
        )
    if weight.size != x.size:
        raise RuntimeError(
            "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor "
            f"excluding its innermost dimension, but got input with shape {[x.size, 1]} and weight with shape {[weight.size]}"
        )


def _check_bins(count: int) -> None:
    if count <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {count} for dimension 0")


def _even_edges(x: Any, bins: int, limits: Any) -> Any:
    _check_bins(bins)
    if limits is not None and len(limits) != 2:
        raise RuntimeError(
            f"torch.histogramdd: for a 1-dimensional histogram range should have 2 elements, but got {len(limits)}"
        )
    low, high = limits or ((x.min().item(), x.max().item()) if x.size else (0.0, 1.0))
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"torch.histogramdd: dimension 0's range [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError(
            f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for dimension 0"
        )
    if low == high:
        low, high = low - 0.5, high + 0.5
    return _backend.to_device_of(linspace(low, high, bins + 1, dtype=_dtype.from_numpy(x.dtype))._array, x)
