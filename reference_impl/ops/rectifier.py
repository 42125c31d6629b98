"""Piecewise activations such as leaky_relu, most of which consist of linear pieces.

Each function is declared as in `core.declare`, with a formula for its gradient. On a linear piece the derivative is constant. So in a
second derivative, the gradient with respect to `g` has the same formula, and the gradient with respect to the operand is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.autograd.recomputation import recomputed
from reference_impl.core.declare import operation
from reference_impl.core.inplace import apply_inplace
from reference_impl.core.node import Node
from reference_impl.core.operations.arithmetic import threshold_backward
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.arithmetic import zeros_like
from reference_impl.ops.creation import number_in
from reference_impl.ops.not_implemented import record_not_implemented
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import builtin
from reference_impl.rng import distributions


def grad_where(grad: Tensor, mask: Any) -> Tensor:
    """Return `grad` where the boolean array `mask` is True, 0 elsewhere."""
    return _grad_where(grad, Tensor._wrap(mask))


@operation("GradWhereBackward0", without_gradient=["mask"], grad=lambda g, mask: _grad_where(g, mask))
def _grad_where(grad: Any, mask: Any) -> Any:
    """`grad` where `mask` is True, 0 elsewhere

    A product `grad * mask` would be nan where `grad` is infinite and `mask` is False.
    """
    return np.where(mask, grad, grad.dtype.type(0))


def floating_only(x: Any, kernel: str) -> Any:
    """Return the array `x` after checking that it is floating point.

    Raises:
        NotImplementedError: `x` is not floating point. The message names `kernel`, a function of torch.
    """
    if x.dtype.kind != "f":
        refuse_dtype(kernel, x.dtype)
    return x


def in_place_form(function: Any, node_name: str, **formulas: Any) -> Any:
    """Return an operation that computes the same as `function`, for use in place. As in torch, its node has another name.

    Its `formulas` may use the result, because the operation overwrites the operand.
    """
    return operation(node_name, **formulas)(function.node.declared_by)


def maybe_inplace(function: Callable[..., Tensor], input: Tensor, inplace: bool, *args: Any) -> Tensor:
    """Return `function(input, *args)`. With `inplace`, write the result into `input` and return `input`."""
    return apply_inplace(function, input, *args) if inplace else function(input, *args)


# -- threshold, hardtanh


@operation("ThresholdBackward0", self=lambda g, self, threshold: threshold_backward(g, self, threshold))
def _threshold(self: Any, threshold: float, value: float) -> Any:
    x = self if self.dtype.kind != "b" else floating_only(self, "threshold_cpu")
    return np.where(x <= threshold, x.dtype.type(value), x)


_threshold_in_place = in_place_form(
    _threshold, "ThresholdBackward1", self=lambda g, self, threshold: threshold_backward(g, self, threshold)
)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Return the elements of `input` that are above `threshold`, and `value` in place of all others; NaN stays.

    With `inplace`, write the result into `input`.

    Raises:
        NotImplementedError: `input` is boolean.
    """
    return maybe_inplace(_threshold_in_place if inplace else _threshold, input, inplace, threshold, value)


@operation("HardtanhBackward0", self=lambda g, self, min_val, max_val: hardtanh_backward(g, self, min_val, max_val))
def _hardtanh(self: Any, min_val: float, max_val: float) -> Any:
    if self.dtype.kind == "b":
        raise RuntimeError("Bool inputs not supported for hardtanh")
    if self.dtype.kind == "u" and min_val < 0:
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    return np.clip(self, number_in(min_val, self.dtype), number_in(max_val, self.dtype))


@operation("HardtanhBackwardBackward0", self=lambda g: zeros_like(g),
           grad_output=lambda g, self, min_val, max_val: hardtanh_backward(g, self, min_val, max_val))  # fmt: skip
def hardtanh_backward(grad_output: Any, self: Any, min_val: float, max_val: float) -> Any:
    """`grad_output` where `self` is strictly between the bounds, otherwise 0."""
    return np.where((self > min_val) & (self < max_val), grad_output, grad_output.dtype.type(0))


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Return `input` with all elements limited to the range from `min_val` to `max_val`. With `inplace`, write the result into `input`.

    Raises:
        ValueError: `min_val` is greater than `max_val`.
        RuntimeError: `input` is boolean.
    """
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return maybe_inplace(_hardtanh, input, inplace, min_val, max_val)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Return `input` with all elements limited to the range from 0 to 6. With `inplace`, write the result into `input`.

    Raises:
        RuntimeError: `input` is boolean.
    """
    return maybe_inplace(_hardtanh, input, inplace, 0.0, 6.0)


# -- a slope below 0: leaky_relu, rrelu, prelu


@operation("LeakyReluBackward0", self=lambda g, self, negative_slope: leaky_relu_backward(g, self, negative_slope))
def _leaky_relu(self: Any, negative_slope: float) -> Any:
    x = floating_only(self, "leaky_relu_cpu")
    return np.where(x > 0, x, x * x.dtype.type(negative_slope))


@operation("LeakyReluBackwardBackward0", self=lambda g: zeros_like(g),
           grad_output=lambda g, self, negative_slope: leaky_relu_backward(g, self, negative_slope))  # fmt: skip
def leaky_relu_backward(grad_output: Any, self: Any, negative_slope: float) -> Any:
    """`grad_output` where `self` is positive, `grad_output · negative_slope` elsewhere

    `self` is the input or the result of the operation. Their signs agree, unless `negative_slope` is negative.
    """
    return grad_output * np.where(self > 0, self.dtype.type(1), self.dtype.type(negative_slope))


def _leaky_relu_backward_from_result(g: Tensor, result: Tensor, slope: float) -> Tensor:
    """`g` where `result` is positive, `g · slope` elsewhere

    Raises:
        RuntimeError: `slope` is negative, so that the sign of the result is not that of the operand.
    """
    if slope < 0:
        raise RuntimeError(
            "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. This is caused "
            "by calling in-place forward function with a negative slope, please call out-of-place version instead. File an "
            "issue at https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward calculation "
            "with negative slope"
        )
    return leaky_relu_backward(g, result, slope)


_leaky_relu_in_place = in_place_form(
    _leaky_relu,
    "LeakyReluBackward1",
    self=lambda g, result, negative_slope: _leaky_relu_backward_from_result(g, result, negative_slope),
)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Return `input` where it is positive, otherwise `negative_slope * input`. With `inplace`, write the result into `input`.

    Raises:
        NotImplementedError: `input` is not floating point.
        RuntimeError: in the backward pass of a call with `inplace`, `negative_slope` is negative.
    """
    return maybe_inplace(_leaky_relu_in_place if inplace else _leaky_relu, input, inplace, negative_slope)


@operation("RreluWithNoiseBackward0", without_gradient=["noise"],
           self=lambda g, self, noise, lower, upper, training: _multiply_by_noise(g, self, noise, lower, upper, training))  # fmt: skip
def _rrelu(self: Any, noise: Any, lower: float, upper: float, training: bool) -> Any:
    """`self · noise`

    `noise` is 1 where `self` is positive, and a random slope elsewhere.
    """
    return self * noise


@operation("RreluWithNoiseBackwardBackward0", without_gradient=["noise"], self=lambda g: zeros_like(g),
           grad_output=lambda g, self, noise, lower, upper, training: _multiply_by_noise(g, self, noise, lower, upper, training))  # fmt: skip
def _multiply_by_noise(grad_output: Any, self: Any, noise: Any, lower: float, upper: float, training: bool) -> Any:
    """`grad_output · noise`

    The formula does not use `self`, the input or the result. As in torch, the node saves `self`, and a change of `self` raises an error.
    """
    return grad_output * noise


def _rrelu_backward_from_result(
    g: Tensor, result: Tensor, noise: Tensor, lower: float, upper: float, training: bool
) -> Tensor:
    """`g · noise`; outside training, the gradient of a leaky relu with the mean slope"""
    if training and upper - lower > 1e-6:
        return _multiply_by_noise(g, result, noise, lower, upper, training)
    return _leaky_relu_backward_from_result(g, result, (lower + upper) / 2)


_rrelu_in_place = operation("RreluWithNoiseBackward1", without_gradient=["noise"],
    self=lambda g, result, noise, lower, upper, training: _rrelu_backward_from_result(g, result, noise, lower, upper, training)
)(_rrelu.node.declared_by)  # fmt: skip


def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    """Return `input` where it is positive, otherwise `slope * input`, with a random slope for each element.

    Args:
        lower, upper: the range of the slopes.
        training: False uses the mean of `lower` and `upper` as the slope of all elements.
        inplace: write the result into `input`.

    Raises:
        RuntimeError: `lower` is greater than `upper`; or, in the backward pass of a call with `inplace` outside training, the slope is
            negative.
        NotImplementedError: `input` is not floating point.
    """
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    x = floating_only(input._array, "rrelu_with_noise_out_cpu" if training else "leaky_relu_cpu")
    noise, negative = np.ones_like(x), x <= 0
    if training:
        slopes = distributions.uniform_(np.empty(int(np.count_nonzero(negative))), lower, upper)
        noise[negative] = _backend.to_device_of(slopes.astype(x.dtype), x)
    else:
        noise[negative] = (lower + upper) / 2
    function = _rrelu_in_place if inplace else _rrelu
    return maybe_inplace(function, input, inplace, Tensor._wrap(noise), lower, upper, training)


class PreluKernelBackward0(Node):
    """out = self where self > 0, otherwise weight · self:  ∂self = g where self > 0, otherwise weight · g,  ∂weight = g · self where self <= 0."""

    saved_names = ("self", "weight")

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients of the input and of the weight."""
        (g,) = grads
        if g is None:
            return None, None
        return prelu_kernel_backward(g, self._saved_self, self._saved_weight)


@recomputed("PreluKernelBackwardBackward0", "grad_output", "self", "weight")
def prelu_kernel_backward(grad: Tensor, input: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of `prelu`: that of the input, and that of the weight before it is summed."""
    positive = input._array > 0
    to_input = grad_where(grad, positive) + grad_where(grad * weight, ~positive)
    return to_input, grad_where(grad * input, ~positive)


@builtin
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Return `input` where it is positive, otherwise `weight * input`.

    Args:
        weight: a single slope, or a slope for each channel of an input (n, c, *).

    Raises:
        RuntimeError: the number of slopes is neither 1 nor the number of channels, which is 1 for a vector; the dtypes differ; or `weight`
            has more than one dimension.
    """
    x, w = input._array, weight._array
    if x.dtype != w.dtype:
        raise RuntimeError(
            f"prelu: Type promoting not supported. Got {input.dtype.tensor_type} and {weight.dtype.tensor_type}"
        )
    if w.size != 1:
        if x.ndim == 0:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = x.shape[1] if x.ndim > 1 else 1
        if channels != w.size:
            raise RuntimeError(
                f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {w.size} and channel size = "
                f"{channels}."
            )
    if w.ndim > 1:
        raise RuntimeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {w.ndim}")
    shape = _slopes_shape(x, w)
    slopes = weight if w.shape == shape else weight.view(shape)
    y = np.where(floating_only(x, "prelu_cpu") > 0, x, x * slopes._array)
    return record(PreluKernelBackward0, y, (input, slopes), (input, slopes))


def _slopes_shape(x: Any, w: Any) -> tuple[int, ...]:
    if x.ndim == 0:
        return ()
    return (1,) if x.ndim == 1 else (1, w.size, *(1,) * (x.ndim - 2))


# -- hardsigmoid, hardswish

_SIXTH = float(np.float32(1 / 6))  # in float32 for every dtype, as in torch's kernel


def _hardsigmoid_backward(grad: Tensor, x: Tensor) -> Tensor:
    """`grad / 6` where `x` is between -3 and 3, 0 elsewhere"""
    inside = (x._array > -3) & (x._array < 3)
    slope = x._array.dtype.type(_SIXTH)
    return record_not_implemented(
        "hardsigmoid_backward", [np.where(inside, grad._array * slope, slope * 0)], (grad, x)
    )[0]


@operation("HardsigmoidBackward0", self=lambda g, self: _hardsigmoid_backward(g, self))
def _hardsigmoid(self: Any) -> Any:
    x = floating_only(self, "hardsigmoid_cpu")
    return np.clip(x + x.dtype.type(3), 0, 6) / x.dtype.type(6)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """Return input / 6 + 1/2, limited to the range from 0 to 1. With `inplace`, write the result into `input`.

    Raises:
        NotImplementedError: `input` is not floating point.
    """
    return maybe_inplace(_hardsigmoid, input, inplace)


@operation("HardswishBackward0", self=lambda g, self: hardswish_backward(g, self))
def _hardswish(self: Any) -> Any:
    x = floating_only(self, "hardswish_cpu")
    return x * np.clip(x + x.dtype.type(3), 0, 6) / x.dtype.type(6)


@recomputed("HardswishBackwardBackward0", "grad_output", "self")
def hardswish_backward(grad: Tensor, x: Tensor) -> Tensor:
    """`0` below -3, `grad · (x / 3 + 1/2)` up to 3, `grad` above"""
    middle = grad_where(grad * (x / 3 + 0.5), (x._array > -3) & (x._array < 3))
    return middle + grad_where(grad, x._array >= 3)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """Return input · hardsigmoid(input). With `inplace`, write the result into `input`.

    Raises:
        NotImplementedError: `input` is not floating point.
    """
    return maybe_inplace(_hardswish, input, inplace)


# -- hardshrink, softshrink


@operation("HardshrinkBackward0", self=lambda g, self, lambd: _hardshrink_backward(g, self, lambd))
def _hardshrink(self: Any, lambd: float) -> Any:
    x = floating_only(self, "hardshrink_cpu")
    return np.where(np.abs(x) <= lambd, x.dtype.type(0), x)


@operation("HardshrinkBackwardBackward0", self=lambda g: zeros_like(g),
           grad_output=lambda g, self, lambd: _hardshrink_backward(g, self, lambd))  # fmt: skip
def _hardshrink_backward(grad_output: Any, self: Any, lambd: float) -> Any:
    """`grad_output` where the absolute value of `self` is above `lambd`, otherwise 0"""
    return np.where(np.abs(self) > lambd, grad_output, grad_output.dtype.type(0))


_softshrink_backward = operation("SoftshrinkBackwardBackward0", self=lambda g: zeros_like(g),
    grad_output=lambda g, self, lambd: _softshrink_backward(g, self, lambd)
)(_hardshrink_backward.node.declared_by)  # fmt: skip


@operation("SoftshrinkBackward0", self=lambda g, self, lambd: _softshrink_backward(g, self, lambd))
def _softshrink(self: Any, lambd: float) -> Any:
    step = self.dtype.type(lambd)
    return np.where(self > step, self - step, np.where(self < -step, self + step, self * self.dtype.type(0)))


@builtin
def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Return the elements of `input` whose absolute value is above `lambd`, and 0 in place of all others; NaN stays.

    Raises:
        NotImplementedError: `input` is not floating point.
    """
    return _hardshrink(input, lambd)


@builtin
def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Return the elements of `input` moved towards 0 by `lambd`: input - lambd, input + lambd, or 0 where |input| <= lambd.

    Raises:
        RuntimeError: `lambd` is negative.
        NotImplementedError: `input` is not floating point.
    """
    x = floating_only(input._array, "softshrink_check")
    if lambd < 0:
        largest = float(np.finfo(x.dtype).max)
        raise RuntimeError(
            f"lambda must be in range [0, {largest:g}] for input dtype {input.dtype.tensor_type}, but found {lambd:g}"
        )
    return _softshrink(input, lambd)


def in_place(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return the function that torch offers as `<name>_`: it calls `function` with `inplace=True`."""

    def call(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return function(input, *args, **kwargs, inplace=True)

    call.__name__ = call.__qualname__ = function.__name__ + "_"
    call.__doc__ = f"In-place version of `{function.__name__}`."
    return call


threshold_, hardtanh_, leaky_relu_, rrelu_ = map(in_place, (threshold, hardtanh, leaky_relu, rrelu))  # type: ignore[arg-type]
