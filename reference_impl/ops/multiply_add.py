"""Compute `x + a · b` with one rounding, as torch's kernels do with the processor's fused multiply-add."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._backend import as_array, contiguous
from reference_impl.numerics.openblas import axpy, has_fused_axpy

_ON_CPU = (np.ndarray, np.generic, int, float)
_WIDER: dict[Any, Any] = {np.dtype(np.float32): np.dtype(np.float64), np.dtype(np.float16): np.dtype(np.float32)}


def multiply_add(x: Any, a: Any, b: Any, dtype: Any, out: Any = None) -> Any:
    """Return `x + a * b`, broadcast, with one rounding. If `out`, which may be `x`, is an array, write the result into it.

    NumPy has no fused multiply-add. For a number `b`, the function calls `axpy` of NumPy's BLAS if it is fused, as on processors with FMA.
    Otherwise float32 is computed in float64, where the product of two float32 numbers is exact. So the result is rounded once, except in
    one of 2²⁹ cases, when the sum in float64 lies half-way between two float32 numbers. float16 is computed in float32, as in torch.

    float64 is rounded twice without a fused `axpy`, because NumPy has no wider dtype. The last bit may differ from torch's: torch rounds
    twice on x86-64 without AVX2. If `a` is a number or a broadcast 0-d tensor, torch also rounds the last few elements twice.

    Args:
        x, a, b: arrays of dtype `dtype` or Python numbers, not all of them numbers.
    """
    if isinstance(x, _ON_CPU) and isinstance(a, _ON_CPU) and not isinstance(b, np.ndarray) and has_fused_axpy(dtype):
        return _plus_multiple(_array(x, dtype), _array(a, dtype), b, out)
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
    """Return `x + a · b` for an array `a` and a number `b`, computed by BLAS, which requires contiguous arrays.

    If `out`, which may be `x`, is an array, write the result into it, and return it.
    """
    if out is x and x.shape == a.shape and x.flags.c_contiguous and a.flags.c_contiguous:
        axpy(b, a, x)
        return x
    if np.shape(x) == a.shape and x.flags.c_contiguous and a.flags.c_contiguous:
        total = x.copy()
        axpy(b, a, total)
    else:
        total = np.subtract(x, np.zeros_like(a))  # a copy of `x` in the shape and memory order of `x + a`
        order = sorted(range(total.ndim), key=lambda dim: -total.strides[dim])
        axpy(b, contiguous(np.broadcast_to(a, total.shape).transpose(order)), total.transpose(order))
    if out is None:
        return total
    out[...] = total
    return out


def _array(value: Any, dtype: Any) -> Any:
    return as_array(value if hasattr(value, "dtype") else dtype.type(value))


def _cast(value: Any, dtype: Any, wide: Any) -> Any:
    return value.astype(wide) if hasattr(value, "dtype") else wide.type(dtype.type(value))
