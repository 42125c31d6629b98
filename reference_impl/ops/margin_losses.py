"""Losses with a margin between samples, and of ±1 targets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl._tensor import Tensor
from reference_impl.autograd.backward_operation import backward_operation
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record
from reference_impl.ops.distance import pairwise_distance
from reference_impl.ops.losses import reduced, reduction_number, share_of
from reference_impl.ops.promotion import check_broadcast
from reference_impl.ops.reduction import mean_of


def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """max(0, -target · (input1 - input2) + margin): target 1 wants input1 above, -1 below.

    Raises:
        RuntimeError: different numbers of dimensions.
    """
    number = reduction_number(reduction, size_average, reduce)
    if input1.ndim != input2.ndim or input1.ndim != target.ndim:
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.shape}, input2: {input2.shape}, target: {target.shape} "
        )
    return native_margin_ranking_loss(input1, input2, target, margin, number)


def native_margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: float, number: int) -> Tensor:
    """`margin_ranking_loss` with the number of the reduction."""
    return reduced((-target * (input1 - input2) + margin).clamp_min(0), number)


def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """`input` where the target is 1, max(0, margin - input) where it is -1."""
    from reference_impl.ops.where import where

    number = reduction_number(reduction, size_average, reduce)
    zeros = Tensor._wrap(np.zeros_like(input._array))
    below = where(target != 1, (margin - input).clamp_min(0), zeros)
    return reduced(below + where(target != -1, input, zeros), number)


class SoftMarginLossBackward0(Node):
    """out = log(1 + exp(-target · self)), reduced:  ∂self = -g · target · sigmoid(-target · self)."""

    saved_names = ("self", "target")
    reduction: int

    def grad_self(self, g: Tensor) -> Tensor:
        x, y = self._saved_self, self._saved_target
        return soft_margin_loss_backward(g, x, y, inputs=(g, x), reduction=self.reduction)


@backward_operation("SoftMarginLossBackwardBackward0", "grad_output", "self", "target")
def soft_margin_loss_backward(grad: Tensor, x: Tensor, y: Tensor, *, reduction: int) -> Tensor:
    """The gradient of `soft_margin_loss`."""
    return -y * (-y * x).sigmoid() * share_of(grad, x.numel(), reduction)


def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:
    """log(1 + exp(-target · input)), targets ±1."""
    number = reduction_number(reduction, size_average, reduce)
    check_broadcast(input._array.shape, target._array.shape)
    losses = np.log1p(np.exp(-target._array * input._array))
    out = mean_of(losses) if number == 1 else np.sum(losses) if number == 2 else losses
    return record(SoftMarginLossBackward0, out, (input,), (input, target), reduction=number)


def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """1 - cos where the target is 1, max(0, cos - margin) where it is -1; cos is that of the angle between the inputs."""
    from reference_impl.ops.where import where

    number = reduction_number(reduction, size_average, reduce)
    if not ((target.ndim == 0 and input1.ndim == 1) or (target.ndim == 1 and input1.ndim == 2)):
        if target.ndim not in (0, 1):
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        expected = "1D input tensors expect 0D target tensor" if target.ndim == 0 else None
        shapes = f"found instead: {list(input1.shape)}, {list(input2.shape)}, {list(target.shape)}"
        if expected or target.ndim == 1:
            kind = (
                "0D target tensor expects 1D input tensors"
                if target.ndim == 0
                else "1D target tensor expects 2D input tensors"
            )
            raise RuntimeError(
                f"{kind}, but {shapes.replace('instead: ', 'inputs with sizes ')}"
                if False
                else f"{kind}, but found inputs with sizes {list(input1.shape)} and {list(input2.shape)}."
            )
    dim = target.ndim
    eps = 1e-12
    products = (input1 * input2).sum(dim)
    squares1 = (input1 * input1).sum(dim) + eps
    squares2 = (input2 * input2).sum(dim) + eps
    cos = products / (squares1 * squares2).sqrt()
    zeros = Tensor._wrap(np.zeros_like(cos._array))
    together = where(target == 1, 1 - cos, zeros)
    apart = where(target == -1, (cos - margin).clamp_min(0), zeros)
    return reduced(together + apart, number)


def _check_triplet(anchor: Tensor, positive: Tensor, negative: Tensor) -> None:
    dims = anchor.ndim, positive.ndim, negative.ndim
    if len(set(dims)) > 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor "
            f"{dims[0]}D, positive {dims[1]}D, and negative {dims[2]}D inputs"
        )


def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-6,
    swap: bool = False, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """max(0, distance to the positive - distance to the negative + margin).

    Args:
        swap: use the distance between positive and negative where it is smaller.
    """
    number = reduction_number(reduction, size_average, reduce)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    _check_triplet(anchor, positive, negative)
    return native_triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


def native_triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float, p: float, eps: float, swap: bool, number: int
) -> Tensor:
    """`triplet_margin_loss` with the number of the reduction."""
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = far.minimum(pairwise_distance(positive, negative, p, eps))
    return reduced((margin + near - far).clamp_min(0), number)


def triplet_margin_with_distance_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, *, distance_function: Callable[[Tensor, Tensor], Any] | None = None,
    margin: float = 1.0, swap: bool = False, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """`triplet_margin_loss` with a distance of one's own."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    _check_triplet(anchor, positive, negative)
    measure = pairwise_distance if distance_function is None else distance_function
    near, far = measure(anchor, positive), measure(anchor, negative)
    if swap:
        far = far.minimum(measure(positive, negative))
    return reduced((margin + near - far).clamp_min(0), reduction_number(reduction))
