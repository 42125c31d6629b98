"""Clip gradients: by the norm of all of them together, or element by element."""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterable
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.autograd.grad_mode import no_grad
from reference_impl.ops.creation import tensor
from reference_impl.ops.joining import stack


def _as_list(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    return [parameters] if isinstance(parameters, Tensor) else list(parameters)


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor], max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False,
    foreach: Any = None,
) -> Tensor:  # fmt: skip
    """Scale the gradients of `parameters` in place by one factor, so that their total norm is at most `max_norm`.

    The total norm is the norm of all gradients, as if they were concatenated into one vector. If it is smaller already, the factor is 1.
    A generator without parameters causes a warning.

    Args:
        norm_type: the p of the norm; infinity stands for the largest absolute value.
        foreach: accepted and ignored.

    Returns:
        The total norm before scaling, a 0-d tensor; 0 if no parameter has a gradient.

    Raises:
        RuntimeError: the total norm is nan or infinite, and `error_if_nonfinite` is True.
    """
    listed, norm_type = _as_list(parameters), float(norm_type)
    if isinstance(parameters, types.GeneratorType) and not listed:
        warnings.warn("`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=2)
    grads = [p.grad for p in listed if p.grad is not None]
    total = get_total_norm(grads, norm_type, error_if_nonfinite)
    clip_grads_with_norm_(listed, max_norm, total)
    return total


@no_grad()
def get_total_norm(
    tensors: Tensor | Iterable[Tensor], norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: Any = None
) -> Tensor:
    """Return the norm of all `tensors` together, as `clip_grad_norm_` does; 0 without tensors.

    Raises:
        RuntimeError: the norm is nan or infinite, and `error_if_nonfinite` is True.
    """
    listed, norm_type = _as_list(tensors), float(norm_type)
    if not listed:
        return tensor(0.0)
    total = stack([t.norm(norm_type).to(listed[0].device) for t in listed]).norm(norm_type)
    if error_if_nonfinite and not bool(total.isfinite()):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be clipped. To "
            "disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


@no_grad()
def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor], max_norm: float, total_norm: Tensor, foreach: Any = None
) -> None:
    """Scale the gradients of `parameters` in place, as `clip_grad_norm_` does, for a `total_norm` that is known already."""
    grads = [p.grad for p in _as_list(parameters) if p.grad is not None]
    factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
    for g in grads:
        g.mul_(factor.to(g.device))


def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: Any = None) -> None:
    """Clamp the gradients of `parameters` in place to [-clip_value, clip_value]. `foreach` is ignored.

    Raises:
        RuntimeError: no parameter has a gradient.
    """
    limit = float(clip_value)
    grads = [p.grad for p in _as_list(parameters) if p.grad is not None]
    if not grads:
        raise RuntimeError(
            "Expected !nested_tensorlist[0].empty() to be true, but got false.  "
            "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    with no_grad():
        for grad in grads:
            grad.clamp_(min=-limit, max=limit)
