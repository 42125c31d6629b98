"""Losses between a prediction and a target of the same shape: how far apart, per element, then reduced.

Losses of class scores are in `classification_losses`, those with a margin between classes in
`class_margin_losses`, those between samples in `margin_losses`.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record
from reference_impl.ops.activation import sigmoid
from reference_impl.ops.promotion import cast, check_broadcast, promoted
from reference_impl.ops.rectifier import kept_where
from reference_impl.ops.reduction import mean_of
from reference_impl.ops.smooth_activation import logsigmoid
from reference_impl.ops.views import broadcast_tensors

NUMBERS = {"none": 0, "mean": 1, "sum": 2}
"""torch's numbers of the reductions, as `_saved_reduction` shows them."""


def reduction_number(reduction: str, size_average: bool | None = None, reduce: bool | None = None) -> int:
    """The number of a reduction, given by its name or by the two older arguments.

    Raises:
        ValueError: no such reduction.
    """
    if size_average is not None or reduce is not None:
        reduction = reduction_of_older_arguments(size_average, reduce)
    if reduction not in NUMBERS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return NUMBERS[reduction]


def reduction_of_older_arguments(size_average: bool | None, reduce: bool | None) -> str:
    average = True if size_average is None else size_average
    wanted = True if reduce is None else reduce
    name = "none" if not wanted else "mean" if average else "sum"
    warnings.warn(
        f"size_average and reduce args will be deprecated, please use reduction='{name}' instead.", stacklevel=4
    )
    return name


def reduced(losses: Tensor, reduction: int) -> Tensor:
    """`losses`, their mean or their sum."""
    return losses.mean() if reduction == 1 else losses.sum() if reduction == 2 else losses


def _reduced_array(losses: Any, reduction: int) -> Any:
    return mean_of(losses) if reduction == 1 else np.sum(losses) if reduction == 2 else losses


def _share(g: Tensor, count: int, reduction: int) -> Tensor:
    """The part of a reduced loss' gradient that each element receives."""
    return g / count if reduction == 1 else g


def _warn_of_sizes(input: Tensor, target: Tensor) -> None:
    if not (isinstance(target, Tensor) and isinstance(input, Tensor)):
        target.size(), input.size()  # raises what it raises in torch
    if target._array.shape != input._array.shape:
        warnings.warn(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). This will likely lead "
            "to incorrect results due to broadcasting. Please ensure they have the same size.",
            stacklevel=4,
        )


def _weighted(losses: Tensor, weight: Tensor, input: Tensor, reduction: str) -> Tensor:
    if weight.shape != input.shape:
        raise ValueError("Weights and input must have the same size.")
    losses = losses * weight
    if reduction == "none":
        return losses
    if reduction == "sum":
        return losses.sum()
    if reduction == "mean":
        return losses.sum() / weight.sum()
    raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")


def _pair(input: Tensor, target: Tensor) -> tuple[Any, Any]:
    """The arrays in their common dtype."""
    x, y = input._array, target._array
    return (x, y) if x.dtype == y.dtype else promoted(x, y)


def _refuse_integers(name: str, x: Any) -> None:
    if x.dtype.kind != "f":
        from reference_impl._dtype import from_numpy

        raise NotImplementedError(f"\"{name}\" not implemented for '{from_numpy(x.dtype).tensor_type}'")


class MseLossBackward0(Node):
    """out = (self - target)², reduced:  ∂self = g · 2 (self - target), ∂target = -∂self; divided by n for the mean."""

    saved_names = ("self", "target")
    reduction: int

    def grad_self(self, g: Tensor) -> Tensor:
        return mse_loss_backward(g, self._saved_self, self._saved_target, self.reduction)

    def grad_target(self, g: Tensor) -> Tensor:
        return mse_loss_backward(g, self._saved_target, self._saved_self, self.reduction)


class MseLossBackwardBackward0(Node):
    """out = grad · k (self - target):  ∂grad = Σ g · k (self - target),  ∂self = g · k grad,  ∂target = -∂self."""

    saved_names = ("grad_output", "self", "target")
    reduction: int
    _factor: float

    def grad_grad_output(self, g: Tensor) -> Tensor:
        return g * ((self._saved_self - self._saved_target) * self._factor)

    def grad_self(self, g: Tensor) -> Tensor:
        return g * (self._saved_grad_output * self._factor)

    def grad_target(self, g: Tensor) -> Tensor:
        return -self.grad_self(g)


def mse_loss_backward(grad: Tensor, input: Tensor, target: Tensor, reduction: int) -> Tensor:
    """The gradient of `mse_loss` as one operation."""
    x, y = _pair(input, target)
    factor = 2.0 / x.size if reduction == 1 and x.size else 2.0
    out = x - y
    out *= grad._array * x.dtype.type(factor)
    return record(
        MseLossBackwardBackward0, out, (grad, input, target), (grad, input, target), reduction=reduction, _factor=factor
    )


def mse_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """(input - target)², reduced.

    Raises:
        ValueError: no such reduction.
    """
    _warn_of_sizes(input, target)
    number = reduction_number(reduction, size_average, reduce) if weight is None else 0
    if input._array.shape != target._array.shape:
        input, target = broadcast_tensors(input, target)
    if weight is not None:
        return _weighted((input - target).pow(2), weight, input, reduction)
    x, y = _pair(input, target)
    _refuse_integers("mse_cpu", x)
    losses = np.square(x - y)
    return record(MseLossBackward0, _reduced_array(losses, number), (input, target), (input, target), reduction=number)


def l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """|input - target|, reduced."""
    _warn_of_sizes(input, target)
    if weight is not None:
        input, target = broadcast_tensors(input, target)
        return _weighted((input - target).abs(), weight, input, reduction)
    number = reduction_number(reduction, size_average, reduce)
    if input._array.shape != target._array.shape:
        input, target = broadcast_tensors(input, target)
    return reduced((input - target).abs(), number)


class SmoothL1LossBackward0(Node):
    """out = d² / (2 beta) where |d| < beta, otherwise |d| - beta / 2, d = self - target:  ∂self = g · d / beta, or g · sign d."""

    saved_names = ("self", "target")
    reduction: int
    beta: float

    def grad_self(self, g: Tensor) -> Tensor:
        difference = self._saved_self - self._saved_target
        near = np.abs(difference._array) < self.beta
        bent = kept_where(difference / self.beta, near) + kept_where(difference.sign(), ~near)
        return _share(g, near.size, self.reduction) * bent

    def grad_target(self, g: Tensor) -> Tensor:
        return -self.grad_self(g)


def smooth_l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:  # fmt: skip
    """`l1_loss` with a parabola where the difference is below `beta`.

    Raises:
        RuntimeError: `beta` is negative.
    """
    _warn_of_sizes(input, target)
    number = reduction_number(reduction, size_average, reduce)
    if input._array.shape != target._array.shape:
        input, target = broadcast_tensors(input, target)
    if beta == 0.0:
        return reduced((input - target).abs(), number)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    x, y = _pair(input, target)
    _refuse_integers("smooth_l1_cpu", x)
    far = np.abs(x - y)
    kind = x.dtype.type
    losses = np.where(far < beta, kind(0.5) * far * far / kind(beta), far - kind(0.5 * beta))
    return record(
        SmoothL1LossBackward0,
        _reduced_array(losses, number),
        (input, target),
        (input, target),
        reduction=number,
        beta=beta,
    )


class HuberLossBackward0(Node):
    """out = d² / 2 where |d| <= delta, otherwise delta (|d| - delta / 2), d = self - target:  ∂self = g · d cut off at ±delta."""

    saved_names = ("self", "target")
    reduction: int
    delta: float

    def grad_self(self, g: Tensor) -> Tensor:
        difference = self._saved_self - self._saved_target
        near = np.abs(difference._array) < self.delta
        bent = kept_where(difference, near) + kept_where(difference.sign() * self.delta, ~near)
        return _share(g, near.size, self.reduction) * bent

    def grad_target(self, g: Tensor) -> Tensor:
        return -self.grad_self(g)


def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Tensor:
    """`smooth_l1_loss` times `delta`.

    Raises:
        RuntimeError: `delta` is not positive.
    """
    _warn_of_sizes(input, target)
    if input._array.shape != target._array.shape:
        input, target = broadcast_tensors(input, target)
    number = reduction_number(reduction if weight is None else "none")
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    x, y = _pair(input, target)
    _refuse_integers("huber_cpu", x)
    far = np.abs(x - y)
    kind = x.dtype.type
    losses = np.where(far <= delta, kind(0.5) * far * far, kind(delta) * (far - kind(0.5 * delta)))
    out = record(
        HuberLossBackward0,
        _reduced_array(losses, number),
        (input, target),
        (input, target),
        reduction=number,
        delta=delta,
    )
    if weight is None:
        return out
    if weight.shape != input.shape:
        raise ValueError("Weights and input must have the same size.")
    return reduced(out * weight, reduction_number(reduction))


# -- of probabilities


class BinaryCrossEntropyBackward0(Node):
    """out = -weight (target log self + (1 - target) log(1 - self)):  ∂self = g · weight (self - target) / (self (1 - self)).

    ∂target = g · weight (log(1 - self) - log self). Logarithms are not below -100, the denominator not below 1e-12.
    """

    saved_names = ("self", "target", "weight")
    reduction: int

    def _spread(self, g: Tensor) -> Tensor:
        g = _share(g, self._saved_self._array.size, self.reduction)
        weight = self._saved_weight
        return g if weight is None else g * weight

    def grad_self(self, g: Tensor) -> Tensor:
        p, y = self._saved_self, self._saved_target
        return self._spread(g) * (p - y) / ((1 - p) * p).clamp(min=1e-12)

    def grad_target(self, g: Tensor) -> Tensor:
        p = self._saved_self
        return self._spread(g) * ((1 - p).log().clamp(min=-100) - p.log().clamp(min=-100))


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """-(target · log input + (1 - target) · log(1 - input)), `input` probabilities.

    Raises:
        ValueError: the sizes differ.
        RuntimeError: a number that is no probability.
    """
    number = reduction_number(reduction, size_average, reduce)
    if target.shape != input.shape:
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) is deprecated. Please "
            "ensure they have the same size."
        )
    if weight is not None:
        weight = weight.expand(np.broadcast_shapes(tuple(target.shape), tuple(weight.shape)))
    x, y = input._array, target._array
    _refuse_integers("binary_cross_entropy", x)
    if x.dtype != y.dtype:
        raise RuntimeError(f"Found dtype {target.dtype.tensor_type} but expected {input.dtype.tensor_type}")
    if x.size and not bool(np.all((x >= 0) & (x <= 1))):
        raise RuntimeError("all elements of input should be between 0 and 1")
    low = x.dtype.type(-100)
    losses = (y - 1) * np.maximum(np.log1p(-x), low) - y * np.maximum(np.log(x), low)
    if weight is not None:
        losses = losses * weight._array
    return record(
        BinaryCrossEntropyBackward0,
        _reduced_array(losses, number),
        (input, target),
        (input, target, weight),
        reduction=number,
    )


class BinaryCrossEntropyWithLogitsBackward0(Node):
    """out = weight ((1 - target) self + p (log(1 + exp(-|self|)) + max(-self, 0))), p = 1 + (pos_weight - 1) target.

    ∂self = g · weight (p sigmoid(self) - pos_weight target);  ∂target = g · weight (log(1 - s) - pos_weight log s), s the sigmoid.
    """

    saved_names = ("self", "target", "weight", "pos_weight")
    reduction: int

    def _spread(self, g: Tensor) -> Tensor:
        g = _share(g, self._saved_self._array.size, self.reduction)
        weight = self._saved_weight
        return g if weight is None else g * weight

    def grad_self(self, g: Tensor) -> Tensor:
        x, y, more = self._saved_self, self._saved_target, self._saved_pos_weight
        if more is None:
            return (sigmoid(x) - y) * self._spread(g)
        return ((1 + more * y - y) * sigmoid(x) - more * y) * self._spread(g)

    def grad_target(self, g: Tensor) -> Tensor:
        x, more = self._saved_self, self._saved_pos_weight
        if more is None:
            return -x * self._spread(g)
        return (logsigmoid(-x) - more * logsigmoid(x)) * self._spread(g)


def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean", pos_weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """`binary_cross_entropy` of sigmoid(input), without its overflow.

    Args:
        pos_weight: weighs the targets 1.

    Raises:
        ValueError: the sizes differ.
        RuntimeError: `target` is boolean.
    """
    number = reduction_number(reduction, size_average, reduce)
    if target.shape != input.shape:
        raise ValueError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")
    return native_binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


def native_binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None, pos_weight: Tensor | None, number: int
) -> Tensor:
    """`binary_cross_entropy_with_logits` with the number of the reduction.

    Raises:
        RuntimeError: `target` is boolean, or does not broadcast to `input`.
    """
    x, y = _pair(input, target)
    if x.shape != y.shape:  # (1 - target).mul_(input)
        check_broadcast(y.shape, x.shape)
        common = np.broadcast_shapes(x.shape, y.shape)
        if common != y.shape:
            raise RuntimeError(f"output with shape {list(y.shape)} doesn't match the broadcast shape {list(common)}")
    if target._array.dtype.kind == "b":
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
        )
    if x.dtype.kind != "f":
        x = cast(x, np.dtype(np.float32))
    softness = np.log1p(np.exp(-np.abs(x))) + np.maximum(-x, 0)
    if pos_weight is None:
        losses = (1 - y) * x + softness
    else:
        losses = (1 - y) * x + (1 + (pos_weight._array - 1) * y) * softness
    if weight is not None:
        losses = losses * weight._array
    return record(
        BinaryCrossEntropyWithLogitsBackward0,
        _reduced_array(losses, number),
        (input, target),
        (input, target, weight, pos_weight),
        reduction=number,
    )


def kl_div(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:  # fmt: skip
    """target · (log target - input), `input` log-probabilities: the Kullback-Leibler divergence when summed.

    Args:
        reduction: also "batchmean": the sum divided by the size of the batch.
        log_target: `target` holds log-probabilities as well.
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
    if log_target:
        losses = target.exp() * (target - input)
    else:
        from reference_impl.ops.registry import functions

        losses = functions["xlogy"](target, target) - target * input
    out = reduced(losses, number)
    return out / input.shape[0] if reduction == "batchmean" and input.ndim != 0 else out


def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, size_average: bool | None = None,
    eps: float = 1e-8, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """exp(input) - target · input, the target Poisson-distributed.

    Args:
        log_input: False: `input` is the rate itself: input - target · log(input + eps).
        full: add Stirling's approximation of log target!.
    """
    number = reduction_number(reduction, size_average, reduce)
    loss = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2 * math.pi * target).log()
        loss = loss + stirling.masked_fill(target <= 1, 0)
    return reduced(loss, number)


def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """(log var + (input - target)² / var) / 2, the target normal with mean `input` and variance `var`.

    Args:
        full: add the constant log(2 π) / 2.
        eps: what the variance is at least, outside the graph.

    Raises:
        ValueError: a negative variance, or one of another size.
    """
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = Tensor._wrap(np.full_like(input._array, var))
    elif bool(np.any(var._array < 0)):
        raise ValueError("var has negative entry/entries")
    if var.shape != input.shape:
        if input.shape[:-1] == var.shape:
            var = var.unsqueeze(-1)
        elif not (
            input.ndim == var.ndim and sum(y for x, y in zip(input.shape, var.shape, strict=True) if x != y) == 1
        ):
            raise ValueError("var is of incorrect size")
    if reduction not in NUMBERS:
        raise ValueError(reduction + " is not valid")
    var = var.clone()
    np.maximum(var._array, eps, out=var._array)
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return reduced(loss, NUMBERS[reduction])
