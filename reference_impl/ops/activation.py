"""The activations relu, sigmoid, softmax and log_softmax.

tanh is in `elementwise`. Other activations are in `rectifier`, `exponential_linear` and `smooth_activation`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._backend import contiguous
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation
from reference_impl.core.operations import arithmetic as core
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.precision import exp, log
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import op

relu = op("function", "method", "inplace", "function_inplace")(core.relu)
sigmoid = op("function", "method", "inplace", "function_inplace", "out", aliases=("special.expit",))(core.sigmoid)


# -- softmax


def _softmax_backward_wrt_output(g: Tensor, grad: Tensor, y: Tensor, dim: int) -> Tensor:
    """`grad_output · (g - Σ g · output) - g · Σ grad_output · output`

    Return the gradient of `softmax_backward_data` with respect to its argument `output`. Each Σ is a sum over `dim`.
    """
    return grad * (g - (g * y).sum(dim, keepdim=True)) - g * (grad * y).sum(dim, keepdim=True)


@operation("SoftmaxBackwardDataBackward0", grad_output=lambda g, output, dim: softmax_backward_data(g, output, dim),
           output=lambda g, grad_output, output, dim: _softmax_backward_wrt_output(g, grad_output, output, dim))  # fmt: skip
def softmax_backward_data(grad_output: Any, output: Any, dim: int) -> Any:
    """`output · (grad_output - Σ grad_output · output)`

    Return the gradient of the input of softmax. `output` is the result of softmax; Σ is a sum over `dim`.
    """
    scaled = grad_output * output
    centred = np.subtract(grad_output, _sum(scaled, dim), out=scaled if scaled.ndim else None)
    return np.multiply(centred, output, out=scaled if scaled.ndim else None)


@operation("SoftmaxBackward0", self=lambda g, result, dim: softmax_backward_data(g, result, dim))
def _softmax(self: Any, dim: int) -> Any:
    """`exp(self) / Σ exp(self)`

    Over the last dimension, multiply by the reciprocal of the sum, as torch's kernel does; over another dimension, divide.
    """
    exps = exp(_subtract_maximum(contiguous(self), dim))
    total = _sum(exps, dim)
    return exps * (1 / total) if dim == exps.ndim - 1 else exps / total


@operation("SafeSoftmaxBackward0", self=lambda g, result, dim: softmax_backward_data(g, result, dim))
def safe_softmax(self: Any, dim: int) -> Any:
    """`exp(self) / Σ exp(self)`

    Where all elements over `dim` are -inf, the result is 0 instead of nan. In attention, this happens if every key is masked.
    """
    masked = np.all(self == -np.inf, axis=dim, keepdims=True)
    return np.where(masked, self.dtype.type(0), _softmax.node.declared_by(self, dim))


def _sum(x: Any, dim: int) -> Any:
    return x.sum(axis=dim, keepdims=True) if x.ndim else x


def _as_logits(name: str, input: Tensor, dim: int, dtype: Any) -> Tensor:
    """Return `input`, converted to `dtype` unless it is None, after checking that the result is floating point.

    Args:
        name, dim: "softmax" or "log_softmax", and its dimension. They determine torch's name of the kernel in the error.

    Raises:
        NotImplementedError: the result is not floating point.
    """
    if dtype is not None:
        input = input.to(dtype)
    x = input._array
    if x.dtype.kind != "f":
        checked_dim(dim, x.ndim)
        last = x.ndim == 0 or dim in (-1, x.ndim - 1)
        refuse_dtype(f"{name}_lastdim_kernel_impl" if last else f"{name}_kernel_impl", x.dtype)
    return input


def _subtract_maximum(x: Any, dim: int) -> Any:
    """Return `x` minus its maximum over `dim`, to keep exp from overflowing. If `x` is 0-d or empty, return `x - x`."""
    return x - x.max(axis=dim, keepdims=True) if x.ndim and x.size else x - x


@op("function", "method", "out_exact")
def softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Return exp(input) divided by its sum over `dim`.

    Args:
        dtype: dtype of the computation and of the result; None stands for that of `input`.

    Raises:
        NotImplementedError: the dtype is not floating point.
        IndexError: the dimension does not exist.
    """
    logits = _as_logits("softmax", input, dim, dtype)
    return _softmax(logits, checked_dim(dim, logits._array.ndim))


@operation("LogSoftmaxBackwardDataBackward0",
           grad_output=lambda g, output, dim: g - (g * output.exp()).sum(dim, keepdim=True),
           output=lambda g, grad_output, output, dim: -g * output.exp() * grad_output.sum(dim, keepdim=True))  # fmt: skip
def log_softmax_backward_data(grad_output: Any, output: Any, dim: int) -> Any:
    """`grad_output - exp(output) · Σ grad_output`

    Return the gradient of the input of log_softmax. `output` is the result of log_softmax; Σ is a sum over `dim`.
    """
    return grad_output - exp(output) * _sum(grad_output, dim)


@operation("LogSoftmaxBackward0", self=lambda g, result, dim: log_softmax_backward_data(g, result, dim))
def _log_softmax(self: Any, dim: int) -> Any:
    """`self - log Σ exp(self)`"""
    shifted = _subtract_maximum(contiguous(self), dim)
    return shifted - log(_sum(exp(shifted), dim))


@op("function", "method", "out_exact")
def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Return the logarithm of `softmax` over `dim`. It is precise even where softmax is too small to be represented.

    `dtype` and errors are those of `softmax`.
    """
    logits = _as_logits("log_softmax", input, dim, dtype)
    return _log_softmax(logits, checked_dim(dim, logits._array.ndim))
