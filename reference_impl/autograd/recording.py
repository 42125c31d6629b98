"""How an operation becomes a node: the one function that every differentiable operation calls last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reference_impl import _backend
from reference_impl._tensor import Tensor
from reference_impl.autograd import anomaly_mode
from reference_impl.autograd.grad_mode import in_inference_mode, mode, not_recording
from reference_impl.autograd.node import NOTHING, Node, accumulator_of, gradient_edge, next_sequence_number
from reference_impl.autograd.saved_variable import (
    ONLY_RESULT,
    RESULT,
    SavedVariable,
    default_hooks,
    packing,
    packing_order,
    refuse_inference,
)
from reference_impl.autograd.view import CreationMeta, View

_ndarray = _backend.np.ndarray
_as_array = _backend.as_array
_new = object.__new__
_anomaly = anomaly_mode.mode


def needs_grad(*tensors: Any) -> bool:
    """Whether an operation on `tensors` (None and numbers are passed over) has to be recorded."""
    if not_recording and not mode.enabled:
        return False
    for t in tensors:
        if isinstance(t, Tensor) and t.requires_grad:
            return True
    return False


def wants_grad(t: Tensor) -> bool:
    """`t.requires_grad`, which as a property takes longer."""
    return t._grad_fn is not None or t._requires_grad or (t._view is not None and t.requires_grad)


def unrecorded(array: Any) -> Tensor:
    """The result of an operation while nothing is recorded."""
    out = _new(Tensor)
    out._array = array if array.__class__ is _ndarray else _as_array(array)
    out._view = out._version_counter = out._grad_fn = None
    out._output_nr = 0
    if in_inference_mode and mode.inference:
        out._inference = True
    return out


def record(
    node_class: type[Node], array: Any, inputs: Sequence[Any], saved: Sequence[Any] = (), **attributes: Any
) -> Tensor:
    """Wrap the result of an operation and, where gradients are wanted, remember how it was made.

    Args:
        node_class: holds the formulas of the gradients.
        array: the result.
        inputs: the tensors that the result can be differentiated for, in the order of the formulas; what is not a tensor
            (a number, None) takes no gradient.
        saved: what `node_class.saved_names` names: tensors, None, or RESULT for the result itself.
        attributes: plain values that the formulas need; they become attributes of the node.
    """
    if not_recording and not mode.enabled:
        return unrecorded(array)
    out = _new(Tensor)
    out._array = array = array if array.__class__ is _ndarray else _as_array(array)
    out._view = out._version_counter = out._grad_fn = None
    out._output_nr = 0
    nodes: list[Node | None] = []
    wanted: Node | None = None
    numbered = False
    for t in inputs:
        maker = None
        if isinstance(t, Tensor):
            if t._view is not None:
                t._view.refresh(t)
            maker = t._grad_fn
            if maker is not None:
                wanted = maker
                if t._output_nr:
                    numbered = True
            elif t._requires_grad or (t._view is not None and t.requires_grad):
                reference = t._accumulator
                wanted = maker = (reference and reference()) or accumulator_of(t)
        nodes.append(maker)
    if wanted is None:
        return out
    # Mostly a result is like an operand, and the two nodes share what says so.
    metadata, dtype = wanted.output_metadata, array.dtype
    if len(metadata) != 2 or metadata[1] is not dtype or metadata[0] != array.shape:
        if dtype.kind != "f":
            return out
        metadata = (array.shape, dtype)
    node = out._grad_fn = node_class()
    node.next_nodes = tuple(nodes)
    if numbered:
        node.next_output_nrs = _output_nrs(inputs)
    node.sequence_number = next_sequence_number()
    node.output_metadata = metadata
    if attributes:
        for name, value in attributes.items():
            setattr(node, name, value)
    if saved is ONLY_RESULT and not packing:
        node.saved, node.saved_versions, node._result = saved, _UNCHANGED[1], array
    elif saved:
        _save(node, saved, (out,))
    if _anomaly.enabled:
        node.forward_location = anomaly_mode.current_location()
    return out


def _output_nrs(inputs: Sequence[Any]) -> tuple[int, ...]:
    return tuple([t._output_nr if isinstance(t, Tensor) else 0 for t in inputs])


def _save(node: Node, saved: Sequence[Any], outs: Sequence[Tensor] = (), several: bool = False) -> None:
    """Keep what `saved` names, each tensor as it is where that is possible: most nodes then need no object more."""
    if several or (packing and default_hooks.stack):
        kept: list[Any] = [None] * len(saved)
        for i in packing_order(node.saved_names, saved) if default_hooks.stack else range(len(saved)):
            kept[i] = _saved_variable(saved[i], outs)
        node.saved = tuple(kept)
        if default_hooks.stack:
            node.has_hooks = True
        node.saved_versions = _versions(node.saved)
        return
    unchanged = True
    for t in saved:
        if t is RESULT:
            node._result = outs[0]._array
        elif t is None:
            unchanged = False
        else:
            if t._inference:
                refuse_inference(t)
            if t._version_counter is not None or (t._grad_fn is not None and t._grad_fn._result_counter is not None):
                unchanged = False
    node.saved = tuple(saved)
    node.saved_versions = _UNCHANGED[len(saved)] if unchanged and len(saved) < 16 else _versions(node.saved)


def _versions(saved: Sequence[Any]) -> tuple[int, ...]:
    """The versions of what is saved; one tuple for all nodes with the same, as long as there are not many of them."""
    versions = tuple([NOTHING if t is None else t._version for t in saved])
    return _known.setdefault(versions, versions) if len(_known) < 100 else _known.get(versions, versions)


_known: dict[tuple[int, ...], tuple[int, ...]] = {}


def _saved_variable(t: Any, outs: Sequence[Tensor]) -> Any:
    """What is kept of `t`: a tensor, None, RESULT or (RESULT, number of the result)."""
    if t is None:
        return None
    if t is RESULT or t.__class__ is tuple:
        number = 0 if t is RESULT else t[1]
        kept = SavedVariable(outs[number], True, default_hooks.stack)
        kept.output_nr = number
        return kept
    refuse_inference(t)
    return SavedVariable(t, False, default_hooks.stack) if default_hooks.stack else t


# The versions of 0, 1, ... tensors that nobody has changed: one tuple for all nodes, as each is one object more to follow.
_UNCHANGED = tuple((0,) * n for n in range(16))


def record_many(
    node_class: type[Node],
    arrays: Sequence[Any],
    inputs: Sequence[Any],
    saved: Sequence[Any] = (),
    differentiable: Sequence[bool] | None = None,
    **attributes: Any,
) -> tuple[Tensor, ...]:
    """As `record`, for an operation with several results; `saved` may hold (RESULT, i) for result number i.

    The node's `apply` receives one gradient per result, None for those that were not used.

    Args:
        differentiable: which results take part in the graph (those of integer dtype never do).
    """
    outs = tuple([Tensor._wrap(a) for a in arrays])
    if not needs_grad(*inputs):
        return outs
    node = _new(node_class)
    node.next_edges = tuple([gradient_edge(t) if isinstance(t, Tensor) else None for t in inputs])
    node.sequence_number = next_sequence_number()
    node.output_metadata = tuple([x for o in outs for x in (o._array.shape, o._array.dtype)])
    for name, value in attributes.items():
        setattr(node, name, value)
    _save(node, saved, outs, several=True)
    for i, out in enumerate(outs):
        if out._array.dtype.kind == "f" and (differentiable is None or differentiable[i]):
            out._edge = (node, i)
    if _anomaly.enabled:
        node.forward_location = anomaly_mode.current_location()
    return outs


def record_some(
    node_class: type[Node], arrays: Sequence[Any], inputs: Sequence[Any], saved: Sequence[Any] = (), **attributes: Any
) -> tuple[Tensor | None, ...]:
    """As `record_many`, for results of which some were not wanted: None among the arrays, and in what is returned. The node's
    `apply` receives a gradient per array, wanted or not."""
    made = [a for a in arrays if a is not None]
    outs = iter(record_many(node_class, made, inputs, saved, **attributes))
    some = tuple([None if a is None else next(outs) for a in arrays])
    node = next((out._grad_fn for out in some if out is not None), None)
    if node is not None:
        for number, out in enumerate(some):
            if out is not None:
                out._output_nr = number
        node.output_metadata = tuple([x for a in arrays for x in ((made[0] if a is None else a).shape, made[0].dtype)])
    return some


def record_view(node_class: type[Node], array: Any, base: Tensor, /, **attributes: Any) -> Tensor:
    """As `record`, for a result that is a view of the memory of `base`: they share their version."""
    if mode.enabled:
        out = record(node_class, array, (base,), **attributes)
        make_view(out, base, CreationMeta.DEFAULT)
    else:
        out = unrecorded(array)
        make_view(out, base, _unrecorded_view())
    return out


def record_views(
    node_class: type[Node], arrays: Sequence[Any], base: Tensor, /, **attributes: Any
) -> tuple[Tensor, ...]:
    """As `record_many`, for results that are views of `base`. They may not be changed in place where gradients flow."""
    outs = record_many(node_class, arrays, (base,), **attributes)
    for out in outs:
        make_view(out, base, CreationMeta.MULTI_OUTPUT_NODE if mode.enabled else _unrecorded_view())
    return outs


def _unrecorded_view() -> CreationMeta:
    return CreationMeta.INFERENCE_MODE if mode.inference else CreationMeta.NO_GRAD_MODE


def make_view(out: Tensor, base: Tensor, creation: CreationMeta) -> None:
    """Tell `out` that it lies on the memory of `base` (or of what `base` itself is a view of).

    A view of an inference tensor is one itself, and not known as a view; any other view is not, also in inference mode.
    """
    counter = base._shared_version()
    out._version_counter = counter
    if base._inference:
        out._inference = True
        return
    if out._inference:
        out._inference = False
    above = base._view
    if above is None:
        out._view = View(base, creation, counter[0])
    else:
        out._view = View(above.base, max(creation, above.creation), counter[0])
