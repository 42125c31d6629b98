"""The gamma function's family: lgamma, digamma, polygamma, Hurwitz zeta, the incomplete gamma functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reference_impl.ops.numerics.precision import horner, in_double

# Stirling's series: B_2k / (2k (2k - 1)), highest first
_STIRLING = (1.0 / 156, -691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12)
# of digamma: B_2k / 2k, highest first
_DIGAMMA = (1.0 / 12, -691.0 / 32760, 1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12)


@in_double
def lgamma(x: Any) -> Any:
    """log |Γ(x)|. Below 1/2 by reflection; above by raising x to 10 or more and Stirling's series there."""
    positive = np.where(x < 0.5, 1 - x, x)
    product = np.ones_like(x)
    z = positive
    for _ in range(10):
        small = z < 10
        product = np.where(small, product * z, product)
        z = np.where(small, z + 1, z)
    safe = np.where(np.isinf(z), 1e300, z)
    series = horner(1 / (safe * safe), _STIRLING) / safe
    value = (safe - 0.5) * np.log(safe) - safe + 0.5 * math.log(2 * math.pi) + series - np.log(product)
    value = np.where(np.isinf(z), np.inf, value)
    sine = np.abs(np.sin(math.pi * (x - np.round(x))))
    reflected = math.log(math.pi) - np.log(sine) - value
    value = np.where(x < 0.5, reflected, value)
    value = np.where((x == 1) | (x == 2), 0.0, value)
    pole = (x <= 0) & (x == np.floor(x))
    return np.where(pole | np.isinf(x), np.inf, np.where(np.isnan(x), np.nan, value))


@in_double
def digamma(x: Any) -> Any:
    """Γ'(x) / Γ(x). Below 0 by reflection; above by raising x to 10 or more and the asymptotic series there."""
    z = np.where(x < 0, 1 - x, x)
    shift = np.zeros_like(x)
    for _ in range(10):
        small = z < 10
        shift = np.where(small, shift - 1 / z, shift)
        z = np.where(small, z + 1, z)
    w = 1 / (z * z)
    value = np.log(z) - 0.5 / z - w * horner(w, _DIGAMMA) + shift
    value = np.where(x < 0, value - math.pi / np.tan(math.pi * (x - np.trunc(x))), value)
    value = np.where((x < 0) & (x == np.floor(x)), np.nan, value)
    return np.where(x == 0, np.copysign(np.inf, -x), value)


def trigamma(x: Any) -> Any:
    """The derivative of digamma, by the short series that torch uses, in the dtype of `x`: good to about eight digits."""
    if x.dtype == np.float16:
        return trigamma(x.astype(np.float32)).astype(np.float16)
    z = np.where(x < 0.5, 1 - x, x)
    total = np.zeros_like(x)
    for _ in range(6):
        total = total + 1 / (z * z)
        z = z + 1
    w = 1 / (z * z)
    total = total + (1 + 1 / (2 * z) + w * (1.0 / 6 - w * (1.0 / 30 - w * (1.0 / 42)))) / z
    sine = np.sin(math.pi * x)
    return np.where(x < 0.5, (math.pi * math.pi) / (sine * sine) - total, total)


def polygamma(n: int, x: Any) -> Any:
    """The n-th derivative of digamma: (-1)^(n+1) n! ζ(n + 1, x)."""
    if n == 0:
        return digamma(x)
    if n == 1:
        return trigamma(x)
    return (-1.0) ** (n + 1) * math.exp(math.lgamma(n + 1.0)) * zeta(np.full_like(x, n + 1.0), x)


# (2k)! / B_2k for the Euler-Maclaurin sum of zeta
_ZETA = (12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1.8924375803183791606e9, 7.47242496e10, -2.950130727918164224e12,
         1.1646782814350067249e14, -4.5979787224074726105e15, 1.8152105401943546773e17, -7.1661652561756670113e18)  # fmt: skip


@in_double
def zeta(x: Any, q: Any) -> Any:
    """Hurwitz' Σ 1 / (k + q)^x over k >= 0: the first terms one by one, the rest by Euler-Maclaurin (Cephes zeta.c)."""
    x, q = np.broadcast_arrays(x, q)
    regular = (x > 1) & ((q > 0) | ((q != np.floor(q)) & (x == np.floor(x))))
    s, a = np.where(regular, x, 2.0), np.where(regular, q, 1.0)
    total = a**-s
    term = np.zeros_like(total)
    steps = max(9, int(np.ceil(10 - np.min(a)))) if a.size else 0
    for i in range(steps):
        more = (i < 9) | (a <= 9)
        a = np.where(more, a + 1, a)
        term = np.where(more, a**-s, term)
        total = np.where(more, total + term, total)
    w = a
    total = total + term * w / (s - 1) - 0.5 * term
    factor = np.ones_like(total)
    k = 0.0
    for divisor in _ZETA:
        factor = factor * (s + k)
        term = term / w
        total = total + factor * term / divisor
        factor = factor * (s + k + 1)
        term = term / w
        k += 2
    total = np.where(regular, total, np.nan)
    total = np.where((x > 1) & (q <= 0) & (q == np.floor(q)), np.inf, total)
    return np.where(x == 1, np.inf, total)


@in_double
def gammainc(a: Any, x: Any) -> Any:
    """The regularised lower incomplete gamma function: by its series for small x, as 1 - the upper one for large x."""
    a, x = np.broadcast_arrays(a, x)
    lower = (x <= 1) | (x <= a)
    value = np.where(
        lower, _lower_series(a, np.where(lower, x, 0.5)), 1 - _upper_fraction(a, np.where(lower, a + 2, x))
    )
    return _incomplete_limits(a, x, value, at_zero=0.0)


@in_double
def gammaincc(a: Any, x: Any) -> Any:
    """The regularised upper incomplete gamma function, 1 - gammainc."""
    a, x = np.broadcast_arrays(a, x)
    lower = (x <= 1) | (x <= a)
    value = np.where(
        lower, 1 - _lower_series(a, np.where(lower, x, 0.5)), _upper_fraction(a, np.where(lower, a + 2, x))
    )
    return _incomplete_limits(a, x, value, at_zero=1.0)


def _incomplete_limits(a: Any, x: Any, value: Any, at_zero: float) -> Any:
    value = np.where(a == 0, np.where(x > 0, 1 - at_zero, np.nan), np.where(x == 0, at_zero, value))
    value = np.where(np.isinf(x) & (a > 0), np.where(np.isinf(a), np.nan, 1 - at_zero), value)
    value = np.where(np.isinf(a) & ~np.isinf(x), at_zero, value)
    return np.where((x < 0) | (a < 0) | np.isnan(x) | np.isnan(a), np.nan, value)


def _scale(a: Any, x: Any) -> Any:
    """x^a e^-x / Γ(a + 1)"""
    return np.exp(a * np.log(x) - x - lgamma(a + 1))


def _lower_series(a: Any, x: Any) -> Any:
    """Σ x^k / ((a + 1) ... (a + k)) times the scale."""
    a = np.where((a > 0) & np.isfinite(a), a, 1.0)
    x = np.where(x > 0, x, 1e-300)
    term = total = np.ones_like(x)
    divisor = a
    for _ in range(2000):
        divisor = divisor + 1
        term = term * (x / divisor)
        total = total + term
        if np.all(term <= 1e-17 * total):
            break
    return total * _scale(a, x)


def _upper_fraction(a: Any, x: Any) -> Any:
    """Legendre's continued fraction, evaluated by Lentz' method."""
    a = np.where((a > 0) & np.isfinite(a), a, 1.0)
    x = np.where(np.isfinite(x) & (x > 0), x, a + 2)
    tiny = 1e-300
    b = x + 1 - a
    c = np.full_like(x, 1 / tiny)
    d = 1 / np.where(b == 0, tiny, b)
    h = d
    for i in range(1, 2000):
        an = -i * (i - a)
        b = b + 2
        d = an * d + b
        d = 1 / np.where(np.abs(d) < tiny, tiny, d)
        c = b + an / c
        c = np.where(np.abs(c) < tiny, tiny, c)
        h = h * (d * c)
        if np.all(np.abs(d * c - 1) < 1e-16):
            break
    return h * _scale(a, x) * a
