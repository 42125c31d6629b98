"""Losses of classification: nll_loss, of log-probabilities, and cross_entropy, of scores (logits)."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl.arguments.kinds import as_number
from reference_impl.core.node import Node
from reference_impl.core.operations.arithmetic import div_number
from reference_impl.core.record import needs_grad, record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.activation import log_softmax
from reference_impl.ops.losses import reduction_number
from reference_impl.ops.not_implemented import refuse_gradients
from reference_impl.ops.rectifier import floating_only
from reference_impl.ops.scatter import grid


class NllLossBackward0(Node):
    """out = -weight[target] · self[target], reduced:  ∂self = -g · weight[target] at the place of target, 0 elsewhere, divided by total_weight for the mean.

    total_weight is Σ weight[target]. Targets equal to `ignore_index` have the weight 0.
    """

    saved_names = ("self", "target", "weight", "total_weight")
    reduction: int
    ignore_index: int
    _places: Any
    _weights: Any
    _ignored: Any

    def grad_self(self, g: Tensor) -> Tensor:
        """Return the gradient of the log-probabilities."""
        return nll_loss_backward(g, self, self._saved_self, self._saved_target, self._saved_weight)


class NllLoss2DBackward0(NllLossBackward0):
    """`nll_loss` of images of scores, (n, c, h, w)."""


class NllLossBackwardBackward0(Node):
    """The gradient of nll_loss is linear in grad_output, which receives nll_loss of g with the same targets and weights.
    self receives 0.
    """

    saved_names = ("target", "weight")
    reduction: int
    ignore_index: int

    def grad_grad_output(self, g: Tensor) -> Tensor:
        """Return the `nll_loss` of `g`, with the saved targets and weights."""
        return _nll_loss(g, self._saved_target, self._saved_weight, self.reduction, self.ignore_index)

    def grad_self(self, g: Tensor) -> Tensor:
        """Return zeros, because the first derivative does not depend on the log-probabilities."""
        return Tensor._wrap(np.zeros_like(g._array))


class NllLoss2DBackwardBackward0(NllLossBackwardBackward0):
    """As NllLossBackwardBackward0, for images of scores, (n, c, h, w)."""


def _reduced_losses(x: Any, places: Any, weights: Any, total: Any, reduction: int) -> Any:
    losses = np.negative(x[places])
    losses *= weights
    if reduction == 0:
        return losses.reshape(losses.shape[:1] + losses.shape[2:]) if x.ndim > 1 else losses.reshape(())
    return losses.sum() / total if reduction == 1 else losses.sum()


def nll_loss_backward(
    grad: Tensor, loss: NllLossBackward0, input: Tensor, target: Tensor, weight: Tensor | None
) -> Tensor:
    """Return the gradient of the input of `nll_loss`, recorded as a single operation.

    Args:
        grad: gradient of the loss, 0-d unless the reduction is "none".
        loss: the node of `nll_loss`. Its attribute `_places` is the index of the score of each target. `_weights` has the weight of
            each target, 0 if it is ignored. `_ignored` is a mask of the ignored targets, or None. The gradient of an ignored target
            is 0 even if `grad` is nan.
    """
    if input._array.ndim == target._array.ndim == 1 != len(input._array):
        raise RuntimeError(f"size mismatch (got input: {list(input.shape)}, target: {list(target.shape)})")
    g = grad._array
    out = np.zeros_like(g, shape=input._array.shape)
    scaled = np.negative(loss._weights)
    if loss.reduction == 1:
        scaled *= g / loss._saved_total_weight._array
    elif loss.reduction == 2:
        scaled *= g
    else:
        scaled *= g.reshape(scaled.shape)
    if loss._ignored is not None:
        scaled[loss._ignored] = 0
    out[loss._places] = scaled
    return record(
        NllLoss2DBackwardBackward0 if out.ndim == 4 else NllLossBackwardBackward0,
        out,
        (grad, input),
        (target, weight),
        reduction=loss.reduction,
        ignore_index=loss.ignore_index,
    )


def _check_target(input: Tensor, target: Tensor, weight: Tensor | None, ignore_index: int) -> None:
    x, t = input._array, target._array
    classes = x.shape[1 if x.ndim > 1 else 0]
    if x.ndim > 1 and x.shape[0] != (t.shape[0] if t.ndim else 0):
        raise ValueError(
            f"Expected input batch_size ({x.shape[0]}) to match target batch_size ({t.shape[0] if t.ndim else 0})."
        )
    if x.ndim <= 2 and t.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if x.ndim == 4 and t.ndim != 3:
        raise RuntimeError(
            f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {t.ndim}"
        )
    if x.ndim == 4 and t.shape[1:] != x.shape[2:]:
        raise RuntimeError(f"size mismatch (got input: {list(x.shape)} , target: {list(t.shape)}")
    if x.ndim > 2 and t.shape[1:] != x.shape[2:]:
        raise RuntimeError(f"Expected target size {[x.shape[0], *x.shape[2:]]}, got {list(t.shape)}")
    if t.dtype not in (np.int64, np.uint8):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {target.dtype.tensor_type}")
    if x.ndim == 1 and t.ndim == 1 and t.shape[0] != 1:
        raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {t.shape[0]}")
    if x.ndim > 2 and t.dtype == np.uint8:
        raise RuntimeError("expected scalar type Long but found Byte")
    if weight is not None and weight._array.shape != (classes,):
        text = f"{classes} classes or no classes but got weight tensor of shape: {list(weight.shape)}"
        raise RuntimeError(f"weight tensor should be defined either for all {text if x.ndim < 3 else 'or no classes'}")
    if weight is not None and weight._array.dtype != x.dtype:
        names = input.dtype.tensor_type, weight.dtype.tensor_type
        raise RuntimeError(f"expected scalar type {names[0]} but found {names[1]}")


def _ignored_mask(t: Any, classes: int, ignore_index: int) -> Any:
    """Return the mask of the targets `t` that equal `ignore_index`, or None if none does.

    Raises:
        IndexError: another target is not from 0 to `classes` - 1.
    """
    if not t.size:
        return None
    least, most = int(t.min()), int(t.max())
    if least < 0 or most >= classes:
        invalid = ((t < 0) | (t >= classes)) & (t != ignore_index)
        if bool(np.any(invalid)):
            raise IndexError(f"Target {int(t[invalid].reshape(-1)[0])} is out of bounds.")
    if not least <= ignore_index <= most:
        return None
    ignored = t == ignore_index
    return ignored if bool(np.any(ignored)) else None


def nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None, ignore_index: int = -100,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Return -weight[target] · input[target] for each target, reduced as `reduction` says.

    Shapes of input and target: (n, c, *) and (n, *), or (c) and () or (1).

    Args:
        input: log-probabilities of the c classes.
        target: class numbers, int64 or uint8.
        weight: weights of the classes, (c); 1 if None.
        size_average, reduce: deprecated forms of `reduction`.
        ignore_index: value of targets whose loss is 0 and whose weight counts as 0. It need not be a class number.
        reduction: "none" (a loss per target), "sum", or "mean", which divides by the sum of the weights of the targets and is nan if
            that is 0.

    Raises:
        ValueError, RuntimeError: sizes or dtypes don't fit, `weight` requires grad, or `reduction` is unknown.
        IndexError: a target is neither a class number nor `ignore_index`.
    """
    return _nll_loss(input, target, weight, reduction_number(reduction, size_average, reduce), ignore_index)


def _nll_loss(input: Tensor, target: Tensor, weight: Tensor | None, number: int, ignore_index: int) -> Tensor:
    if input._array.ndim == 0:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    ignore_index = as_number(ignore_index)
    _check_target(input, target, weight, ignore_index)
    ndim = input._array.ndim
    if ndim in (3, 5) or ndim > 5:
        n, c = input.shape[:2]
        flat = _nll_loss(input.reshape(n, c, 1, -1), target.reshape(n, 1, -1), weight, number, ignore_index)
        return flat.view(target.shape) if number == 0 else flat
    refuse_gradients("nll_loss2d_forward" if ndim == 4 else "nll_loss_forward", weight=weight)
    x, t = input._array, target._array
    floating_only(x, "nll_loss2d_forward_out_frame" if ndim == 4 else "nll_loss_out_frame")
    t = t.reshape(1) if ndim == 1 else t[:, None]
    ignored = _ignored_mask(t, x.shape[1 if ndim > 1 else 0], ignore_index)
    if ignored is not None:
        t = np.where(ignored, 0, t)
    weights = np.ones_like(t, dtype=x.dtype) if weight is None else weight._array[t]
    if ignored is not None:
        weights[ignored] = 0
    places = (t,) if ndim == 1 else grid(t, 1)
    total = weights.sum()
    out = _reduced_losses(x, places, weights, total, number)
    if number == 0 and ndim == 1 and target._array.ndim == 1:
        out = out.reshape(1)
    if not needs_grad(input):
        return Tensor._wrap(out)
    return record(
        NllLoss2DBackward0 if ndim == 4 else NllLossBackward0,
        out,
        (input,),
        (input, target, weight, Tensor._wrap(total)),
        reduction=number,
        ignore_index=ignore_index,
        _places=places,
        _weights=weights,
        _ignored=ignored,
    )


def cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None, ignore_index: int = -100,
    reduce: bool | None = None, reduction: str = "mean", label_smoothing: float = 0.0,
) -> Tensor:  # fmt: skip
    """Return the cross-entropy of scores and targets: for class numbers as targets, the `nll_loss` of `log_softmax(input)`.

    For probabilities it is -Σ target · weight · log_softmax(input) over the classes, and "mean" divides by the number of these sums.
    Both formulas are for a `label_smoothing` of 0.

    Args:
        input: scores of the c classes, (n, c, *) or (c).
        target: class numbers, (n, *) or (); or floating-point probabilities of the same shape as `input`.
        weight, size_average, ignore_index, reduce, reduction: see `nll_loss`.
        label_smoothing: fraction of each target that is distributed evenly over all classes, from 0 to 1. Negative numbers mean 0.

    Raises:
        ValueError, RuntimeError: sizes or dtypes don't fit, `label_smoothing` is out of range, or `reduction` is unknown; or targets are
            probabilities, and `ignore_index` is not negative.
        IndexError: a target is neither a class number nor `ignore_index`.
    """
    number = reduction_number(reduction, size_average, reduce)
    class_dim = 0 if input._array.ndim == 1 else 1
    if label_smoothing > 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    if input._array.shape == target._array.shape:
        _check_probabilities(input, target, weight, ignore_index)
        logs = log_softmax(input, class_dim)
        return _probability_loss(logs, target, weight, number, label_smoothing, class_dim)
    if label_smoothing > 0:
        return _smoothed_loss(log_softmax(input, class_dim), target, weight, number, ignore_index, label_smoothing)
    return _nll_loss(log_softmax(input, class_dim), target, weight, number, ignore_index)


def _check_probabilities(input: Tensor, target: Tensor, weight: Tensor | None, ignore_index: int) -> None:
    if not target.is_floating_point():
        raise RuntimeError(
            f"Expected floating point type for target with class probabilities, got {target.dtype.tensor_type}"
        )
    if ignore_index >= 0:
        raise RuntimeError("ignore_index is not supported for floating point target")
    classes = input.shape[0 if input.ndim == 1 else 1]
    if weight is not None and (weight.ndim != 1 or weight.numel() != classes):
        raise RuntimeError(
            "cross_entropy: weight tensor should be defined either for all "
            f"{classes} classes or no classes but got weight tensor of shape: {list(weight.shape)}"
        )


def _over_classes(weight: Tensor, ndim: int) -> Tensor:
    return weight if ndim == 1 else weight.view(1, -1, *(1,) * (ndim - 2))


def _probability_loss(
    logs: Tensor, target: Tensor, weight: Tensor | None, number: int, label_smoothing: float, class_dim: int
) -> Tensor:
    """Return the cross-entropy for targets that are probabilities: -Σ target · weight · logs over the classes, reduced.

    Args:
        logs: logarithms of the predicted probabilities.
        number: reduction, see `losses.NUMBERS`. The mean is over all dimensions except that of the classes.
        label_smoothing: see `cross_entropy`.
        class_dim: dimension of the classes.
    """
    classes = logs._array.shape[class_dim]
    if label_smoothing > 0:
        target = target * (1 - label_smoothing) + label_smoothing / classes
    products = logs * target
    if weight is not None:
        products = products * _over_classes(weight, logs.ndim)
    if number == 0:
        return -products.sum(class_dim)
    if number == 2:
        return -products.sum()
    count = logs.numel() / classes if logs.numel() else 0
    return div_number(-products.sum(), count)


def _smoothed_loss(
    logs: Tensor, target: Tensor, weight: Tensor | None, number: int, ignore_index: int, smoothing: float
) -> Tensor:
    """Return the cross-entropy with label smoothing: (1 - smoothing) · nll_loss + smoothing / classes · S.

    S is -Σ weight · logs over all classes, without ignored targets, and reduced as nll_loss is.
    """
    class_dim = 0 if logs.ndim == 1 else 1
    classes = logs._array.shape[class_dim]
    nll = _nll_loss(logs, target, weight, number, ignore_index)
    even = -(logs * _over_classes(weight, logs.ndim)).sum(class_dim) if weight is not None else -logs.sum(class_dim)
    ignored = target == ignore_index
    even = even.masked_fill(ignored, 0.0)
    if number == 1:
        if weight is not None:
            counted = weight[target.masked_fill(ignored, 0).reshape(-1)].reshape(target.shape)
            even = even.sum() / counted.masked_fill(ignored, 0).sum()
        elif bool(np.any(ignored._array)):
            even = even.sum() / (~ignored).sum()
        else:
            even = even.mean()
    elif number == 2:
        even = even.sum()
    return nll * (1 - smoothing) + even * (smoothing / classes)
