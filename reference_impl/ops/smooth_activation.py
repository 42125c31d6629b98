"""Activations that are smooth, and those built of softmax."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from reference_impl.autograd.backward_operation import backward_operation
from reference_impl.core.arrays import checked_dim
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.activation import log_softmax as _log_softmax
from reference_impl.ops.activation import softmax as _softmax
from reference_impl.ops.joining import cat
from reference_impl.ops.numerics.error_function import erf
from reference_impl.ops.rectifier import kept_where, maybe_inplace
from reference_impl.ops.registry import builtin


def _check_floating(input: Tensor, kernel: str) -> None:
    if input._array.dtype.kind != "f":
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{input.dtype.tensor_type}'")


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


class GeluBackward0(Node):
    """out = self · Φ(self), Φ the distribution function of the normal distribution:  ∂self = g · (Φ(self) + self · φ(self)).

    With approximate="tanh", Φ(x) ≈ (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2.
    """

    saved_names = ("self",)
    approximate: str

    def grad_self(self, g: Tensor) -> Tensor:
        return gelu_backward(g, self._saved_self, approximate=self.approximate)


@backward_operation("GeluBackwardBackward0", "grad_output", "self")
def gelu_backward(grad: Tensor, x: Tensor, *, approximate: str) -> Tensor:
    """The gradient of `gelu`."""
    if approximate == "tanh":
        k, c = math.sqrt(2 / math.pi), 0.044715
        bent = (k * (x + c * x * x * x)).tanh()
        slope = k * (1 + 3 * c * x * x)
        return grad * (0.5 * (1 + bent) + 0.5 * x * (1 - bent * bent) * slope)
    below = 0.5 * (1 + (x * math.sqrt(0.5)).erf())
    density = (-0.5 * x * x).exp() * (1 / math.sqrt(2 * math.pi))
    return grad * (below + x * density)


@builtin
def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """`input` times the probability that a normal number is below it.

    Args:
        approximate: "none", or "tanh" for a formula with tanh.

    Raises:
        RuntimeError: another word.
    """
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    _check_floating(input, "GeluKernelImpl")
    x = input._array
    kind = x.dtype.type
    if approximate == "tanh":
        y = kind(0.5) * x * (1 + np.tanh(kind(math.sqrt(2 / math.pi)) * (x + kind(0.044715) * x * x * x)))
    else:
        y = kind(0.5) * x * (1 + erf(x * kind(math.sqrt(0.5))))
    return record(GeluBackward0, y, (input,), (input,), approximate=approximate)


class SiluBackward0(Node):
    """out = self · sigmoid(self):  ∂self = g · s (1 + self (1 - s)) with s = sigmoid(self)."""

    saved_names = ("self",)

    def grad_self(self, g: Tensor) -> Tensor:
        x = self._saved_self
        s = x.sigmoid()
        return g * s * (1 + x * (1 - s))


def _silu(input: Tensor) -> Tensor:
    _check_floating(input, "silu_cpu")
    x = input._array
    return record(SiluBackward0, x * _sigmoid(x), (input,), (input,))


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """input · sigmoid(input), also called swish."""
    return maybe_inplace(_silu, input, inplace)


class MishBackward0(Node):
    """out = self · tanh(softplus(self)):  ∂self = g · (t + self · sigmoid(self) (1 - t²)) with t = tanh(softplus(self))."""

    saved_names = ("self",)

    def grad_self(self, g: Tensor) -> Tensor:
        x = self._saved_self
        t = softplus(x).tanh()
        return g * (t + x * x.sigmoid() * (1 - t * t))


def _mish(input: Tensor) -> Tensor:
    _check_floating(input, "mish_cpu")
    x = input._array
    return record(MishBackward0, x * np.tanh(np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0)), (input,), (input,))


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """input · tanh(softplus(input))."""
    return maybe_inplace(_mish, input, inplace)


class SoftplusBackward0(Node):
    """out = log(1 + exp(beta · self)) / beta, and self where beta · self > threshold:  ∂self = g · sigmoid(beta · self), and g."""

    saved_names = ("self",)
    beta: float
    threshold: float

    def grad_self(self, g: Tensor) -> Tensor:
        return softplus_backward(g, self._saved_self, self.beta, self.threshold)


class SoftplusBackwardBackward0(Node):
    """out = grad · σ, with σ = sigmoid(beta · self), and 1 above the threshold:  ∂grad = g · σ,  ∂self = g · grad · beta σ (1 - σ)."""

    saved_names = ("grad_output", "self")
    beta: float
    threshold: float

    def grad_grad_output(self, g: Tensor) -> Tensor:
        return softplus_backward(g, self._saved_self, self.beta, self.threshold)

    def grad_self(self, g: Tensor) -> Tensor:
        x = self._saved_self
        slope = (x * self.beta).sigmoid()
        curved = ~(x._array * self.beta > self.threshold)
        return kept_where(g * self._saved_grad_output * (slope * (1 - slope) * self.beta), curved)


def softplus_backward(grad: Tensor, input: Tensor, beta: float, threshold: float) -> Tensor:
    """The gradient of softplus as one operation."""
    scaled = input._array * input._array.dtype.type(beta)
    y = np.where(scaled > threshold, grad._array, grad._array * _sigmoid(scaled))
    return record(SoftplusBackwardBackward0, y, (grad, input), (grad, input), beta=beta, threshold=threshold)


@builtin
def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """log(1 + exp(beta · input)) / beta: a smooth relu.

    Args:
        threshold: where beta · input is above it, the result is `input` itself.
    """
    _check_floating(input, "softplus_cpu")
    x = input._array
    scaled = x * x.dtype.type(beta)
    y = np.where(scaled > threshold, x, np.log1p(np.exp(np.minimum(scaled, threshold))) / x.dtype.type(beta))
    return record(SoftplusBackward0, y, (input,), (input,), beta=beta, threshold=threshold)


class LogSigmoidBackward0(Node):
    """out = log sigmoid(self):  ∂self = g · sigmoid(-self)."""

    saved_names = ("self",)

    def grad_self(self, g: Tensor) -> Tensor:
        return log_sigmoid_backward(g, self._saved_self)


@backward_operation("LogSigmoidBackwardBackward0", "grad_output", "self")
def log_sigmoid_backward(grad: Tensor, x: Tensor) -> Tensor:
    """The gradient of `logsigmoid`."""
    return grad * (-x).sigmoid()


def logsigmoid(input: Tensor) -> Tensor:
    """log sigmoid(input), without its overflow: min(0, input) - log(1 + exp(-|input|))."""
    _check_floating(input, "log_sigmoid_cpu")
    x = input._array
    return record(LogSigmoidBackward0, np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x))), (input,), (input,))


def softsign(input: Tensor) -> Tensor:
    """input / (1 + |input|)."""
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """input - tanh(input)."""
    return input - input.tanh()


class GluBackward0(Node):
    """out = a · sigmoid(b), a and b the halves of self:  ∂a = g · s,  ∂b = g · a · s (1 - s) with s = sigmoid(b)."""

    saved_names = ("self",)
    dim: int

    def grad_self(self, g: Tensor) -> Tensor:
        return glu_backward(g, self._saved_self, dim=self.dim)


@backward_operation("GluBackwardBackward0", "grad_output", "self")
def glu_backward(grad: Tensor, x: Tensor, *, dim: int) -> Tensor:
    """The gradient of `glu`."""
    a, b = x.chunk(2, dim)
    s = b.sigmoid()
    return cat([grad * s, grad * a * s * (1 - s)], dim)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half of `input` along `dim` times the sigmoid of the second.

    Raises:
        RuntimeError: an odd size, or no dimension.
    """
    x = input._array
    if x.ndim == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    d = checked_dim(dim, x.ndim)
    if x.shape[d] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {d} is size {x.shape[d]}")
    _check_floating(input, "glu_cpu")
    a, b = np.split(x, 2, axis=d)
    return record(GluBackward0, a * _sigmoid(b), (input,), (input,), dim=dim)


# -- of softmax


def _implicit_dim(name: str, ndim: int, stacklevel: int) -> int:
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel + 1,  # the check of the arguments stands between, see `registry.checked`
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """exp(input) divided by its sum over `dim`, which must be given (a choice by the shape is deprecated)."""
    return _softmax(input, _implicit_dim("softmax", input.ndim, _stacklevel) if dim is None else dim, dtype)


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """`softmax` of -input."""
    return (-input).softmax(_implicit_dim("softmin", input.ndim, _stacklevel) if dim is None else dim, dtype)


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """The logarithm of `softmax`."""
    return _log_softmax(input, _implicit_dim("log_softmax", input.ndim, _stacklevel) if dim is None else dim, dtype)
