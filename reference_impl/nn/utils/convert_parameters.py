"""Copy the parameters of a module into a single vector, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.ops.joining import cat


def _check_one_device(parameters: Iterable[Tensor]) -> list[Tensor]:
    tensors = list(parameters)
    if any([t.device != tensors[0].device for t in tensors]):
        raise TypeError("Found two parameters on different devices, this is currently not supported.")
    return tensors


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Return the elements of all `parameters`, one parameter after the other, as a vector through which gradients flow.

    Raises:
        TypeError: the parameters are on different devices.
    """
    return cat([parameter.view(-1) for parameter in _check_one_device(parameters)])


def vector_to_parameters(vec: Any, parameters: Iterable[Tensor]) -> None:
    """Replace the data of `parameters`, one after the other, by views of consecutive parts of `vec`.

    Raises:
        TypeError: `vec` is not a tensor, or the parameters are on different devices.
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    start = 0
    for parameter in _check_one_device(parameters):
        end = start + parameter.numel()
        parameter.data = vec[start:end].view_as(parameter).data
        start = end
