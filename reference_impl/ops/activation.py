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
from reference_impl.ops.elementwise import elementwise, zeros_like
from reference_impl.ops.masking import zero_unless
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import op


class ThresholdBackwardBackward0(Node):
    """out = grad where self > threshold, otherwise 0:  ∂grad = g where self > threshold, otherwise 0,  ∂self = 0."""

    saved_names = ("self",)
    threshold: float

    def grad_grad_output(self, g: Tensor) -> Tensor:
        return threshold_backward(g, self._saved_self, self.threshold)

    def grad_self(self, g: Tensor) -> Tensor:
        return zeros_like(g)


def threshold_backward(grad: Tensor, input: Tensor, threshold: float) -> Tensor:
    """`grad` where `input` is above `threshold`, otherwise 0."""
    kept = zero_unless(np.logical_not(np.less_equal(input._array, threshold)), grad._array)
    return record(ThresholdBackwardBackward0, kept, (grad, input), (input,), threshold=threshold)


def _relu(x: Any) -> Any:
    if x.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    return np.maximum(x, 0)


def _relu_backward(grad: Tensor, result: Tensor) -> Tensor:
    """`grad` where `result` is above 0, otherwise 0.

    The result of relu is nowhere below 0, so that "not 0" says "above, or nan" in one pass.
    """
    kept = zero_unless(np.not_equal(result._array, 0), grad._array)
    return record(ThresholdBackwardBackward0, kept, (grad, result), (result,), threshold=0)


relu = elementwise("relu", _relu, lambda g, x, y: _relu_backward(g, y), saves="result", integers="kept")


sigmoid = op("function", "method", "inplace", "function_inplace", "out", aliases=("special.expit",))(core.sigmoid)


# -- softmax


class SoftmaxBackward0(Node):
    """out = exp(self) / Σ exp(self) over `dim`:  ∂self = out · (g - Σ g · out)."""

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
    """out = self - log Σ exp(self) over `dim`:  ∂self = g - exp(out) · Σ g."""

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
