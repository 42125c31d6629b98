"""Losses between a prediction and a target of the same shape: how far apart, per element, then reduced.

Losses of probabilities are in `probability_losses`, those of class scores in `classification_losses`, those with a margin between
classes in `class_margin_losses`, those with one between samples in `margin_losses`.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from reference_impl.autograd.backward_operation import backward_operation
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.promotion import promoted, refuse_dtype
from reference_impl.ops.rectifier import kept_where
from reference_impl.ops.reduction import mean_of
from reference_impl.ops.views import broadcast_tensors
from reference_impl.ops.with_number import div_number

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


def reduced_array(losses: Any, reduction: int) -> Any:
    return mean_of(losses) if reduction == 1 else np.sum(losses) if reduction == 2 else losses


def share_of(g: Tensor, count: int, reduction: int) -> Tensor:
    """The part of a reduced loss' gradient that each element receives."""
    return div_number(g, count) if reduction == 1 else g


def _warn_of_sizes(input: Tensor, target: Tensor) -> None:
    if not (isinstance(target, Tensor) and isinstance(input, Tensor)):
        target.size(), input.size()  # raises what it raises in torch
    if target._array.shape != input._array.shape:
        warnings.warn(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). This will likely lead "
            "to incorrect results due to broadcasting. Please ensure they have the same size.",
            stacklevel=4,
        )


def pair(input: Tensor, target: Tensor) -> tuple[Any, Any]:
    """The arrays in their common dtype."""
    x, y = input._array, target._array
    return (x, y) if x.dtype == y.dtype else promoted(x, y)


def refuse_integers(name: str, x: Any) -> None:
    if x.dtype.kind != "f":
        refuse_dtype(name, x.dtype)


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
    x, y = pair(input, target)
    factor = 2.0 / x.size if reduction == 1 and x.size else 2.0
    out = x - y
    out *= grad._array * x.dtype.type(factor)
    return record(
        MseLossBackwardBackward0, out, (grad, input, target), (grad, input, target), reduction=reduction, _factor=factor
    )


def mse_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:  # fmt: skip
    """(input - target)², reduced.

    Raises:
        ValueError: no such reduction.
    """
    _warn_of_sizes(input, target)
    number = reduction_number(reduction, size_average, reduce)
    if input._array.shape != target._array.shape:
        input, target = broadcast_tensors(input, target)
    x, y = pair(input, target)
    refuse_integers("mse_cpu", x)
    losses = np.square(x - y)
    return record(MseLossBackward0, reduced_array(losses, number), (input, target), (input, target), reduction=number)


def l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:  # fmt: skip
    """|input - target|, reduced."""
    _warn_of_sizes(input, target)
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
        return smooth_l1_loss_backward(
            g, self._saved_self, self._saved_target, reduction=self.reduction, beta=self.beta
        )

    def grad_target(self, g: Tensor) -> Tensor:
        return smooth_l1_loss_backward(
            g, self._saved_target, self._saved_self, reduction=self.reduction, beta=self.beta
        )


@backward_operation("SmoothL1LossBackwardBackward0", "grad_output", "self", "target")
def smooth_l1_loss_backward(grad: Tensor, input: Tensor, target: Tensor, *, reduction: int, beta: float) -> Tensor:
    """The gradient of `smooth_l1_loss`; the loss is the same with the two exchanged."""
    difference = input - target
    near = np.abs(difference._array) < beta
    bent = kept_where(difference / beta, near) + kept_where(difference.sign(), ~near)
    return share_of(grad, near.size, reduction) * bent


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
    x, y = pair(input, target)
    refuse_integers("smooth_l1_cpu", x)
    far = np.abs(x - y)
    kind = x.dtype.type
    losses = np.where(far < beta, kind(0.5) * far * far / kind(beta), far - kind(0.5 * beta))
    return record(
        SmoothL1LossBackward0,
        reduced_array(losses, number),
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
        return huber_loss_backward(g, self._saved_self, self._saved_target, reduction=self.reduction, delta=self.delta)

    def grad_target(self, g: Tensor) -> Tensor:
        return huber_loss_backward(g, self._saved_target, self._saved_self, reduction=self.reduction, delta=self.delta)


@backward_operation("HuberLossBackwardBackward0", "grad_output", "self", "target")
def huber_loss_backward(grad: Tensor, input: Tensor, target: Tensor, *, reduction: int, delta: float) -> Tensor:
    """The gradient of `huber_loss`; the loss is the same with the two exchanged."""
    difference = input - target
    near = np.abs(difference._array) < delta
    bent = kept_where(difference, near) + kept_where(difference.sign() * delta, ~near)
    return share_of(grad, near.size, reduction) * bent


def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0) -> Tensor:
    """`smooth_l1_loss` times `delta`.

    Raises:
        RuntimeError: `delta` is not positive.
    """
    _warn_of_sizes(input, target)
    if input._array.shape != target._array.shape:
        input, target = broadcast_tensors(input, target)
    number = reduction_number(reduction)
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    x, y = pair(input, target)
    refuse_integers("huber_cpu", x)
    far = np.abs(x - y)
    kind = x.dtype.type
    losses = np.where(far <= delta, kind(0.5) * far * far, kind(delta) * (far - kind(0.5 * delta)))
    return record(
        HuberLossBackward0,
        reduced_array(losses, number),
        (input, target),
        (input, target),
        reduction=number,
        delta=delta,
    )
