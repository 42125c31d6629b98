"""Normalize: subtract a mean, divide by a standard deviation, scale and shift.

    out = (input - mean) · invstd · weight + bias,    invstd = 1 / √(var + eps)

`layer_norm` takes mean and variance over the last dimensions of each sample, and `group_norm` over each group of channels of a sample. In
`batch_normalization` they are taken over the batch, for each channel.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from reference_impl._backend import contiguous
from reference_impl._settings import warn_user
from reference_impl.autograd.output_mask import output_mask
from reference_impl.autograd.recomputation import recomputed
from reference_impl.core.modes import mode
from reference_impl.core.node import Node
from reference_impl.core.record import record_many
from reference_impl.core.saving import Result
from reference_impl.core.tensor import Tensor
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import builtin
from reference_impl.ops.with_number import add_number


def moments(x: Any, axes: tuple[int, ...], eps: float) -> tuple[Any, Any, Any]:
    """Return mean, variance (with the divisor n) and 1 / √(variance + eps) over `axes`, which stay as dimensions of size 1."""
    if not x.size:  # NumPy would warn
        mean = np.full_like(np.sum(x, axis=axes, keepdims=True), np.nan)
        return mean, mean.copy(), mean.copy()
    mean = np.mean(x, axis=axes, keepdims=True)
    centred = x - mean
    variance = np.mean(np.square(centred, out=centred), axis=axes, keepdims=True)
    return mean, variance, 1 / np.sqrt(variance + x.dtype.type(eps))


def normalize_by(x: Any, mean: Any, invstd: Any, weight: Any, bias: Any) -> Any:
    """Return (x - mean) · invstd · weight + bias. `weight` and `bias` broadcast to `x`, or are None."""
    y = x - mean
    y *= invstd if weight is None or weight.size != invstd.size else invstd * weight.reshape(invstd.shape)
    if weight is not None and weight.size != invstd.size:
        y *= weight
    if bias is not None:
        y += bias
    return y


def check_mixed_types(input: Tensor, *parameters: Tensor | None) -> None:
    """Raise torch's RuntimeError if the first parameter has another dtype than `input`, unless all are float32 and `input` is float16."""
    types = [p._array.dtype for p in parameters if p is not None]
    if types and types[0] != input._array.dtype:
        if any(kind != np.float32 for kind in types):
            raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
        if input._array.dtype != np.float16:
            raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")


def check_same_types(*parameters: Tensor | None) -> None:
    """Raise torch's RuntimeError if the tensors, some of which may be None, differ in their dtypes."""
    present = [p for p in parameters if p is not None]
    for p in present[1:]:
        if p._array.dtype != present[0]._array.dtype:
            raise RuntimeError(f"expected scalar type {present[0].dtype.tensor_type} but found {p.dtype.tensor_type}")


def differentiable_moments(x: Tensor, axes: tuple[int, ...], eps: float) -> tuple[Tensor, Tensor]:
    """Return mean and invstd, 1 / √(variance + eps), computed by recorded operations so that a second derivative exists."""
    mean = x.mean(axes, keepdim=True)
    variance = ((x - mean) * (x - mean)).mean(axes, keepdim=True)
    return mean, (variance + eps).rsqrt()


def normalization_backward(
    g: Tensor, x: Tensor, mean: Tensor, invstd: Tensor, weight: Tensor | None, axes: tuple[int, ...], constant: bool
) -> Tensor:
    """Return the gradient of `x`:  invstd · (gw - mean(gw) - x̂ · mean(gw · x̂)).

    x̂ is the normalized input (x - mean) · invstd, and gw is g · weight.

    Args:
        weight: broadcasts to `x`, or None.
        axes: the dimensions over which mean and invstd were computed.
        constant: whether mean and invstd do not depend on `x`. Then the gradient is  invstd · gw.
    """
    if weight is not None:
        g = g * weight
    if constant:
        return g * invstd
    hat = (x - mean) * invstd
    return invstd * (g - g.mean(axes, keepdim=True) - hat * (g * hat).mean(axes, keepdim=True))


class NormalizationNode(Node):
    """Base class of the nodes of `layer_norm` and `group_norm`.

    Attributes:
        _grouped_shape: a shape of the input in which mean and variance are taken over whole dimensions: (n, groups, c / groups, *) for
            `group_norm`.
        _axes: the dimensions of `_grouped_shape` over which mean and variance are taken.
        _statistics_shape: the shape in which the saved mean and invstd broadcast to `_grouped_shape`.
        _parameter_shape: the shape of weight and bias.
        _channel_shape: the shape in which weight and bias broadcast to the input, such as (c, 1, 1).
    """

    _eps: float
    _axes: tuple[int, ...]
    _grouped_shape: tuple[int, ...]
    _channel_shape: tuple[int, ...]
    _parameter_shape: tuple[int, ...]
    _statistics_shape: tuple[int, ...]

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients of input, weight and bias. A gradient that is not needed is None; without a gradient of the output, all are None."""
        self.check_saved()  # checks also saved values that are not used below, as torch does
        g = grads[0]
        if g is None:
            return (None, None, None)
        x, weight = self._saved_input, self._saved_weight
        mean, invstd, constant = self._statistics(x)
        spread = None if weight is None else weight.view(self._channel_shape)
        to_input = to_weight = to_bias = None
        needs_input, needs_weight, needs_bias = output_mask(self)
        if needs_input:
            to_input = self._input_gradient(g, x, mean, invstd, spread, constant)
        if needs_weight:
            hat = ((x.reshape(self._grouped_shape) - mean) * invstd).reshape(x._array.shape)
            to_weight = self._sum_per_weight(g * hat)
        if needs_bias:
            to_bias = self._sum_per_weight(g)
        return to_input, to_weight, to_bias

    def _statistics(self, x: Tensor) -> tuple[Tensor, Tensor, bool]:
        """Return mean and invstd, and False: they are not constants, but depend on `x`."""
        if mode.enabled:
            return *differentiable_moments(x.reshape(self._grouped_shape), self._axes, self._eps), False
        shape = self._statistics_shape
        return self._saved_result1.view(shape), self._saved_result2.view(shape), False

    def _input_gradient(
        self, g: Tensor, x: Tensor, mean: Tensor, invstd: Tensor, weight: Tensor | None, constant: bool
    ) -> Tensor:
        shape, grouped = x._array.shape, self._grouped_shape
        if weight is not None:
            g = g * weight
        inner = normalization_backward(g.reshape(grouped), x.reshape(grouped), mean, invstd, None, self._axes, constant)
        return inner.reshape(shape)

    def _sum_per_weight(self, g: Tensor) -> Tensor:
        """Return `g`, of the shape of the input, summed over all elements that are multiplied by the same weight."""
        return g.sum_to_size(self._channel_shape).view(self._parameter_shape)


def verify_batch_size(size: Any) -> None:
    """Raise ValueError if an input of this size, (n, c, *), has only one value per channel."""
    if size[0] * prod(size[2:]) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")


# -- over the last dimensions, and over groups of channels


class NativeLayerNormBackward0(NormalizationNode):
    """out = (input - mean) · invstd · weight + bias, mean and invstd over the last dimensions of each sample: the gradient flows through both too."""

    saved_names = ("input", "weight", "bias", "result1", "result2")
    normalized_shape: tuple[int, ...]

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients of input, weight and bias. A gradient that is not needed is None; without a gradient of the output, all are None."""
        g = grads[0]
        if g is None or not mode.enabled:
            return super().apply(*grads)
        self.check_saved()
        x, weight = self._saved_input, self._saved_weight
        return layer_norm_backward(
            g, x, self._saved_result1, self._saved_result2, weight, inputs=(g, x, None, None, weight, self._saved_bias),
            normalized_shape=self.normalized_shape, _eps=self._eps, _output_mask=output_mask(self),
        )  # fmt: skip


@recomputed("NativeLayerNormBackwardBackward0", "grad_out", "input", "mean", "rstd", "weight")
def layer_norm_backward(
    grad: Tensor, input: Tensor, mean: Tensor, rstd: Tensor, weight: Tensor | None, *, normalized_shape: tuple[int, ...],
    _eps: float, _output_mask: tuple[bool, ...],
) -> tuple[Tensor | None, ...]:  # fmt: skip
    """The gradients of input, weight and bias. Mean and rstd are computed again, so that they depend on the input.

    A gradient is None where `_output_mask` is False. The arguments `mean` and `rstd` are not used.

    torch's node treats the saved mean and rstd as constants when it is differentiated. So torch's third derivative is wrong: see
    tests/engine/test_third_derivatives.py.
    """
    axes = tuple(range(input.ndim - len(normalized_shape), input.ndim))
    mean, rstd = differentiable_moments(input, axes, _eps)
    to_input = normalization_backward(grad, input, mean, rstd, weight, axes, False) if _output_mask[0] else None
    to_weight = (grad * ((input - mean) * rstd)).sum_to_size(normalized_shape) if _output_mask[1] else None
    return to_input, to_weight, grad.sum_to_size(normalized_shape) if _output_mask[2] else None


class NativeGroupNormBackward0(NormalizationNode):
    """out = (input - mean) · invstd · weight + bias, mean and invstd over groups of channels of each sample: the gradient flows through both too."""

    saved_names = ("input", "weight", "result1", "result2")
    N: int
    C: int
    HxW: int
    eps: float
    group: int

    @property
    def _eps(self) -> float:  # type: ignore[override]
        return self.eps  # the node of `layer_norm` does not show this number in torch

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients of input, weight and bias.

        The operation also returns mean and invstd, each over n elements. Their gradients add g_mean / n and
        -g_invstd · invstd³ · (input - mean) / n to the gradient of the input.
        """
        gradients, (_, to_mean, to_invstd) = super().apply(*grads), grads
        if not output_mask(self)[0] or (to_mean is None and to_invstd is None):
            return gradients
        x = self._saved_input
        grouped, shape = x.reshape(self._grouped_shape), self._statistics_shape
        mean, invstd, _ = self._statistics(x)
        total: Any = 0 if gradients[0] is None else gradients[0].reshape(self._grouped_shape)
        count = prod(self._grouped_shape[2:])
        if to_mean is not None:
            total = total + to_mean.reshape(shape) / count
        if to_invstd is not None:
            total = total - to_invstd.reshape(shape) * invstd.pow(3) * (grouped - mean) / count
        return (total.expand(self._grouped_shape).reshape(x._array.shape), *gradients[1:])


@builtin
def layer_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Normalize each sample over its last dimensions, which are `normalized_shape`; multiply by `weight` and add `bias`.

    Raises:
        RuntimeError: the shape of `input` doesn't end in `normalized_shape`, weight or bias have another shape, or dtypes don't fit.
        NotImplementedError: `input` is not floating point.
    """
    return native_layer_norm(input, normalized_shape, weight, bias, eps)[0]


def native_layer_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, ...]:
    """Return the tuple (result of `layer_norm`, means, 1 / √(variance + eps)). In the last two, normalized dimensions have size 1.

    Errors are those of `layer_norm`.
    """
    shape = tuple(normalized_shape)
    check_mixed_types(input, weight, bias)
    _check_layer_shapes(input, shape, weight, bias)
    check_same_types(input, weight, bias)
    x = contiguous(input._array)
    if x.dtype.kind != "f":
        refuse_dtype("LayerNormKernelImpl", x.dtype)
    lead = x.ndim - len(shape)
    axes = tuple(range(lead, x.ndim))
    mean, _, invstd = moments(x, axes, eps)
    y = normalize_by(x, mean, invstd, None, None)
    if weight is not None:
        y *= weight._array
    if bias is not None:
        y += bias._array
    return record_many(
        NativeLayerNormBackward0,
        (y, mean, invstd),
        (input, weight, bias),
        (input, weight, bias, Result(1), Result(2)),
        (True, False, False),
        normalized_shape=shape,
        _eps=eps,
        _axes=axes,
        _grouped_shape=x.shape,
        _channel_shape=shape,
        _parameter_shape=shape,
        _statistics_shape=mean.shape,
    )


def _check_layer_shapes(
    input: Tensor, shape: tuple[int, ...], weight: Tensor | None, bias: Tensor | None, separator: str = ", "
) -> None:
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            "normalized_shape = []"
        )
    for name, t in (("weight", weight), ("bias", bias)):
        if t is not None and t._array.shape != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape {list(t.shape)} and "
                f"normalized_shape = {list(shape)}"
            )
    if input._array.shape[input._array.ndim - len(shape) :] != shape or input._array.ndim < len(shape):
        inside = "*" + separator + ", ".join(map(str, shape))
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape [{inside}], but got input of size"
            f"{list(input._array.shape)}"
        )


@builtin
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Normalize each of `num_groups` groups of channels, in each sample of (n, c, *); multiply by `weight` and add `bias`, both (c).

    Raises:
        RuntimeError: `input` has fewer than two dimensions, the number of channels is not divisible by `num_groups`, or `weight` or `bias`
            does not have one element per channel.
        ValueError: there is only one sample, and a group has only one value.
        NotImplementedError: `input` is not floating point.
    """
    x = input._array
    if x.ndim < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {x.ndim}")
    n, c = x.shape[:2]
    size = [n * c // num_groups, num_groups, *x.shape[2:]]
    verify_batch_size(size)
    return native_group_norm(input, weight, bias, n, c, prod(x.shape[2:]), num_groups, eps)[0]


def native_group_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, N: int, C: int, HxW: int, group: int, eps: float
) -> tuple[Tensor, ...]:
    """Return the tuple (result of `group_norm`, means, 1 / √(variance + eps)) for an input (N, C, *) with HxW = prod(*).

    The means and 1 / √(variance + eps) have the shape (N, group).

    Raises:
        RuntimeError: `group` is not positive or does not divide C, `weight` or `bias` does not have C elements, N · C · HxW is not
            the number of elements of `input`, or dtypes differ. Only float32 parameters with a float16 input are allowed.
        NotImplementedError: `input` is not floating point.
    """
    x, n, c, num_groups = input._array, N, C, group
    check_mixed_types(input, weight, bias)
    if num_groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {num_groups}")
    if c % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(x.shape)} and num_groups={num_groups}"
        )
    for name, t in (("weight", weight), ("bias", bias)):
        if t is not None and t._array.shape != (c,):
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape "
                f"{list(t.shape)} and input of shape {list(x.shape)}"
            )
    if x.size != n * c * HxW:
        raise RuntimeError(
            "Expected X.numel() == N * C * HxW to be true, but got false.  (Could this error message be improved?  If so, please "
            "report an enhancement request to PyTorch.)"
        )
    check_same_types(weight, bias)
    if x.dtype.kind != "f":
        refuse_dtype("GroupNormKernelImpl", x.dtype)
    grouped = (n, num_groups, c // num_groups, *x.shape[2:])
    axes = tuple(range(2, len(grouped)))
    mean, _, invstd = moments(x.reshape(grouped), axes, eps)
    y = normalize_by(x.reshape(grouped), mean, invstd, None, None).reshape(x.shape)
    channel = (c, *(1,) * (x.ndim - 2))
    if weight is not None:
        y *= weight._array.reshape(channel)
    if bias is not None:
        y += bias._array.reshape(channel)
    return record_many(
        NativeGroupNormBackward0,
        (y, mean.reshape(n, num_groups), invstd.reshape(n, num_groups)),
        (input, weight, bias),
        (input, weight, Result(1), Result(2)),
        (True, True, True),
        N=n,
        C=c,
        HxW=HxW,
        group=num_groups,
        eps=eps,
        _axes=axes,
        _grouped_shape=grouped,
        _channel_shape=channel,
        _parameter_shape=(c,),
        _statistics_shape=mean.shape,
    )


@builtin
def rms_norm(input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None) -> Tensor:
    """Return input / √(mean(input²) + eps) · weight. The mean is taken over the last dimensions, which are `normalized_shape`.

    The result has the dtype of `input`. If `weight` has another dtype, the function warns.

    Args:
        eps: by default the machine epsilon of the dtype.

    Raises:
        ValueError: `input` has fewer dimensions than `normalized_shape` has numbers.
        RuntimeError: the shape of `input` doesn't end in `normalized_shape`, or `weight` has another shape.
        NotImplementedError: `input` is not floating point.
    """
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    x = input._array
    if x.ndim < len(shape) and (weight is None or weight._array.shape == shape):
        raise ValueError(f"Input tensor must have at least {len(shape)} dimensions, but got {x.ndim}")
    _check_layer_shapes(input, shape, weight, None, separator="")
    if x.dtype.kind != "f":
        refuse_dtype("rms_norm", x.dtype)
    axes = tuple(range(x.ndim - len(shape), x.ndim))
    smallest = float(np.finfo(x.dtype).eps) if eps is None else eps
    scale = add_number(input.pow(2).mean(axes, keepdim=True), smallest).rsqrt()
    out = input.mul(scale)
    if weight is not None and weight.dtype is not input.dtype:
        warn_user(
            f"Mismatch dtype between input and weight: input dtype = {input.dtype.c_name}, weight dtype = {weight.dtype.c_name}, Cannot "
            "dispatch to fused implementation."
        )
    return out if weight is None else out.mul(weight).to(input.dtype)
