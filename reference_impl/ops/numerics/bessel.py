"""Modified Bessel functions of the first kind: power series below 30, asymptotic series above.

All terms of the power series are positive, so nothing cancels: Abramowitz and Stegun, 9.6.10 and 9.7.1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reference_impl.ops.numerics.precision import in_double

_BORDER = 30.0
_POWER_TERMS = 50
_ASYMPTOTIC_TERMS = 25


def _scaled(x: Any, order: int) -> Any:
    """exp(-|x|) I_order(|x|)."""
    size = np.abs(x)
    near = np.minimum(size, _BORDER)
    quarter = near * near / 4
    total = np.ones_like(near)
    for k in range(_POWER_TERMS, 0, -1):
        total = 1 + total * quarter / (k * (k + order))
    total = total * (near / 2) ** order * np.exp(-near)
    far = np.maximum(size, _BORDER)
    tail = np.ones_like(far)
    for k in range(_ASYMPTOTIC_TERMS, 0, -1):
        tail = 1 - tail * (4 * order * order - (2 * k - 1) ** 2) / (8 * k * far)
    tail = tail / np.sqrt(2 * math.pi * far)
    return np.where(size <= _BORDER, total, tail)


@in_double
def i0e(x: Any) -> Any:
    return _scaled(x, 0)


@in_double
def i0(x: Any) -> Any:
    return _scaled(x, 0) * np.exp(np.abs(x))


@in_double
def i1e(x: Any) -> Any:
    return np.copysign(_scaled(x, 1), x)


@in_double
def i1(x: Any) -> Any:
    return np.copysign(_scaled(x, 1) * np.exp(np.abs(x)), x)


# -- first and second kind: by Miller's backward recurrence below 25, by Hankel's asymptotic series above

_EULER = 0.57721566490153286061
_HANKEL_BORDER = 25.0
_HIGHEST_ORDER = 80


def _recurrence(x: Any) -> tuple[Any, Any, Any, Any]:
    """J0, J1, and the sums of Neumann's series for Y0 and Y1, for 0 < x <= 25.

    From a high order downwards J_(n-1) = 2n/x J_n - J_(n+1) is stable; J_0 + 2 Σ J_2k = 1 gives the scale.
    """
    above, current = np.zeros_like(x), np.full_like(x, 1e-300)
    scale = np.zeros_like(x)
    for_y0, for_y1 = np.zeros_like(x), np.zeros_like(x)
    for n in range(_HIGHEST_ORDER, 0, -1):
        # `current` is J_n here.
        k = n // 2
        sign = -1.0 if k % 2 else 1.0
        if n % 2 == 0:
            scale = scale + 2 * current
            for_y0 = for_y0 + sign / k * current
        elif k:
            for_y1 = for_y1 + sign * n / (k * (k + 1)) * current
        above, current = current, 2 * n / x * current - above
        too_large = np.abs(current) > 1e250
        shrink = np.where(too_large, 1e-250, 1.0)
        above, current, scale = above * shrink, current * shrink, scale * shrink
        for_y0, for_y1 = for_y0 * shrink, for_y1 * shrink
    scale = scale + current
    return current / scale, above / scale, for_y0 / scale, for_y1 / scale


def _hankel(x: Any, order: int) -> tuple[Any, Any]:
    """J and Y of `order` for x >= 25: Abramowitz and Stegun, 9.2.5."""
    mu = 4.0 * order * order
    p, q = np.ones_like(x), np.zeros_like(x)
    term = np.ones_like(x)
    for k in range(1, 25):
        term = term * (mu - (2 * k - 1) ** 2) / (8 * k * x)
        sign = -1.0 if k // 2 % 2 else 1.0
        if k % 2:
            q = q + sign * term
        else:
            p = p + sign * term
    angle = x - (order / 2 + 0.25) * math.pi
    size = np.sqrt(2 / (math.pi * x))
    return size * (p * np.cos(angle) - q * np.sin(angle)), size * (p * np.sin(angle) + q * np.cos(angle))


def _near_and_far(x: Any) -> tuple[Any, Any]:
    size = np.abs(x)
    return np.clip(size, 1e-8, _HANKEL_BORDER), np.clip(size, _HANKEL_BORDER, 1e300)


@in_double
def bessel_j0(x: Any) -> Any:
    near, far = _near_and_far(x)
    value = np.where(np.abs(x) <= _HANKEL_BORDER, _recurrence(near)[0], _hankel(far, 0)[0])
    return np.where(np.isnan(x), x, np.where(np.abs(x) < 1e-8, 1.0, value))


@in_double
def bessel_j1(x: Any) -> Any:
    near, far = _near_and_far(x)
    value = np.where(np.abs(x) <= _HANKEL_BORDER, _recurrence(near)[1], _hankel(far, 1)[0]) * np.sign(x)
    return np.where(np.isnan(x), x, np.where(np.abs(x) < 1e-8, x / 2, value))


@in_double
def bessel_y0(x: Any) -> Any:
    near, far = _near_and_far(x)
    j0, _, sum_y0, _ = _recurrence(near)
    value = (2 / math.pi) * (np.log(near / 2) + _EULER) * j0 - (4 / math.pi) * sum_y0
    value = np.where(np.abs(x) <= _HANKEL_BORDER, value, _hankel(far, 0)[1])
    value = np.where(np.abs(x) < 1e-8, (2 / math.pi) * (np.log(np.maximum(x, 1e-320) / 2) + _EULER), value)
    return _below_zero(x, value)


@in_double
def bessel_y1(x: Any) -> Any:
    near, far = _near_and_far(x)
    j0, j1, _, sum_y1 = _recurrence(near)
    value = (2 / math.pi) * ((np.log(near / 2) + _EULER - 1) * j1 - j0 / near - sum_y1)
    value = np.where(np.abs(x) <= _HANKEL_BORDER, value, _hankel(far, 1)[1])
    value = np.where(np.abs(x) < 1e-8, -2 / (math.pi * np.maximum(x, 1e-320)), value)
    return _below_zero(x, value)


def _below_zero(x: Any, value: Any) -> Any:
    return np.where(x == 0, -np.inf, np.where(x < 0, np.nan, np.where(np.isnan(x), x, value)))


# -- modified, second kind: power series below 2, then the integral of exp(-x cosh t) cosh(order t) by the trapezoidal rule,
#    which converges geometrically for such functions, and from 40 the asymptotic series (Abramowitz and Stegun, 9.7.2)


def _scaled_k(x: Any, order: int) -> Any:
    """exp(x) K_order(x) for x > 0."""
    near, middle, far = np.clip(x, 1e-300, 2.0), np.clip(x, 2.0, 40.0), np.clip(x, 40.0, 1e300)
    quarter = near * near / 4
    total, term, harmonic = np.zeros_like(near), np.ones_like(near), -_EULER
    log_half = np.log(near / 2)
    for k in range(20):
        if order == 0:
            total = total + term * (harmonic - log_half)
        else:
            total = total + term * (log_half - harmonic - 0.5 / (k + 1))
        harmonic += 1 / (k + 1)
        term = term * quarter / ((k + 1) * (k + 1 + order))
    series = total if order == 0 else 1 / near + near / 2 * total
    integral = np.full_like(middle, 0.5)
    step = 1 / 16
    for i in range(1, 90):
        t = i * step
        integral = integral + np.exp(-middle * (math.cosh(t) - 1)) * math.cosh(order * t)
    tail = np.ones_like(far)
    for k in range(_ASYMPTOTIC_TERMS, 0, -1):
        tail = 1 + tail * (4 * order * order - (2 * k - 1) ** 2) / (8 * k * far)
    tail = tail * np.sqrt(math.pi / (2 * far))
    return np.where(x <= 2, series * np.exp(near), np.where(x <= 40, integral * step, tail))


def _modified_k(x: Any, order: int, scaled: bool) -> Any:
    value = _scaled_k(x, order)
    if not scaled:
        value = value * np.exp(-x)
    return np.where(x == 0, np.inf, np.where(x < 0, np.nan, np.where(np.isnan(x), x, value)))


@in_double
def modified_bessel_k0(x: Any) -> Any:
    return _modified_k(x, 0, scaled=False)


@in_double
def modified_bessel_k1(x: Any) -> Any:
    return _modified_k(x, 1, scaled=False)


@in_double
def scaled_modified_bessel_k0(x: Any) -> Any:
    return _modified_k(x, 0, scaled=True)


@in_double
def scaled_modified_bessel_k1(x: Any) -> Any:
    return _modified_k(x, 1, scaled=True)


@in_double
def spherical_bessel_j0(x: Any) -> Any:
    """sin(x) / x."""
    safe = np.where(x == 0, 1.0, x)
    return np.where(np.isinf(x), 0.0, np.where(x == 0, 1.0, np.sin(safe) / safe))
