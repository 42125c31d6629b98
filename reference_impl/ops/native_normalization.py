"""`torch.native_layer_norm` and similar functions: they compute `torch.layer_norm` etc., and also return the statistics that they use."""

from __future__ import annotations

from typing import Any

from reference_impl.core.tensor import Tensor
from reference_impl.ops import batch_normalization, normalization
from reference_impl.ops.registry import builtin


@builtin
def native_layer_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, ...]:
    """Return the tuple (result of `torch.layer_norm`, means, 1 / √(variance + eps)).

    In the means and in 1 / √(variance + eps), the normalized dimensions have size 1.
    """
    return normalization.native_layer_norm(input, normalized_shape, weight, bias, eps)


@builtin
def native_group_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, N: int, C: int, HxW: int, group: int, eps: float
) -> tuple[Tensor, ...]:
    """Return the tuple (result of `torch.group_norm`, means, 1 / √(variance + eps)) for an input (N, C, *) with HxW = prod(*).

    The means and 1 / √(variance + eps) have the shape (N, group).
    """
    return normalization.native_group_norm(input, weight, bias, N, C, HxW, group, eps)


@builtin
def native_batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    training: bool, momentum: float, eps: float,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Return the tuple (result of `torch.batch_norm`, means, 1 / √(variance + eps)), with a mean for each channel of the batch.

    With `training`, `running_mean` and `running_var` are updated in place unless they are None, see `batch_norm`. Without it, the function
    uses them for normalization, and returns empty tensors as means and 1 / √(variance + eps).

    Raises:
        IndexError: `input` has fewer than two dimensions.
        ValueError, RuntimeError, NotImplementedError: see `batch_normalization.native_batch_norm`.
    """
    if input._array.ndim < 2:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    return batch_normalization.native_batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps
    )
