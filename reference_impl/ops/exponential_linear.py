"""The exponential linear units, `elu`, `selu` and `celu`: the identity for positive elements, an exponential for negative ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl.autograd.recomputation import recomputed
from reference_impl.core.declare import operation
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.precision import expm1
from reference_impl.ops.rectifier import floating_only, grad_where, in_place, maybe_inplace


@recomputed("EluBackwardBackward0", "grad_output", "self_or_result")
def elu_backward(grad: Tensor, x: Tensor, *, alpha: float, scale: float, input_scale: float, is_result: bool) -> Tensor:
    """`grad · scale` where `x` is positive, otherwise `grad · scale · alpha · input_scale · exp(input_scale · x)`

    This is the formula for the operand `x` of the operation. With `is_result`, `x` is the result, which has the sign of the operand unless
    alpha is negative; where it is not positive, the gradient is `grad · input_scale · (x + alpha · scale)`.
    """
    positive = x._array > 0
    if is_result:
        bent = grad * ((x + alpha * scale) * input_scale)
    else:  # The exponential of positive elements is not used and could overflow.
        bent = grad * (grad_where(x, ~positive) * input_scale).exp() * (scale * alpha * input_scale)
    return grad_where(grad * scale, positive) + grad_where(bent, ~positive)


def _elu_backward_from_result(g: Tensor, result: Tensor, alpha: float, scale: float, input_scale: float) -> Tensor:
    """`g` times the derivative of the operation, computed from its `result`

    Raises:
        RuntimeError: `alpha` is negative, so that the sign of the result is not that of the operand.
    """
    if alpha < 0:
        raise RuntimeError(
            "In-place elu backward calculation is triggered with a negative slope which is not supported. This is caused by "
            "calling in-place forward function with a negative slope, please call out-of-place version instead."
        )
    return elu_backward(g, result, alpha=alpha, scale=scale, input_scale=input_scale, is_result=True)


def _elu(self: Any, alpha: float, scale: float, input_scale: float, forward_scale: float) -> Any:
    """Return `scale · self` where self > 0, otherwise `scale · alpha · (exp(forward_scale · self) - 1)`.

    The formula of the gradient uses `input_scale` in place of `forward_scale`. They differ for `celu`: in the gradient of `celu`, torch
    rounds alpha to float32.
    """
    kind = floating_only(self, "elu_cpu").dtype.type
    bent = expm1(np.minimum(self, 0) * kind(forward_scale)) * kind(alpha * scale)
    return np.where(self >= 0, self * kind(scale), bent)


def _declare_forms(node_name: str, in_place_name: str) -> Any:
    """Declare `_elu` as two operations, and return them: one for calls, one for calls in place.

    The gradient is computed from the operand or, after a call in place, from the result.
    """
    of_operand = operation(node_name, self=lambda g, self, alpha, scale, input_scale: elu_backward(
        g, self, alpha=alpha, scale=scale, input_scale=input_scale, is_result=False))  # fmt: skip
    of_result = operation(in_place_name, self=lambda g, result, alpha, scale, input_scale: _elu_backward_from_result(
        g, result, alpha, scale, input_scale))  # fmt: skip
    return of_operand(_elu), of_result(_elu)


_ELU, _CELU = _declare_forms("EluBackward0", "EluBackward1"), _declare_forms("CeluBackward0", "CeluBackward1")


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Return `input` where it is positive, otherwise alpha (exp(input) - 1). With `inplace`, write the result into `input`.

    Raises:
        NotImplementedError: `input` is not floating point.
        RuntimeError: with `inplace`, `input` must not be changed in place; in the backward pass of such a call, alpha is negative.
    """
    return maybe_inplace(_ELU[inplace], input, inplace, alpha, 1.0, 1.0, 1.0)


SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return `elu` times a scale, with a scale and an alpha that keep mean 0 and variance 1 from layer to layer.

    With `inplace`, write the result into `input`.

    Raises:
        NotImplementedError: `input` is not floating point.
        RuntimeError: with `inplace`, `input` must not be changed in place.
    """
    return maybe_inplace(_ELU[inplace], input, inplace, SELU_ALPHA, SELU_SCALE, 1.0, 1.0)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Return `input` where it is positive, otherwise alpha (exp(input / alpha) - 1). With `inplace`, write the result into `input`.

    Raises:
        NotImplementedError: `input` is not floating point.
        RuntimeError: alpha is 0; or, with `inplace`, `input` must not be changed in place.
    """
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    # As in torch's formula of the gradient (tools/autograd/derivatives.yaml), alpha is rounded to float32 for every dtype.
    return maybe_inplace(_CELU[inplace], input, inplace, alpha, 1.0, 1.0 / float(np.float32(alpha)), 1.0 / alpha)


elu_, selu_, celu_ = map(in_place, (elu, selu, celu))  # type: ignore[arg-type]
