"""Create sequences of numbers: arange, linspace, logspace."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl.arguments.parser import is_index
from reference_impl.core.tensor import Tensor
from reference_impl.ops.creation import finish, numpy_dtype
from reference_impl.ops.multiply_add import multiply_add
from reference_impl.ops.out_argument import write_out
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import op

_FLOAT64 = np.dtype(np.float64)


@op("function")
def arange(
    start: Any,
    end: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    out: Tensor | None = None,
    **_: Any,
) -> Tensor:
    """Return start, start + step, start + 2 · step, ... up to but not including `end`. `arange(n)` begins at 0.

    Without `dtype`, the result is int64 if all three numbers are integers, otherwise it has the default dtype. With `out`, the result is
    written into this tensor, in its dtype.

    Raises:
        RuntimeError: `step` is 0 or leads away from `end`, or `start` or `end` is not finite.
        ValueError: `dtype` is an integer dtype, and `step` is between -1 and 1.
        NotImplementedError: `dtype` is bool.
    """
    if out is not None:
        return write_out(arange(start, end, step, dtype=out.dtype), out, "arange")
    if end is None:
        start, end = 0, start
    start, end, step = [v.item() if isinstance(v, Tensor) else v for v in (start, end, step)]
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not all(np.isfinite(v) for v in (start, end)):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    are_integers = all(isinstance(v, (int, np.integer)) for v in (start, end, step))
    kind = np.dtype(np.int64) if dtype is None and are_integers else numpy_dtype(dtype, "arange")
    if kind.kind == "b":
        refuse_dtype("arange_cpu", kind)
    if kind.kind in "iu":
        start, end, step = int(start), int(end), int(step)
        if step == 0:
            raise ValueError("step must be nonzero")
        n = -((start - end) // step)
        array = (start + step * np.arange(n)).astype(kind)
    else:
        array = _steps(float(start), float(step), int(np.ceil((end - start) / step)), kind)
    return finish(array, device, requires_grad)


def _steps(start: float, step: float, n: int, kind: np.dtype) -> np.ndarray:
    """Return `start + step · i` for i < n, rounded as by torch's RangeFactoriesKernel.cpp on x86-64 with AVX2.

    The numbers are computed in float64 and rounded to `kind`. All but the last ones are computed in blocks of 32 bytes. The first number
    of a block is computed by this formula, the others from the rounded first number. So a number near 0 may be a rounding error instead
    of 0.
    """
    i = np.arange(n)
    block = 32 // kind.itemsize
    lane = np.where(i < n - n % (2 * block), i % block, 0)
    first = multiply_add(start, (i - lane).astype(np.float64), step, _FLOAT64).astype(kind)
    in_block = multiply_add(first.astype(np.float64), lane.astype(np.float64), step, _FLOAT64).astype(kind)
    return np.where(lane > 0, in_block, first)


def _bounds(name: str, start: Any, end: Any, steps: Any) -> tuple[Any, Any]:
    """Check the arguments of the function `name`, and return `start` and `end`, numbers or 0-d tensors, as Python numbers.

    Raises:
        TypeError: `steps` is not an integer.
        RuntimeError: `steps` is negative, or `start` or `end` has dimensions.
    """
    if not is_index(steps):
        raise TypeError(f"{name}(): argument 'steps' must be int, not {type(steps).__name__}")
    dims = [v._array.ndim if isinstance(v, Tensor) else 0 for v in (start, end)]
    if any(dims):
        both = isinstance(start, Tensor) and isinstance(end, Tensor)
        bounds = (
            f"start with {dims[0]} dimension(s) and end with {dims[1]} dimension(s)"
            if both
            else (f"start with {dims[0]} dimension(s)" if dims[0] else f"end with {dims[1]} dimension(s)")
        )
        subject = "start and end tensors" if both else "start tensor" if dims[0] else "end tensor"
        raise RuntimeError(f"{name} only supports 0-dimensional {subject}, but got {bounds}.")
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    first, last = [v.item() if isinstance(v, Tensor) else v for v in (start, end)]
    return first, last


@op("function", "out_dtype")
def linspace(
    start: Any, end: Any, steps: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any
) -> Tensor:
    """Return `steps` numbers at equal distances, of which `start` is the first and `end` the last.

    If `steps` is 1, the result is `start`. For an integer `dtype`, `start` and `end` are truncated, and then the numbers between them.

    Raises:
        RuntimeError: `steps` is negative, or `start` or `end` has dimensions.
        TypeError: `steps` is not an integer.
    """
    first, last = _bounds("linspace", start, end, steps)
    kind = numpy_dtype(dtype, "linspace")
    return finish(_evenly(first, last, steps, kind).astype(kind), device, requires_grad)


def _evenly(first: Any, last: Any, steps: int, kind: np.dtype) -> np.ndarray:
    """Return `steps` numbers at equal distances, rounded as by torch's RangeFactoriesKernel.cpp.

    Of n numbers, number i is first + step · i in the first half, and last - step · (n - 1 - i) in the second. They are computed in the
    dtype `kind`, and except in float16 each is rounded once; if `kind` is an integer dtype, `first` and `last` are truncated and the numbers computed in float64.
    """
    real = np.dtype(np.float64) if kind.kind in "iu" else kind
    low, high = (real.type(int(v) if kind.kind in "iu" else v) for v in (first, last))
    if steps == 1:
        return np.full((1,), low)
    i = np.arange(steps).astype(real)
    step = (high - low) / real.type(max(steps - 1, 1))
    if real.itemsize == 2:
        return np.where(i < steps // 2, low + step * i, high - step * (real.type(steps - 1) - i))
    from_low, from_high = (multiply_add(v, k, step, real) for v, k in ((low, i), (high, i - real.type(steps - 1))))
    return np.where(i < steps // 2, from_low, from_high)


@op("function", "out_dtype")
def logspace(
    start: Any, end: Any, steps: int, base: float = 10.0, *, dtype: Any = None, device: Any = None,
    requires_grad: bool = False, **_: Any,
) -> Tensor:  # fmt: skip
    """Return `base ** linspace(start, end, steps)`, `steps` numbers from `base ** start` to `base ** end`.

    For an integer `dtype`, `start`, `end` and the powers are truncated. Errors are those of `linspace`.
    """
    first, last = _bounds("logspace", start, end, steps)
    kind = numpy_dtype(dtype, "logspace")
    powers = _evenly(first, last, steps, kind if kind.kind in "iu" else np.dtype(np.float64))
    return finish(np.power(np.float64(base), powers).astype(kind), device, requires_grad)
