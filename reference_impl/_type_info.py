"""`torch.finfo` and `torch.iinfo`: the limits of the dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._dtype import dtype, get_default_dtype


class finfo:
    """The limits of a floating-point dtype, as Python floats.

    Attributes:
        bits, eps, max, min, tiny, smallest_normal, resolution: as in `numpy.finfo`; `dtype`: its name.

    Raises:
        TypeError: `type` is not floating point.
    """

    def __init__(self, type: Any = None) -> None:
        kind = get_default_dtype() if type is None else type
        if not isinstance(kind, dtype) or not kind.is_floating_point:
            raise TypeError(
                f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{_shown(kind)}'"
            )
        limits = np.finfo(kind.numpy)
        self.bits = int(limits.bits)
        self.eps, self.max, self.min = float(limits.eps), float(limits.max), float(limits.min)
        self.smallest_normal = self.tiny = float(limits.smallest_normal)
        self.resolution = float(10.0**-limits.precision)
        self.dtype = kind.name

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


class iinfo:
    """The limits of an integer dtype.

    Attributes:
        bits, min, max: of the dtype; `dtype`: its name.

    Raises:
        TypeError: `type` is not an integer dtype.
    """

    def __init__(self, type: Any) -> None:
        if not isinstance(type, dtype) or type.numpy.kind not in "iu":
            raise TypeError(f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{_shown(type)}'")
        limits = np.iinfo(type.numpy)
        self.bits, self.min, self.max = int(limits.bits), int(limits.min), int(limits.max)
        self.dtype = type.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


def _shown(kind: Any) -> str:
    return f"torch.{kind.name}" if isinstance(kind, dtype) else str(kind)


finfo.__module__ = iinfo.__module__ = "torch"
