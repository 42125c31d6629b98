"""Random numbers as arrays: each distribution that torch draws from on the CPU, with torch's own numbers.

A function ending in `_` fills a NumPy array in place, as the tensor method of that name does; `sample_*` make a new one.
All take `generator`, an object with a `impl` of type CPUGeneratorImpl, or None for the default generator.

Numbers are equal bit for bit to those of the torch 2.13.0 wheel for x86-64 with AVX2 (AVX-512 uses the same code): 0
differences in the tests, over all dtypes, shapes, seeds and mixed sequences of calls, and so is the generator's state
after each call. torch draws one at a time where a sum is over the draws here, but fuses `x * (high - low) + low` into
one rounding: see `fma32` and `fma64`. What is not equal, and why:

- `multinomial` without replacement asks `topk` for the largest of p / q; between equal keys, which means categories of
  probability 0 drawn for want of others, torch's order is that of its C++ library's partial sort. Here it is by index.
- On ARM, or with `ATEN_CPU_CAPABILITY=default`, torch itself gives other last digits for `randn` in float32 from 16
  numbers up (see `_normal_fill`; the largest difference seen is 1.4e-6) and for `uniform_`, `normal_`, `cauchy_`
  with bounds other than 0 and 1, which are not fused there.
- float64 `log`, `log1p`, `sin`, `cos`, `tan`, `exp` are the C library's, on both sides.
- `randperm` of 214,748,364 and more, where torch changes its algorithm, is out of scope.

Source: ATen/native/cpu/DistributionTemplates.h and ATen/core/TransformationHelper.h of PyTorch 2.13.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ._cpu_generator import CPUGeneratorImpl, default_generator_impl
from ._dtype import from_numpy
from ._normal_fill import BLOCK, fma32, fma64, libm, normal_blocks

Values = Callable[[CPUGeneratorImpl, int], np.ndarray]

_INT64_MIN, _INT64_MAX = -(1 << 63), (1 << 63) - 1
# C++ names, as torch's messages have them.
_C_NAMES = {
    "bool": "bool", "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int",
    "int64": "long int", "float16": "c10::Half", "float32": "float", "float64": "double",
}  # fmt: skip


def sample_rand(shape: tuple[int, ...], dtype: Any, generator: Any = None) -> np.ndarray:
    """Uniform in [0, 1): multiples of 2^-24 in float32, of 2^-53 in float64."""
    return uniform_(np.empty(shape, dtype), 0.0, 1.0, generator)


def sample_randn(shape: tuple[int, ...], dtype: Any, generator: Any = None) -> np.ndarray:
    """Normal with mean 0 and standard deviation 1."""
    return normal_(np.empty(shape, dtype), 0.0, 1.0, generator)


def sample_randint(
    low: int, high: int, shape: tuple[int, ...], dtype: Any = np.int64, generator: Any = None
) -> np.ndarray:
    """Integers in [low, high)."""
    return random_(np.empty(shape, dtype), low, high, generator)


def uniform_(out: np.ndarray, low: float = 0.0, high: float = 1.0, generator: Any = None) -> np.ndarray:
    """Fill with uniform numbers in [low, high).

    Raises:
        NotImplementedError: `out` is not floating point.
        RuntimeError: the bounds are out of order or beyond what the dtype holds.
    """
    _check_uniform_bounds(out.dtype, low, high)
    real = np.float64 if out.dtype == np.float64 else np.float32
    start = real(low)
    width = real(high) - start

    def values(impl: CPUGeneratorImpl, count: int) -> np.ndarray:
        x = _unit64(impl, count) if real is np.float64 else _unit32(impl, count)
        if width != 1 or start != 0:
            x = fma64(x, width, start) if real is np.float64 else fma32(x, width, start)
        x = x.astype(out.dtype, copy=False)
        # Rounding may reach the upper bound, which is not in the interval.
        return np.where(x == out.dtype.type(high), out.dtype.type(low), x)

    return _fill(out, generator, values)


def normal_(out: np.ndarray, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> np.ndarray:
    """Fill with normal numbers.

    Fewer than 16, or an array that is not contiguous: one by one, in float64, a pair of uniform numbers giving two
    normal ones, of which the second is kept in the generator for the next call. Otherwise by blocks of 16; what is
    left over at the end makes torch draw the last 16 again.

    Raises:
        NotImplementedError: `out` is not floating point.
        RuntimeError: std < 0.
    """
    if not std >= 0.0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    _check_floating(out.dtype, "normal_kernel_cpu")
    if out.size < BLOCK or not out.flags.c_contiguous:
        return _fill(out, generator, lambda impl, n: _normal_one_by_one(impl, n, mean, std))
    blocks = _normal_half if out.dtype == np.float16 else _normal_blocks
    return _fill(out, generator, lambda impl, n: blocks(impl, n, out.dtype, mean, std))


def random_(
    out: np.ndarray, low: int | None = None, high: int | None = None, generator: Any = None
) -> np.ndarray:
    """Fill with integers: in [low, high); without `high` up to the largest of the dtype; without both from 0.

    A floating-point dtype without bounds gets the integers that it holds exactly, up to 2^24 or 2^53.

    Raises:
        RuntimeError: low >= high, or a bound that the dtype cannot hold.
    """
    if low is None:
        return _fill(out, generator, lambda impl, n: _random_unbounded(impl, n, out.dtype))
    if high is None and low == _INT64_MIN:
        if out.size and out.dtype not in (np.int64, np.float32, np.float64):
            raise RuntimeError(
                "random_full_64_bits_range_kernel_cpu handles only int64, double, float and bfloat16"
            )
        return _fill(out, generator, lambda impl, n: impl.random64(n).view(np.int64))
    start, end = _integer_bounds(out.dtype, low, high)
    span = end - start

    def values(impl: CPUGeneratorImpl, count: int) -> np.ndarray:
        # 32 random bits leave a skew below 7 % up to 2^28; beyond, torch takes 64.
        if span < 1 << 28:
            offset = (impl.random(count) % np.uint32(span)).astype(np.uint64)
        else:
            offset = impl.random64(count) % np.uint64(span)
        return (offset + np.uint64(start & 0xFFFFFFFFFFFFFFFF)).view(np.int64)

    return _fill(out, generator, values)


def bernoulli_(out: np.ndarray, p: float | np.ndarray = 0.5, generator: Any = None) -> np.ndarray:
    """Fill with 1 with probability p and 0 otherwise. Dropout's mask is `bernoulli_(1 - p)`.

    Args:
        p: a number, compared with uniform float64 numbers; or an array that broadcasts to `out`, compared in float64
            if it is float64 and in float32 otherwise: the two forms draw different numbers.
    Raises:
        NotImplementedError: the array `p` is not floating point.
        RuntimeError: a probability outside [0, 1].
    """
    if not isinstance(p, np.ndarray):
        if not 0 <= p <= 1:
            raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
        return _fill(out, generator, lambda impl, n: _unit64(impl, n) < p)
    _check_floating(p.dtype, "bernoulli_tensor_cpu_p_")
    if not ((p >= 0) & (p <= 1)).all():
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  "
            "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    unit = _unit64 if p.dtype == np.float64 else _unit32
    chances = _in_memory_order(np.broadcast_to(p, out.shape), like=out)
    return _fill(out, generator, lambda impl, n: unit(impl, n) < chances.ravel())


def exponential_(out: np.ndarray, lambd: float = 1.0, generator: Any = None) -> np.ndarray:
    """Fill with -log(1 - u) / lambd."""
    if not lambd > 0.0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    if out.dtype.kind != "f":
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. "
            f"dtype must be a floating point but you specified {from_numpy(out.dtype).tensor_type}"
        )
    return _fill(out, generator, lambda impl, n: (-1.0 / lambd) * libm(math.log1p, -_unit64(impl, n)))


def cauchy_(out: np.ndarray, median: float = 0.0, sigma: float = 1.0, generator: Any = None) -> np.ndarray:
    """Fill with median + sigma tan(pi (u - 1/2))."""
    if not sigma > 0.0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    if out.dtype.kind != "f":
        raise RuntimeError(
            "Cauchy distribution is a continuous probability distribution. "
            f"dtype must be a floating point but you specified {_C_NAMES[out.dtype.name]}"
        )

    def values(impl: CPUGeneratorImpl, count: int) -> np.ndarray:
        return fma64(libm(math.tan, math.pi * (_unit64(impl, count) - 0.5)), sigma, median)

    return _fill(out, generator, values)


def log_normal_(out: np.ndarray, mean: float = 1.0, std: float = 2.0, generator: Any = None) -> np.ndarray:
    """Fill with exp of normal numbers, drawn one by one."""
    if not std > 0.0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    _check_floating(out.dtype, "log_normal_cpu")
    return _fill(out, generator, lambda impl, n: libm(_exp, _normal_one_by_one(impl, n, mean, std)))


def geometric_(out: np.ndarray, p: float, generator: Any = None) -> np.ndarray:
    """Fill with the number of trials up to the first success: ceil(log u / log(1 - p))."""
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    if out.dtype.kind == "b":
        raise NotImplementedError("\"geometric_cpu\" not implemented for 'Bool'")

    def values(impl: CPUGeneratorImpl, count: int) -> np.ndarray:
        return np.ceil(libm(_log, _unit64(impl, count)) / math.log1p(-p))

    return _fill(out, generator, values)


def sample_normal(
    mean: float | np.ndarray,
    std: float | np.ndarray,
    shape: tuple[int, ...],
    dtype: Any,
    generator: Any = None,
) -> np.ndarray:
    """`torch.normal`: a mean and a standard deviation for each element, or one for all.

    Args:
        shape: of the result; where `mean` or `std` is an array, what they broadcast to.
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


def sample_randperm(n: int, dtype: Any = np.int64, generator: Any = None) -> np.ndarray:
    """The numbers 0 to n - 1 in random order: Fisher and Yates, position i swapped with one of i, i + 1, ... n - 1."""
    kind = np.dtype(dtype)
    _check_randperm(n, kind)
    order = list(range(n))
    if n > 1:
        impl = _impl(generator)
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

    With replacement: a uniform number is looked up in the cumulated weights. Without: each weight is divided by an
    exponential number of its own, and the largest quotients win; a single sample is always drawn so.

    Args:
        weights: (categories,) or (rows, categories), floating point, need not sum to 1.
    Returns:
        (num_samples,) or (rows, num_samples).
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


def sample_poisson(rates: np.ndarray, generator: Any = None) -> np.ndarray:
    """Poisson numbers with these rates, one by one (see `_poisson`)."""
    _check_floating(rates.dtype, "poisson_cpu")
    if not (rates >= 0).all():
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    out = np.empty(rates.shape, rates.dtype)
    return _fill(
        out, generator, lambda impl, n: np.array([_poisson(impl, r) for r in rates.ravel().tolist()])
    )


# -- From bits to numbers ----------------------------------------------------------------------------------------


def _impl(generator: Any) -> CPUGeneratorImpl:
    return default_generator_impl if generator is None else generator.impl


def _fill(out: np.ndarray, generator: Any, values: Values) -> np.ndarray:
    if out.size:
        impl = _impl(generator)
        target = _in_memory_order(out, like=out)
        with impl.mutex:
            drawn = values(impl, out.size)
        if out.dtype == np.float16:
            drawn = drawn.astype(np.float32)  # as C++ casts to half
        with np.errstate(all="ignore"):
            target[...] = drawn.reshape(target.shape)
    return out


def _in_memory_order(array: np.ndarray, like: np.ndarray) -> np.ndarray:
    """`array` with its dimensions in the order in which `like` lies in memory: the order in which torch visits it."""
    if like.flags.c_contiguous:
        return array
    return array.transpose(sorted(range(like.ndim), key=lambda d: -like.strides[d]))


def _unit32(impl: CPUGeneratorImpl, count: int) -> np.ndarray:
    """Uniform float32 in [0, 1): the lower 24 bits of a 32-bit draw."""
    return (impl.random(count) & np.uint32((1 << 24) - 1)).astype(np.float32) * np.float32(2.0**-24)


def _unit64(impl: CPUGeneratorImpl, count: int) -> np.ndarray:
    """Uniform float64 in [0, 1): the lower 53 bits of a 64-bit draw."""
    return (impl.random64(count) & np.uint64((1 << 53) - 1)).astype(np.float64) * 2.0**-53


def _normal_one_by_one(impl: CPUGeneratorImpl, count: int, mean: float, std: float) -> np.ndarray:
    """Box and Muller in float64, starting with the number that the last call left over."""
    kept = impl.next_double_normal_sample
    fresh = count - (kept is not None)
    pairs = (fresh + 1) // 2
    u = _unit64(impl, 2 * pairs).reshape(pairs, 2)
    radius = np.sqrt(-2.0 * libm(math.log1p, -u[:, 1]))
    theta = (2.0 * math.pi) * u[:, 0]
    both = np.stack([radius * libm(math.cos, theta), radius * libm(math.sin, theta)], axis=1).ravel()
    impl.next_double_normal_sample = float(both[-1]) if fresh % 2 else None
    x = both[:fresh] if kept is None else np.concatenate([[kept], both[:fresh]])
    return fma64(x, std, mean)


def _normal_blocks(
    impl: CPUGeneratorImpl, count: int, dtype: np.dtype, mean: float, std: float
) -> np.ndarray:
    unit = _unit64 if dtype == np.float64 else _unit32
    whole = count - count % BLOCK
    u = unit(impl, count)
    out = np.empty(count, dtype)
    out[:whole] = normal_blocks(u[:whole].reshape(-1, BLOCK), mean, std).ravel()
    if whole != count:
        out[-BLOCK:] = normal_blocks(unit(impl, BLOCK).reshape(1, BLOCK), mean, std).ravel()
    return out


def _normal_half(impl: CPUGeneratorImpl, count: int, dtype: np.dtype, mean: float, std: float) -> np.ndarray:
    """float16 is computed in float32; what is left over is not drawn at first, unlike in the other dtypes."""
    blocks = -(-count // BLOCK)
    x = normal_blocks(_unit32(impl, blocks * BLOCK).reshape(blocks, BLOCK), mean, std).astype(dtype)
    return np.concatenate([x[:-1].ravel()[: count - BLOCK], x[-1]])


def _random_unbounded(impl: CPUGeneratorImpl, count: int, dtype: np.dtype) -> np.ndarray:
    if dtype in (np.int64, np.float64):
        return impl.random64(count) % np.uint64(1 << 63 if dtype == np.int64 else (1 << 53) + 1)
    if dtype.kind == "f":
        return impl.random(count) % np.uint32((1 << np.finfo(dtype).nmant + 1) + 1)
    return impl.random(count) % np.uint32(2 if dtype.kind == "b" else int(np.iinfo(dtype).max) + 1)


def _with_replacement(weights: np.ndarray, num_samples: int, generator: Any) -> np.ndarray:
    if (weights < 0).any():
        raise RuntimeError("invalid multinomial distribution (encountering probability entry < 0)")
    if not np.isfinite(weights).all():
        raise RuntimeError(
            "invalid multinomial distribution (encountering probability entry = infinity or NaN)"
        )
    real = np.float64 if weights.dtype == np.float64 else np.float32
    cumulated = np.cumsum(weights, dtype=real)
    if not cumulated[-1] > 0:
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    cumulated = cumulated / cumulated[-1]
    impl = _impl(generator)
    with impl.mutex:
        u = _unit64(impl, num_samples)
    return np.searchsorted(cumulated.astype(np.float64), u, side="left").astype(np.int64)


def _poisson(impl: CPUGeneratorImpl, rate: float) -> int:
    """Below 10 by multiplying uniform numbers (Knuth), above by transformed rejection (Hörmann, 1993), as in NumPy."""

    def uniform() -> float:
        return float(_unit64(impl, 1)[0])

    if rate == 0:
        return 0
    if rate < 10:
        limit, product, k = math.exp(-rate), uniform(), 0
        while product > limit:
            product *= uniform()
            k += 1
        return k
    root, log_rate = math.sqrt(rate), math.log(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    accepted_at_once = 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = uniform() - 0.5, uniform()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + rate + 0.43)
        if us >= 0.07 and v <= accepted_at_once:
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        left = math.log(v) + math.log(inverse_alpha) - math.log(a / (us * us) + b)
        if left <= -rate + k * log_rate - math.lgamma(k + 1):
            return k


def _exp(x: float) -> float:
    """exp of the C library, which gives inf where Python raises."""
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _log(x: float) -> float:
    """log of the C library, which gives -inf for 0 where Python raises."""
    return math.log(x) if x else -math.inf


# -- What torch refuses ------------------------------------------------------------------------------------------


def _check_floating(dtype: np.dtype, kernel: str) -> None:
    if dtype.kind != "f":
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{from_numpy(dtype).tensor_type}'")


def _check_uniform_bounds(dtype: np.dtype, low: float, high: float) -> None:
    _check_floating(dtype, "check_uniform_bounds")
    largest = float(np.finfo(dtype).max)
    for name, bound in (("from", low), ("to", high)):
        if not -largest <= bound <= largest:
            raise RuntimeError(f"{name} is out of bounds for {_C_NAMES[dtype.name]}")
    if not low <= high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    if not high - low <= largest:
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{from_numpy(dtype).tensor_type}>::max(), "
            f"but found to={high:g} and from={low:g} which result in to-from to exceed the limit"
        )


def _integer_bounds(dtype: np.dtype, low: int, high: int | None) -> tuple[int, int]:
    """[low, high) as `random_` uses it: checked, and for a floating-point dtype moved to numbers that it holds."""
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
            raise RuntimeError(f"{name} is out of bounds for {_C_NAMES[dtype.name]}")
        if digits and abs(bound) > 1 << digits:
            warnings.warn(
                f"{name} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations "
                f"{_C_NAMES[dtype.name]} can support discrete uniform distribution only within this range. "
                "This warning will become an error in version 1.7 release, please fix the code in advance",
                stacklevel=4,
            )
    return low, high


def _next_representable(dtype: np.dtype, digits: int, bound: int, direction: int) -> int:
    """`bound`, or where rounding would leave the interval the next number inside it that `dtype` holds."""
    inner = bound + direction
    rounded = int(np.float32(inner).astype(dtype)) if dtype == np.float16 else int(dtype.type(inner))
    outside = rounded < bound if direction > 0 else rounded >= bound
    if not outside:
        return bound
    return rounded + direction * (1 << (abs(inner).bit_length() - 1 - digits + 1))


def _check_randperm(n: int, dtype: np.dtype) -> None:
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    if dtype.kind == "b":
        raise NotImplementedError("\"randperm\" not implemented for 'Bool'")
    if dtype.kind == "f":
        largest = (1 << np.finfo(dtype).nmant + 1) + 1
        if n > largest:
            raise RuntimeError(
                f"n cannot be greater than {largest} for {from_numpy(dtype).tensor_type} type."
            )
    elif n > np.iinfo(dtype).max:
        raise RuntimeError(f"value cannot be converted to type {dtype.name}_t without overflow")
    if n >= 0xFFFFFFFF // 20:
        raise NotImplementedError(
            f"randperm({n}): from {0xFFFFFFFF // 20} up torch shuffles by another algorithm, "
            "which is out of the scope of reference_impl"
        )


def _check_multinomial(weights: np.ndarray, num_samples: int, replacement: bool) -> None:
    if weights.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if weights.dtype.kind != "f":
        raise RuntimeError(
            "multinomial only supports floating-point dtypes for input, got: "
            f"{from_numpy(weights.dtype).tensor_type}"
        )
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    categories = weights.shape[-1]
    if not replacement and num_samples > categories:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if categories > 1 << 24:
        raise RuntimeError("number of categories cannot exceed 2^24")
