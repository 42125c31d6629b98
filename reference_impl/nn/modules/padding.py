"""Padding layers."""

from __future__ import annotations

from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn import functional as F
from reference_impl.nn.modules.layer import check_dimensions
from reference_impl.nn.modules.module import Module
from reference_impl.ops.kernel_positions import n_times


class _PadNd(Module):
    """Base of padding layers, which add a border around the last `_spatial` dimensions.

    Args:
        padding: width of the border: a number, or (left, right) for each dimension, from the last dimension to the first.
    """

    _spatial: int
    _mode: str

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = n_times(padding, 2 * self._spatial)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPadNd(_PadNd):
    _mode = "constant"

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPadNd):
    """Add a border of `value` at both ends of the last dimension."""

    _spatial = 1


class ConstantPad2d(_ConstantPadNd):
    """Add a border of `value` around the last two dimensions."""

    _spatial = 2


class ConstantPad3d(_ConstantPadNd):
    """Add a border of `value` around the last three dimensions."""

    _spatial = 3


class _ZeroPad:
    """Mixin that makes a ConstantPad add a border of 0."""

    padding: Any

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)  # type: ignore[call-arg]

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad1d(_ZeroPad, ConstantPad1d):
    """Add a border of 0 at both ends of the last dimension."""


class ZeroPad2d(_ZeroPad, ConstantPad2d):
    """Add a border of 0 around the last two dimensions."""


class ZeroPad3d(_ZeroPad, ConstantPad3d):
    """Add a border of 0 around the last three dimensions."""


class _ReflectionPadNd(_PadNd):
    _mode = "reflect"


class ReflectionPad1d(_ReflectionPadNd):
    """Add a border that mirrors the elements inside, along the last dimension: [a, b, c] -> [b, a, b, c, b].

    The input is (n, c, l) or (c, l).
    """

    _spatial = 1


class ReflectionPad2d(_ReflectionPadNd):
    """Add a border that mirrors the elements inside, along the last two dimensions of (n, c, h, w) or (c, h, w)."""

    _spatial = 2


class ReflectionPad3d(_ReflectionPadNd):
    """Add a border that mirrors the elements inside, along the last three dimensions of (n, c, d, h, w) or (c, d, h, w)."""

    _spatial = 3


class _ReplicationPadNd(_PadNd):
    _mode = "replicate"


class ReplicationPad1d(_ReplicationPadNd):
    """Add a border that repeats the outermost elements of the last dimension: [a, b, c] -> [a, a, b, c, c].

    The input is (n, c, l) or (c, l).
    """

    _spatial = 1


class ReplicationPad2d(_ReplicationPadNd):
    """Add a border that repeats the outermost elements of the last two dimensions of (n, c, h, w) or (c, h, w)."""

    _spatial = 2


class ReplicationPad3d(_ReplicationPadNd):
    """Add a border that repeats the outermost elements of the last three dimensions of (n, c, d, h, w) or (c, d, h, w)."""

    _spatial = 3


class _CircularPadNd(_PadNd):
    """Add a border with the elements of the opposite end of each dimension.

    Raises:
        ValueError: the number of dimensions of the input is not `_spatial` + 1 or `_spatial` + 2.
    """

    _mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        check_dimensions(input, self._spatial + 1, self._spatial + 2)
        return super().forward(input)


class CircularPad1d(_CircularPadNd):
    """Add a border with the elements of the opposite end of the last dimension: [a, b, c] -> [c, a, b, c, a]."""

    _spatial = 1


class CircularPad2d(_CircularPadNd):
    """Add a border with the elements of the opposite end, for each of the last two dimensions."""

    _spatial = 2


class CircularPad3d(_CircularPadNd):
    """Add a border with the elements of the opposite end, for each of the last three dimensions."""

    _spatial = 3
