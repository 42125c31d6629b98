"""Orthogonal polynomials by their three-term recurrences. See Abramowitz and Stegun, table 22.7.

Each is given by its value at degree 1 and by the step from the degrees k and k - 1 to k + 1; degree 0 is 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl.ops.numerics.precision import in_double

First = Callable[[Any], Any]
Step = Callable[[int, Any, Any, Any], Any]


def _chebyshev(first: First) -> tuple[First, Step]:
    return first, lambda k, x, q, p: 2 * x * q - p


def _shifted(first: First) -> tuple[First, Step]:
    return lambda x: first(2 * x - 1), lambda k, x, q, p: 2 * (2 * x - 1) * q - p


RECURRENCES: dict[str, tuple[First, Step]] = {
    "chebyshev_polynomial_t": _chebyshev(lambda x: x),
    "chebyshev_polynomial_u": _chebyshev(lambda x: 2 * x),
    "chebyshev_polynomial_v": _chebyshev(lambda x: 2 * x - 1),
    "chebyshev_polynomial_w": _chebyshev(lambda x: 2 * x + 1),
    "shifted_chebyshev_polynomial_t": _shifted(lambda x: x),
    "shifted_chebyshev_polynomial_u": _shifted(lambda x: 2 * x),
    "shifted_chebyshev_polynomial_v": _shifted(lambda x: 2 * x - 1),
    "shifted_chebyshev_polynomial_w": _shifted(lambda x: 2 * x + 1),
    "hermite_polynomial_h": (lambda x: 2 * x, lambda k, x, q, p: 2 * x * q - 2 * k * p),
    "hermite_polynomial_he": (lambda x: x, lambda k, x, q, p: x * q - k * p),
    "laguerre_polynomial_l": (lambda x: 1 - x, lambda k, x, q, p: ((2 * k + 1 - x) * q - k * p) / (k + 1)),
    "legendre_polynomial_p": (lambda x: x, lambda k, x, q, p: ((2 * k + 1) * x * q - k * p) / (k + 1)),
}


def polynomial(name: str) -> Callable[[Any, Any], Any]:
    """The polynomial `name` of x and the degree n, elementwise; 0 for a negative degree."""
    first, step = RECURRENCES[name]

    @in_double
    def evaluate(x: Any, n: Any) -> Any:
        x, n = np.broadcast_arrays(x, np.trunc(n))
        value = np.where(n < 0, 0.0, np.where(n == 0, 1.0, first(x)))
        p, q = np.ones_like(x), first(x)
        highest = int(np.max(n)) if n.size else 0
        for k in range(1, highest):
            p, q = q, step(k, x, q, p)
            value = np.where(n == k + 1, q, value)
        return value

    return evaluate
