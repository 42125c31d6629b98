"""`torch.native_layer_norm` and the like: the C++ functions behind `torch.layer_norm` etc., which return the statistics too."""

from __future__ import annotations

from typing import Any

from reference_impl.core.tensor import Tensor
from reference_impl.ops import batch_normalization, normalization
from reference_impl.ops.registry import builtin


@builtin
def native_layer_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, ...]:
    """Return `torch.layer_norm`, the means and 1 / √(variance + eps)."""
    return normalization.native_layer_norm(input, normalized_shape, weight, bias, eps)


@builtin
def native_group_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, N: int, C: int, HxW: int, group: int, eps: float
) -> tuple[Tensor, ...]:
    """Return `torch.group_norm` of (N, C, *), the means and 1 / √(variance + eps), both (N, group)."""
    return normalization.native_group_norm(input, weight, bias, N, C, HxW, group, eps)


@builtin
def native_batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    training: bool, momentum: float, eps: float,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Return `torch.batch_norm`, and the batch's means and 1 / √(variance + eps); both empty where `running_mean` is used."""
    if input._array.ndim < 2:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    return batch_normalization.native_batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps
    )
