"""Draw random numbers as arrays, from the distributions of torch on the CPU, with torch's numbers.

A function ending in `_` fills a NumPy array in place and returns it, as the tensor method of that name does;
a `sample_*` function returns a new array. `generator` is an object whose `impl` is a CPUGeneratorImpl (see
`random.Generator`), or None for the default generator.

The numbers, and the generator's state after each call, equal those of the torch 2.13.0 wheel for x86-64 with
AVX2 or AVX-512 in every bit. tests/engine/test_random.py compares them for all dtypes and for several shapes,
strides, seeds and sequences of calls. torch's compiler turned `x * (high - low) + low` into one fused operation,
which rounds once. `fma32` and `fma64` round once too.

Differences:

- torch's own numbers depend on the processor: without fused operations, as with `ATEN_CPU_CAPABILITY=default` and
  on ARM, their last digits differ. Of 1,600,000 numbers, 39 % of `randn` in float32 differ by up to 2.3e-6, half of
  `uniform_(-0.3, 0.3)` by up to 3.0e-8, and 18 % of `uniform_(0.1, 0.3)` in float64 by up to 5.6e-17. `rand`,
  `randn` in float64 or of fewer than 16 numbers, `bernoulli_`, `exponential_` and `randperm`
  do not differ.
- `randperm` of 214,748,364 and more elements is out of scope.
- If an element is invalid, torch may draw the numbers before it, then raise an error. The engine draws none.

Source: ATen/native/cpu/DistributionTemplates.h and ATen/core/TransformationHelper.h of PyTorch 2.13.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl._dtype import from_numpy
from reference_impl.rng.distribution_checks import (
    check_floating,
    check_full_range,
    check_uniform_bounds,
    integer_bounds,
)
from reference_impl.rng.generator import CPUGeneratorImpl, default_generator_impl
from reference_impl.rng.normal_fill import BLOCK, fma32, fma64, libm, normal_blocks

Values = Callable[[CPUGeneratorImpl, int], np.ndarray]

_INT64_MIN = -(1 << 63)


def sample_rand(shape: tuple[int, ...], dtype: Any, generator: Any = None) -> np.ndarray:
    """Return an array of uniform numbers in [0, 1): multiples of 2^-53 in float64, of 2^-24 rounded to `dtype` otherwise."""
    return uniform_(np.empty(shape, dtype), 0.0, 1.0, generator)


def sample_randn(shape: tuple[int, ...], dtype: Any, generator: Any = None) -> np.ndarray:
    """Return an array of normal numbers with mean 0 and standard deviation 1."""
    return normal_(np.empty(shape, dtype), 0.0, 1.0, generator)


def sample_randint(
    low: int, high: int, shape: tuple[int, ...], dtype: Any = np.int64, generator: Any = None
) -> np.ndarray:
    """Return an array of uniform integers in [low, high)."""
    return random_(np.empty(shape, dtype), low, high, generator)


def uniform_(out: np.ndarray, low: float = 0.0, high: float = 1.0, generator: Any = None) -> np.ndarray:
    """Fill `out` with uniform numbers in [low, high), and return it.

    Raises:
        NotImplementedError: `out` is not floating point.
        RuntimeError: low > high, or a bound or the length of the interval is out of the dtype's range.
    """
    check_uniform_bounds(out.dtype, low, high)

    def values(impl: CPUGeneratorImpl, count: int) -> np.ndarray:
        if out.dtype == np.float64:
            x = unit64(impl, count)
            x = x if (low, high) == (0, 1) else fma64(x, float(high) - float(low), float(low))
        else:
            x = unit32(impl, count)
            start = np.float32(low)
            x = x if (low, high) == (0, 1) else fma32(x, np.float32(high) - start, start)
        x = x.astype(out.dtype, copy=False)
        # Rounding may give the upper bound, which is not in the interval.
        return np.where(x == out.dtype.type(high), out.dtype.type(low), x)

    return _fill(out, generator, values)


def normal_(out: np.ndarray, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> np.ndarray:
    """Fill `out` with normal numbers of this mean and standard deviation, and return it.

    Fewer than 16 numbers, and arrays that are not in C order, are drawn one by one in float64: two uniform numbers give two normal
    numbers, and the generator stores the second if it is left over. Other arrays are drawn in blocks of 16. If the last block is
    incomplete, the last 16 numbers are drawn again, except in float16.

    Raises:
        NotImplementedError: `out` is not floating point.
        RuntimeError: std < 0.
    """
    if not std >= 0.0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    check_floating(out.dtype, "normal_kernel_cpu")
    if out.size < BLOCK or not out.flags.c_contiguous:
        return _fill(out, generator, lambda impl, n: _normal_one_by_one(impl, n, mean, std))
    blocks = _normal_half if out.dtype == np.float16 else _normal_blocks
    return _fill(out, generator, lambda impl, n: blocks(impl, n, out.dtype, mean, std))


def random_(out: np.ndarray, low: int | None = None, high: int | None = None, generator: Any = None) -> np.ndarray:
    """Fill `out` with uniform integers in [low, high), and return it.

    Without `high`, the largest integer is the largest of the dtype. For a floating-point dtype, it is the end of the range in which the
    dtype represents all integers: 2^11 in float16, 2^24 in float32, 2^53 in float64. Without `low`, the smallest integer is 0, and `high`
    is ignored. With low = -2^63 and without `high`, all 64-bit integers are drawn.

    Raises:
        RuntimeError: low >= high, or the dtype cannot hold a bound.
        NotImplementedError: low = -2^63 without `high`, and the dtype is float16 or bool.
    """
    if low is None:
        return _fill(out, generator, lambda impl, n: _random_unbounded(impl, n, out.dtype))
    if high is None and low == _INT64_MIN:
        if out.size:
            check_full_range(out.dtype)
        return _fill(out, generator, lambda impl, n: impl.random64(n).view(np.int64))
    start, end = integer_bounds(out.dtype, low, high)
    span = end - start

    def values(impl: CPUGeneratorImpl, count: int) -> np.ndarray:
        # For up to 2^28 integers, 32 random bits modulo their number are uniform within 7 %. For more, torch draws 64 bits.
        if span < 1 << 28:
            offset = (impl.random(count) % np.uint32(span)).astype(np.uint64)
        else:
            offset = impl.random64(count) % np.uint64(span)
        return (offset + np.uint64(start & 0xFFFFFFFFFFFFFFFF)).view(np.int64)

    return _fill(out, generator, values)


def bernoulli_(out: np.ndarray, p: float | np.ndarray = 0.5, generator: Any = None) -> np.ndarray:
    """Fill `out` with 1, with probability `p`, or 0, and return it.

    Args:
        p: a number, or an array that broadcasts to `out`. A number or a float64 array is compared with uniform float64 numbers,
            another array with float32 numbers, so their results differ.
    Raises:
        NotImplementedError: the array `p` is not floating point.
        RuntimeError: a probability is outside [0, 1].
    """
    if not isinstance(p, np.ndarray):
        if not 0 <= p <= 1:
            raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
        return _fill(out, generator, lambda impl, n: unit64(impl, n) < p)
    check_floating(p.dtype, "bernoulli_tensor_cpu_p_")
    if not ((p >= 0) & (p <= 1)).all():
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  "
            "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    unit = unit64 if p.dtype == np.float64 else unit32
    chances = _in_memory_order(np.broadcast_to(p, out.shape), like=out)
    return _fill(out, generator, lambda impl, n: unit(impl, n) < chances.ravel())


def exponential_(out: np.ndarray, lambd: float = 1.0, generator: Any = None) -> np.ndarray:
    """Fill `out` with exponential numbers of rate `lambd`, and return it: -log(1 - u) / lambd, where u is uniform in [0, 1).

    Raises:
        RuntimeError: lambd <= 0, or `out` is not floating point.
    """
    if not lambd > 0.0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    if out.dtype.kind != "f":
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. "
            f"dtype must be a floating point but you specified {from_numpy(out.dtype).tensor_type}"
        )
    return _fill(out, generator, lambda impl, n: (-1.0 / lambd) * libm(math.log1p, -unit64(impl, n)))


def sample_normal(
    mean: float | np.ndarray,
    std: float | np.ndarray,
    shape: tuple[int, ...],
    dtype: Any,
    generator: Any = None,
) -> np.ndarray:
    """Return an array of normal numbers, as `torch.normal` does.

    Args:
        mean, std: a number, or an array that broadcasts to `shape` with a value for each element.
        shape: shape of the result.

    Raises:
        RuntimeError: `std`, or an element of it, is negative.
        NotImplementedError: `dtype` is not floating-point.
    """
    out = np.empty(shape, dtype)
    if isinstance(std, np.ndarray):
        if std.size and not std.min() >= 0:
            raise RuntimeError("normal expects all elements of std >= 0.0")
        normal_(out, 0.0, 1.0, generator)
        out *= std
    elif isinstance(mean, np.ndarray):
        normal_(out, 0.0, std, generator)
    else:
        return normal_(out, mean, std, generator)
    out += out.dtype.type(mean) if not isinstance(mean, np.ndarray) else mean
    return out


def sample_multinomial(weights: np.ndarray, count: int, replacement: bool, generator: Any = None) -> np.ndarray:
    """Return `count` random indices for each row of `weights`, with probabilities proportional to the weights.

    `weights` is a vector or a matrix: (n,) -> (count,), (rows, n) -> (rows, count), in int64. Without replacement, or if `count` is 1,
    each weight is divided by an exponential random number, and the indices of the largest quotients are returned. Otherwise, an index is
    the position of a uniform float64 number among the cumulative sums of the weights.

    Raises:
        RuntimeError: a weight is negative, infinite or nan, or the weights of a row are all 0.
    """
    if not weights.size:
        return np.empty((*weights.shape[:-1], count), np.int64)
    if replacement and count > 1:
        rows = weights.reshape(-1, weights.shape[-1])
        return np.stack([_draw_with_replacement(row, count, generator) for row in rows]).reshape(
            *weights.shape[:-1], count
        )
    if not (weights.max() < np.inf and weights.min() >= 0):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if (weights.sum(-1) == 0).any():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    scores = weights / exponential_(np.empty_like(weights), 1.0, generator)
    if count == 1:
        return scores.argmax(-1, keepdims=True).astype(np.int64)
    return np.argsort(-scores, axis=-1, kind="stable")[..., :count].astype(np.int64)


def _draw_with_replacement(row: np.ndarray, count: int, generator: Any) -> np.ndarray:
    start = "invalid multinomial distribution ("
    for number in row[~((row >= 0) & np.isfinite(row))][:1]:
        kind = "entry = infinity or NaN" if number == np.inf else "entry < 0"  # NaN is not >= 0
        raise RuntimeError(f"{start}encountering probability {kind})")
    sums = np.cumsum(row, dtype=np.float32 if row.dtype == np.float16 else row.dtype)
    if not sums[-1] > 0:
        raise RuntimeError(f"{start}sum of probabilities <= 0)")
    sums /= sums[-1]
    sums[-1] = 1
    impl = impl_of(generator)
    with impl.mutex:
        return np.searchsorted(sums.astype(np.float64), unit64(impl, count)).astype(np.int64)


# -- From bits to numbers


def impl_of(generator: Any) -> CPUGeneratorImpl:
    """Return the state of `generator`, or of the default generator if `generator` is None."""
    return default_generator_impl if generator is None else generator.impl


def _fill(out: np.ndarray, generator: Any, values: Values) -> np.ndarray:
    if out.size:
        impl = impl_of(generator)
        target = _in_memory_order(out, like=out)
        with impl.mutex:
            numbers = values(impl, out.size)
        with np.errstate(all="ignore"):
            if out.dtype == np.float16:
                numbers = numbers.astype(np.float32)  # as C++ casts to half
            target[...] = numbers.reshape(target.shape)
    return out


def _in_memory_order(array: np.ndarray, like: np.ndarray) -> np.ndarray:
    """Return a view of `array` with its dimensions in the memory order of `like`. torch fills arrays in this order."""
    if like.flags.c_contiguous:
        return array
    return array.transpose(sorted(range(like.ndim), key=lambda d: -like.strides[d]))


def unit32(impl: CPUGeneratorImpl, count: int) -> np.ndarray:
    """Return `count` uniform float32 numbers in [0, 1), each from the lower 24 bits of a 32-bit draw."""
    return (impl.random(count) & np.uint32((1 << 24) - 1)).astype(np.float32) * np.float32(2.0**-24)


def unit64(impl: CPUGeneratorImpl, count: int) -> np.ndarray:
    """Return `count` uniform float64 numbers in [0, 1), each from the lower 53 bits of a 64-bit draw."""
    return (impl.random64(count) & np.uint64((1 << 53) - 1)).astype(np.float64) * 2.0**-53


def _normal_one_by_one(impl: CPUGeneratorImpl, count: int, mean: float, std: float) -> np.ndarray:
    """Return normal numbers in float64, in pairs (Box and Muller). If the last call left over a number, it comes first."""
    leftover = impl.next_double_normal_sample
    fresh = count - (leftover is not None)
    pairs = (fresh + 1) // 2
    u = unit64(impl, 2 * pairs).reshape(pairs, 2)
    radius = np.sqrt(-2.0 * libm(math.log1p, -u[:, 1]))
    theta = (2.0 * math.pi) * u[:, 0]
    both = np.stack([radius * libm(math.cos, theta), radius * libm(math.sin, theta)], axis=1).ravel()
    impl.next_double_normal_sample = float(both[-1]) if fresh % 2 else None
    x = both[:fresh] if leftover is None else np.concatenate([[leftover], both[:fresh]])
    return fma64(x, std, mean)


def _normal_blocks(impl: CPUGeneratorImpl, count: int, dtype: np.dtype, mean: float, std: float) -> np.ndarray:
    unit = unit64 if dtype == np.float64 else unit32
    whole = count - count % BLOCK
    u = unit(impl, count)
    out = np.empty(count, dtype)
    out[:whole] = normal_blocks(u[:whole].reshape(-1, BLOCK), mean, std).ravel()
    if whole != count:
        out[-BLOCK:] = normal_blocks(unit(impl, BLOCK).reshape(1, BLOCK), mean, std).ravel()
    return out


def _normal_half(impl: CPUGeneratorImpl, count: int, dtype: np.dtype, mean: float, std: float) -> np.ndarray:
    """Return normal numbers in float16, computed in float32.

    For float16, torch draws the numbers of an incomplete last block only once; see `normal_` for other dtypes.
    """
    blocks = -(-count // BLOCK)
    x = normal_blocks(unit32(impl, blocks * BLOCK).reshape(blocks, BLOCK), mean, std).astype(dtype)
    return np.concatenate([x[:-1].ravel()[: count - BLOCK], x[-1]])


def _random_unbounded(impl: CPUGeneratorImpl, count: int, dtype: np.dtype) -> np.ndarray:
    if dtype in (np.int64, np.float64):
        return impl.random64(count) % np.uint64(1 << 63 if dtype == np.int64 else (1 << 53) + 1)
    if dtype.kind == "f":
        return impl.random(count) % np.uint32((1 << np.finfo(dtype).nmant + 1) + 1)
    return impl.random(count) % np.uint32(2 if dtype.kind == "b" else int(np.iinfo(dtype).max) + 1)
