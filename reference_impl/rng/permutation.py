"""Draw permutations, with torch's numbers. See `rng.distributions`."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._dtype import from_numpy
from reference_impl.rng.distributions import impl_of

# The largest n for which torch uses this algorithm.
_LARGEST_RANDPERM = 0xFFFFFFFF // 20 - 1


def sample_randperm(n: int, dtype: Any = np.int64, generator: Any = None) -> np.ndarray:
    """Return the numbers 0 to n - 1 in random order: swap each position i with a random position from i to n - 1 (Fisher, Yates).

    Raises:
        RuntimeError: n < 0, or n is too large for the dtype.
        NotImplementedError: the dtype is bool, or n is above 214,748,363, where torch uses another algorithm.
    """
    kind = np.dtype(dtype)
    _check_randperm(n, kind)
    order = list(range(n))
    if n > 1:
        impl = impl_of(generator)
        with impl.mutex:
            draws = impl.random(n - 1)
        targets = draws % np.arange(n, 1, -1, dtype=np.uint32) + np.arange(n - 1, dtype=np.uint32)
        for i, j in enumerate(targets.tolist()):
            order[i], order[j] = order[j], order[i]
    return np.array(order, dtype=kind)


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
            f"randperm({n}): above {_LARGEST_RANDPERM} torch uses another algorithm, "
            "which is out of the scope of reference_impl"
        )
