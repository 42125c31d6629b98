"""`x + a · b` rounded once, as the processor's fused multiply-add computes it and torch's kernels with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend

CHUNK = 1 << 14  # elements at a time: the wide sum of so many stays in the processor's second cache


def multiply_add(x: Any, a: Any, b: Any, dtype: Any, out: Any = None) -> Any:
    """`x + a * b`, broadcast; written into `out`, where given, which may be `x`.

    NumPy has no fused multiply-add. For float32 the product of two float32 numbers is exact in float64, so that one
    rounding of a float64 sum gives torch's bits (but for one case in 2²⁹, where the sum had been rounded to a tie). For
    float16 torch itself computes in float32. For float64 there is nothing wider: the last bit may differ.

    Args:
        x, a, b: arrays of dtype `dtype` or Python numbers, not all of them numbers.
    """
    wide = _WIDER.get(dtype)
    if wide is None:
        return np.add(x, np.multiply(a, b), out=out)
    if np.size(x) > CHUNK and not hasattr(b, "dtype") and _in_step(x, a) and (out is None or _in_step(x, out)):
        out = np.empty_like(x) if out is None else out
        _by_chunks(x, a, _cast(b, dtype, wide), out, wide)
        return out
    total = np.multiply(_cast(a, dtype, wide), _cast(b, dtype, wide))
    total = np.add(total, x if hasattr(x, "dtype") else _cast(x, dtype, wide))
    if out is None:
        return total.astype(dtype)
    np.copyto(out, total, casting="same_kind")
    return out


_WIDER: dict[Any, Any] = {np.dtype(np.float32): np.dtype(np.float64), np.dtype(np.float16): np.dtype(np.float32)}


def _cast(value: Any, dtype: Any, wide: Any) -> Any:
    return value.astype(wide) if hasattr(value, "dtype") else wide.type(dtype.type(value))


def _in_step(x: Any, y: Any) -> bool:
    """Whether the elements of both lie in memory in the same order and without gaps."""
    if not (hasattr(x, "dtype") and hasattr(y, "dtype")) or x.shape != y.shape:
        return False
    return x.flags.c_contiguous and y.flags.c_contiguous


def _by_chunks(x: Any, a: Any, b: Any, out: Any, wide: Any) -> None:
    """out = x + a · b for a number `b`: the wide product and sum in one piece of memory that is used again."""
    x, a, target = x.reshape(-1), a.reshape(-1), out.reshape(-1)
    room = _backend.scratch("wide sum", (CHUNK,), np.empty_like(x, shape=(0,), dtype=wide))
    for first in range(0, x.size, CHUNK):
        part = slice(first, first + CHUNK)
        total = room[: x.size - first]
        np.copyto(total, a[part])
        total *= b
        total += x[part]
        np.copyto(target[part], total, casting="same_kind")
