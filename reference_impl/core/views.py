"""Views, and in-place operations on them.

A view shares memory and version with its base. After an in-place operation on the view, view and base get a new `grad_fn`. For the base,
it is a `CopySlices` node, which runs the operation's backward on the elements of the gradient that the view covers. Other views of this
base detect the change by the version. Each is then recorded again, as a view of the changed base (`AsStridedBackward0`). After an
in-place operation on the base itself, all its views are recorded again in the same way.
See torch/csrc/autograd/variable.cpp, `VariableHooks::rebase_history` and `grad_fn`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from math import prod
from typing import Any

import numpy as np

from reference_impl.core.extensions import extensions
from reference_impl.core.modes import mode
from reference_impl.core.node import ALREADY_FREED, Node
from reference_impl.core.record import make_node, record, record_many
from reference_impl.core.saving import operation_name
from reference_impl.core.tensor import Tensor


class CreationMeta(IntEnum):
    """How a view was created, and thus whether it may be changed in place. A view of a view has the larger value of the two."""

    DEFAULT = 0
    IN_CUSTOM_FUNCTION = 1
    MULTI_OUTPUT_NODE = 2
    NO_GRAD_MODE = 3
    INFERENCE_MODE = 4


REASONS = {
    CreationMeta.IN_CUSTOM_FUNCTION: " This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function.",
    CreationMeta.MULTI_OUTPUT_NODE: " This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.",
    CreationMeta.NO_GRAD_MODE: " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).",
}
REASONS[CreationMeta.INFERENCE_MODE] = REASONS[CreationMeta.NO_GRAD_MODE].replace("no_grad", "inference_mode")
MODES = {
    CreationMeta.NO_GRAD_MODE: ("no_grad mode", "with grad mode enabled"),
    CreationMeta.INFERENCE_MODE: ("inference mode", "in normal mode"),
}


class View:
    """The base of a view, and how the view was created.

    Attributes:
        base: the tensor that owns the memory, never a view itself.
        creation: see CreationMeta.
        seen_version: the version of the memory when the view's `grad_fn` was set.
    """

    __slots__ = ("base", "creation", "seen_version")

    def __init__(self, base: Tensor, creation: CreationMeta, seen_version: int) -> None:
        self.base, self.creation, self.seen_version = base, creation, seen_version

    def refresh(self, view: Tensor) -> None:
        """Give `view` a new `grad_fn` that leads to its base, if the memory was changed after the current `grad_fn` was set.

        Do nothing if neither the view nor its base needs a gradient.

        Raises:
            RuntimeError: the memory was changed, but the CreationMeta of the view forbids it.
        """
        if view._grad_fn is None and self.base._grad_fn is None and not self.base._requires_grad:
            return
        if self.seen_version != view._version:
            if self.creation != CreationMeta.DEFAULT:
                raise RuntimeError(inplace_message(view, self, "its base or another view of its base has been"))
            base = self.base._array
            attributes = {"sizes": base.shape, "indices": flat_indices(view._array, base)}
            set_gradient_edge(view, make_node(AsStridedBackward0, (self.base,), (view._array,), attributes))
            self.seen_version = view._version


def record_view(node_class: type[Node], array: Any, source: Tensor, /, **attributes: Any) -> Tensor:
    """Record an operation and return its result, a view with the memory and version of `source`. Arguments as in `record.record`."""
    out = record(node_class, array, (source,), **attributes)
    make_view(out, source, current_creation_meta())
    return out


def record_views(
    node_class: type[Node], arrays: Sequence[Any], source: Tensor, /, **attributes: Any
) -> tuple[Tensor, ...]:
    """Record an operation with several results, all views of `source`, and return them.

    As in torch, an operation in place on such a view raises RuntimeError if it is recorded.
    """
    outs = record_many(node_class, arrays, (source,), **attributes)
    for out in outs:
        make_view(out, source, max(current_creation_meta(), CreationMeta.MULTI_OUTPUT_NODE))
    return outs


def current_creation_meta() -> CreationMeta:
    """Return the CreationMeta of views that this thread creates in its current mode."""
    if mode.enabled:
        return CreationMeta.DEFAULT
    return CreationMeta.INFERENCE_MODE if mode.inference else CreationMeta.NO_GRAD_MODE


def make_view(out: Tensor, source: Tensor, creation: CreationMeta) -> None:
    """Make `out` a view of `source`, or of its base if `source` is a view. If `source` is an inference tensor, only share its counter."""
    counter = out._version_counter = source._shared_version()
    if counter.is_versioned:  # a view of an inference tensor is an inference tensor, and not recorded as a view
        view = source._view or View(source, creation, counter.value)
        out._view = View(view.base, max(creation, view.creation), counter.value)


def flat_indices(view: Any, base: Any) -> Tensor:
    """Return the index of each element of `view` in the flattened `base`, whose memory it shares.

    Example: `base` is a matrix of 2 rows and 3 columns in float32, with strides of 12 and 4 bytes. `view` is `base[:, 1:]`:

        offset          [[4, 8], [16, 20]]    bytes from the first element of `base`
        offset // 12    [[0, 0], [1, 1]]      row; the remainder is [[4, 8], [4, 8]]
        offset // 4     [[1, 2], [1, 2]]      column, from the remainder
        indices         [[1, 2], [4, 5]]      3 * row + column
    """
    offset = np.full_like(view, extensions.address_of(view) - extensions.address_of(base), np.int64)
    for d, stride in enumerate(view.strides):
        offset += stride * (np.cumsum(np.ones_like(offset), d) - 1)
    indices = np.zeros_like(offset)
    for d in np.argsort(base.strides)[::-1].tolist():  # from the largest stride to the smallest
        if base.shape[d] > 1 and base.strides[d]:
            index, offset = np.divmod(offset, base.strides[d])
            indices += index * prod(base.shape[d + 1 :])
    return Tensor._wrap(indices)


class AsStridedBackward0(Node):
    """A view of a tensor of shape `sizes`: the elements at `indices` in the flattened tensor receive g, all others 0.

    An element that the view contains more than once, after `expand`, receives the sum of its gradients.

    `torch.as_strided` records this node too. Several elements of its input may share a position in memory, so `sizes` and `indices`
    refer to positions in memory, not to elements. `input_indices` holds the position of each element of the input, and `counts` the
    number of elements of the input at each position. These elements share the gradient of their position equally.
    """

    input_indices = counts = None

    def grad_self(self, g: Tensor) -> Tensor:
        """Return the gradient of the input: g added to zeros at `indices`, and divided between elements that share a position."""
        flat = g.new_zeros(prod(self.sizes)).index_put((self.indices,), g, True)
        return flat.reshape(self.sizes) if self.input_indices is None else (flat / self.counts)[self.input_indices]


class CopySlices(Node):
    """An operation in place on a view, recorded for its base: outside the view the gradient is g, inside it that of the operation.

    `fn` is the node of the operation, which computes the gradient inside the view. Its first input was the old value of the view.
    `indices` has the index of each element of the view in the flattened base.
    """

    namespace = "torch::autograd::"

    def apply(self, g: Any) -> tuple[Any, ...]:  # type: ignore[override]
        """Return the gradient of the base, followed by the gradients of all inputs of `fn` but the first. If `g` is None, all are None.

        Raises:
            RuntimeError: `fn` was freed by an earlier backward pass.
        """
        if g is None:
            return (None,) * len(self.next_nodes)
        if self.fn is None:
            raise RuntimeError(ALREADY_FREED)
        flat = g.reshape(-1)
        inside = flat[self.indices]
        with extensions.unpack_hooks(self.fn):
            to_view, *to_others = self.fn.apply(inside)
        to_view = g.new_zeros(inside.shape) if to_view is None else to_view.to(g.dtype)
        return (flat.index_put((self.indices,), to_view).reshape(g.shape), *to_others)

    def release_variables(self) -> None:
        """Free `fn` and the values that it saved."""
        self.fn = None  # as in torch, even if it has saved nothing


def rebase_history(tensor: Tensor, node: Node) -> None:
    """Set the `grad_fn` of `tensor` after an in-place operation that is recorded as `node`.

    If `tensor` is not a view, its new `grad_fn` is `node`. If it is a view, its base gets a `CopySlices` node that contains `node`, and
    the view is recorded again, as an `AsStridedBackward0` of the base.
    """
    view = tensor._view
    if view is None:
        set_gradient_edge(tensor, node)
        return
    base = view.base
    attributes = {"fn": node, "indices": flat_indices(tensor._array, base._array)}
    copy = make_node(CopySlices, (base,), (base._array,), attributes)
    copy.next_nodes, copy.next_output_nrs = zip(*copy.next_functions, *node.next_functions[1:], strict=True)
    set_gradient_edge(base, copy)
    view.seen_version = -1  # an impossible version: `refresh` records the view again
    view.refresh(tensor)


def set_gradient_edge(tensor: Tensor, node: Node, output_nr: int = 0) -> None:
    """Set the `grad_fn` of a tensor, which is output `output_nr` of `node`, after its values were changed.

    The hook of `retain_grad` moves from the old node to `node`. Other hooks stay on the old node.
    """
    if tensor._retains_grad and tensor._grad_fn is not None:
        hooks = tensor._grad_fn.retain_grad_hooks
        if hooks and tensor._output_nr in hooks:
            node.has_hooks = True
            node.retain_grad_hooks = (node.retain_grad_hooks or {}) | {output_nr: hooks.pop(tensor._output_nr)}
    tensor._grad_fn, tensor._output_nr = node, output_nr


LEAF = "a leaf Variable that requires grad is being used in an in-place operation."
VIEW_OF_LEAF = "a view of a leaf Variable that requires grad is being used in an in-place operation."


def check_inplace(tensor: Tensor, recorded: bool) -> None:
    """Check that an operation may change `tensor` in place. An operation that is not `recorded` may change any tensor.

    Raises:
        RuntimeError: `tensor` is a leaf that requires grad, a view of such a leaf, or a view whose CreationMeta forbids the change.
    """
    if not recorded:
        return
    view = tensor._view
    if view is not None:
        if view.creation != CreationMeta.DEFAULT:
            raise RuntimeError(inplace_message(tensor, view, "is being"))
        if tensor.requires_grad and view.base.is_leaf:
            raise RuntimeError(VIEW_OF_LEAF)
    if tensor.requires_grad and tensor.is_leaf:
        raise RuntimeError(LEAF)


def inplace_message(tensor: Tensor, view: View, phrase: str) -> str:
    """Return torch's message for a view that must not be changed in place. `phrase` is "is being", or ends in "has been".

    See torch/csrc/autograd/variable.cpp, `handle_view_on_rebase`.
    """
    mode_of_creation, mode_of_change = MODES.get(view.creation, MODES[CreationMeta.NO_GRAD_MODE])
    text = f"was created in {mode_of_creation} and {phrase} modified inplace {mode_of_change}."
    if tensor._grad_fn is not None:
        origin = f"Output {tensor._output_nr} of {operation_name(tensor._grad_fn)} is a view"
        plain = f"{origin} and {phrase} modified inplace."
        return (f"{origin} of a view which {text}" if view.creation in MODES else plain) + REASONS[view.creation]
    return f"A view {text}" + REASONS[view.creation]
