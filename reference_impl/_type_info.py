"""`finfo` and `iinfo`: the limits of a dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._dtype import dtype, get_default_dtype, of_python_type
from reference_impl.arguments.parser import type_name


class _Limits:
    """Base of `finfo` and `iinfo`: two are equal if they describe the same dtype."""

    dtype: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Limits) and self.dtype == other.dtype


class finfo(_Limits):  # noqa: N801
    """The limits of a floating-point dtype, by default of the default dtype. A value masked out of a softmax is `finfo(dtype).min`.

    Attributes:
        bits: the number of bits of an element.
        eps: the difference of 1 and the next larger number.
        max, min: the largest number, and its negative.
        smallest_normal, tiny: the smallest positive number with full precision.
        resolution: the power of ten of the last decimal digit that is always exact.
        dtype: the name of the dtype.

    Raises:
        TypeError: `type` is not a floating-point dtype.
    """

    def __init__(self, type: Any = ...) -> None:
        kind = get_default_dtype() if type is ... else _check_dtype("finfo", type)
        if not kind.is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        limits: Any = np.finfo(kind.numpy)
        self.bits = int(limits.bits)
        self.eps, self.max, self.min = float(limits.eps), float(limits.max), float(limits.min)
        self.smallest_normal = self.tiny = float(limits.smallest_normal)
        self.resolution = float(10.0**-limits.precision)
        self.dtype = kind.numpy.name

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


class iinfo(_Limits):  # noqa: N801
    """The limits of an integer dtype.

    Attributes:
        bits: the number of bits of an element.
        min, max: the smallest and the largest number.
        dtype: the name of the dtype.

    Raises:
        TypeError: `type` is not an integer dtype.
    """

    def __init__(self, type: Any) -> None:
        kind = _check_dtype("iinfo", type)
        if kind.is_floating_point:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        if kind.numpy.kind == "b":
            raise TypeError("torch.bool is not supported by torch.iinfo")
        limits: Any = np.iinfo(kind.numpy)
        self.bits, self.min, self.max = int(limits.bits), int(limits.min), int(limits.max)
        self.dtype = kind.numpy.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


def _check_dtype(function: str, type: Any) -> dtype:
    kind = type if isinstance(type, dtype) else of_python_type(type)
    if kind is None:
        raise TypeError(f"{function}(): argument 'type' (position 1) must be torch.dtype, not {type_name(type)}")
    return kind


finfo.__module__ = iinfo.__module__ = "torch"
