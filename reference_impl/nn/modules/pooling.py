"""Pooling layers."""

from __future__ import annotations

from typing import Any

from reference_impl.nn import functional as F
from reference_impl.nn.modules.layer import Layer
from reference_impl.ops.kernel_positions import n_times


class _PoolNd(Layer):
    """Base of pooling layers. `stride` is by default `kernel_size`, so that windows do not overlap.

    Args:
        kernel_size, stride, padding, dilation: a number, or a tuple with a number for each spatial dimension.
        ceil_mode: whether windows that extend beyond the end of the input are used.
    """

    kernel_size: Any
    stride: Any

    def complete(self) -> None:
        if self.stride is None:
            self.stride = self.kernel_size


class _MaxPoolNd(_PoolNd):
    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    dilation: Any = 1
    return_indices: bool = False
    ceil_mode: bool = False
    repr_options = "kernel_size stride padding dilation ceil_mode"


class MaxPool1d(_MaxPoolNd):
    """The largest element of each window of (n, c, l) or (c, l). With `return_indices`, also its index in the flattened channel."""

    function = F.max_pool1d


class MaxPool2d(_MaxPoolNd):
    """The largest element of each window of (n, c, h, w) or (c, h, w). With `return_indices`, also its index in the flattened channel."""

    function = F.max_pool2d


class MaxPool3d(_MaxPoolNd):
    """The largest element of each window of (n, c, d, h, w) or (c, d, h, w).

    With `return_indices`, also its index in the flattened channel.
    """

    function = F.max_pool3d


class AvgPool1d(_PoolNd):
    """The mean of each window of (n, c, l) or (c, l). Zeros of the padding count, unless `count_include_pad` is False."""

    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    ceil_mode: bool = False
    count_include_pad: bool = True
    function = F.avg_pool1d
    repr_options = "kernel_size stride padding"

    def complete(self) -> None:
        """Store kernel size, stride and padding as tuples of one integer, as torch does."""
        super().complete()
        for name in ("kernel_size", "stride", "padding"):
            setattr(self, name, n_times(getattr(self, name), 1))


class _AvgPoolNd(_PoolNd):
    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    ceil_mode: bool = False
    count_include_pad: bool = True
    divisor_override: int | None = None
    repr_options = "kernel_size stride padding"


class AvgPool2d(_AvgPoolNd):
    """The mean of each window of (n, c, h, w) or (c, h, w). Zeros of the padding count, unless `count_include_pad` is False.

    With `divisor_override`, the sum of the window divided by this number.
    """

    function = F.avg_pool2d


class AvgPool3d(_AvgPoolNd):
    """The mean of each window of (n, c, d, h, w) or (c, d, h, w). Zeros of the padding count, unless `count_include_pad` is False.

    With `divisor_override`, the sum of the window divided by this number.
    """

    function = F.avg_pool3d


class _AdaptiveAvgPoolNd(Layer):
    output_size: Any


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """The mean of each of `output_size` regions along the last dimension: (n, c, l) -> (n, c, output_size).

    The batch dimension may be absent.
    """

    function = F.adaptive_avg_pool1d


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """The mean of each region of an image: (n, c, h, w) -> (n, c, *output_size). The batch dimension may be absent.

    `output_size` has the numbers of regions along height and width, or is one number for both; None keeps a size.
    """

    function = F.adaptive_avg_pool2d


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """The mean of each region of a volume: (n, c, d, h, w) -> (n, c, *output_size). The batch dimension may be absent.

    `output_size` has the numbers of regions along depth, height and width, or is one number for all; None keeps a size.
    """

    function = F.adaptive_avg_pool3d
