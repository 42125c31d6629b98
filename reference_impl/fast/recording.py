"""Record an operation by one function, instead of by `record`, `make_node` and `gradient_edge` of the core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_impl._backend import as_array
from reference_impl.core import record as core_record
from reference_impl.core import saving
from reference_impl.core.extensions import extensions, states
from reference_impl.core.modes import mode, threads_not_recording
from reference_impl.core.node import Node, accumulator_of, next_sequence_number
from reference_impl.core.saving import RESULT, SavedTensor
from reference_impl.core.tensor import Tensor, VersionCounter
from reference_impl.fast import replaces

_new, _ndarray = object.__new__, np.ndarray
ONLY_RESULT = (RESULT,)


@replaces(core_record.record)
def record(
    node_class: type[Node], array: Any, inputs: Sequence[Any], saved: Sequence[Any] = (), **attributes: Any
) -> Tensor:
    """Wrap the result of an operation in a tensor and, if an input requires grad, record its node. Replaces `core.record.record`.

    The steps are those of the core, without calls of functions: create the tensor (`Tensor._wrap`), find the node of each input
    (`gradient_edge`), create the node (`make_node`), save tensors (`save`).
    """
    if threads_not_recording and not mode.enabled:
        return Tensor._wrap(array)
    out = _new(Tensor)
    out._array = array = array if array.__class__ is _ndarray else as_array(array)
    out._view = out._version_counter = out._grad_fn = None
    out._output_nr = 0
    # For `x * 2`, where `x` is a leaf that requires grad, `next_nodes` becomes [AccumulateGrad, None].
    next_nodes: list[Node | None] = []
    last_node: Node | None = None
    has_view_without_node = has_output_nrs = False
    for t in inputs:
        next_node = None
        if isinstance(t, Tensor):
            view = t._view
            if view is not None:
                view.refresh(t)
            next_node = t._grad_fn
            if next_node is not None:
                last_node = next_node
                if t._output_nr:
                    has_output_nrs = True
            elif t._requires_grad:
                reference = t._accumulator
                last_node = next_node = (reference and reference()) or accumulator_of(t)
            elif view is not None and t.requires_grad:  # created under no_grad: no gradient flows to its base
                has_view_without_node = True
        next_nodes.append(next_node)
    if last_node is None and not has_view_without_node:
        return out
    # Most results have the shape and dtype of an input. Then both nodes share one tuple `outputs`, which saves time and memory.
    dtype = array.dtype
    outputs = last_node.outputs if last_node is not None else ()
    if len(outputs) != 1 or outputs[0][1] is not dtype or outputs[0][0] != array.shape:
        if dtype.kind != "f":
            return out
        outputs = ((array.shape, dtype),)
    node = out._grad_fn = node_class()
    node.next_nodes = tuple(next_nodes)
    if has_output_nrs:
        node.next_output_nrs = tuple([t._output_nr if isinstance(t, Tensor) else 0 for t in inputs])
    node.sequence_number = next_sequence_number()
    node.outputs = outputs
    if attributes:
        for name, value in attributes.items():
            setattr(node, name, value)
    if saved:
        if saved is ONLY_RESULT and not states.pack_hooks:
            node.saved = (_saved_result(out),)
        else:
            saving.save(node, saved, (out,))
    if states.observed:
        extensions.node_recorded(node)
    return out


def _saved_result(out: Tensor) -> SavedTensor:
    result = _new(SavedTensor)
    counter = out._version_counter
    if counter is None:
        counter = out._version_counter = _new(VersionCounter)
        counter.value = result.version = 0
    else:
        result.version = counter.value
    tensor = result.tensor = _new(Tensor)
    tensor._array, tensor._version_counter = out._array, counter
    tensor._grad_fn = tensor._view = None
    tensor._output_nr = result.output_nr = 0
    return result
