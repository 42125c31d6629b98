"""Losses of class scores with a margin between the classes, and of several classes per sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record
from reference_impl.ops.losses import reduced, reduction_number
from reference_impl.ops.reduction import mean_of
from reference_impl.ops.scatter import grid
from reference_impl.ops.smooth_activation import logsigmoid


class MultiMarginLossBackward0(Node):
    """out = Σ_{i ≠ y} max(0, margin - self[y] + self[i])^p · weight[y] / classes, reduced."""

    saved_names = ("self", "target", "weight")
    p: int
    margin: float
    reduction: int

    def grad_self(self, g: Tensor) -> Tensor:
        x = self._saved_self
        two = x._array if x.ndim == 2 else x._array.reshape(1, -1)
        t = self._saved_target._array.reshape(-1, 1)
        distance, weights = _multi_margins(two, t, self._saved_weight, self.margin)
        share = weights / two.shape[1]
        if self.reduction == 1:
            share = share / two.shape[0]
        if self.p == 1:
            slopes = Tensor._wrap(np.where(distance > 0, share, 0).astype(two.dtype))
        else:
            own = x.view(two.shape)
            apart = self.margin - own.gather(1, Tensor._wrap(t)) + own
            apart = apart.scatter(1, Tensor._wrap(t), 0.0)
            slopes = 2 * apart.clamp(min=0) * Tensor._wrap(share.astype(two.dtype))
        grads = slopes.scatter(1, Tensor._wrap(t), -slopes.sum(1, keepdim=True))
        spread = g.view(-1, 1) if g.ndim else g
        return (grads * spread).view(x.shape)


def _multi_margins(x: Any, t: Any, weight: Tensor | None, margin: float) -> tuple[Any, Any]:
    """(n, classes): margin - x[y] + x[i], 0 at y; and the weights (n, 1)."""
    distance = x.dtype.type(margin) - x[grid(t, 1)] + x
    distance[grid(t, 1)] = 0
    weights = np.ones_like(x, shape=t.shape) if weight is None else weight._array[t]
    return distance, weights


def multi_margin_loss(
    input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0, weight: Tensor | None = None,
    size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """How far the other scores come within `margin` of the target's: (n, c) and (n), or (c) and ().

    Raises:
        ValueError: `p` is neither 1 nor 2.
        RuntimeError: sizes that don't fit, a target that is no class.
    """
    number = reduction_number(reduction, size_average, reduce)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.ndim != 1:
        raise ValueError("weight must be one-dimensional")
    x, t = input._array, target._array
    if x.ndim > 2 or (x.ndim and x.shape[-1] == 0):
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(x.shape)}"
        )
    two = x.reshape(1, -1) if x.ndim < 2 else x
    if t.ndim > 1 or t.size != two.shape[0]:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch size). "
            f"Expected target size [{two.shape[0]}], but got {list(t.shape)}. Input has shape {list(x.shape)}."
        )
    if weight is not None and weight._array.size != two.shape[1]:
        raise RuntimeError(f"inconsistent weight size, expected {two.shape[1]} but got {list(weight.shape)}")
    if t.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {target.dtype.tensor_type}")
    if t.size and (int(t.min()) < 0 or int(t.max()) >= two.shape[1]):
        raise RuntimeError("target out of range")
    distance, weights = _multi_margins(two, t.reshape(-1, 1), weight, margin)
    near = np.maximum(distance, 0) ** p * weights
    losses = np.sum(near, axis=1) / two.shape[1]
    out = losses if number == 0 else mean_of(losses) if number == 1 else np.sum(losses)
    if number == 0 and x.ndim < 2:
        out = out.reshape(t.shape)
    return record(
        MultiMarginLossBackward0,
        out.astype(x.dtype),
        (input,),
        (input, target, weight),
        p=p,
        margin=margin,
        reduction=number,
    )


class MultilabelMarginLossBackward0(Node):
    """out = Σ_{j in targets, i not} max(0, 1 - self[j] + self[i]) / classes, reduced: piecewise linear in self."""

    saved_names = ("self", "target", "is_target")
    reduction: int
    _slopes: Any

    def grad_self(self, g: Tensor) -> Tensor:
        self.check_saved()  # also the target, which the slopes hold
        x = self._saved_self
        two = self._slopes.shape
        share = Tensor._wrap(self._slopes / (two[1] * two[0] if self.reduction == 1 else two[1]))
        return (share * (g.view(-1, 1) if g.ndim else g)).view(x.shape)


def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Tensor:
    """How far the scores of other classes come within 1 of those of the target classes.

    Args:
        target: per sample the numbers of its classes, ended by -1.
    """
    number = reduction_number(reduction, size_average, reduce)
    x, t = input._array, target._array
    empty = x.ndim > 2 or (x.ndim > 0 and x.shape[-1] == 0)
    if empty or t.shape != x.shape:
        what = "vector or matrix" if empty else None
        raise RuntimeError(
            f"Expected non-empty {what} with optional 0-dim batch size, but got: {list(x.shape)}"
            if what
            else f"inconsistent target size: {list(t.shape)} for input of size: {list(x.shape)}"
        )
    two, targets = x.reshape(-1, x.shape[-1] if x.ndim else 1), t.reshape(-1, x.shape[-1] if x.ndim else 1)
    classes = two.shape[1]
    if t.size and (int(t.min()) < -1 or int(t.max()) >= classes):
        raise RuntimeError("target out of range" if int(t.min()) >= -1 else "min_of_target >= -1")
    listed = np.cumsum(targets < 0, axis=1) == 0
    numbers = np.where(listed, targets, 0)
    is_target = np.zeros_like(two, dtype=bool)
    rows = np.nonzero(listed)
    is_target[rows[0], numbers[rows]] = True
    own = two[grid(numbers, 1)]
    apart = 1 - own[:, :, None] + two[:, None, :]  # (n, target, class)
    near = (apart > 0) & listed[:, :, None] & ~is_target[:, None, :]
    losses = np.sum(np.where(near, apart, 0), axis=(1, 2)) / classes
    slopes = np.sum(near, axis=1).astype(two.dtype)
    np.subtract.at(slopes, (rows[0], numbers[rows]), np.sum(near, axis=2)[rows].astype(two.dtype))
    out = losses if number == 0 else mean_of(losses) if number == 1 else np.sum(losses)
    if number == 0 and x.ndim < 2:
        out = out.reshape(())
    return record(
        MultilabelMarginLossBackward0,
        out.astype(x.dtype),
        (input,),
        (input, target, Tensor._wrap(is_target.reshape(t.shape).astype(x.dtype))),
        reduction=number,
        _slopes=slopes,
    )


def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
    reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Binary cross entropy of each class, averaged over the classes, then reduced."""
    number = reduction_number(reduction, size_average, reduce)
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    class_dim = input.ndim - 1
    return reduced(loss.sum(class_dim) / input.shape[class_dim], number)
