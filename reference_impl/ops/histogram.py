"""Counting values: histc, histogram, bincount; and finding their bins: searchsorted, bucketize. No gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import return_types
from reference_impl._tensor import Tensor
from reference_impl.ops.promotion import refuse_dtype, require_tensor
from reference_impl.ops.registry import op


def _range(name: str, x: Any, low: float, high: float, margin: float) -> tuple[float, float]:
    """The ends of the bins: those given, or those of the data where they are equal, moved apart by `margin` each where those
    are equal too.

    Raises:
        RuntimeError: they are not finite, or in the wrong order.
    """
    if low == high and x.size:
        low, high = x.min().item(), x.max().item()
    if low == high:
        low, high = low - margin, high + margin
    if not (np.isfinite(low) and np.isfinite(high)):
        shown = [f"{'-' if np.isnan(v) and np.signbit(v) else ''}{v:g}" for v in (low, high)]
        raise RuntimeError(f"{name}: range of [{shown[0]}, {shown[1]}] is not finite")
    if low > high:
        raise RuntimeError(f"{name}: max must be larger than min")
    return low, high


def _places(x: Any, edges: Any) -> Any:
    """The bin of each value in even bins, found by division and put right by a look at the neighbouring edges; the last bin
    has both ends."""
    bins = edges.shape[0] - 1
    guess = ((x - edges[0]) * bins / (edges[-1] - edges[0])).astype(np.int64)
    guess = np.clip(guess, 0, bins - 1)
    guess = np.where(x < edges[guess], guess - 1, guess)
    guess = np.where((guess < bins - 1) & (x >= edges[np.minimum(guess + 1, bins)]), guess + 1, guess)
    return np.clip(guess, 0, bins - 1)


def _even_edges(like: Any, low: float, high: float, bins: int) -> Any:
    """`torch.linspace`: from both ends to the middle."""
    step = like.dtype.type((high - low) / bins)
    numbers = np.zeros_like(like, shape=(bins + 1,)) + np.arange(bins + 1, dtype=like.dtype, like=like)
    return np.where(numbers < (bins + 1) // 2, low + step * numbers, high - step * (bins - numbers)).astype(like.dtype)


@op("function", "method", "out")
def histc(input: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """How many elements lie in each of `bins` bins between `min` and `max` (those of the data where they are equal).

    Raises:
        RuntimeError: no bins, or ends that are not finite or in the wrong order.
        NotImplementedError: `input` is not floating point.
    """
    x = input._array
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if x.dtype.kind != "f":
        refuse_dtype("histogram_cpu", x.dtype)
    low, high = _range("torch.histc", x, min, max, 1)
    edges = _even_edges(x, low, high, bins)
    inside = x[(x >= edges[0]) & (x <= edges[-1])]
    return Tensor._wrap(np.bincount(_places(inside, edges), minlength=bins).astype(x.dtype))


@op("function", "method")
def histogram(
    input: Tensor, bins: Any, *, range: Any = None, weight: Tensor | None = None, density: bool = False
) -> Any:
    """The named tuple (hist, bin_edges): how many elements (how much weight) lie in each bin.

    Args:
        bins: the number of even bins between the ends `range`, or the edges.
        density: divide by the total and the widths.
    """
    x = np.ravel(input._array)
    if isinstance(bins, Tensor):
        edges = bins._array.copy()
        if edges.dtype != x.dtype:
            raise RuntimeError(
                "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype "
                f"{input.dtype.c_name} and bins for dimension 0 with dtype {bins.dtype.c_name}"
            )
    if x.dtype.kind != "f":
        refuse_dtype("histogramdd", x.dtype)
    if not isinstance(bins, Tensor):
        low, high = range if range is not None else (0.0, 0.0) if x.size else (0.0, 1.0)
        low, high = _range("torch.histogramdd", x if range is None else x[:0], low, high, 0.5)
        edges = _even_edges(x, low, high, bins)
    kept = (x >= edges[0]) & (x <= edges[-1])
    weights = None if weight is None else np.ravel(weight._array)[kept]
    places = np.clip(np.searchsorted(edges, x[kept], side="right") - 1, 0, edges.shape[0] - 2)
    counts = np.bincount(places, weights, minlength=edges.shape[0] - 1).astype(x.dtype)
    if density:
        counts = counts / counts.sum() / np.diff(edges)
    return return_types.histogram((Tensor._wrap(counts), Tensor._wrap(edges)))


@op("function", "method")
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each whole number from 0 occurs (the sum of its weights), for at least `minlength` numbers.

    Raises:
        RuntimeError: `input` is not a vector of whole numbers from 0 on, or `weights` does not fit.
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
    return Tensor._wrap(counts.astype(np.float32) if w.dtype == np.float32 else counts)


# -- the place of a value among sorted ones


def _side(right: bool, side: str | None) -> Any:
    if side is not None and side not in ("left", "right"):
        raise RuntimeError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        raise RuntimeError(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True"
        )
    return "right" if right or side == "right" else "left"


@op("function", "out")
def searchsorted(
    sorted_sequence: Tensor,
    input: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """Where in `sorted_sequence` each value would have to be put: before equal ones, or after them (`right`).

    Args:
        sorted_sequence: a vector for all values, or as many as `input` has rows.
        sorter: the indices that sort `sorted_sequence`.
        out_int32: give int32 instead of int64.
    """
    direction = _side(right, side)
    edges = sorted_sequence._array
    values = (
        input._array
        if isinstance(input, Tensor)
        else np.full_like(
            edges,
            input,
            shape=(),
            dtype=None if isinstance(input, int) else np.float64 if edges.dtype.kind != "f" else None,
        )
    )
    _check_search(edges, values, sorted_sequence, input, sorter)
    if sorter is not None:
        edges = np.take_along_axis(edges, sorter._array, -1)
    if edges.ndim == 1:
        places = np.searchsorted(edges, values, direction)
    else:
        places = np.zeros_like(values, dtype=np.int64)
        for row in np.ndindex(values.shape[:-1]):
            places[row] = np.searchsorted(edges[row], values[row], direction)
    return Tensor._wrap(np.add(places, 0, dtype=np.int32 if out_int32 else np.int64))


def _check_search(edges: Any, values: Any, sequence: Tensor, input: Any, sorter: Tensor | None) -> None:
    name = "torch.searchsorted()"
    if edges.ndim == 0:
        raise RuntimeError(f"{name}: boundaries tensor should have positive dimension, but got 0 dimension")
    if not isinstance(input, Tensor) and edges.ndim != 1:
        raise RuntimeError(
            f"{name}: input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor "
            f"dim({edges.ndim}) and input value's dim({values.ndim}) numel({values.size})"
        )
    if sorter is not None:
        if sorter._array.shape != edges.shape:
            raise RuntimeError(
                f"{name}: boundary and sorter must have the same size, but got boundary tensor {list(edges.shape)}and got "
                f"sorter tensor {list(sorter._array.shape)}"
            )
        if sorter._array.dtype != np.int64:
            raise RuntimeError(
                f"{name}: sorter must be a tensor of long dtype but got dtype {sorter.dtype.tensor_type}"
            )
        if sorter._array.size and (sorter._array.min() < 0 or sorter._array.max() >= edges.shape[-1]):
            raise RuntimeError(f"{name}: sorter index out of range")
    if edges.ndim != 1 and (edges.ndim != values.ndim or edges.shape[:-1] != values.shape[:-1]):
        raise RuntimeError(
            f"{name}: boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value "
            f"tensor must match, but we got boundaries tensor {list(edges.shape)} and input value tensor {list(values.shape)}"
        )
    if isinstance(input, Tensor) and values.ndim == 0 and edges.ndim != 1:
        raise RuntimeError(f"{name}: input value can be a scalar only when boundaries tensor dimension is 1")
    if isinstance(input, Tensor) and input._array.dtype != edges.dtype:
        raise RuntimeError(
            f"{name}: input value tensor and boundaries tensor should have same dtype, but got input value tensor dtype "
            f"{input.dtype.tensor_type} and boundaries tensor dtype {sequence.dtype.tensor_type}"
        )


@op("function", "out")
def bucketize(input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False) -> Tensor:
    """The number of the bucket between `boundaries` in which each value lies; a boundary belongs to the bucket on its left, or
    to that on its right (`right`)."""
    require_tensor(boundaries)
    edges = boundaries._array
    if edges.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({edges.ndim})")
    values = input._array if isinstance(input, Tensor) else input
    places = np.searchsorted(edges, values, "right" if right else "left")
    return Tensor._wrap(np.add(places, 0, dtype=np.int32 if out_int32 else np.int64))
