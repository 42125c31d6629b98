"""Change the view of a tensor in place: `t_`, `transpose_`, `squeeze_`, `unsqueeze_`, ...

No value changes, but the shape does, so the version rises and the tensor gets a new `grad_fn`, as after any in-place operation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference_impl.core.node import Node
from reference_impl.core.operations import shapes as core
from reference_impl.core.record import make_node, needs_grad
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import AsStridedBackward0, check_inplace
from reference_impl.ops import as_strided, views
from reference_impl.ops.registry import op


class SqueezeBackward3(core.squeeze_all.node):  # type: ignore[name-defined]
    """All dimensions of size 1 left out in place."""


class SqueezeBackward4(core.squeeze_dim.node):  # type: ignore[name-defined]
    """One dimension of size 1 left out in place."""


class SqueezeBackward5(views.SqueezeBackward2):
    """Several dimensions of size 1 left out in place."""


class UnsqueezeBackward1(core.unsqueeze.node):  # type: ignore[name-defined]
    """A dimension of size 1 put in in place."""


class TBackward1(core.t.node):  # type: ignore[name-defined]
    """A matrix transposed in place."""


class TransposeBackward1(core.transpose.node):  # type: ignore[name-defined]
    """Two dimensions exchanged in place."""


class AsStridedBackward1(AsStridedBackward0):
    """Any window on the memory, in place."""


def look_anew(tensor: Tensor, node_class: type[Node], view_of: Callable[..., Tensor], *args: Any) -> Tensor:
    """Turn `tensor` into the view `view_of(tensor, *args)` of its memory.

    Its new node, of class `node_class`, has the attributes of that view's node.
    """
    recorded = needs_grad(tensor)
    check_inplace(tensor, recorded)
    view = view_of(tensor, *args)
    node = None
    if recorded:
        made_by = view._grad_fn
        attributes = {k: v for k, v in vars(made_by).items() if not hasattr(Node, k)}
        node = make_node(node_class, (tensor,), (view._array,), attributes)
    tensor._array = view._array
    tensor._bump_version()
    if node is not None:
        tensor._grad_fn, tensor._output_nr = node, 0
        if tensor._view is not None:
            tensor._view.seen_version = tensor._version
    return tensor


@op("method")
def t_(input: Tensor) -> Tensor:
    """Apply `t` in place."""
    return look_anew(input, TBackward1, _transposed)


def _transposed(input: Tensor) -> Tensor:
    if input._array.ndim > 2:
        raise RuntimeError(f"t_() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D")
    return views.t(input)


@op("method", aliases=("swapaxes_", "swapdims_"))
def transpose_(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Apply `transpose` in place."""
    return look_anew(input, TransposeBackward1, views.transpose, dim0, dim1)


@op("method")
def unsqueeze_(input: Tensor, dim: int) -> Tensor:
    """Apply `unsqueeze` in place."""
    return look_anew(input, UnsqueezeBackward1, views.unsqueeze, dim)


@op("method")
def squeeze_(input: Tensor, dim: Any = None) -> Tensor:
    """Apply `squeeze` in place."""
    if dim is None:
        node: type[Node] = SqueezeBackward3
    else:
        node = SqueezeBackward5 if isinstance(dim, (tuple, list)) else SqueezeBackward4
    return look_anew(input, node, views.squeeze, dim)


@op("function", "method")
def as_strided_(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """Apply `as_strided` in place."""
    return look_anew(input, AsStridedBackward1, as_strided.as_strided, size, stride, storage_offset)
