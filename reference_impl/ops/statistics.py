"""Variance and standard deviation: var, std, var_mean, std_mean."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reference_impl._backend import contiguous
from reference_impl._settings import warn_user
from reference_impl.core.node import Node
from reference_impl.core.record import record, record_many
from reference_impl.core.saving import RESULT, Result
from reference_impl.core.tensor import Tensor
from reference_impl.ops.reduction import dims_of, mean_of, restore_dims
from reference_impl.ops.registry import op
from reference_impl.ops.where import where


class _OverDims(Node):
    """Base class of the nodes of var, std, var_mean and std_mean.

    Attributes:
        dim: the reduced dimensions; None for all.
        correction: the number that is subtracted from the number of elements in the divisor.
    """

    dim: tuple[int, ...] | None
    correction: float
    keepdim: bool

    def _spread(self, g: Tensor, x: Tensor) -> Tensor:
        return restore_dims(g, x.shape, dims_of(self.dim, x.ndim), self.keepdim)


def var_backward(g: Tensor, x: Tensor, dim: tuple[int, ...] | None, correction: float) -> Tensor:
    """∂x = g · 2 (x - mean) / (n - correction), where `g` is expanded to the shape of `x`.

    n is the number of elements over which the variance is taken. If n <= correction, the variance is undefined. torch's gradient over all
    dimensions is then infinite for elements that differ from the mean, and nan for those that equal it.
    """
    dims = dims_of(dim, x.ndim)
    n = math.prod([x.shape[d] for d in dims])
    mean = x.mean(dims, keepdim=True)
    if n <= correction and (dim is None or x.ndim == 0):
        return g * where(x == mean, math.nan, math.inf)
    return (2.0 / (n - correction) if n != correction else math.inf) * g * (x - mean)


def std_backward(g: Tensor, result: Tensor) -> Tensor:
    """Return the gradient of the variance from `g`, the gradient of the standard deviation: g / (2 · result), 0 where `result` is 0."""
    return where(result == 0, 0.0, g / (result * 2))


class VarBackward0(_OverDims):
    """out = Σ (self - mean)² / (n - correction):  ∂self = g · 2 · (self - mean) / (n - correction)."""

    saved_names = ("self",)

    def grad_self(self, g: Tensor) -> Tensor:
        """Return the gradient of the input of `var`."""
        x = self._saved_self
        return var_backward(self._spread(g, x), x, self.dim, self.correction)


class StdBackward0(_OverDims):
    """out = √var:  ∂self = g · (self - mean) / ((n - correction) · out), which is the gradient of var with g / (2 · out) for g."""

    saved_names = ("self", "result")

    def grad_self(self, g: Tensor) -> Tensor:
        """Return the gradient of the input of `std`."""
        x = self._saved_self
        g = self._spread(std_backward(g, self._saved_result), x)
        return var_backward(g, x, self.dim, self.correction)


class VarMeanBackward0(_OverDims):
    """(var, mean) of self: self receives the sum of both gradients."""

    saved_names = ("self",)

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradient of the input."""
        return (self._total(grads[0], grads[1]),)

    def _total(self, g_var: Tensor | None, g_mean: Tensor | None) -> Tensor | None:
        x = self._saved_self
        dims = dims_of(self.dim, x.ndim)
        total = None
        if g_var is not None:
            total = var_backward(self._spread(g_var, x), x, self.dim, self.correction)
        if g_mean is not None:
            part = self._spread(g_mean, x) / math.prod([x.shape[d] for d in dims])
            total = part if total is None else total + part
        return total


class StdMeanBackward0(VarMeanBackward0):
    """(std, mean) of self: self receives the sum of both gradients."""

    saved_names = ("self", "result0")  # type: ignore[assignment]

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradient of the input."""
        g_std, std = grads[0], self._saved_result0  # unpacked even if it is not needed, as in torch
        return (self._total(None if g_std is None else std_backward(g_std, std), grads[1]),)


def _arguments(dim: Any, unbiased: Any, keepdim: bool, correction: Any) -> tuple[Any, float, bool]:
    """Return (dim, correction, keepdim) from the arguments of `var`, of which torch accepts three forms.

    They are var(x, unbiased), var(x, dim, unbiased, keepdim) and var(x, dim, correction=1, keepdim=False).
    """
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    return dim, correction, keepdim


def _variance(name: str, input: Tensor, dim: Any, correction: float, keepdim: bool) -> tuple[Any, Any]:
    """Return the arrays of variance and mean over `dim`. `name` is the function, for messages.

    Raises:
        RuntimeError: `input` is not floating point.
    """
    x = input._array
    if x.dtype.kind != "f":
        label = name if "mean" in name else "std and var"
        raise RuntimeError(f"{label} only support floating point and complex dtypes")
    dims = dims_of(dim, x.ndim)
    n = math.prod([x.shape[d] for d in dims])
    if n - correction <= 0:
        warn_user(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input "
            "numel divided by output numel).",
        )
    mean = mean_of(x, dims, True)
    squares = np.square(x - mean)
    total = np.sum(squares, axis=dims, keepdims=keepdim)
    variance = np.divide(total, x.dtype.type(builtin_max(n - correction, 0)))
    return contiguous(variance), contiguous(mean if keepdim else np.reshape(mean, np.shape(variance)))


builtin_max = max


@op("function", "method", "out")
def var(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, keepdim: bool = False, *, correction: Any = None
) -> Tensor:
    """Return the variance over `dim`, a dimension or several; over all dimensions if None.

    If the divisor, the number of elements minus `correction`, is not positive, the function warns and divides by 0.

    Args:
        dim: a boolean in place of a dimension counts as `unbiased`: `var(x, False)`.
        correction: number that is subtracted from the number of elements in the divisor; 1 by default.
        unbiased: an older form of `correction`: True means 1, False means 0.

    Raises:
        RuntimeError: `input` is not floating point.
        IndexError: a dimension does not exist.
    """
    dim, correction, keepdim = _arguments(dim, unbiased, keepdim, correction)
    variance, _ = _variance("var", input, dim, correction, keepdim)
    return record(VarBackward0, variance, (input,), (input,), dim=dim, correction=correction, keepdim=keepdim)


@op("function", "method", "out")
def std(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, keepdim: bool = False, *, correction: Any = None
) -> Tensor:
    """Return the standard deviation over `dim`. Arguments and errors are those of `var`."""
    dim, correction, keepdim = _arguments(dim, unbiased, keepdim, correction)
    variance, _ = _variance("std", input, dim, correction, keepdim)
    return record(
        StdBackward0, np.sqrt(variance), (input,), (input, RESULT), dim=dim, correction=correction, keepdim=keepdim
    )


@op("function")
def var_mean(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, keepdim: bool = False, *, correction: Any = None
) -> tuple[Tensor, ...]:
    """Return the tuple (variance, mean) over `dim`. Arguments and errors are those of `var`."""
    dim, correction, keepdim = _arguments(dim, unbiased, keepdim, correction)
    results = _variance("var_mean", input, dim, correction, keepdim)
    return record_many(VarMeanBackward0, results, (input,), (input,), dim=dim, correction=correction, keepdim=keepdim)


@op("function")
def std_mean(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, keepdim: bool = False, *, correction: Any = None
) -> tuple[Tensor, ...]:
    """Return the tuple (standard deviation, mean) over `dim`. Arguments and errors are those of `var`."""
    dim, correction, keepdim = _arguments(dim, unbiased, keepdim, correction)
    variance, mean = _variance("std_mean", input, dim, correction, keepdim)
    return record_many(
        StdMeanBackward0, (np.sqrt(variance), mean), (input,), (input, Result(0)),
        dim=dim, correction=correction, keepdim=keepdim,
    )  # fmt: skip
