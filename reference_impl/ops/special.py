"""The error function, logit and sinc, and functions that `torch.special` has under the same names as `torch`."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np

from reference_impl.core.declare import floating, operation
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.numerics import error_function
from reference_impl.numerics.precision import log
from reference_impl.ops import activation, reduction  # noqa: F401 (registers functions)
from reference_impl.ops.elementwise import elementwise
from reference_impl.ops.extremes import grad_where_condition
from reference_impl.ops.registry import as_torch_function, functions, namespaces, op
from reference_impl.ops.where import where

# -- the error function and the normal distribution


erf = elementwise(
    "erf",
    error_function.erf,
    lambda g, x, y: 2 / math.sqrt(math.pi) * (-x.pow(2)).exp() * g,
    saves="self",
    aliases=("special.erf",),
    doc="Return the error function of each element.",
)
erfc = elementwise(
    "erfc", error_function.erfc, lambda g, x, y: -2 / math.sqrt(math.pi) * (-x.pow(2)).exp() * g, saves="self",
    aliases=("special.erfc",), doc="Return 1 minus the error function of each element.",
)  # fmt: skip


# -- logit, sinc


class LogitBackward0(Node):
    """out = log(x / (1 - x)), x = self clipped to [eps, 1 - eps]:  ∂self = g / (self (1 - self)) inside [eps, 1 - eps]."""

    saved_names = ("self",)
    eps: float | None

    def grad_self(self, g: Tensor) -> Tensor:
        """Return the gradient of the input of `logit`."""
        x = self._saved_self
        slope = g / (x * (1.0 - x))
        if self.eps is None:
            return where((x >= 0) & (x <= 1), slope, math.nan)
        return grad_where_condition((x >= self.eps) & (x <= 1 - self.eps), slope)


@op("function", "method", "inplace", "function_inplace", "out", aliases=("special.logit",))
def logit(input: Tensor, eps: float | None = None) -> Tensor:
    """Return log(x / (1 - x)), the inverse of sigmoid, where x is `input`, limited to [eps, 1 - eps] unless `eps` is None.

    Integers and booleans are converted to the default dtype.
    """
    x = floating(input._array)
    clipped = x
    if eps is not None:
        low, high = x.dtype.type(eps), x.dtype.type(1 - eps)
        clipped = np.where(x < low, low, np.where(x > high, high, x))  # also if high < low, or if they are NaN
    return record(LogitBackward0, log(clipped / (1 - clipped)), (input,), (input,), eps=eps)


def _sinc_backward(g: Tensor, self: Tensor) -> Tensor:
    """`g · (πx · cos(πx) - sin(πx)) / (πx²)`, and 0 where x is 0."""
    x = self * math.pi
    square = self * self * math.pi
    return where(square == 0, 0.0, g * ((x * x.cos() - x.sin()) / square))


@op("function", "method", "inplace", "function_inplace", "out", aliases=("special.sinc",))
@operation("SincBackward0", self=_sinc_backward)
def sinc(self: Any) -> Any:
    """Return sin(πx) / (πx) for each element x, and 1 where x is 0."""
    x = floating(self)
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    product = wide * wide.dtype.type(math.pi)
    return np.where(x == 0, x.dtype.type(1), (np.sin(product) / product).astype(x.dtype, copy=False))


# -- functions that torch has outside torch.special too

for name in "softmax log_softmax logsumexp exp2 expm1 log1p round".split():
    namespaces["special"][name] = as_torch_function("special_" + name, inspect.unwrap(functions[name]), ("out",))
