"""The exponential linear units, `elu`, `selu` and `celu`: the identity on the right, an exponential that levels off on the left."""

from __future__ import annotations

import numpy as np

from reference_impl.autograd.backward_operation import backward_operation
from reference_impl.core.node import Node
from reference_impl.core.tensor import Tensor
from reference_impl.ops.rectifier import in_place, kept_where, maybe_inplace, recorded


class EluBackward0(Node):
    """out = scale · self where self > 0, otherwise scale · alpha · (exp(input_scale · self) - 1).

    ∂self = g · scale, and g · scale · alpha · input_scale · exp(input_scale · self).
    """

    saved_names = ("self",)
    alpha: float
    scale: float
    input_scale: float

    def grad_self(self, g: Tensor) -> Tensor:
        return elu_backward(
            g, self._saved_self, alpha=self.alpha, scale=self.scale, input_scale=self.input_scale, is_result=False
        )


@backward_operation("EluBackwardBackward0", "grad_output", "self_or_result")
def elu_backward(grad: Tensor, x: Tensor, *, alpha: float, scale: float, input_scale: float, is_result: bool) -> Tensor:
    """The gradient of `elu` from its operand, or from its result: that tells of the operand, unless alpha is negative."""
    positive = x._array > 0
    if is_result:
        bent = grad * ((x + alpha * scale) * input_scale)
    else:  # The exponential of what is positive is not wanted and could overflow.
        bent = grad * (kept_where(x, ~positive) * input_scale).exp() * (scale * alpha * input_scale)
    return kept_where(grad * scale, positive) + kept_where(bent, ~positive)


class CeluBackward0(EluBackward0):
    """`elu` with input_scale = 1 / alpha."""


class EluBackward1(Node):
    """The in-place form, by the result:  ∂self = g where out > 0, otherwise g times the slope there, which follows from out."""

    saved_names = ("result",)
    alpha: float
    scale: float
    input_scale: float

    def grad_self(self, g: Tensor) -> Tensor:
        if self.alpha < 0:
            raise RuntimeError(
                "In-place elu backward calculation is triggered with a negative slope which is not supported. This is caused by "
                "calling in-place forward function with a negative slope, please call out-of-place version instead."
            )
        return elu_backward(
            g, self._saved_result, alpha=self.alpha, scale=self.scale, input_scale=self.input_scale, is_result=True
        )


class CeluBackward1(EluBackward1):
    """`elu` with input_scale = 1 / alpha."""


def _elu(
    input: Tensor, alpha: float, scale: float, input_scale: float, node: type[Node], gradient_scale: float = 1.0
) -> Tensor:
    """`gradient_scale` is the `input_scale` of the gradient."""
    x = input._array
    kind = x.dtype.type
    if x.dtype.kind != "f":
        raise NotImplementedError(f"\"elu_cpu\" not implemented for '{input.dtype.tensor_type}'")
    bent = np.expm1(np.minimum(x, 0) * kind(input_scale)) * kind(alpha * scale)
    y = np.where(x > 0, x * kind(scale), bent)
    return recorded(node, y, input, alpha=alpha, scale=scale, input_scale=gradient_scale)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """`input` where it is positive, otherwise alpha (exp(input) - 1)."""
    return maybe_inplace(_elu, input, inplace, alpha, 1.0, 1.0, EluBackward1 if inplace else EluBackward0)


SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """`elu`, scaled such that mean 0 and variance 1 are kept from layer to layer."""
    return maybe_inplace(_elu, input, inplace, SELU_ALPHA, SELU_SCALE, 1.0, EluBackward1 if inplace else EluBackward0)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """`elu` with a smooth bend: alpha (exp(input / alpha) - 1) on the left.

    Raises:
        RuntimeError: alpha is 0.
    """
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    node = CeluBackward1 if inplace else CeluBackward0
    # In the gradient alpha is in float32 whatever the dtype, as in torch's formula (tools/autograd/derivatives.yaml).
    return maybe_inplace(_elu, input, inplace, alpha, 1.0, 1.0 / alpha, node, 1.0 / float(np.float32(alpha)))


elu_, selu_, celu_ = map(in_place, (elu, selu, celu))  # type: ignore[arg-type]
