"""`torch.nn.grad`: functions that compute the gradients of `conv2d` from `grad_output`, the gradient of its output."""

from __future__ import annotations

from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.arguments.missing_names import absent
from reference_impl.ops.convolution import Geometry, convolution_backward, per_dimension
from reference_impl.ops.creation import empty


def _gradient(
    input_nr: int, input: Tensor, weight: Tensor, grad_output: Tensor, stride: Any, padding: Any, dilation: Any, groups: int
) -> Tensor:  # fmt: skip
    """Return the gradient of `conv2d` with respect to `input` (`input_nr` 0) or `weight` (1). Only the shape of that tensor is used."""
    steps, pads, spread = (
        per_dimension(stride, 2, "stride"),
        per_dimension(padding, 2, "padding"),
        per_dimension(dilation, 2, "dilation"),
    )
    geometry = Geometry(steps, pads, spread, False, (0, 0), groups)
    gradient = convolution_backward(grad_output, input, weight, geometry, (input_nr == 0, input_nr == 1, False))[
        input_nr
    ]
    assert gradient is not None
    return gradient


def conv2d_input(
    input_size: Any, weight: Tensor, grad_output: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Tensor:  # fmt: skip
    """Return the gradient of `conv2d` with respect to its input, of shape `input_size`. Other arguments as in `conv2d`."""
    input = empty(tuple(input_size), dtype=grad_output.dtype, device=grad_output.device)
    return _gradient(0, input, weight, grad_output, stride, padding, dilation, groups)


def conv2d_weight(
    input: Tensor, weight_size: Any, grad_output: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Tensor:  # fmt: skip
    """Return the gradient of `conv2d` with respect to its weight, of shape `weight_size`. Other arguments as in `conv2d`."""
    weight = empty(tuple(weight_size), dtype=grad_output.dtype, device=grad_output.device)
    return _gradient(1, input, weight, grad_output, stride, padding, dilation, groups)


def __getattr__(name: str) -> Any:
    raise absent("torch.nn.grad", name)
