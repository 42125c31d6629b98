"""Losses that compare probabilities, or logarithms of probabilities, with a target of the same shape."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from reference_impl.autograd.recomputation import recomputed
from reference_impl.core.declare import check_broadcast, operation
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.precision import exp, log, log1p
from reference_impl.ops.activation import sigmoid
from reference_impl.ops.losses import (
    grad_before_reduction,
    pair,
    reduce_array,
    reduce_losses,
    reduction_number,
)
from reference_impl.ops.not_implemented import refuse_gradients
from reference_impl.ops.rectifier import floating_only
from reference_impl.ops.smooth_activation import logsigmoid
from reference_impl.ops.views import broadcast_shapes


class _WeightedLoss(Node):
    """Base class of the nodes of losses with a weight per element. A weight of None counts as 1."""

    reduction: int

    def _spread(self, g: Tensor) -> Tensor:
        """Return `g` times the weights and, if the loss is a mean, divided by the number of elements."""
        weight = self._saved_weight
        return grad_before_reduction(g if weight is None else g * weight, self._saved_self._array.size, self.reduction)


class BinaryCrossEntropyBackward0(_WeightedLoss):
    """∂self = g · weight · (self - target) / (self · (1 - self)), divided by the number of elements for the mean,
    ∂target = g · weight · (log(1 - self) - log(self)), divided by the number of elements for the mean

    out = -weight (target log self + (1 - target) log(1 - self)). Logarithms below -100 count as -100, a denominator below 1e-12 as 1e-12.
    """

    saved_names = ("self", "target", "weight")

    def grad_self(self, g: Tensor) -> Tensor:
        """Return the gradient of the probabilities."""
        return binary_cross_entropy_backward(
            g, self._saved_self, self._saved_target, self._saved_weight, reduction=self.reduction
        )

    def grad_target(self, g: Tensor) -> Tensor:
        """Return the gradient of the target."""
        p = self._saved_self
        return self._spread(g * ((1 - p).log().clamp(min=-100) - p.log().clamp(min=-100)))


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Return the loss -(target · log(input) + (1 - target) · log(1 - input)), where `input` has probabilities.

    Logarithms below -100 count as -100.

    Args:
        weight: a factor for each element of the loss; it is broadcast to `target`.
        reduction: "mean" or "sum" of the elements, or "none".

    Raises:
        ValueError: `input` and `target` have different sizes.
        RuntimeError: an element of `input` is not between 0 and 1, the dtypes differ, or `weight` requires grad.
        NotImplementedError: `input` is not floating point.
    """
    number = reduction_number(reduction, size_average, reduce)
    if target.shape != input.shape:
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) is deprecated. Please "
            "ensure they have the same size."
        )
    if weight is not None:
        weight = weight.expand(broadcast_shapes(target.shape, weight.shape))
    x, y = input._array, target._array
    refuse_gradients("binary_cross_entropy", weight=weight)
    if x.dtype != y.dtype:
        raise RuntimeError(f"Found dtype {target.dtype.tensor_type} but expected {input.dtype.tensor_type}")
    floating_only(x, "binary_cross_entropy")
    if x.size and not bool(np.all((x >= 0) & (x <= 1))):
        raise RuntimeError("all elements of input should be between 0 and 1")
    low = x.dtype.type(-100)
    losses = (y - 1) * np.maximum(log1p(-x), low) - y * np.maximum(log(x), low)
    if weight is not None:
        losses = (losses * weight._array).astype(x.dtype, copy=False)
    return record(
        BinaryCrossEntropyBackward0,
        reduce_array(losses, number),
        (input, target),
        (input, target, weight),
        reduction=number,
    )


@recomputed("BinaryCrossEntropyBackwardBackward0", "grad_output", "self", "target", "weight")
def binary_cross_entropy_backward(
    grad: Tensor, input: Tensor, target: Tensor, weight: Tensor | None, *, reduction: int
) -> Tensor:
    """The gradient of the probabilities that binary_cross_entropy compares with the target."""
    g = grad_before_reduction(grad, input._array.size, reduction)
    g = g if weight is None else g * weight
    return g * (input - target) / ((1 - input) * input).clamp(min=1e-12)


class BinaryCrossEntropyWithLogitsBackward0(_WeightedLoss):
    """∂self = g · weight · ((1 + (pos_weight - 1) · target) · sigmoid(self) - pos_weight · target), divided by the number of elements
    for the mean,
    ∂target = g · weight · (log(1 - sigmoid(self)) - pos_weight · log(sigmoid(self))), divided by the number of elements for the mean

    out = weight ((1 - target) self + p (log(1 + exp(-|self|)) + max(-self, 0))), p = 1 + (pos_weight - 1) target.
    """

    saved_names = ("self", "target", "weight", "pos_weight")

    def grad_self(self, g: Tensor) -> Tensor:
        """Return the gradient of the scores (logits)."""
        x, y, weight = self._saved_self, self._saved_target, self._saved_pos_weight
        if weight is None:
            return self._spread((sigmoid(x) - y) * g)
        return self._spread(((1 + weight * y - y) * sigmoid(x) - weight * y) * g)

    def grad_target(self, g: Tensor) -> Tensor:
        """Return the gradient of the target."""
        x, weight = self._saved_self, self._saved_pos_weight
        if weight is None:
            return self._spread(-x * g)
        return self._spread((logsigmoid(-x) - weight * logsigmoid(x)) * g)


def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean", pos_weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Return the `binary_cross_entropy` of sigmoid(input), computed without overflow for large inputs, in the dtype of `target`.

    Args:
        weight: factors for the elements of the loss, broadcast to the shape of the loss.
        reduction: "mean" or "sum" of the elements, or "none".
        pos_weight: factors for the elements of target · log(sigmoid(input)), broadcast to the shape of this term.

    Raises:
        ValueError: `input` and `target` have different sizes.
        RuntimeError: `target` is not floating point, or `weight` or `pos_weight` requires grad.
        NotImplementedError: `input` is not floating point.
    """
    number = reduction_number(reduction, size_average, reduce)
    if target.shape != input.shape:
        raise ValueError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")
    return native_binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


def native_binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None, pos_weight: Tensor | None, number: int
) -> Tensor:
    """Return `binary_cross_entropy_with_logits` with the reduction 0 (none), 1 (mean) or 2 (sum). `input` is broadcast to `target`.

    Raises:
        RuntimeError: `target` is not floating point, `input` does not broadcast to the shape of `target`, or a weight requires grad.
        NotImplementedError: `input` is not floating point.
    """
    refuse_gradients("binary_cross_entropy_with_logits", weight=weight, pos_weight=pos_weight)
    floating_only(input._array, "log_sigmoid_cpu")
    x, y = pair(input._array, target._array)
    if x.shape != y.shape:  # torch computes (1 - target).mul_(input), which must have the shape of the target
        check_broadcast(y.shape, x.shape)
        common = np.broadcast_shapes(x.shape, y.shape)
        if common != y.shape:
            raise RuntimeError(f"output with shape {list(y.shape)} doesn't match the broadcast shape {list(common)}")
    if target._array.dtype.kind == "b":
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
        )
    if target._array.dtype.kind != "f":
        kinds = f"{input.dtype.tensor_type} can't be cast to the desired output type {target.dtype.tensor_type}"
        raise RuntimeError(f"result type {kinds}")
    softness = log1p(exp(-np.abs(x))) + np.maximum(-x, 0)
    for factor in (pos_weight, weight):
        if factor is not None:
            check_broadcast(factor._array.shape, y.shape)
    if pos_weight is None:
        losses = (1 - y) * x + softness
    else:
        losses = (1 - y) * x + (1 + (pos_weight._array - 1) * y) * softness
    if weight is not None:
        losses = losses * weight._array
    if losses.dtype != target._array.dtype:  # in torch (1 - target).mul_(input) has the dtype of the target
        losses = losses.astype(target._array.dtype)
    return record(
        BinaryCrossEntropyWithLogitsBackward0,
        reduce_array(losses, number),
        (input, target),
        (input, target, weight, pos_weight),
        reduction=number,
    )


@operation("XlogyBackward0", promotes=True,
           self=lambda g, self, other: xlogy(g, other).masked_fill((self == 0) & (other <= 0), 0.0),
           other=lambda g, self, other: g * self / other)  # fmt: skip
def xlogy(self: Any, other: Any) -> Any:
    """`self · log(other)`, and 0 where `self` is 0.

    Where `other` is NaN, the result is NaN.
    """
    return np.where(self == 0, np.where(np.isnan(other), other, self), self * log(other))


def kl_div(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:  # fmt: skip
    """Return target · (log(target) - input), where `input` has logarithms of probabilities. The sum is the Kullback-Leibler divergence.

    With `log_target`, the result is exp(target) · (target - input).

    Args:
        reduction: "mean" or "sum" of the elements, "none", or "batchmean", the sum divided by the size of the batch. "mean" warns.
        log_target: whether `target` has logarithms of probabilities, as `input` does.

    Raises:
        ValueError: the reduction is unknown.
        RuntimeError: `input` or `target` is not floating point.
    """
    if size_average is not None or reduce is not None:
        number = reduction_number(reduction, size_average, reduce)
    else:
        if reduction == "mean":
            warnings.warn(
                "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides only "
                "by the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the same as "
                "'batchmean' in the next major release.",
                stacklevel=3,
            )
        number = reduction_number("sum" if reduction == "batchmean" else reduction)
    if "f" != input._array.dtype.kind or "f" != target._array.dtype.kind:
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        losses = target.exp() * (target - input)
    else:
        losses = xlogy(target, target) - target * input
    out = reduce_losses(losses, number)
    return out / input.shape[0] if reduction == "batchmean" and input.ndim != 0 else out
