"""Check the arguments of random functions, with torch's messages."""

from __future__ import annotations

import warnings

import numpy as np

from reference_impl._dtype import from_numpy


def check_floating(dtype: np.dtype, kernel: str) -> None:
    """Raise NotImplementedError unless `dtype` is floating point. `kernel` is the name of torch's kernel in the message."""
    if dtype.kind != "f":
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{from_numpy(dtype).tensor_type}'")


def check_uniform_bounds(dtype: np.dtype, low: float, high: float) -> None:
    """Raise RuntimeError if `uniform_` cannot draw from [low, high) in `dtype`, NotImplementedError if `dtype` is not floating-point."""
    check_floating(dtype, "check_uniform_bounds")
    largest = float(np.finfo(dtype).max)
    for name, bound in (("from", low), ("to", high)):
        if not -largest <= bound <= largest:
            raise RuntimeError(f"{name} is out of bounds for {from_numpy(dtype).c_name}")
    if not low <= high:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}")
    if not high - low <= largest:
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{from_numpy(dtype).tensor_type}>::max(), "
            f"but found to={high:g} and from={low:g} which result in to-from to exceed the limit"
        )


def check_full_range(dtype: np.dtype) -> None:
    """Raise an error if `random_` cannot draw 64 random bits for this dtype.

    Raises:
        NotImplementedError: the dtype is float16 or bool.
        RuntimeError: the dtype is an integer dtype other than int64.
    """
    kernel = "random_full_64_bits_range_kernel_cpu"
    if dtype in (np.float16, np.bool_):
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{from_numpy(dtype).tensor_type}'")
    if dtype not in (np.int64, np.float32, np.float64):
        raise RuntimeError(f"{kernel} handles only int64, double, float and bfloat16")


def integer_bounds(dtype: np.dtype, low: int, high: int | None) -> tuple[int, int]:
    """Check the interval [low, high) for `random_`, and return it.

    With high = None, the interval ends after the largest integer of the dtype; for a floating-point dtype, after 2^11 in float16, 2^24 in
    float32 and 2^53 in float64, up to which it represents all integers. For a floating-point dtype, a bound beyond these limits causes a
    warning, and may be moved inwards, see `_next_representable`.

    Raises:
        RuntimeError: the interval is empty, or a bound is out of the dtype's range.
    """
    if high is not None and not low < high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    if dtype.kind == "f":
        digits = np.finfo(dtype).nmant + 1
        low = _next_representable(dtype, digits, low, +1)
        if high is None:
            high = (1 << digits) + 1
        else:
            high = _next_representable(dtype, digits, high, -1)
        if not low < high:
            raise RuntimeError(
                "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, "
                f"but got from={low} >= to={high}"
            )
        smallest, largest = -float(np.finfo(dtype).max), float(np.finfo(dtype).max)
    else:
        digits = 0
        smallest, largest = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        if high is None:
            high = int(largest) + 1
    for name, bound in (("from", low), ("to - 1", high - 1)):
        if not smallest <= bound <= largest:
            raise RuntimeError(f"{name} is out of bounds for {from_numpy(dtype).c_name}")
        if digits and abs(bound) > 1 << digits:
            warnings.warn(
                f"{name} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations "
                f"{from_numpy(dtype).c_name} can support discrete uniform distribution only within this range. "
                "This warning will become an error in version 1.7 release, please fix the code in advance",
                stacklevel=4,
            )
    return low, high


def _next_representable(dtype: np.dtype, digits: int, bound: int, direction: int) -> int:
    """Return `bound`, moved inwards to a number that `dtype` can represent if `bound` + `direction`, in `dtype`, is outside the interval.

    This is torch's rule. It leaves some bounds that `dtype` cannot represent: 2^24 + 1 in float32 is not changed.

    Args:
        digits: number of bits in the significand of `dtype`.
        direction: 1 for a lower bound, -1 for an upper bound.
    """
    inner = bound + direction
    if abs(inner) > float(np.finfo(dtype).max):
        return bound  # out of bounds; the caller raises
    rounded = int(np.float32(inner).astype(dtype)) if dtype == np.float16 else int(dtype.type(inner))
    outside = rounded < bound if direction > 0 else rounded >= bound
    if not outside:
        return bound
    return rounded + direction * (1 << (abs(inner).bit_length() - 1 - digits + 1))
