"""In-place operations, all by one rule.

`x.op_(...)` computes `op(x, ...)` as usual, writes the result into the memory of `x`, raises its version, and gives `x`
the place in the graph that the result had.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl._memory_order import is_dense
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node, gradient_edge, next_sequence_number
from reference_impl.autograd.recording import _save as save_inputs
from reference_impl.autograd.recording import needs_grad
from reference_impl.autograd.saved_variable import (
    RESULT,
    SavedVariable,
    default_hooks,
    packing,
    packing_order,
    replace_default_hooks,
)
from reference_impl.autograd.view import check_inplace, rebase_history


class _Watchers(threading.local):
    """Who wants to know of a change before it happens: `allow_mutation_on_saved_tensors`."""

    before_write: Callable[[Tensor], None] | None = None


watchers = _Watchers()


def announce_write(tensor: Tensor) -> None:
    """Every change in place comes through here before it happens."""
    if watchers.before_write is not None:
        watchers.before_write(tensor)


def apply_inplace(op: Callable[..., Tensor], tensor: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """`tensor.op_(*args, **kwargs)`.

    Raises:
        RuntimeError: the tensor may not be changed in place, or the result has another shape or a dtype that it cannot hold.
    """
    recorded = needs_grad(tensor, *args, *kwargs.values())
    check_inplace(tensor, recorded)
    check_no_overlap(tensor._array)
    for other in args:
        if isinstance(other, Tensor):
            check_no_partial_overlap(tensor, other)
    # Hooks on saved tensors see what is kept: the old values before the change, the result after it.
    hooks = replace_default_hooks(()) if packing else ()
    try:
        result = op(tensor, *args, **kwargs)
    finally:
        if hooks:
            replace_default_hooks(hooks)
    source = result._array
    check_writable(tensor, source)
    node = result._grad_fn if recorded else None
    if node is not None and node.saved:
        _keep_old_value(node, tensor)
    write(tensor, source)
    if node is not None:
        if node.saved:
            _settle_results(node, tensor)
        rebase_history(tensor, node)
        if hooks and node.saved:
            _pack_results(node, tensor)
    return tensor


def _keep_old_value(node: Any, tensor: Tensor) -> None:
    """A formula that needs the value from before the change gets a copy of it (torch's `self.clone()`).

    Only in the place of `self`: in `x.mul_(x)` the other factor is kept as it is, and found changed in the backward pass.
    """
    if "self" in node.saved_names and node.saved[node.saved_names.index("self")] is tensor:
        clone = tensor.clone()
        node.save([clone if name == "self" else kept for name, kept in zip(node.saved_names, node.saved, strict=True)])
    if default_hooks.stack:
        for index in packing_order(node.saved_names, node.saved):
            if isinstance(node.saved[index], Tensor):
                node.raw_saved(index).register_hooks(*default_hooks.stack[-1])


def _settle_results(node: Any, tensor: Tensor) -> None:
    """A saved result is now what lies in `tensor`."""
    for index, kept in enumerate(node.saved):
        if kept is RESULT:
            node._result, node._result_counter = tensor._array, tensor._shared_version()
            versions = node.saved_versions
            node.saved_versions = (*versions[:index], tensor._version, *versions[index + 1 :])
        elif isinstance(kept, SavedVariable) and kept.is_output:
            kept.rebind(tensor)


def _pack_results(node: Any, tensor: Tensor) -> None:
    for index, kept in enumerate(node.saved):
        if kept is RESULT or (isinstance(kept, SavedVariable) and kept.is_output):
            node.raw_saved(index).register_hooks(*default_hooks.stack[-1], tensor)


def write(tensor: Tensor, array: Any) -> Tensor:
    """Change the values of `tensor` to `array`, outside the graph: `zero_`, `fill_`, random fills, `set_`."""
    announce_write(tensor)
    np.copyto(tensor._array, array, casting="unsafe")
    tensor._bump_version()
    return tensor


def change(
    tensor: Tensor,
    write: Callable[[Any], Any],
    node_class: type[Node],
    others: Sequence[Any] = (),
    saved: Sequence[Any] = (),
    **attributes: Any,
) -> Tensor:
    """An in-place operation of which no gradient needs the old values: `write` changes the array where it is.

    Args:
        node_class: its first input is `tensor`, then follow `others`.
        saved, attributes: as for `record`.
    """
    recorded = needs_grad(tensor, *others) and tensor._array.dtype.kind == "f"
    check_inplace(tensor, recorded)
    node = None
    if recorded:
        edges = tuple([gradient_edge(t) if isinstance(t, Tensor) else None for t in (tensor, *others)])
        node = make_node(node_class, tensor._array, edges, saved, attributes)
    announce_write(tensor)
    write(tensor._array)
    tensor._bump_version()
    if node is not None:
        rebase_history(tensor, node)
    return tensor


def make_node(node_class: type[Node], array: Any, edges: Any, saved: Sequence[Any], attributes: dict[str, Any]) -> Node:
    """A node whose one output looks like `array`."""
    node = object.__new__(node_class)
    node.next_edges = edges
    node.sequence_number = next_sequence_number()
    node.output_metadata = (array.shape, array.dtype)
    for name, value in attributes.items():
        setattr(node, name, value)
    if saved:
        save_inputs(node, saved)
    return node


def check_writable(tensor: Tensor, source: Any) -> None:
    """Whether `source` fits into `tensor`.

    Raises:
        RuntimeError: it does not, by shape or by category of dtype.
    """
    target = tensor._array
    if source.shape != target.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(source.shape)}"
        )
    if _dtype._category[source.dtype.kind] > _dtype._category[target.dtype.kind]:
        given, wanted = _dtype.from_numpy(source.dtype), _dtype.from_numpy(target.dtype)
        raise RuntimeError(
            f"result type {given.tensor_type} can't be cast to the desired output type {wanted.tensor_type}"
        )


_SHARED = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. "
    "Please clone() the tensor before performing the operation."
)


def check_no_partial_overlap(target: Tensor, source: Tensor) -> None:
    """Whether `source` lies on other memory than `target`, or on exactly the same.

    As in torch only tensors without gaps are looked at; for others the question is too hard.

    Raises:
        RuntimeError: they share a part.
    """
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
    """Whether `source` lies on other memory than `target`; as for `check_no_partial_overlap`, where that is easily told.

    Raises:
        RuntimeError: they share all or a part.
    """
    same = target._array is source._array or (
        target._array.size
        and _backend.address_of(target._array) == _backend.address_of(source._array)
        and is_dense(target._array)
        and is_dense(source._array)
    )
    if same and target._array.size and source._array.size and is_dense(target._array):
        raise RuntimeError(_SHARED)
    check_no_partial_overlap(target, source)


def shares_elements(target: Any) -> bool:
    """Whether elements of `target` lie in the same memory, as those of an expanded tensor."""
    return (
        0 in target.strides
        and bool(target.size)
        and any(s == 0 and n > 1 for s, n in zip(target.strides, target.shape, strict=True))
    )


def warn_of_overlap(target: Any, operation: str, example: str) -> None:
    """torch's warning where an `operation` writes into an expanded tensor nevertheless."""
    if shares_elements(target):
        warnings.warn(
            f"Use of {operation} on expanded tensors is deprecated. Please clone() the tensor before performing this operation. "
            f"This also applies to advanced indexing e.g. {example}",
            UserWarning,
            stacklevel=4,
        )


def check_no_overlap(target: Any) -> None:
    """Whether every element of `target` has memory of its own.

    Raises:
        RuntimeError: an expanded tensor, whose elements share some.
    """
    if shares_elements(target):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation."
        )
