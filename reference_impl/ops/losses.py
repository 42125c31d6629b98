"""Losses that compare a prediction with a target of the same shape, element by element, and reduce the result.

Losses of probabilities are in `probability_losses`, those of class scores in `classification_losses`.
"""

from __future__ import annotations

import warnings
from math import log, pi, prod
from typing import Any

import numpy as np

from reference_impl._dtype import from_numpy
from reference_impl.autograd.recomputation import recomputed
from reference_impl.core.declare import operation
from reference_impl.core.modes import no_grad
from reference_impl.core.operations.arithmetic import div_number
from reference_impl.core.tensor import Tensor
from reference_impl.ops.creation import ones_like
from reference_impl.ops.promotion import promote
from reference_impl.ops.rectifier import floating_only, grad_where
from reference_impl.ops.reduction import mean_of
from reference_impl.ops.views import broadcast_tensors

NUMBERS = {"none": 0, "mean": 1, "sum": 2}
"""The numbers by which torch's nodes save a reduction, as their attribute `_saved_reduction`."""


def reduction_number(reduction: str, size_average: bool | None = None, reduce: bool | None = None) -> int:
    """Return the number of a reduction (see NUMBERS) from its name, or from the deprecated arguments `size_average` and `reduce`.

    These arguments, and the deprecated name "elementwise_mean", cause a warning.

    Raises:
        ValueError: the reduction is unknown.
    """
    if size_average is not None or reduce is not None:
        reduction = reduction_of_older_arguments(size_average, reduce)
    if reduction == "elementwise_mean":
        warnings.warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.", stacklevel=3)
        reduction = "mean"
    if reduction not in NUMBERS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return NUMBERS[reduction]


def reduction_of_older_arguments(size_average: bool | None, reduce: bool | None) -> str:
    """Return the name of the reduction for the deprecated arguments `size_average` and `reduce`, and warn of them."""
    average = True if size_average is None else size_average
    reduces = True if reduce is None else reduce
    name = "none" if not reduces else "mean" if average else "sum"
    warnings.warn(
        f"size_average and reduce args will be deprecated, please use reduction='{name}' instead.", stacklevel=4
    )
    return name


def reduce_losses(losses: Tensor, reduction: int) -> Tensor:
    """Return the mean of the tensor `losses` if `reduction` is 1, its sum if it is 2, otherwise `losses`."""
    return losses.mean() if reduction == 1 else losses.sum() if reduction == 2 else losses


def reduce_array(losses: Any, reduction: int) -> Any:
    """Return the mean of the array `losses` if `reduction` is 1, its sum if it is 2, otherwise `losses`."""
    return mean_of(losses) if reduction == 1 else np.sum(losses) if reduction == 2 else losses


def grad_before_reduction(g: Tensor, count: int, reduction: int) -> Tensor:
    """Return the gradient of each element's loss from `g`, the gradient of the reduced loss: g / count for a mean, otherwise g.

    Args:
        count: number of elements.
        reduction: number of the reduction, see NUMBERS.
    """
    return div_number(g, count) if reduction == 1 else g


def _broadcast(input: Tensor, target: Tensor) -> tuple[Tensor, ...]:
    """Return both tensors with the same shape. Warn if their shapes differ."""
    if not (isinstance(target, Tensor) and isinstance(input, Tensor)):
        target.size(), input.size()  # raises torch's error
    if target._array.shape == input._array.shape:
        return input, target
    warnings.warn(
        f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). This will likely lead "
        "to incorrect results due to broadcasting. Please ensure they have the same size.",
        stacklevel=4,
    )
    return broadcast_tensors(input, target)


def _weighted_reduction(
    weight: Tensor, input: Tensor, size_average: bool | None, reduce: bool | None, reduction: str
) -> str:
    """Return the name of the reduction of a loss with weights, also from the deprecated arguments.

    Raises:
        ValueError: `weight` and `input` differ in shape.
    """
    if size_average is not None or reduce is not None:
        reduction = reduction_of_older_arguments(size_average, reduce)
    _check_weight(weight, input)
    return reduction


def _check_weight(weight: Tensor, input: Tensor) -> None:
    """Raise ValueError unless `weight` has the shape of `input`."""
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")


def _reduce_weighted(losses: Tensor, weight: Tensor, reduction: str, divide_by_weights: bool = True) -> Tensor:
    """Return the losses times `weight`, reduced. A mean divides by the sum of the weights or else by the number of elements.

    Raises:
        ValueError: the reduction is unknown.
    """
    losses = losses * weight
    if reduction == "none":
        return losses
    if reduction == "sum":
        return losses.sum()
    if reduction == "mean":
        return losses.sum() / weight.sum() if divide_by_weights else losses.mean()
    raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")


def pair(x: Any, y: Any) -> tuple[Any, Any]:
    """Return two arrays in their common dtype."""
    return (x, y) if x.dtype == y.dtype else promote(x, y)


@operation("MseLossBackward0",
           self=lambda g, self, target, reduction: mse_loss_backward(g, self, target, reduction),
           target=lambda g, self, target, reduction: mse_loss_backward(g, target, self, reduction))  # fmt: skip
def _mse_loss(self: Any, target: Any, reduction: int) -> Any:
    x, y = pair(self, target)
    floating_only(x, "mse_cpu")
    return reduce_array(np.square(x - y), reduction)


def mse_grad_factor(shape: tuple[int, ...], reduction: int) -> float:
    """Return the constant factor in the gradient of `mse_loss`: 2 / number of elements if `reduction` is 1, the mean, otherwise 2."""
    return 2.0 / (prod(shape) or 1) if reduction == 1 else 2.0


@operation("MseLossBackwardBackward0",
           grad_output=lambda g, self, target, self_sym_sizes, reduction: g * ((self - target) * mse_grad_factor(self_sym_sizes, reduction)),
           self=lambda g, grad_output, self_sym_sizes, reduction: g * (grad_output * mse_grad_factor(self_sym_sizes, reduction)),
           target=lambda g, grad_output, self_sym_sizes, reduction: -g * (grad_output * mse_grad_factor(self_sym_sizes, reduction)))  # fmt: skip
def mse_loss_backward(grad_output: Any, self: Any, target: Any, reduction: int) -> Any:
    """`grad_output · 2 · (self - target)`, divided by the number of elements for the mean

    Return the gradient of `self` in `mse_loss`.
    """
    x, y = pair(self, target)
    out = x - y
    out *= grad_output * x.dtype.type(mse_grad_factor(x.shape, reduction))
    return out


def mse_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Return (input - target)², reduced as `reduction` says: "mean", "sum" or "none".

    If the shapes differ, the function warns, and broadcasts `input` and `target`. `weight` has a factor for each element, and the mean
    divides by the sum of these factors.

    Raises:
        ValueError: the reduction is unknown, or `weight` and `input` differ in shape.
        RuntimeError: the shapes don't broadcast.
        NotImplementedError: the common dtype is not floating point.
    """
    x, y = _broadcast(input, target)
    if weight is not None:
        reduction = _weighted_reduction(weight, input, size_average, reduce, reduction)
        return _reduce_weighted((x - y) ** 2, weight, reduction)
    number = reduction_number(reduction, size_average, reduce)
    return _mse_loss(x, y, number)


def l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Return |input - target|, reduced as `reduction` says: "mean", "sum" or "none".

    If the shapes differ, the function warns, and broadcasts `input` and `target`. `weight` has a factor for each element, and the mean
    divides by the sum of these factors.

    Raises:
        ValueError: the reduction is unknown, or `weight` and `input` differ in shape.
        RuntimeError: the shapes don't broadcast, or the operands are boolean.
    """
    x, y = _broadcast(input, target)
    if weight is not None:
        reduction = _weighted_reduction(weight, input, size_average, reduce, reduction)
        return _reduce_weighted((x - y).abs(), weight, reduction)
    number = reduction_number(reduction, size_average, reduce)
    return reduce_losses((x - y).abs(), number)


@recomputed("SmoothL1LossBackwardBackward0", "grad_output", "self", "target")
def smooth_l1_loss_backward(grad: Tensor, input: Tensor, target: Tensor, *, reduction: int, beta: float) -> Tensor:
    """`grad · clamp((input - target) / beta, -1, 1)`, divided by the number of elements for the mean

    The loss is symmetric in input and target, so both gradients use this function.
    """
    difference = input - target
    near = np.abs(difference._array) < beta
    bent = grad_where(difference / beta, near) + grad_where(difference.sign(), ~near)
    return grad_before_reduction(grad, near.size, reduction) * bent


@operation("SmoothL1LossBackward0",
           self=lambda g, self, target, reduction, beta: smooth_l1_loss_backward(g, self, target, reduction=reduction, beta=beta),
           target=lambda g, self, target, reduction, beta: smooth_l1_loss_backward(g, target, self, reduction=reduction, beta=beta))  # fmt: skip
def _smooth_l1_loss(self: Any, target: Any, reduction: int, beta: float) -> Any:
    """`d² / (2 beta)` where |d| < beta, otherwise `|d| - beta / 2`, d = self - target"""
    x, y = pair(self, target)
    floating_only(x, "smooth_l1_cpu")
    far, kind = np.abs(x - y), x.dtype.type
    return reduce_array(np.where(far < beta, kind(0.5) * far * far / kind(beta), far - kind(0.5 * beta)), reduction)


def smooth_l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:  # fmt: skip
    """Return d² / (2 beta) where |d| < beta, otherwise |d| - beta / 2, for d = input - target, reduced as `reduction` says.

    `reduction` is "mean", "sum" or "none". If the shapes differ, the function warns, and broadcasts `input` and `target`.

    Raises:
        ValueError: the reduction is unknown.
        RuntimeError: `beta` is negative, or the shapes don't broadcast.
        NotImplementedError: the common dtype is not floating point, and `beta` is not 0.
    """
    input, target = _broadcast(input, target)
    number = reduction_number(reduction, size_average, reduce)
    if beta == 0.0:
        return reduce_losses((input - target).abs(), number)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return _smooth_l1_loss(input, target, number, beta)


@recomputed("HuberLossBackwardBackward0", "grad_output", "self", "target")
def huber_loss_backward(grad: Tensor, input: Tensor, target: Tensor, *, reduction: int, delta: float) -> Tensor:
    """`grad · clamp(input - target, -delta, delta)`, divided by the number of elements for the mean

    The loss is symmetric in input and target, so both gradients use this function.
    """
    difference = input - target
    near = np.abs(difference._array) < delta
    bent = grad_where(difference, near) + grad_where(difference.sign() * delta, ~near)
    return grad_before_reduction(grad, near.size, reduction) * bent


@operation("HuberLossBackward0",
           self=lambda g, self, target, reduction, delta: huber_loss_backward(g, self, target, reduction=reduction, delta=delta),
           target=lambda g, self, target, reduction, delta: huber_loss_backward(g, target, self, reduction=reduction, delta=delta))  # fmt: skip
def _huber_loss(self: Any, target: Any, reduction: int, delta: float) -> Any:
    """`d² / 2` where |d| <= delta, otherwise `delta (|d| - delta / 2)`, d = self - target"""
    x, y = pair(self, target)
    floating_only(x, "huber_cpu")
    if self.dtype.kind != "f":
        names = [from_numpy(a.dtype).tensor_type for a in (x, self)]
        raise RuntimeError(f"result type {names[0]} can't be cast to the desired output type {names[1]}")
    far, kind = np.abs(x - y), x.dtype.type
    losses = np.where(far <= delta, kind(0.5) * far * far, kind(delta) * (far - kind(0.5 * delta)))
    # as in torch, which writes into a tensor like `input`
    return reduce_array(losses.astype(self.dtype, copy=False), reduction)


def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Tensor:
    """Return d² / 2 where |d| <= delta, otherwise delta (|d| - delta / 2), for d = input - target, reduced as `reduction` says.

    `reduction` is "mean", "sum" or "none". If the shapes differ, the function warns, and broadcasts `input` and `target`. `weight` has a
    factor for each element; the mean divides by the number of elements.

    Raises:
        ValueError: the reduction is unknown, or `weight` and `input` differ in shape.
        RuntimeError: `delta` is not positive, the shapes don't broadcast, or `target` is floating point and `input` is not.
        NotImplementedError: the common dtype is not floating point.
    """
    x, y = _broadcast(input, target)
    if weight is not None:
        _check_weight(weight, input)
    number = reduction_number("none" if weight is not None else reduction)
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    losses = _huber_loss(x, y, number, delta)
    return losses if weight is None else _reduce_weighted(losses, weight, reduction, divide_by_weights=False)


def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """Return the negative log-likelihood (log(var) + (input - target)² / var) / 2 of `target` for normal distributions.

    Args:
        input, var: means and variances. `var` is a float or has the shape of `input`, or lacks its last dimension, or has size 1 there.
        full: whether to add log(2 π) / 2.
        eps: smaller variances count as `eps`. The gradient ignores this.
        reduction: "mean" or "sum" of the elements, or "none".

    Raises:
        ValueError: a variance is negative, `var` has another shape, or the reduction is unknown.
    """
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = ones_like(input) * var
    elif (var < 0).any():
        raise ValueError("var has negative entry/entries")
    if var.shape != input.shape:
        if input.shape[:-1] == var.shape:
            var = var.unsqueeze(-1)
        elif input.ndim != var.ndim or sum(m for n, m in zip(input.shape, var.shape, strict=True) if n != m) != 1:
            raise ValueError("var is of incorrect size")
    if reduction not in NUMBERS:
        raise ValueError(f"{reduction} is not valid")
    var = var.clone()
    with no_grad():
        var.clamp_(min=eps)
    losses = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        losses += 0.5 * log(2 * pi)
    return reduce_losses(losses, NUMBERS[reduction])
