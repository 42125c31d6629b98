"""relu, sigmoid, softmax and its logarithm. (Other activations are in `rectifier`, `exponential_linear` and `smooth_activation`, tanh
in `elementwise`.)"""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._backend import contiguous
from reference_impl.core.arrays import checked_dim
from reference_impl.core.node import Node
from reference_impl.core.operations import arithmetic as core
from reference_impl.core.record import record
from reference_impl.core.saving import RESULT
from reference_impl.core.tensor import Tensor
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import op

relu = op("function", "method", "inplace", "function_inplace", "out")(core.relu)
sigmoid = op("function", "method", "inplace", "function_inplace", "out", aliases=("special.expit",))(core.sigmoid)


# -- softmax


class SoftmaxBackward0(Node):
    """out = exp(self) / Σ exp(self) over dimension `dim`:  ∂self = out · (g - Σ g · out)."""

    saved_names = ("result",)
    dim: int

    def grad_self(self, g: Tensor) -> Tensor:
        return softmax_backward_data(g, self._saved_result, self.dim)


class SoftmaxBackwardDataBackward0(Node):
    """out = result · (grad - Σ grad · result).

    ∂grad is the same formula of g;  ∂result = grad · (g - Σ g · result) - g · Σ grad · result.
    """

    saved_names = ("grad_output", "output")
    dim: int

    def grad_grad_output(self, g: Tensor) -> Tensor:
        return softmax_backward_data(g, self._saved_output, self.dim)

    def grad_output(self, g: Tensor) -> Tensor:
        grad, y, dim = self._saved_grad_output, self._saved_output, self.dim
        return grad * (g - (g * y).sum(dim, keepdim=True)) - g * (grad * y).sum(dim, keepdim=True)


def softmax_backward_data(grad: Tensor, output: Tensor, dim: int) -> Tensor:
    """The gradient of softmax as one operation."""
    g, y = grad._array, output._array
    scaled = g * y
    scaled -= y * _sum(scaled, dim)
    return record(SoftmaxBackwardDataBackward0, scaled, (grad, output), (grad, output), dim=dim)


def _sum(x: Any, dim: int) -> Any:
    return x.sum(axis=dim, keepdims=True) if x.ndim else x


def _as_logits(name: str, input: Tensor, dim: int, dtype: Any) -> Tensor:
    """`input`, in `dtype` where one is given.

    Raises:
        NotImplementedError: it is not floating point.
    """
    if dtype is not None:
        input = input.to(dtype)
    x = input._array
    if x.dtype.kind != "f":
        checked_dim(dim, x.ndim)
        last = x.ndim == 0 or dim in (-1, x.ndim - 1)
        refuse_dtype(f"{name}_lastdim_kernel_impl" if last else f"{name}_kernel_impl", x.dtype)
    return input


def _shifted(x: Any, dim: int) -> Any:
    """`x` minus its maximum over `dim`, so that exp does not overflow."""
    return x - x.max(axis=dim, keepdims=True) if x.ndim and x.size else x - x


@op("function", "method", "out")
def softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """exp(input) divided by its sum over `dim`.

    Args:
        dtype: computed and returned in this dtype.
    """
    logits = _as_logits("softmax", input, dim, dtype)
    x = contiguous(logits._array)
    dim = checked_dim(dim, x.ndim)
    exps = np.exp(_shifted(x, dim))
    return record(SoftmaxBackward0, exps / _sum(exps, dim), (logits,), (RESULT,), dim=dim)


class LogSoftmaxBackward0(Node):
    """out = self - log Σ exp(self) over dimension `dim`:  ∂self = g - exp(out) · Σ g."""

    saved_names = ("result",)
    dim: int

    def grad_self(self, g: Tensor) -> Tensor:
        return log_softmax_backward_data(g, self._saved_result, self.dim)


class LogSoftmaxBackwardDataBackward0(Node):
    """out = grad - exp(result) · Σ grad:  ∂grad = g - Σ g · exp(result),  ∂result = -g · exp(result) · Σ grad."""

    saved_names = ("grad_output", "output")
    dim: int

    def grad_grad_output(self, g: Tensor) -> Tensor:
        return g - (g * self._saved_output.exp()).sum(self.dim, keepdim=True)

    def grad_output(self, g: Tensor) -> Tensor:
        return -g * self._saved_output.exp() * self._saved_grad_output.sum(self.dim, keepdim=True)


def log_softmax_backward_data(grad: Tensor, output: Tensor, dim: int) -> Tensor:
    """The gradient of log_softmax as one operation."""
    g = grad._array
    return record(
        LogSoftmaxBackwardDataBackward0,
        g - np.exp(output._array) * _sum(g, dim),
        (grad, output),
        (grad, output),
        dim=dim,
    )


@op("function", "method", "out")
def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """The logarithm of softmax, without its rounding to 0.

    Args:
        dtype: computed and returned in this dtype.
    """
    logits = _as_logits("log_softmax", input, dim, dtype)
    x = contiguous(logits._array)
    dim = checked_dim(dim, x.ndim)
    shifted = _shifted(x, dim)
    return record(LogSoftmaxBackward0, shifted - np.log(_sum(np.exp(shifted), dim)), (logits,), (RESULT,), dim=dim)
