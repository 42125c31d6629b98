"""Compute in float64 and return the dtype that came."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl._layout import preserve_format
from reference_impl._memory_order import copied


def in_double(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` of float64 arrays as one of arrays of any floating-point dtype. Numbers pass as they are."""

    @functools.wraps(function)
    def wrapper(*values: Any) -> Any:
        dtype = next(v.dtype for v in values if hasattr(v, "dtype") and v.dtype.kind == "f")
        wide = [np.asarray(v, dtype=np.float64) if isinstance(v, np.generic) else _wide(v) for v in values]
        return function(*wide).astype(dtype, copy=False)

    return wrapper


def _wide(value: Any) -> Any:
    if not hasattr(value, "dtype") or value.dtype == np.float64:
        return value
    return copied(value, preserve_format, np.float64)


def horner(x: Any, coefficients: tuple[float, ...]) -> Any:
    """The polynomial whose highest coefficient comes first."""
    total = np.full_like(x, coefficients[0])
    for c in coefficients[1:]:
        total = total * x + c
    return total
