"""Find operands that share memory with the tensor that an operation writes: torch raises an error, or warns in a few cases."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.core import inplace
from reference_impl.core.extensions import extensions
from reference_impl.core.modes import no_grad
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import is_dense

_SHARED = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. "
    "Please clone() the tensor before performing the operation."
)


def check_memory(tensor: Tensor, sources: Sequence[Any] = ()) -> None:
    """Check that `tensor` may be written, while `sources`, the other operands of the operation, are read.

    Each source must have the same elements in memory as `tensor`, or none of them. As in torch, only tensors without gaps in memory are
    compared, because a comparison of others would be too slow. This function replaces `core.inplace.check_memory`.

    Raises:
        RuntimeError: two elements of `tensor` share memory, or `tensor` and a source overlap without being the same elements.
    """
    inplace.check_memory(tensor)
    for source in sources:
        if isinstance(source, Tensor):
            _check_no_partial_overlap(tensor, source)


extensions.fill(check_memory=check_memory)


def _check_no_partial_overlap(target: Tensor, source: Tensor) -> None:
    a, b = target._array, source._array
    if a is b or a.__class__ is not b.__class__ or not np.may_share_memory(a, b):
        return
    if target is source or not (a.size and b.size and is_dense(a) and is_dense(b)):
        return
    start_a, start_b = _backend.address_of(a), _backend.address_of(b)
    if start_a == start_b and a.nbytes == b.nbytes and a.strides == b.strides:
        return
    if start_a < start_b + b.nbytes and start_b < start_a + a.nbytes:
        raise RuntimeError(_SHARED)


def check_no_common_memory(target: Tensor, source: Tensor) -> None:
    """Raise RuntimeError if `source` shares memory with `target`. As in torch, only tensors without gaps in memory are compared."""
    same = target._array is source._array or (
        target._array.size
        and _backend.address_of(target._array) == _backend.address_of(source._array)
        and is_dense(target._array)
        and is_dense(source._array)
    )
    if same and target._array.size and source._array.size and is_dense(target._array):
        raise RuntimeError(_SHARED)
    _check_no_partial_overlap(target, source)


def apply_apart(op: Callable[..., Tensor], tensor: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Apply `op` in place as `apply_inplace` does, but raise RuntimeError if an argument of `op` shares memory with `tensor`.

    As in torch, wrong arguments are reported before shared memory, but shared memory before an index that is out of range. So `op` first
    runs with zeros in place of the indices.
    """
    array = tensor._array
    tensors = [t for t in (*args, *kwargs.values()) if isinstance(t, Tensor)]
    shared = [t for t in tensors if t._array.__class__ is array.__class__ and np.may_share_memory(t._array, array)]
    if shared:
        inplace.check_inplace(tensor, inplace.needs_grad(tensor, *tensors))
        with no_grad():
            op(tensor, *map(_in_range, args), **{name: _in_range(value) for name, value in kwargs.items()})
        for t in shared:
            check_no_common_memory(tensor, t)
    return inplace.apply_inplace(op, tensor, *args, **kwargs)


def _in_range(argument: Any) -> Any:
    """Return zeros for an integer tensor, so that no index is out of range; return other arguments unchanged."""
    if isinstance(argument, Tensor) and argument._array.dtype.kind == "i":
        return Tensor._wrap(np.zeros_like(argument._array))
    return argument


def warn_of_overlap(target: Tensor, operation: str, example: str) -> None:
    """Emit torch's warning if elements of `target`, into which `operation` writes, share memory, as in an expanded tensor."""
    try:
        inplace.check_memory(target)
    except RuntimeError:
        warnings.warn(
            f"Use of {operation} on expanded tensors is deprecated. Please clone() the tensor before performing this operation. "
            f"This also applies to advanced indexing e.g. {example}",
            UserWarning,
            stacklevel=4,
        )
