"""`backward` and `grad`: check their arguments and run a backward pass."""

from math import prod
from typing import Any

import numpy as np

from reference_impl.core.backward import run_backward
from reference_impl.core.declare import publish
from reference_impl.core.node import NO_EDGE, Node, gradient_edge
from reference_impl.core.tensor import Tensor

UNUSED_INPUT = "The differentiated Tensor at index {} appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior."
NO_INPUTS = "`inputs` argument to `{}()` cannot be empty."
NO_GRAPH = "element {} of tensors does not require grad and does not have a grad_fn"
SHAPE_MISMATCH = "Mismatch in shape: grad_output[{}] has a shape of {} and output[{}] has a shape of torch.Size({})."


def backward(tensors: Any, grad_tensors: Any = None, retain_graph: bool | None = None, create_graph: bool = False,
             inputs: Any = None) -> None:  # fmt: skip
    """Compute the gradients of `tensors`, a tensor or a sequence, with respect to the leaves, and add them to the `.grad` of the leaves.

    Args:
        grad_tensors: for each tensor a gradient of its shape; may be left out for tensors of one element.
        retain_graph: keep the saved values for another pass; default: `create_graph`, whether to record the pass itself.
        inputs: add to the `.grad` of these tensors only.
    """
    run_backward(*roots_and_gradients(tensors, grad_tensors), retain_graph=retain_graph, create_graph=create_graph,
                 inputs=() if inputs is None else input_edges(inputs, "backward"))  # fmt: skip


def grad(
    outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: bool | None = None, create_graph: bool = False,
    allow_unused: bool | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Return a tuple with the gradient of the sum of `outputs` with respect to each of `inputs`. No `.grad` changes.

    Only the nodes between `outputs` and `inputs` run.

    Args:
        grad_outputs: for each output a gradient of its shape; may be left out for outputs of one element.
        retain_graph, create_graph: as in `backward`.
        allow_unused: return None for an input that the outputs don't depend on, instead of raising an error.

    Raises:
        RuntimeError: `inputs` is empty, an output or an input does not require grad, the outputs don't depend on an input and
            `allow_unused` is not True, or a gradient in `grad_outputs` has the wrong shape or is missing.
        TypeError: a gradient in `grad_outputs` is not a tensor.
    """
    results = run_backward(*roots_and_gradients(outputs, grad_outputs), retain_graph=retain_graph, create_graph=create_graph,
                           inputs=input_edges(inputs, "grad"), accumulate_grad=False)  # fmt: skip
    unused = [index for index, result in enumerate(results) if result is None]
    if unused and not allow_unused:
        raise RuntimeError(UNUSED_INPUT.format(unused[0]))
    return tuple(results)


publish(lambda self, gradient=None, retain_graph=None, create_graph=False, inputs=None:
        backward(self, gradient, retain_graph, create_graph, inputs), "backward")  # fmt: skip


def as_tuple(tensors: Any) -> tuple[Any, ...]:
    """Return a tuple with the tensors of a sequence, or with the single tensor `tensors`."""
    return (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)


def input_edges(inputs: Any, function: str) -> list[Any]:
    """Return the edge of each of `inputs`. If `function` is "backward", also let inputs that are not leaves retain their gradient.

    Raises:
        RuntimeError: there are no inputs, or an input does not require grad.
    """
    inputs = as_tuple(inputs)
    if not inputs:  # a pass without inputs would add to the `.grad` of all leaves
        raise RuntimeError(NO_INPUTS.format(function))
    for t in inputs:
        if function == "backward":
            t.retain_grad()
        if not t.requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    # A view that was created under no_grad has no edge. A new node, which no gradient reaches, stands for it.
    return [(Node(), 0) if edge == NO_EDGE else edge for edge in map(gradient_edge, inputs)]


def roots_and_gradients(outputs: Any, grad_outputs: Any) -> tuple[list[Any], list[Any]]:
    """Return the edges and gradients with which a pass from `outputs` begins. Raise RuntimeError if an output has no graph or gradient."""
    outputs = as_tuple(outputs)
    gradients = [None] * len(outputs) if grad_outputs is None else as_tuple(grad_outputs)
    seeds = [seed_gradient(index, *pair) for index, pair in enumerate(zip(outputs, gradients, strict=False))]
    if len(seeds) < len(outputs):  # as in torch, gradients beyond the number of outputs are ignored
        raise RuntimeError(f"got {len(outputs)} tensors and {len(seeds)} gradients")
    edges = [gradient_edge(t) for t in outputs]
    if NO_EDGE in edges:
        raise RuntimeError(NO_GRAPH.format(edges.index(NO_EDGE)))
    return edges, seeds


def seed_gradient(index: int, output: Any, gradient: Any) -> Tensor:
    """Check and return `gradient`, the gradient of output number `index`. None becomes ones if `output` has one element or no graph."""
    if gradient is None and (prod(output._array.shape) == 1 or not output.requires_grad):
        return Tensor._wrap(np.ones_like(output._array))
    return validate_gradient(index, gradient, output._array.shape, output._array.dtype)


def validate_gradient(index: int, gradient: Any, shape: tuple[int, ...], dtype: np.dtype) -> Tensor:
    """Return `gradient`, the gradient of output number `index`, converted to `dtype`.

    Raises:
        RuntimeError: `gradient` is None, or its shape is not `shape`.
        TypeError: `gradient` is not a tensor.
    """
    if gradient is None:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    if not isinstance(gradient, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(gradient).__name__}")
    if gradient._array.shape != shape:
        raise RuntimeError(SHAPE_MISMATCH.format(index, gradient.shape, index, list(shape)))
    return gradient if gradient._array.dtype == dtype else gradient._to_numpy_dtype(dtype)
