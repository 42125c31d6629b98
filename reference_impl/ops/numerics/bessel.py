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
