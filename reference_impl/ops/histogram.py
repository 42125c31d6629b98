"""Counting values: bincount. No gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl.core.tensor import Tensor
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import op


def _places(x: Any, edges: Any) -> Any:
    """The bin of each value in even bins, found by division and put right by a look at the neighbouring edges; the last bin
    has both ends."""
    bins = edges.shape[0] - 1
    guess = ((x - edges[0]) * bins / (edges[-1] - edges[0])).astype(np.int64)
    guess = np.clip(guess, 0, bins - 1)
    guess = np.where(x < edges[guess], guess - 1, guess)
    guess = np.where((guess < bins - 1) & (x >= edges[np.minimum(guess + 1, bins)]), guess + 1, guess)
    return np.clip(guess, 0, bins - 1)


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
