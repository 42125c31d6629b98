"""`x + a · b` rounded once, as the processor's fused multiply-add computes it and torch's kernels with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._backend import contiguous
from reference_impl._openblas import axpy, has_fused_axpy

_WIDER: dict[Any, Any] = {np.dtype(np.float32): np.dtype(np.float64), np.dtype(np.float16): np.dtype(np.float32)}


def multiply_add(x: Any, a: Any, b: Any, dtype: Any, out: Any = None) -> Any:
    """`x + a * b`, broadcast; written into `out`, where given, which may be `x`.

    NumPy has no fused multiply-add. Where `b` is a number, the BLAS that NumPy brings along has one. Otherwise float32 is
    computed in float64: the product of two float32 numbers is exact there, so that one rounding of the sum gives torch's bits
    (but for one case in 2²⁹, where the sum had been rounded to a tie). For float16 torch itself computes in float32. For
    float64 there is nothing wider: the last bit may differ.

    Args:
        x, a, b: arrays of dtype `dtype` or Python numbers, not all of them numbers.
    """
    if isinstance(a, np.ndarray) and not isinstance(b, np.ndarray) and has_fused_axpy(dtype):
        return _plus_multiple(x, a, b, out)
    wide = _WIDER.get(dtype)
    if wide is None:
        return np.add(x, np.multiply(a, b), out=out)
    total = np.multiply(_cast(a, dtype, wide), _cast(b, dtype, wide))
    total = np.add(total, x if hasattr(x, "dtype") else _cast(x, dtype, wide))
    if out is None:
        return total.astype(dtype)
    np.copyto(out, total, casting="same_kind")
    return out


def _plus_multiple(x: Any, a: Any, b: Any, out: Any) -> Any:
    """`x + a · b` for an array `a` and a number `b`, through BLAS, which wants both arrays whole."""
    if out is x and x.shape == a.shape and x.flags.c_contiguous and a.flags.c_contiguous:
        axpy(b, a, x)
        return x
    if np.shape(x) == a.shape and x.flags.c_contiguous and a.flags.c_contiguous:
        total = x.copy()
        axpy(b, a, total)
    else:
        total = np.subtract(x, np.zeros_like(a))  # `x` in the shape and the order in memory of `x + a`
        order = sorted(range(total.ndim), key=lambda dim: -total.strides[dim])
        axpy(b, contiguous(np.broadcast_to(a, total.shape).transpose(order)), total.transpose(order))
    if out is None:
        return total
    out[...] = total
    return out


def _cast(value: Any, dtype: Any, wide: Any) -> Any:
    return value.astype(wide) if hasattr(value, "dtype") else wide.type(dtype.type(value))
