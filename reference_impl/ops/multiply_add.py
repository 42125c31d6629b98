"""`x + a · b` rounded once, as the processor's fused multiply-add computes it and torch's kernels with it."""

from __future__ import annotations

from typing import Any

import numpy as np


def multiply_add(x: Any, a: Any, b: Any, dtype: np.dtype) -> Any:
    """`x + a * b`, broadcast.

    NumPy has no fused multiply-add. For float32 the product of two float32 numbers is exact in float64, so that one
    rounding of a float64 sum gives torch's bits (but for one case in 2²⁹, where the sum had been rounded to a tie). For
    float16 torch itself computes in float32. For float64 there is nothing wider: the last bit may differ.

    Args:
        x, a, b: arrays of dtype `dtype` or Python numbers, not all of them numbers.
    """
    wide = _WIDER.get(dtype)
    if wide is None:
        return np.add(x, np.multiply(a, b))
    product = _cast(a, dtype, wide)
    product = np.multiply(product, _cast(b, dtype, wide))
    return np.add(product, x if hasattr(x, "dtype") else _cast(x, dtype, wide)).astype(dtype)


_WIDER = {np.dtype(np.float32): np.dtype(np.float64), np.dtype(np.float16): np.dtype(np.float32)}


def _cast(value: Any, dtype: np.dtype, wide: np.dtype) -> Any:
    return value.astype(wide) if hasattr(value, "dtype") else wide.type(dtype.type(value))
