"""Record an operation as a node of the graph. Every differentiable operation calls these functions last.

Their arguments are

    node_class          the class of the node, with the formulas of the gradients
    array               the result of the operation, an ndarray
    inputs              the inputs with a formula, in the order of the formulas; an input that is not a tensor (a number, None) needs
                        no gradient
    saved               the values for `node_class.saved_names`: tensors, None, or RESULT for the result itself; the node saves
                        those that its formulas will use
    attributes          numbers, dimensions, shapes that the formulas use; they become attributes of the node
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

from reference_impl.core import saving
from reference_impl.core.extensions import extensions, states
from reference_impl.core.modes import mode, threads_not_recording
from reference_impl.core.node import NO_EDGE, Node, gradient_edge, next_sequence_number
from reference_impl.core.tensor import Tensor


def needs_grad(*tensors: Any) -> bool:
    """Return whether recording is on and one of `tensors` requires grad. None and numbers among them are ignored."""
    if not threads_not_recording or mode.enabled:
        for t in tensors:
            if isinstance(t, Tensor) and t.requires_grad:
                return True
    return False


def record(node_class: type[Node], array: Any, inputs: Sequence[Any], saved: Sequence[Any] = (),
           **attributes: Any) -> Tensor:  # fmt: skip
    """Return a tensor around `array`. Record a node if `needs_grad(*inputs)` and `array` is floating-point. See the module's docstring."""
    out = Tensor._wrap(array)
    if out._array.dtype.kind == "f" and needs_grad(*inputs):
        out._grad_fn = node = make_node(node_class, inputs, (out._array,), attributes)
        if saved:
            saving.save(node, saved, (out,))
    return out


def record_many(
    node_class: type[Node], arrays: Sequence[Any], inputs: Sequence[Any], saved: Sequence[Any] = (),
    differentiable: Sequence[bool] = (), **attributes: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """Record an operation with several results and return a tuple of their tensors.

    For a result that is not needed, `arrays` contains None, and the returned tuple too. In `saved`, Result(i) stands for result number i.
    A result gets no `grad_fn` if its dtype is not floating point or its entry in `differentiable` is false. An empty `differentiable`
    means that all entries are true.
    """
    outs = tuple([None if array is None else Tensor._wrap(array) for array in arrays])
    if outs and needs_grad(*inputs):
        like = next(array for array in arrays if array is not None)
        node = make_node(node_class, inputs, [like if out is None else out._array for out in outs], attributes)
        for i, out in enumerate(outs):
            if out is not None and out._array.dtype.kind == "f" and (not differentiable or differentiable[i]):
                out._grad_fn, out._output_nr = node, i
        saving.save(node, saved, outs)  # type: ignore[arg-type]
    return outs


shape_and_dtype = attrgetter("shape", "dtype")
# Equal tuples share one object, which leaves less for Python's garbage collector to follow.
shared_tuple = lru_cache(lambda *outputs: outputs)


def make_node(node_class: type[Node], inputs: Sequence[Any], arrays: Sequence[Any], attributes: dict[str, Any]) -> Node:
    """Return a new node with an edge for each of `inputs`, an output for each of `arrays`, and these `attributes`."""
    node = node_class()
    next_nodes, numbers = [], []
    for t in inputs:
        next_node, number = gradient_edge(t) if isinstance(t, Tensor) else NO_EDGE
        next_nodes.append(next_node)
        numbers.append(number)
    node.next_nodes = tuple(next_nodes)
    if any(numbers):
        node.next_output_nrs = tuple(numbers)
    node.sequence_number = next_sequence_number()
    node.outputs = shared_tuple(*map(shape_and_dtype, arrays))
    for name, value in attributes.items():
        setattr(node, name, value)
    if states.observed:
        extensions.node_recorded(node)
    return node
