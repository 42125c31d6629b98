"""Views and in-place operations on them.

A view shares memory and version with its base. When either is changed in place, both change their place in the graph: the
base gets a `CopySlices` node, which runs the operation's backward on the part of the gradient that the view covers; every
other view of this base notices by the version and is attached anew, as a strided window (`AsStridedBackward0`) of the base.
See torch/csrc/autograd/variable.cpp, `VariableHooks::rebase_history` and `grad_fn`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

from reference_impl import _backend
from reference_impl.autograd.grad_mode import mode
from reference_impl.autograd.node import Node, gradient_edge, next_sequence_number
from reference_impl.autograd.saved_variable import ERR_BACKWARD_TWICE, operation_name

if TYPE_CHECKING:
    from reference_impl._tensor import Tensor


class CreationMeta(IntEnum):
    """How a view was made, as far as it matters when it is changed in place. The larger one is handed on to views of it."""

    DEFAULT = 0
    IN_CUSTOM_FUNCTION = 1
    MULTI_OUTPUT_NODE = 2
    NO_GRAD_MODE = 3
    INFERENCE_MODE = 4


class View:
    """What a view knows of its base.

    Attributes:
        base: the tensor that is no view itself.
        creation: see CreationMeta.
        seen_version: the version of the memory when the view's place in the graph was determined.
        differentiable: False for `detach()` and the like.
    """

    __slots__ = ("base", "creation", "seen_version")
    differentiable = True

    def __init__(self, base: Tensor, creation: CreationMeta, seen_version: int) -> None:
        self.base = base
        self.creation = creation
        self.seen_version = seen_version

    def refresh(self, view: Tensor) -> None:
        """Attach `view` to its base anew if the memory has changed since it was attached.

        Raises:
            RuntimeError: it was made in a way that does not allow this; see CreationMeta.
        """
        if view._grad_fn is None and self.base._grad_fn is None and not self.base._requires_grad:
            return
        version = view._version
        if self.seen_version != version:
            if self.creation != CreationMeta.DEFAULT:
                raise RuntimeError(_refused_rebase(view, self, "its base or another view of its base has been"))
            base_edge = gradient_edge(self.base)
            node = AsStridedBackward0()
            node.next_edges = (base_edge,)
            node.sequence_number = next_sequence_number()
            node.output_metadata = (view._array.shape, view._array.dtype)
            node.base_geometry = Geometry.of(self.base._array, self.base._array)
            node.geometry = Geometry.of(view._array, self.base._array)
            _move_hooks(view, node)
            view._edge = (node, 0)
            self.seen_version = version


class Geometry:
    """Where the elements of a tensor lie in memory: shape, strides and offset, in elements."""

    __slots__ = ("shape", "strides", "offset")

    def __init__(self, shape: tuple[int, ...], strides: tuple[int, ...], offset: int) -> None:
        self.shape, self.strides, self.offset = shape, strides, offset

    @staticmethod
    def of(array: Any, base: Any) -> Geometry:
        """The geometry of `array`, its offset counted from the first element of `base`."""
        itemsize = array.itemsize
        offset = (_backend.address_of(array) - _backend.address_of(base)) // itemsize if array.size else 0
        return Geometry(array.shape, tuple(s // itemsize for s in array.strides), offset)

    def extent(self) -> int:
        """How many elements of memory, from the first of the base, are needed."""
        if 0 in self.shape:
            return 0
        return self.offset + 1 + sum((n - 1) * s for n, s in zip(self.shape, self.strides, strict=True))

    def window(self, flat: Any) -> Any:
        """This tensor's elements as a view of `flat`, the memory in one dimension."""
        return _backend.as_strided(flat, self.shape, self.strides, self.offset)


class AsStridedBackward0(Node):
    """A window of its base: the gradient goes to the elements of the base that the window shows.

    Where the window shows an element more than once (`expand`), it receives the sum; where the base itself does, its share.
    """

    base_geometry: Geometry
    geometry: Geometry

    def grad_self(self, g: Tensor) -> Tensor:
        from reference_impl.ops.as_strided import scatter_window

        return scatter_window(g, self.geometry, self.base_geometry)


class CopySlices(Node):
    """The history of a tensor after an in-place operation on one of its views.

    Outside the view the gradient passes to the base as it was before; inside, it goes through `fn`, the operation's own node,
    whose first input was the view's old value.
    """

    namespace = "torch::autograd::"
    fn: Node | None
    base_geometry: Geometry
    view_geometry: Geometry

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        from reference_impl.ops.as_strided import read_window, write_window

        (g,) = grads
        if g is None:
            return (None,) * len(self.next_nodes)
        fn = self.fn
        if fn is None:
            raise RuntimeError(ERR_BACKWARD_TWICE)
        inside = read_window(g, self.view_geometry, self.base_geometry)
        with fn.unpacked():
            results = fn.apply(inside)
        to_view = results[0]
        if to_view is not None and to_view.shape != inside.shape:
            to_view = to_view.sum_to_size(inside.shape)
        to_base = write_window(g, to_view, self.view_geometry, self.base_geometry)
        return (to_base, *results[1:])

    def release_variables(self) -> None:
        self.fn = None  # as in torch, also where it has saved nothing


def rebase_history(tensor: Tensor, node: Node) -> None:
    """Make `node` the origin of `tensor`, whose values it has just changed in place (the version is raised already)."""
    view = tensor._view
    if view is None:
        _move_hooks(tensor, node)
        tensor._edge = (node, 0)
        return
    base = view.base
    copy = CopySlices()
    copy.fn = node
    copy.next_edges = (gradient_edge(base), *node.next_edges[1:])
    copy.sequence_number = next_sequence_number()
    copy.output_metadata = (base._array.shape, base._array.dtype)
    copy.base_geometry = Geometry.of(base._array, base._array)
    copy.view_geometry = Geometry.of(tensor._array, base._array)
    _move_hooks(base, copy)
    base._edge = (copy, 0)
    view.seen_version = -1
    view.refresh(tensor)


def _move_hooks(tensor: Tensor, node: Node) -> None:
    """A kept gradient is that of the tensor's newest value; hooks stay with the value they were registered on."""
    if tensor._retains_grad and tensor._edge is not None:
        old, output_nr = tensor._edge
        if old.retain_grad_hooks and output_nr in old.retain_grad_hooks:
            node.has_hooks = True
            node.retain_grad_hooks = {0: old.retain_grad_hooks.pop(output_nr)}


_LEAF = "a leaf Variable that requires grad is being used in an in-place operation."
_VIEW_OF_LEAF = "a view of a leaf Variable that requires grad is being used in an in-place operation."


def check_inplace(tensor: Tensor, recorded: bool) -> None:
    """Whether `tensor` may be changed in place by an operation that is `recorded`.

    Raises:
        RuntimeError: it is a leaf that requires grad, a view of one, or a view whose history would be lost.
    """
    if not recorded or not mode.enabled:
        return
    view = tensor._view
    if view is not None:
        if view.creation != CreationMeta.DEFAULT:
            raise RuntimeError(_refused_rebase(tensor, view, "is being"))
        if tensor.requires_grad and view.base.is_leaf:
            raise RuntimeError(_VIEW_OF_LEAF)
    if tensor.requires_grad and tensor.is_leaf:
        raise RuntimeError(_LEAF)


_REASONS = {
    CreationMeta.MULTI_OUTPUT_NODE: (
        " This view is the output of a function that returns multiple views. Such functions do not allow the output views to "
        "be modified inplace. You should replace the inplace operation by an out-of-place one."
    ),
    CreationMeta.NO_GRAD_MODE: (
        " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the "
        "view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both "
        "outside (if you want the inplace to be tracked)."
    ),
    CreationMeta.INFERENCE_MODE: (
        " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the "
        "view and the inplace either both inside the inference_mode block (if you don't want the inplace to be tracked) or both "
        "outside (if you want the inplace to be tracked)."
    ),
    CreationMeta.IN_CUSTOM_FUNCTION: (
        " This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to "
        "handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect "
        "gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function."
    ),
}


def _refused_rebase(tensor: Tensor, view: View, what_is_modified: str) -> str:
    """torch's `handle_view_on_rebase`."""
    node = tensor._grad_fn
    if node is not None:
        start = f"Output {tensor._output_nr} of {operation_name(node.name())} is a view and {what_is_modified} modified inplace."
    else:
        start = f"A view was created in no_grad mode and {what_is_modified} modified inplace with grad mode enabled."
        if view.creation == CreationMeta.INFERENCE_MODE:
            start = f"A view was created in inference mode and {what_is_modified} modified inplace in normal mode."
    return start + _REASONS[view.creation]
