"""`torch.nn.grad`: the gradients of the convolutions as functions, given the gradient of their output."""

from __future__ import annotations

from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.ops.convolution import Geometry, convolution_backward, per_dimension
from reference_impl.ops.creation import empty


def _gradient(
    spatial: int, input: Tensor, weight: Tensor, grad_output: Tensor, which: int, options: tuple[Any, Any, Any, int]
) -> Tensor:
    stride, padding, dilation, groups = options
    geometry = Geometry(
        per_dimension(stride, spatial, "stride"), per_dimension(padding, spatial, "padding"), per_dimension(dilation, spatial, "dilation"), False,
        (0,) * spatial, groups,
    )  # fmt: skip
    found = convolution_backward(grad_output, input, weight, geometry, (which == 0, which == 1, False))[which]
    assert found is not None
    return found


def _like(size: Any, grad_output: Tensor) -> Tensor:
    return empty(tuple(size), dtype=grad_output.dtype, device=grad_output.device)


def conv1d_input(
    input_size: Any,
    weight: Tensor,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of `conv1d` with respect to an input of shape `input_size`."""
    options = (stride, padding, dilation, groups)
    return _gradient(1, _like(input_size, grad_output), weight, grad_output, 0, options)


def conv1d_weight(
    input: Tensor,
    weight_size: Any,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of `conv1d` with respect to a weight of shape `weight_size`."""
    options = (stride, padding, dilation, groups)
    return _gradient(1, input, _like(weight_size, grad_output), grad_output, 1, options)


def conv2d_input(
    input_size: Any,
    weight: Tensor,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of `conv2d` with respect to an input of shape `input_size`."""
    options = (stride, padding, dilation, groups)
    return _gradient(2, _like(input_size, grad_output), weight, grad_output, 0, options)


def conv2d_weight(
    input: Tensor,
    weight_size: Any,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of `conv2d` with respect to a weight of shape `weight_size`."""
    options = (stride, padding, dilation, groups)
    return _gradient(2, input, _like(weight_size, grad_output), grad_output, 1, options)


def conv3d_input(
    input_size: Any,
    weight: Tensor,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of `conv3d` with respect to an input of shape `input_size`."""
    options = (stride, padding, dilation, groups)
    return _gradient(3, _like(input_size, grad_output), weight, grad_output, 0, options)


def conv3d_weight(
    input: Tensor,
    weight_size: Any,
    grad_output: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """The gradient of `conv3d` with respect to a weight of shape `weight_size`."""
    options = (stride, padding, dilation, groups)
    return _gradient(3, input, _like(weight_size, grad_output), grad_output, 1, options)
