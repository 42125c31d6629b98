"""Losses that compare embeddings by their distance or by the angle between them."""

from __future__ import annotations

from reference_impl.core.tensor import Tensor
from reference_impl.ops.clamping import clamp_min
from reference_impl.ops.creation import ones_like, zeros_like
from reference_impl.ops.distance import pairwise_distance
from reference_impl.ops.extremes import minimum
from reference_impl.ops.losses import reduce_losses, reduction_number
from reference_impl.ops.promotion import require_tensor
from reference_impl.ops.where import where
from reference_impl.ops.with_number import add_number, sub_number

_EPSILON = 1e-12


def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-6, swap: bool = False,
    size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Return max(0, margin + |anchor - positive| - |anchor - negative|) for each row, reduced as `reduction` says.

    The distance is the p-norm of the difference plus `eps`. With `swap`, |positive - negative| counts if it is less than
    |anchor - negative|.

    Raises:
        ValueError: `margin` is not positive, or the reduction is unknown.
        RuntimeError: the numbers of dimensions differ, or the shapes don't broadcast.
    """
    number = reduction_number(reduction, size_average, reduce)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor "
            f"{anchor.ndim}D, positive {positive.ndim}D, and negative {negative.ndim}D inputs"
        )
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduce_losses(clamp_min(add_number(near, margin) - far, 0), number)


def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Return 1 - cos for pairs of vectors with the target 1, and max(0, cos - margin) for those with -1, reduced as `reduction` says.

    Args:
        input1, input2: the vectors, (n, k) or (k).
        target: 1 or -1 for each pair, (n) or ().

    Raises:
        ValueError: the reduction is unknown.
        RuntimeError: `target` has more than one dimension, or another number than the inputs without their last one.
    """
    number = reduction_number(reduction, size_average, reduce)
    require_tensor(input1)
    require_tensor(input2)
    require_tensor(target)
    if target.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if not input1.ndim == input2.ndim == target.ndim + 1:
        raise RuntimeError(
            f"{target.ndim}D target tensor expects {target.ndim + 1}D input tensors, but found inputs with sizes "
            f"{list(input1.shape)} and {list(input2.shape)}."
        )
    product = (input1 * input2).sum(target.ndim)
    squares = [add_number((x * x).sum(target.ndim), _EPSILON) for x in (input1, input2)]
    cosine = product / (squares[0] * squares[1]).sqrt()
    zeros, distance = zeros_like(cosine), ones_like(cosine) - cosine
    excess = clamp_min(sub_number(cosine, margin), 0)
    losses = where(target == 1, distance, zeros) + where(target == -1, excess, zeros)
    return reduce_losses(losses, number)
