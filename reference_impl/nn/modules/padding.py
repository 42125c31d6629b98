"""Padding layers."""

from __future__ import annotations

from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn import functional as F
from reference_impl.nn.modules.layer import check_dimensions
from reference_impl.nn.modules.module import Module
from reference_impl.ops.kernel_positions import n_times


class _PadNd(Module):
    """Base of padding layers: a border around the last `_spatial` dimensions, filled by `_mode`."""

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
    """A border of `value` around the last dimension."""

    _spatial = 1


class ConstantPad2d(_ConstantPadNd):
    """A border of `value` around the last two dimensions."""

    _spatial = 2


class ConstantPad3d(_ConstantPadNd):
    """A border of `value` around the last three dimensions."""

    _spatial = 3


class _ZeroPad:
    """A ConstantPad of 0."""

    padding: Any

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)  # type: ignore[call-arg]

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad1d(_ZeroPad, ConstantPad1d):
    """A border of 0 around the last dimension."""


class ZeroPad2d(_ZeroPad, ConstantPad2d):
    """A border of 0 around the last two dimensions."""


class ZeroPad3d(_ZeroPad, ConstantPad3d):
    """A border of 0 around the last three dimensions."""


class _ReflectionPadNd(_PadNd):
    _mode = "reflect"


class ReflectionPad1d(_ReflectionPadNd):
    """A border that mirrors the last dimension."""

    _spatial = 1


class ReflectionPad2d(_ReflectionPadNd):
    """A border that mirrors the last two dimensions."""

    _spatial = 2


class ReflectionPad3d(_ReflectionPadNd):
    """A border that mirrors the last three dimensions."""

    _spatial = 3


class _ReplicationPadNd(_PadNd):
    _mode = "replicate"


class ReplicationPad1d(_ReplicationPadNd):
    """A border that repeats the outermost elements of the last dimension."""

    _spatial = 1


class ReplicationPad2d(_ReplicationPadNd):
    """A border that repeats the outermost elements of the last two dimensions."""

    _spatial = 2


class ReplicationPad3d(_ReplicationPadNd):
    """A border that repeats the outermost elements of the last three dimensions."""

    _spatial = 3


class _CircularPadNd(_PadNd):
    """A border filled from the opposite side.

    Raises:
        ValueError: the input has another number of dimensions.
    """

    _mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        check_dimensions(input, self._spatial + 1, self._spatial + 2)
        return super().forward(input)


class CircularPad1d(_CircularPadNd):
    """A border filled from the opposite side of the last dimension."""

    _spatial = 1


class CircularPad2d(_CircularPadNd):
    """A border filled from the opposite side of the last two dimensions."""

    _spatial = 2


class CircularPad3d(_CircularPadNd):
    """A border filled from the opposite side of the last three dimensions."""

    _spatial = 3
