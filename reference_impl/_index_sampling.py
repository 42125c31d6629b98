"""Drawing indices: permutations and weighted choices, with torch's own numbers. See `_distributions`.

`multinomial` without replacement takes the largest quotients weight / q. Where quotients are equal, which
happens when categories of weight 0 are drawn for want of others, torch's order is that of its C++ library's
partial sort; here it is by index. That is the one known difference.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._distributions import exponential_, impl_of, unit64
from reference_impl._dtype import from_numpy

# Above, torch shuffles by another algorithm.
_LARGEST_RANDPERM = 0xFFFFFFFF // 20 - 1


def sample_randperm(n: int, dtype: Any = np.int64, generator: Any = None) -> np.ndarray:
    """The numbers 0 to n - 1 in random order: position i is swapped with one of i ... n - 1 (Fisher, Yates).

    Raises:
        RuntimeError: n < 0, or the dtype cannot hold n - 1.
    """
    kind = np.dtype(dtype)
    _check_randperm(n, kind)
    order = list(range(n))
    if n > 1:
        impl = impl_of(generator)
        with impl.mutex:
            draws = impl.random(n - 1)
        others = draws % np.arange(n, 1, -1, dtype=np.uint32) + np.arange(n - 1, dtype=np.uint32)
        for i, j in enumerate(others.tolist()):
            order[i], order[j] = order[j], order[i]
    return np.array(order, dtype=kind)


def sample_multinomial(
    weights: np.ndarray, num_samples: int, replacement: bool = False, generator: Any = None
) -> np.ndarray:
    """Indices drawn with these weights, int64.

    With replacement: a uniform number is looked up in the cumulated weights. Without: each weight is divided
    by an exponential number of its own, and the largest quotients win; a single sample is always drawn so.

    Args:
        weights: (categories,) or (rows, categories), floating point, need not sum to 1.
    Returns:
        (num_samples,) or (rows, num_samples).
    Raises:
        RuntimeError: a weight that is negative, infinite or nan; none above 0; more samples than categories.
    """
    _check_multinomial(weights, num_samples, replacement)
    rows = np.atleast_2d(weights)
    if not len(rows):
        return np.empty((0, num_samples), np.int64)
    if replacement and num_samples > 1:
        result = np.stack([_with_replacement(row, num_samples, generator) for row in rows])
    else:
        if not (rows.max() < np.inf and rows.min() >= 0):
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        if (rows.sum(axis=1) == 0).any():
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
        # As torch's empty_like: a transposed matrix of weights is filled in the order of its memory.
        keys = rows / exponential_(np.empty_like(rows), 1.0, generator)
        result = np.argsort(-keys, axis=1, kind="stable")[:, :num_samples].astype(np.int64)
    return result[0] if weights.ndim == 1 else result


def _with_replacement(weights: np.ndarray, num_samples: int, generator: Any) -> np.ndarray:
    if not (weights >= 0).all():
        raise RuntimeError("invalid multinomial distribution (encountering probability entry < 0)")
    if not np.isfinite(weights).all():
        raise RuntimeError("invalid multinomial distribution (encountering probability entry = infinity or NaN)")
    real = np.float64 if weights.dtype == np.float64 else np.float32
    cumulated = np.cumsum(weights, dtype=real)
    if not cumulated[-1] > 0:
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    cumulated = cumulated / cumulated[-1]
    impl = impl_of(generator)
    with impl.mutex:
        u = unit64(impl, num_samples)
    return np.searchsorted(cumulated.astype(np.float64), u, side="left").astype(np.int64)


def _check_randperm(n: int, dtype: np.dtype) -> None:
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    if dtype.kind == "b":
        raise NotImplementedError("\"randperm\" not implemented for 'Bool'")
    if dtype.kind == "f":
        largest = (1 << np.finfo(dtype).nmant + 1) + 1
        if n > largest:
            raise RuntimeError(f"n cannot be greater than {largest} for {from_numpy(dtype).tensor_type} type.")
    elif n > np.iinfo(dtype).max:
        raise RuntimeError(f"value cannot be converted to type {dtype.name}_t without overflow")
    if n > _LARGEST_RANDPERM:
        raise NotImplementedError(
            f"randperm({n}): above {_LARGEST_RANDPERM} torch shuffles by another algorithm, "
            "which is out of the scope of reference_impl"
        )


def _check_multinomial(weights: np.ndarray, num_samples: int, replacement: bool) -> None:
    if weights.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if weights.dtype.kind != "f":
        raise RuntimeError(
            f"multinomial only supports floating-point dtypes for input, got: {from_numpy(weights.dtype).tensor_type}"
        )
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    categories = weights.shape[-1]
    if not replacement and num_samples > categories:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if categories > 1 << 24:
        raise RuntimeError("number of categories cannot exceed 2^24")
