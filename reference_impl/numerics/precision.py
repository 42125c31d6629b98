"""Compute functions in float64, and round the result to the dtype of the argument."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl._layout import preserve_format
from reference_impl.core.extensions import extensions
from reference_impl.numerics.memory_order import copy_in_format


def in_double(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function of float64 arrays: it gets float64 arguments, and its result gets the dtype of the first floating-point argument."""

    @functools.wraps(function)
    def wrapper(*values: Any) -> Any:
        dtype = next(v.dtype for v in values if hasattr(v, "dtype") and v.dtype.kind == "f")
        wide = [np.asarray(v, dtype=np.float64) if isinstance(v, np.generic) else _wide(v) for v in values]
        return function(*wide).astype(dtype, copy=False)

    return wrapper


def _wide(value: Any) -> Any:
    if not hasattr(value, "dtype") or value.dtype == np.float64:
        return value
    return copy_in_format(value, preserve_format, np.float64)


def rounded_once(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """Wrap a NumPy ufunc: for float32 arrays of NumPy, compute in float64 and round the result once.

    The last bits of NumPy's float32 functions depend on the processor, and differ from torch's for 10 % to 50 % of the numbers. If
    the result is rounded once, they differ for 1 %. For arrays of other dtypes, and for CuPy arrays, the ufunc is called unchanged.

    Do not wrap `tanh`, `sin` and `cos`, which would take 7 to 30 times as long, or `asinh`, `acosh` and `acos`, which would not be closer
    to torch.
    """

    def of_array(x: Any) -> Any:
        if isinstance(x, _OF_NUMPY) and x.dtype.char == "f":
            return function(x, dtype=_FLOAT64).astype(_FLOAT32)
        return function(x)

    return of_array


_OF_NUMPY, _FLOAT32, _FLOAT64 = (np.ndarray, np.generic), np.dtype(np.float32), np.dtype(np.float64)
exp, expm1, log, log1p = map(rounded_once, (np.exp, np.expm1, np.log, np.log1p))
extensions.fill(exp=exp, log=log)


def horner(x: Any, coefficients: tuple[float, ...]) -> Any:
    """Return the value of a polynomial at `x`. The coefficients begin with that of the highest power."""
    total = np.full_like(x, coefficients[0])
    for c in coefficients[1:]:
        total = total * x + c
    return total
