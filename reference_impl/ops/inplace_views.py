"""Change shape and strides of a tensor in place: `t_`, `transpose_`, `squeeze_`, `unsqueeze_`, ...

As after any in-place operation, the version of the tensor is higher and its `grad_fn` is new, although the values are unchanged.
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
    """The node of `squeeze_()`."""


class SqueezeBackward4(core.squeeze_dim.node):  # type: ignore[name-defined]
    """The node of `squeeze_(dim)`."""


class SqueezeBackward5(views.SqueezeBackward2):
    """The node of `squeeze_(dims)`."""


class UnsqueezeBackward1(core.unsqueeze.node):  # type: ignore[name-defined]
    """The node of `unsqueeze_(dim)`."""


class TBackward1(core.t.node):  # type: ignore[name-defined]
    """The node of `t_()`."""


class TransposeBackward1(core.transpose.node):  # type: ignore[name-defined]
    """The node of `transpose_(dim0, dim1)`."""


class AsStridedBackward1(AsStridedBackward0):
    """The node of `as_strided_`."""


def apply_view_inplace(tensor: Tensor, node_class: type[Node], view_of: Callable[..., Tensor], *args: Any) -> Tensor:
    """Give `tensor` the shape and strides of the view `view_of(tensor, *args)`, and return `tensor`.

    The node is of `node_class`, with the attributes of the node of the view.

    Raises:
        RuntimeError: `tensor` must not be changed in place.
    """
    recorded = needs_grad(tensor)
    check_inplace(tensor, recorded)
    view = view_of(tensor, *args)
    node = None
    if recorded:
        attributes = {k: v for k, v in vars(view._grad_fn).items() if not hasattr(Node, k)}
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
    """Apply `t` in place.

    Raises:
        RuntimeError: `input` has more than two dimensions, or must not be changed in place.
    """
    return apply_view_inplace(input, TBackward1, _transpose_matrix)


def _transpose_matrix(input: Tensor) -> Tensor:
    if input._array.ndim > 2:
        raise RuntimeError(f"t_() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D")
    return views.t(input)


@op("method", aliases=("swapaxes_", "swapdims_"))
def transpose_(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Apply `transpose` in place."""
    return apply_view_inplace(input, TransposeBackward1, views.transpose, dim0, dim1)


@op("method")
def unsqueeze_(input: Tensor, dim: int) -> Tensor:
    """Apply `unsqueeze` in place."""
    return apply_view_inplace(input, UnsqueezeBackward1, views.unsqueeze, dim)


@op("method")
def squeeze_(input: Tensor, dim: Any = None) -> Tensor:
    """Apply `squeeze` in place."""
    if dim is None:
        node: type[Node] = SqueezeBackward3
    else:
        node = SqueezeBackward5 if isinstance(dim, (tuple, list)) else SqueezeBackward4
    return apply_view_inplace(input, node, views.squeeze, dim)


@op("function", "method")
def as_strided_(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """Apply `as_strided` in place."""
    return apply_view_inplace(input, AsStridedBackward1, as_strided.as_strided, size, stride, storage_offset)
