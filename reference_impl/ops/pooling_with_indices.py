"""Max pooling that always gives the positions too: what torch.nn.functional calls for `return_indices=True`."""

from __future__ import annotations

from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.ops import adaptive_pooling, pooling


def max_pool1d_with_indices(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """`max_pool1d` and the positions, whatever `return_indices` says."""
    return pooling.max_pool1d(input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool2d_with_indices(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """`max_pool2d` and the positions, whatever `return_indices` says."""
    return pooling.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode, True)


def max_pool3d_with_indices(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """`max_pool3d` and the positions, whatever `return_indices` says."""
    return pooling.max_pool3d(input, kernel_size, stride, padding, dilation, ceil_mode, True)


def adaptive_max_pool1d_with_indices(
    input: Tensor, output_size: Any, return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """`adaptive_max_pool1d` and the positions, whatever `return_indices` says."""
    return adaptive_pooling.adaptive_max_pool1d(input, output_size, True)


def adaptive_max_pool2d_with_indices(
    input: Tensor, output_size: Any, return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """`adaptive_max_pool2d` and the positions, whatever `return_indices` says."""
    return adaptive_pooling.adaptive_max_pool2d(input, output_size, True)


def adaptive_max_pool3d_with_indices(
    input: Tensor, output_size: Any, return_indices: bool = False
) -> tuple[Tensor, Tensor]:
    """`adaptive_max_pool3d` and the positions, whatever `return_indices` says."""
    return adaptive_pooling.adaptive_max_pool3d(input, output_size, True)
