"""Activations made of pieces: the identity or a line on one side of a point, something else on the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from reference_impl import _backend, _distributions
from reference_impl.autograd.backward_operation import backward_operation
from reference_impl.core.inplace import apply_inplace
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.saving import RESULT
from reference_impl.core.tensor import Tensor
from reference_impl.ops.activation import threshold_backward
from reference_impl.ops.elementwise import zeros_like
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import builtin


class KeptBackward0(Node):
    """out = self where `_kept`, otherwise 0: linear in self."""

    _kept: Any

    def grad_self(self, g: Tensor) -> Tensor:
        return kept_where(g, self._kept)


def kept_where(grad: Tensor, kept: Any) -> Tensor:
    """`grad` where the array `kept` is True, otherwise 0."""
    return record(KeptBackward0, _kept(kept, grad), (grad,), _kept=kept)


class PiecewiseLinearBackwardBackward(Node):
    """out = grad · slope(self), the slope constant between the bends:  ∂grad = g · slope(self),  ∂self = 0."""

    saved_names: ClassVar[tuple[str, ...]] = ("self",)

    def grad_grad_output(self, g: Tensor) -> Tensor:
        return self._again(g, self._saved_self)

    def grad_self(self, g: Tensor) -> Tensor:
        return zeros_like(g)

    def _again(self, g: Tensor, x: Tensor) -> Tensor:
        """The same gradient of `g`."""
        raise NotImplementedError


def _kept(condition: Any, grad: Tensor) -> Any:
    """The array of `grad` where `condition` is true, otherwise 0. (A product with a mask would turn inf · 0 into nan.)"""
    g = grad._array
    return np.where(condition, g, g.dtype.type(0))


def _floating(input: Tensor, kernel: str) -> Any:
    """The array of `input`.

    Raises:
        NotImplementedError: not floating point, which torch's `kernel` does not take.
    """
    if input._array.dtype.kind != "f":
        refuse_dtype(kernel, input._array.dtype)
    return input._array


def recorded(node: type[Node], y: Any, input: Tensor, **attributes: Any) -> Tensor:
    """`record`, for nodes that save their operand or, in the in-place forms, their result."""
    saved = RESULT if node.saved_names == ("result",) else input
    return record(node, y, (input,), (saved,), **attributes)


def maybe_inplace(function: Callable[..., Tensor], input: Tensor, inplace: bool, *args: Any) -> Tensor:
    """`function(input, *args)`, written over `input` if `inplace`."""
    return apply_inplace(function, input, *args) if inplace else function(input, *args)


class ThresholdBackward0(Node):
    """out = self where self > threshold, otherwise a value:  ∂self = g there, 0 elsewhere."""

    saved_names = ("self",)
    threshold: float

    def grad_self(self, g: Tensor) -> Tensor:
        return threshold_backward(g, self._saved_self, self.threshold)


class ThresholdBackward1(ThresholdBackward0):
    """The in-place form."""


def _threshold(input: Tensor, threshold: float, value: float, node: type[Node] = ThresholdBackward0) -> Tensor:
    x = input._array if input._array.dtype.kind != "b" else _floating(input, "threshold_cpu")
    y = np.where(x <= threshold, x.dtype.type(value), x)
    return record(node, y, (input,), (input,), threshold=threshold)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """`input` where it is above `threshold`, otherwise `value`."""
    node = ThresholdBackward1 if inplace else ThresholdBackward0
    return maybe_inplace(_threshold, input, inplace, threshold, value, node)


class HardtanhBackward0(Node):
    """out = self cut off at min_val and max_val:  ∂self = g strictly between them, 0 elsewhere."""

    saved_names = ("self",)
    min_val: float
    max_val: float

    def grad_self(self, g: Tensor) -> Tensor:
        return hardtanh_backward(g, self._saved_self, self.min_val, self.max_val)


class HardtanhBackwardBackward0(PiecewiseLinearBackwardBackward):
    """See PiecewiseLinearBackwardBackward."""

    min_val: float
    max_val: float

    def _again(self, g: Tensor, x: Tensor) -> Tensor:
        return hardtanh_backward(g, x, self.min_val, self.max_val)


def hardtanh_backward(grad: Tensor, input: Tensor, min_val: float, max_val: float) -> Tensor:
    """`grad` where `input` is strictly between the bounds, otherwise 0."""
    x = input._array
    kept = _kept((x > min_val) & (x < max_val), grad)
    return record(HardtanhBackwardBackward0, kept, (grad, input), (input,), min_val=min_val, max_val=max_val)


def _hardtanh(input: Tensor, min_val: float, max_val: float) -> Tensor:
    x = input._array
    if x.dtype.kind == "b":
        raise NotImplementedError("Bool inputs not supported for hardtanh")
    y = np.clip(x, x.dtype.type(min_val), x.dtype.type(max_val))
    return record(HardtanhBackward0, y, (input,), (input,), min_val=min_val, max_val=max_val)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """`input` cut off at `min_val` and `max_val`.

    Raises:
        ValueError: the bounds are out of order.
    """
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return maybe_inplace(_hardtanh, input, inplace, min_val, max_val)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """`input` cut off at 0 and 6."""
    return maybe_inplace(_hardtanh, input, inplace, 0.0, 6.0)


class LeakyReluBackward0(Node):
    """out = self where self > 0, otherwise negative_slope · self:  ∂self = g times that slope."""

    saved_names = ("self",)
    negative_slope: float

    def grad_self(self, g: Tensor) -> Tensor:
        return leaky_relu_backward(g, self._saved_self, self.negative_slope)


class LeakyReluBackwardBackward0(PiecewiseLinearBackwardBackward):
    """See PiecewiseLinearBackwardBackward."""

    negative_slope: float

    def _again(self, g: Tensor, x: Tensor) -> Tensor:
        return leaky_relu_backward(g, x, self.negative_slope)


def leaky_relu_backward(grad: Tensor, input: Tensor, negative_slope: float) -> Tensor:
    """`grad` where `input` is positive, otherwise times `negative_slope`. `input` may be the result of the operation, too."""
    x = input._array
    slopes = np.where(x > 0, x.dtype.type(1), x.dtype.type(negative_slope))
    product = grad._array * slopes
    return record(LeakyReluBackwardBackward0, product, (grad, input), (input,), negative_slope=negative_slope)


class LeakyReluBackward1(Node):
    """The in-place form: the sign of the result is that of self, unless the slope is negative."""

    saved_names = ("result",)
    negative_slope: float

    def grad_self(self, g: Tensor) -> Tensor:
        return _sloped_by_result(g, self._saved_result, self.negative_slope)


def _sloped_by_result(g: Tensor, result: Tensor, slope: float) -> Tensor:
    """Raises:
    RuntimeError: a negative slope."""
    if slope < 0:
        raise RuntimeError(
            "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. This is caused "
            "by calling in-place forward function with a negative slope, please call out-of-place version instead. File an "
            "issue at https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward calculation "
            "with negative slope"
        )
    return leaky_relu_backward(g, result, slope)


def _leaky_relu(input: Tensor, negative_slope: float, node: type[Node] = LeakyReluBackward0) -> Tensor:
    x = _floating(input, "leaky_relu_cpu")
    y = np.where(x > 0, x, x * x.dtype.type(negative_slope))
    return recorded(node, y, input, negative_slope=negative_slope)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """`input` where it is positive, otherwise `negative_slope * input`."""
    return maybe_inplace(
        _leaky_relu, input, inplace, negative_slope, LeakyReluBackward1 if inplace else LeakyReluBackward0
    )


class RreluWithNoiseBackward0(Node):
    """out = noise · self, the noise 1 where self is positive:  ∂self = g · noise."""

    saved_names = ("self", "noise")
    lower: float
    upper: float
    training: bool

    def grad_self(self, g: Tensor) -> Tensor:
        return _times_noise(self, g, self._saved_self)


class RreluWithNoiseBackwardBackward0(PiecewiseLinearBackwardBackward):
    """The slopes are those of the noise."""

    saved_names = ("self", "noise")
    lower: float
    upper: float
    training: bool

    def _again(self, g: Tensor, x: Tensor) -> Tensor:
        return _times_noise(self, g, x)


def _times_noise(node: Node, g: Tensor, x: Tensor) -> Tensor:
    """`g` times the noise; `x`, the input or the result, only has to be unchanged, as in torch."""
    noise = node._saved_noise
    bounds = {"lower": node.lower, "upper": node.upper, "training": node.training}
    return record(RreluWithNoiseBackwardBackward0, g._array * noise._array, (g, x), (x, noise), **bounds)


class RreluWithNoiseBackward1(Node):
    """The in-place form; outside training it is a leaky relu with the slope in the middle: g where out > 0, otherwise g times the slope."""

    saved_names = ("result", "noise")
    lower: float
    upper: float
    training: bool

    def grad_self(self, g: Tensor) -> Tensor:
        result = self._saved_result
        if self.training and self.upper - self.lower > 1e-6:
            return _times_noise(self, g, result)
        return _sloped_by_result(g, result, (self.lower + self.upper) / 2)


def _rrelu(input: Tensor, lower: float, upper: float, training: bool, in_place: bool = False) -> Tensor:
    x = input._array
    slopes = np.ones_like(x)
    negative = x <= 0
    if training:
        count = int(np.count_nonzero(negative))
        drawn = _distributions.uniform_(np.empty(count), lower, upper)
        slopes[negative] = _backend.to_device_of(drawn.astype(x.dtype), x)
    else:
        slopes[negative] = (lower + upper) / 2
    noise = Tensor._wrap(slopes)
    node, saved = (RreluWithNoiseBackward1, RESULT) if in_place else (RreluWithNoiseBackward0, input)
    return record(node, x * slopes, (input,), (saved, noise), lower=lower, upper=upper, training=training)


def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    """`leaky_relu` whose slope is random in [lower, upper] for each element in training, and its middle otherwise.

    Raises:
        RuntimeError: the bounds are out of order.
    """
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    return maybe_inplace(_rrelu, input, inplace, lower, upper, training, inplace)


class PreluKernelBackward0(Node):
    """out = self where self > 0, otherwise weight · self:  ∂self = g times that slope,  ∂weight = g · self where self <= 0."""

    saved_names = ("self", "weight")

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        (g,) = grads
        if g is None:
            return None, None
        return prelu_kernel_backward(g, self._saved_self, self._saved_weight)


@backward_operation("PreluKernelBackwardBackward0", "grad_output", "self", "weight")
def prelu_kernel_backward(grad: Tensor, input: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of `prelu`: of the input, and of the weight before it is summed up."""
    positive = input._array > 0
    to_input = kept_where(grad, positive) + kept_where(grad * weight, ~positive)
    return to_input, kept_where(grad * input, ~positive)


@builtin
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """`leaky_relu` with a slope that is learnt: one, or one per channel of (n, c, *).

    Raises:
        RuntimeError: another number of slopes.
    """
    x, w = input._array, weight._array
    if x.dtype != w.dtype:
        raise RuntimeError(f"prelu: Type promoting not supported. Got {input.dtype.c_name} and {weight.dtype.c_name}")
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
    slopes = weight if x.ndim == 0 and w.ndim == 0 else weight.view(_slopes_shape(x, w))
    y = np.where(x > 0, x, x * slopes._array)
    return record(PreluKernelBackward0, y, (input, slopes), (input, slopes))


def _slopes_shape(x: Any, w: Any) -> tuple[int, ...]:
    if x.ndim == 0:
        return ()
    if x.ndim == 1:
        return (1,)
    return (1, w.size, *(1,) * (x.ndim - 2))


class HardsigmoidBackward0(Node):
    """out = self / 6 + 1/2 cut off at 0 and 1:  ∂self = g / 6 strictly between -3 and 3, 0 elsewhere."""

    saved_names = ("self",)

    def grad_self(self, g: Tensor) -> Tensor:
        x = self._saved_self._array
        return kept_where(g * _SIXTH, (x > -3) & (x < 3))


_SIXTH = float(np.float32(1 / 6))  # in float32 whatever the dtype, as in torch's kernel


def _hardsigmoid(input: Tensor) -> Tensor:
    x = _floating(input, "hardsigmoid_cpu")
    return record(HardsigmoidBackward0, np.clip(x + x.dtype.type(3), 0, 6) / x.dtype.type(6), (input,), (input,))


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """input / 6 + 1/2, cut off at 0 and 1."""
    return maybe_inplace(_hardsigmoid, input, inplace)


class HardswishBackward0(Node):
    """out = self · hardsigmoid(self):  ∂self = 0 below -3, g · (self / 3 + 1/2) up to 3, g above."""

    saved_names = ("self",)

    def grad_self(self, g: Tensor) -> Tensor:
        return hardswish_backward(g, self._saved_self)


@backward_operation("HardswishBackwardBackward0", "grad_output", "self")
def hardswish_backward(grad: Tensor, x: Tensor) -> Tensor:
    """The gradient of `hardswish`."""
    middle = kept_where(grad * (x / 3 + 0.5), (x._array > -3) & (x._array < 3))
    return middle + kept_where(grad, x._array >= 3)


def _hardswish(input: Tensor) -> Tensor:
    x = _floating(input, "hardswish_cpu")
    y = x * np.clip(x + x.dtype.type(3), 0, 6) / x.dtype.type(6)
    return record(HardswishBackward0, y, (input,), (input,))


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """input · hardsigmoid(input)."""
    return maybe_inplace(_hardswish, input, inplace)


class HardshrinkBackward0(Node):
    """out = self where |self| > lambd, otherwise 0:  ∂self = g there, 0 elsewhere."""

    saved_names = ("self",)
    lambd: float

    def grad_self(self, g: Tensor) -> Tensor:
        return _shrink_backward(HardshrinkBackwardBackward0, g, self._saved_self, self.lambd)


class HardshrinkBackwardBackward0(PiecewiseLinearBackwardBackward):
    """See PiecewiseLinearBackwardBackward."""

    lambd: float

    def _again(self, g: Tensor, x: Tensor) -> Tensor:
        return _shrink_backward(type(self), g, x, self.lambd)


class SoftshrinkBackwardBackward0(HardshrinkBackwardBackward0):
    """See PiecewiseLinearBackwardBackward."""


def _shrink_backward(node_class: type[Node], grad: Tensor, input: Tensor, lambd: float) -> Tensor:
    """`grad` where the absolute value of `input` is above `lambd`, otherwise 0."""
    return record(node_class, _kept(np.abs(input._array) > lambd, grad), (grad, input), (input,), lambd=lambd)


@builtin
def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """`input` where its absolute value is above `lambd`, otherwise 0."""
    x = _floating(input, "hardshrink_cpu")
    y = np.where(np.abs(x) <= lambd, x.dtype.type(0), x)
    return record(HardshrinkBackward0, y, (input,), (input,), lambd=lambd)


class SoftshrinkBackward0(Node):
    """out = self moved by lambd towards 0, which it does not cross:  ∂self = g outside [-lambd, lambd], 0 inside."""

    saved_names = ("self",)
    lambd: float

    def grad_self(self, g: Tensor) -> Tensor:
        return _shrink_backward(SoftshrinkBackwardBackward0, g, self._saved_self, self.lambd)


@builtin
def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """`input` moved towards 0 by `lambd`, and 0 where that would cross it.

    Raises:
        RuntimeError: `lambd` is negative.
    """
    x = _floating(input, "softshrink_check")
    if lambd < 0:
        largest = float(np.finfo(x.dtype).max)
        raise RuntimeError(
            f"lambda must be in range [0, {largest:g}] for input dtype {input.dtype.tensor_type}, but found {lambd:g}"
        )
    step = x.dtype.type(lambd)
    y = np.where(x > step, x - step, np.where(x < -step, x + step, x * x.dtype.type(0)))
    return record(SoftshrinkBackward0, y, (input,), (input,), lambd=lambd)


def in_place(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`function` with `inplace=True`, which torch also offers under a name with an underscore."""

    def call(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return function(input, *args, **kwargs, inplace=True)

    call.__name__ = call.__qualname__ = function.__name__ + "_"
    call.__doc__ = f"In-place version of `{function.__name__}`."
    return call


threshold_, hardtanh_, leaky_relu_, rrelu_ = map(in_place, (threshold, hardtanh, leaky_relu, rrelu))  # type: ignore[arg-type]
