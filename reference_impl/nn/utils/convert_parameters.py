"""All parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from reference_impl._tensor import Tensor
from reference_impl.ops.joining import cat


def _check_device(parameter: Tensor, before: object) -> object:
    """Raises:
    TypeError: parameters on several devices."""
    if before is not None and parameter.device != before:
        raise TypeError("Found two parameters on different devices, this is currently not supported.")
    return parameter.device


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """The elements of all `parameters`, one after the other.

    Raises:
        TypeError: parameters on several devices.
    """
    device, parts = None, []
    for parameter in parameters:
        device = _check_device(parameter, device)
        parts.append(parameter.view(-1))
    return cat(parts)


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Let `parameters` share the memory of `vec`, one after the other.

    Raises:
        TypeError: `vec` is no tensor, or parameters on several devices.
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    device, start = None, 0
    for parameter in parameters:
        device = _check_device(parameter, device)
        end = start + parameter.numel()
        parameter.data = vec[start:end].view_as(parameter).data
        start = end
