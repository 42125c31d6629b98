"""Views, and in-place operations on them.

A view shares memory and version with its base. When either is changed in place, both change their place in the graph: the base
gets a `CopySlices` node, which runs the operation's backward on the part of the gradient that the view covers; every other view
of this base notices by the version, and is attached anew, as a strided window (`AsStridedBackward0`) of the base.
See torch/csrc/autograd/variable.cpp, `VariableHooks::rebase_history` and `grad_fn`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from reference_impl.core.modes import mode
from reference_impl.core.node import ALREADY_FREED, Node
from reference_impl.core.record import make_node, record, record_many
from reference_impl.core.saving import operation_name
from reference_impl.core.tensor import Tensor
from reference_impl.core.windows import AsStridedBackward0, read_window, window_of, write_window


class CreationMeta(IntEnum):
    """How a view was made, as far as it matters when it is changed in place. The larger one is handed on to views of it."""

    DEFAULT = 0
    IN_CUSTOM_FUNCTION = 1
    MULTI_OUTPUT_NODE = 2
    NO_GRAD_MODE = 3
    INFERENCE_MODE = 4


REASONS = {
    CreationMeta.MULTI_OUTPUT_NODE: " This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.",
    CreationMeta.NO_GRAD_MODE: " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).",
}


class View:
    """What a view knows of its base.

    Attributes:
        base: the tensor that is no view itself.
        creation: see CreationMeta.
        seen_version: the version of the memory when the view's place in the graph was determined.
    """

    __slots__ = ("base", "creation", "seen_version")

    def __init__(self, base: Tensor, creation: CreationMeta, seen_version: int) -> None:
        self.base, self.creation, self.seen_version = base, creation, seen_version

    def refresh(self, view: Tensor) -> None:
        """Attach `view` to its base anew if the memory has changed since it was attached.

        Raises:
            RuntimeError: it was made in a way that does not allow this; see CreationMeta.
        """
        if view._grad_fn is None and self.base._grad_fn is None and not self.base._requires_grad:
            return
        if self.seen_version != view._version:
            if self.creation != CreationMeta.DEFAULT:
                raise RuntimeError(refusal(view, self, "its base or another view of its base has been"))
            window = window_of(view._array, self.base._array)
            node = make_node(AsStridedBackward0, (self.base,), (view._array,), {"window": window})
            move_retained_grad(view, node)
            view._grad_fn, view._output_nr = node, 0
            self.seen_version = view._version


def record_view(node_class: type[Node], array: Any, base: Tensor, /, **attributes: Any) -> Tensor:
    """As `record`, for a result that is a view of the memory of `base`: they share their version."""
    out = record(node_class, array, (base,), **attributes)
    make_view(out, base, creation_now())
    return out


def record_views(
    node_class: type[Node], arrays: Sequence[Any], base: Tensor, /, **attributes: Any
) -> tuple[Tensor, ...]:
    """As `record_many`, for results that are views of `base`. They may not be changed in place where gradients flow."""
    outs = record_many(node_class, arrays, (base,), **attributes)
    for out in outs:
        make_view(out, base, max(creation_now(), CreationMeta.MULTI_OUTPUT_NODE))
    return outs


def creation_now() -> CreationMeta:
    """How a view is made in the mode of this thread. A seam: in inference mode otherwise."""
    return CreationMeta.DEFAULT if mode.enabled else CreationMeta.NO_GRAD_MODE


def make_view(out: Tensor, base: Tensor, creation: CreationMeta) -> None:
    """Tell `out` that it lies on the memory of `base` (or of what `base` itself is a view of)."""
    counter = out._version_counter = base._shared_version()
    above = base._view
    if counter.known:  # a view of an inference tensor is one itself, and not known as a view
        creation = creation if above is None else max(creation, above.creation)
        out._view = View(base if above is None else above.base, creation, counter.value)


class CopySlices(Node):
    """The history of a base, a view of which was changed in place: its gradient outside the view passes, inside it goes through the change.

    Outside the view the gradient passes to the base as it was before; inside, it goes through `fn`, the operation's own node,
    whose first input was the view's old value.
    """

    namespace = "torch::autograd::"

    def apply(self, g: Any) -> tuple[Any, ...]:  # type: ignore[override]
        if g is None:
            return (None,) * len(self.next_nodes)
        if self.fn is None:
            raise RuntimeError(ALREADY_FREED)
        inside = read_window(g, self.window)
        with self.fn.unpacked():
            to_view, *others = self.fn.apply(inside)
        to_view = None if to_view is None else to_view.sum_to_size(inside.shape)
        return (write_window(g, to_view, self.window), *others)

    def release_variables(self) -> None:
        self.fn = None  # as in torch, also where it has saved nothing


def rebase_history(tensor: Tensor, node: Node) -> None:
    """Make `node` the origin of `tensor`, whose values it has just changed in place (the version is raised already)."""
    view = tensor._view
    if view is None:
        move_retained_grad(tensor, node)
        tensor._grad_fn, tensor._output_nr = node, 0
        return
    base = view.base
    attributes = {"fn": node, "window": window_of(tensor._array, base._array)}
    copy = make_node(CopySlices, (base,), (base._array,), attributes)
    copy.next_nodes += node.next_nodes[1:]
    copy.next_output_nrs += node.next_output_nrs[1:] or (0,) * len(node.next_nodes[1:])
    move_retained_grad(base, copy)
    base._grad_fn, base._output_nr = copy, 0
    view.seen_version = -1
    view.refresh(tensor)


def move_retained_grad(tensor: Tensor, node: Node) -> None:
    """A kept gradient is that of the tensor's newest value; hooks stay with the value they were registered on."""
    if tensor._retains_grad and tensor._grad_fn is not None:
        kept = tensor._grad_fn.retain_grad_hooks
        if kept and tensor._output_nr in kept:
            node.has_hooks = True
            node.retain_grad_hooks = {0: kept.pop(tensor._output_nr)}


LEAF = "a leaf Variable that requires grad is being used in an in-place operation."
VIEW_OF_LEAF = "a view of a leaf Variable that requires grad is being used in an in-place operation."


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
            raise RuntimeError(refusal(tensor, view, "is being"))
        if tensor.requires_grad and view.base.is_leaf:
            raise RuntimeError(VIEW_OF_LEAF)
    if tensor.requires_grad and tensor.is_leaf:
        raise RuntimeError(LEAF)


def refusal(tensor: Tensor, view: View, what_is_modified: str) -> str:
    """Why a view of that creation may not be changed in place: torch's `handle_view_on_rebase`."""
    node = tensor._grad_fn
    if node is not None:
        start = (
            f"Output {tensor._output_nr} of {operation_name(node)} is a view and {what_is_modified} modified inplace."
        )
    else:
        mode_then, mode_now = MODES[view.creation] if view.creation in MODES else MODES[CreationMeta.NO_GRAD_MODE]
        start = f"A view was created in {mode_then} and {what_is_modified} modified inplace {mode_now}."
    return start + REASONS[view.creation]


MODES = {CreationMeta.NO_GRAD_MODE: ("no_grad mode", "with grad mode enabled")}
