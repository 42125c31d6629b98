"""Smooth activations such as gelu, and the softmax functions of `torch.nn.functional`."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from reference_impl._backend import contiguous
from reference_impl._layout import contiguous_format
from reference_impl.autograd.recomputation import recomputed
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.error_function import erf
from reference_impl.numerics.precision import exp, log1p
from reference_impl.ops.activation import log_softmax as _log_softmax
from reference_impl.ops.activation import softmax as _softmax
from reference_impl.ops.creation import empty_like, zeros_like
from reference_impl.ops.joining import cat
from reference_impl.ops.rectifier import floating_only, grad_where, maybe_inplace
from reference_impl.ops.registry import builtin


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + exp(-x))


def _log1p_exp_minus_abs(x: Any) -> Any:
    """Return log(1 + exp(-|x|)), which does not overflow."""
    return log1p(exp(-np.abs(x)))


@recomputed("GeluBackwardBackward0", "grad_output", "self")
def gelu_backward(grad: Tensor, x: Tensor, *, approximate: str) -> Tensor:
    """`grad · (Φ(x) + x · φ(x))`, Φ the normal distribution function and φ its density"""
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
    """Return input · Φ(input), where Φ(x) is the probability that a standard normal random number is below x.

    Args:
        approximate: "none", or "tanh" to approximate Φ by a formula with tanh.

    Raises:
        RuntimeError: `approximate` has another value.
        NotImplementedError: `input` is not floating point.
    """
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return _gelu(input, approximate)


@operation("GeluBackward0", self=lambda g, self, approximate: gelu_backward(g, self, approximate=approximate))
def _gelu(self: Any, approximate: str) -> Any:
    """`self · Φ(self)`, Φ the distribution function of the normal distribution; with approximate="tanh",
    Φ(x) ≈ (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2"""
    x = floating_only(self, "GeluKernelImpl")
    kind = x.dtype.type
    if approximate == "tanh":
        return kind(0.5) * x * (1 + np.tanh(kind(math.sqrt(2 / math.pi)) * (x + kind(0.044715) * x * x * x)))
    return kind(0.5) * x * (1 + erf(x * kind(math.sqrt(0.5))))


@operation("SiluBackward0", self=lambda g, self: silu_backward(g, self, self.sigmoid()))
def _silu(self: Any) -> Any:
    return self * _sigmoid(floating_only(self, "silu_cpu"))


def silu_backward(g: Tensor, x: Tensor, s: Tensor) -> Tensor:
    """`g · s · (1 + x · (1 - s))`

    s is sigmoid(x).
    """
    return g * s * (1 + x * (1 - s))


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return input · sigmoid(input), also called swish. With `inplace`, write the result into `input`.

    Raises:
        NotImplementedError: `input` is not floating point.
    """
    return maybe_inplace(_silu, input, inplace)


@operation("MishBackward0", self=lambda g, self: mish_backward(g, self, softplus(self).tanh()))
def _mish(self: Any) -> Any:
    x = floating_only(self, "mish_cpu")
    return x * np.tanh(_log1p_exp_minus_abs(x) + np.maximum(x, 0))


def mish_backward(g: Tensor, x: Tensor, t: Tensor) -> Tensor:
    """`g · (t + x · sigmoid(x) (1 - t²))`

    t is tanh(softplus(x)).
    """
    return g * (t + x * x.sigmoid() * (1 - t * t))


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Return input · tanh(softplus(input)). With `inplace`, write the result into `input`.

    Raises:
        NotImplementedError: `input` is not floating point.
    """
    return maybe_inplace(_mish, input, inplace)


@operation("SoftplusBackward0", self=lambda g, self, beta, threshold: softplus_backward(g, self, beta, threshold))
def _softplus(self: Any, beta: float, threshold: float) -> Any:
    x = floating_only(self, "softplus_cpu")
    scaled = x * x.dtype.type(beta)
    is_linear = scaled > threshold
    return np.where(is_linear, x, log1p(exp(np.where(is_linear, x.dtype.type(0), scaled))) / x.dtype.type(beta))


@operation("SoftplusBackwardBackward0",
           grad_output=lambda g, self, beta, threshold: softplus_backward(g, self, beta, threshold),
           self=lambda g, grad_output, self, beta, threshold: softplus_double_backward(g * grad_output, self, beta, threshold))  # fmt: skip
def softplus_backward(grad_output: Any, self: Any, beta: float, threshold: float) -> Any:
    """`grad_output · sigmoid(beta · self)`, and `grad_output` where `beta · self` is above `threshold`"""
    scaled = self * self.dtype.type(beta)
    return np.where(scaled > threshold, grad_output, grad_output * _sigmoid(scaled))


def softplus_double_backward(g: Tensor, x: Tensor, beta: float, threshold: float) -> Tensor:
    """`g · beta s (1 - s)`, s = sigmoid(beta · x), and 0 above the threshold"""
    slope = (x * beta).sigmoid()
    return grad_where(g * (slope * (1 - slope) * beta), ~(x._array * beta > threshold))


@builtin
def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """Return log(1 + exp(beta · input)) / beta, a smooth approximation of relu.

    Args:
        threshold: where beta · input is above this number, the result is `input`.

    Raises:
        NotImplementedError: `input` is not floating point.
    """
    return _softplus(input, beta, threshold)


@recomputed("LogSigmoidBackwardBackward0", "grad_output", "self")
def log_sigmoid_backward(grad: Tensor, x: Tensor) -> Tensor:
    """`grad · sigmoid(-x)`"""
    return grad * (-x).sigmoid()


@operation("LogSigmoidBackward0", self=lambda g, self: log_sigmoid_backward(g, self))
def _log_sigmoid(self: Any) -> Any:
    """Return log(sigmoid(self)), computed without overflow as min(0, self) - log(1 + exp(-|self|))."""
    x = floating_only(self, "log_sigmoid_cpu")
    x = contiguous(x)
    return np.minimum(x, 0) - _log1p_exp_minus_abs(x)


def logsigmoid(input: Tensor) -> Tensor:
    """Return log(sigmoid(input)), without overflow for large negative numbers."""
    return _log_sigmoid(input)


def softsign(input: Tensor) -> Tensor:
    """Return input / (1 + |input|)."""
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """Return input - tanh(input)."""
    return input - input.tanh()


@recomputed("GluBackwardBackward0", "grad_output", "self")
def glu_backward(grad: Tensor, x: Tensor, *, dim: int) -> Tensor:
    """`grad · s` for the first half a of `x`, and `grad · a · s (1 - s)` for the second half b, s = sigmoid(b)"""
    a, b = x.chunk(2, dim)
    s = b.sigmoid()
    return cat([grad * s, grad * a * s * (1 - s)], dim)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """Return the first half of `input` along `dim` times the sigmoid of the second half: (4, 6) -> (4, 3).

    Raises:
        RuntimeError: the size along `dim` is odd, or the input has no dimensions.
        NotImplementedError: `input` is not floating point.
        IndexError: the dimension does not exist.
    """
    x = input._array
    if x.ndim == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    d = checked_dim(dim, x.ndim)
    if x.shape[d] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {d} is size {x.shape[d]}")
    return _glu(input, dim)


@operation("GluBackward0", self=lambda g, self, dim: glu_backward(g, self, dim=dim))
def _glu(self: Any, dim: int) -> Any:
    a, b = np.split(floating_only(self, "glu_cpu"), 2, axis=dim)
    return a * _sigmoid(b)


# -- softmax


def _implicit_dim(name: str, ndim: int, stacklevel: int) -> int:
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel + 1,  # plus 1 for the wrapper of `registry.as_torch_function`
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Return exp(input) divided by the sum of exp(input) over `dim`.

    A call without `dim` causes a warning. Then `dim` is 0 for tensors of 0, 1 or 3 dimensions, otherwise 1. Dtype and errors are as in
    `torch.softmax`.
    """
    return _softmax(input, _implicit_dim("softmax", input.ndim, _stacklevel) if dim is None else dim, dtype)


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Return `softmax(-input, dim)`, which is largest at the smallest element. See `softmax` for a call without `dim`."""
    return (-input).softmax(_implicit_dim("softmin", input.ndim, _stacklevel) if dim is None else dim, dtype)


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Return the logarithm of `softmax(input, dim)`, computed without overflow. See `softmax` for a call without `dim`."""
    return _log_softmax(input, _implicit_dim("log_softmax", input.ndim, _stacklevel) if dim is None else dim, dtype)


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """Return `softmax((logits + noise) / tau, dim)`, which is a random, nearly one-hot choice. The noise has the Gumbel distribution.

    Args:
        hard: whether to return the one-hot choice, with the gradient of the softmax.
        eps: deprecated, has no effect.
    """
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=3)
    noise = -empty_like(logits, memory_format=contiguous_format).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    largest = soft.max(dim, keepdim=True)[1]
    one_hot = zeros_like(logits, memory_format=contiguous_format).scatter_(dim, largest, 1.0)
    return one_hot - soft.detach() + soft
