"""Uniform numbers in, normal numbers out: torch's `normal_fill`, block by block, to the last bit.

A block is 16 uniform numbers; the first eight are lengths, the last eight angles (Box and Muller, 1958):

    radius = sqrt(-2 log(1 - u[j])),  theta = 2 pi u[j + 8]
    out[j] = radius cos(theta) std + mean,  out[j + 8] = radius sin(theta) std + mean

In float64 torch calls the C library's log, sin and cos. In float32 on x86-64 with AVX2 it evaluates
polynomials of the Cephes library (avx_mathfun.h), where the compiler has fused multiplications into
additions: what is rounded once and what twice below follows the machine code of the torch 2.13.0 wheel. So
this equals torch there, bit for bit; a torch on ARM or without AVX2 (`ATEN_CPU_CAPABILITY=default`) calls the
C library in float32 too, and differs in the last digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

BLOCK = 16
_CHUNK = 512  # blocks worked on at a time, so that temporaries stay in the processor's cache

f32 = np.float32

# Cephes logf: log(1 + x) on [sqrt(1/2) - 1, sqrt(2) - 1]; log 2 in two parts.
_LOG = [
    f32(c)
    for c in (
        7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
        -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
    )
]  # fmt: skip
_LN2_LOW, _LN2_HIGH = f32(-2.12194440e-4), f32(0.693359375)
_SQRT_HALF = f32(0.707106781186547524)
# Cephes sinf and cosf on [-pi/4, pi/4]; pi/4 in three parts, negated.
_SIN = [f32(c) for c in (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)]
_COS = [f32(c) for c in (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)]
_QUARTER_PI = [f32(c) for c in (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)]
_FOUR_OVER_PI = f32(1.27323954473516)
_TWO_PI = f32(2 * math.pi)


def normal_blocks(uniform: np.ndarray, mean: float, std: float) -> np.ndarray:
    """Normal numbers from uniform ones in [0, 1).

    Args:
        uniform: float32 or float64 of shape (n, 16).
    Returns:
        The same shape and dtype.
    """
    out = np.empty_like(uniform)
    fill = _blocks32 if uniform.dtype == f32 else _blocks64
    for start in range(0, len(uniform), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        fill(uniform[chunk], mean, std, out[chunk])
    return out


def _blocks64(uniform: np.ndarray, mean: float, std: float, out: np.ndarray) -> None:
    half = BLOCK // 2
    radius = np.sqrt(-2.0 * libm(math.log, 1.0 - uniform[:, :half]))
    theta = (2.0 * math.pi) * uniform[:, half:]
    out[:, :half] = fma64(radius * libm(math.cos, theta), std, mean)
    out[:, half:] = fma64(radius * libm(math.sin, theta), std, mean)


def _blocks32(uniform: np.ndarray, mean: float, std: float, out: np.ndarray) -> None:
    half = BLOCK // 2
    radius = np.sqrt(f32(-2) * _log32(f32(1) - uniform[:, :half]))
    sine, cosine = _sincos32(_TWO_PI * uniform[:, half:])
    out[:, :half] = fma32(radius * cosine, f32(std), f32(mean))
    out[:, half:] = fma32(radius * sine, f32(std), f32(mean))


def _log32(x: np.ndarray) -> np.ndarray:
    """Natural logarithm of float32 in (0, 1]: x = m 2^e, m in [sqrt(1/2), sqrt(2)), a polynomial in m - 1."""
    m, e = np.frexp(x)
    small = m < _SQRT_HALF
    e = e.astype(f32) - small
    x = (m - f32(1)) + m * small
    z = x * x
    y = x * _horner(_LOG, x)
    y = fma32(y, z, e * _LN2_LOW)
    y = fma32(z, f32(-0.5), y)
    return fma32(e, _LN2_HIGH, x + y)


def _sincos32(theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sine and cosine of float32 in [0, 2 pi]: less the nearest even multiple of pi/4, two polynomials."""
    j = ((theta * _FOUR_OVER_PI).astype(np.int32) + 1) & ~1
    x = theta
    for part in _QUARTER_PI:
        x = fma32(j.astype(f32), part, x)
    z = x * x
    cosine = fma32(z, z * _horner(_COS, z), f32(-0.5) * z) + f32(1)
    sine = fma32(x, z * _horner(_SIN, z), x)
    swap = (j & 2) != 0
    sign_of_sine = np.where(j & 4, f32(-1), f32(1))
    sign_of_cosine = np.where((j - 2) & 4, f32(1), f32(-1))
    return (
        np.where(swap, cosine, sine) * sign_of_sine,
        np.where(swap, sine, cosine) * sign_of_cosine,
    )


def _horner(coefficients: list[np.float32], x: np.ndarray) -> np.ndarray:
    """The polynomial with these coefficients, highest power first, one fused step each."""
    y = fma32(x, coefficients[0], coefficients[1])
    for c in coefficients[2:]:
        y = fma32(y, x, c)
    return y


def fma32(a: np.ndarray, b: np.ndarray | np.float32, c: np.ndarray | np.float32) -> np.ndarray:
    """a b + c in float32 with one rounding.

    The product is exact in float64. The sum may be rounded there first, and to float32 afterwards; that
    differs from one rounding only where the float64 sum lies half-way between two float32 numbers, so there
    it is moved off the middle towards the exact value.
    """
    product = np.multiply(a, b, dtype=np.float64)
    total = product + c
    tie = (total.view(np.int64) & 0x1FFFFFFF) == 0x10000000
    if np.count_nonzero(tie):
        p, t = product[tie], total[tie]
        addend = np.broadcast_to(c, total.shape)[tie].astype(np.float64)
        rest = _rest_of_sum(p, addend, t)
        total[tie] = np.where(rest == 0, t, np.nextafter(t, np.copysign(np.inf, rest)))
    return total.astype(f32)


def fma64(a: np.ndarray, b: float, c: float) -> np.ndarray:
    """a b + c in float64 with one rounding.

    Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to
    odd", IEEE Transactions on Computers 57 (2008).
    """
    product = a * b
    if c == 0.0:
        return product + c
    if b == 1.0:
        return a + c
    low = _rest_of_product(a, b, product)
    high_sum = product + c
    # product + low + c is exactly high_sum + (rest + low). Rounding that last sum to odd makes the final sum
    # right.
    rest = _rest_of_sum(product, c, high_sum)
    tail = rest + low
    inexact = _rest_of_sum(rest, low, tail)
    even = (tail.view(np.int64) & 1) == 0
    tail = np.where((inexact != 0) & even, np.nextafter(tail, np.copysign(np.inf, inexact)), tail)
    return high_sum + tail


def _rest_of_sum(a: np.ndarray, b: Any, total: np.ndarray) -> np.ndarray:
    """a + b - total exactly, where `total` is a + b rounded (Knuth's TwoSum)."""
    t = total - a
    return (a - (total - t)) + (b - t)


def _rest_of_product(a: np.ndarray, b: float, product: np.ndarray) -> np.ndarray:
    """a b - product exactly, where `product` is a b rounded (Dekker's product, splitting by 2^27 + 1)."""
    a_high, b_high = a * 134217729.0, b * 134217729.0
    a_high, b_high = a_high - (a_high - a), b_high - (b_high - b)
    a_low, b_low = a - a_high, b - b_high
    return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


def libm(function: Callable[[float], float], x: np.ndarray) -> np.ndarray:
    """`function` of the C library, as Python's `math` calls it, for each element of float64 `x`.

    NumPy's own log differs from it in the last bit for 0.4 % of the numbers in (0, 1) where the processor has
    AVX-512, its log1p for 7 %.
    """
    return np.fromiter(map(function, x.ravel().tolist()), np.float64, x.size).reshape(x.shape)
