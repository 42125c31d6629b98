"""`backward` and `grad`: from tensors to a backward pass."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from reference_impl.core.backward import run_backward
from reference_impl.core.declare import publish
from reference_impl.core.node import NOWHERE, gradient_edge
from reference_impl.core.tensor import Tensor

UNUSED = "The differentiated Tensor at index {} appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior."
NO_GRAPH = "element {} of tensors does not require grad and does not have a grad_fn"
MISMATCH = "Mismatch in shape: grad_output[{}] has a shape of {} and output[{}] has a shape of torch.Size({})."


def backward(
    tensors: Any, grad_tensors: Any = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Any = None
) -> None:  # fmt: skip
    """Compute the gradients of `tensors`, one or several, with respect to the leaves, and add them to their `.grad`.

    Args:
        grad_tensors: a gradient for each, of its shape; may be left out for tensors of one element.
        retain_graph: keep what the nodes saved, for another pass; default: as `create_graph`, which records the pass itself.
        inputs: fill the `.grad` of these tensors only.
    """
    for t in () if inputs is None else as_tuple(inputs):
        if isinstance(t, Tensor):
            t.retain_grad()
    targets = () if inputs is None else input_edges(as_tuple(inputs), "backward")
    run_backward(*roots(tensors, grad_tensors), retain_graph=retain_graph, create_graph=create_graph, inputs=targets)


def grad(
    outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: bool | None = None, create_graph: bool = False,
    allow_unused: bool | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """The gradients of the sum of `outputs` with respect to `inputs`, without touching any `.grad`.

    Only the part of the graph between the two runs.

    Args:
        grad_outputs: a gradient for each output, of its shape.
        allow_unused: give None for an input that the outputs don't depend on, instead of raising.

    Raises:
        RuntimeError: as `backward`; also for an input that was not used.
    """
    targets = input_edges(as_tuple(inputs), "grad")
    how: Any = dict(retain_graph=retain_graph, create_graph=create_graph, inputs=targets, accumulate_grad=False)
    results = run_backward(*roots(outputs, grad_outputs), **how)
    unused = [index for index, result in enumerate(results) if result is None]
    if unused and not allow_unused:
        raise RuntimeError(UNUSED.format(unused[0]))
    return tuple(results)


publish(lambda self, gradient=None, retain_graph=None, create_graph=False, inputs=None:
        backward(self, gradient, retain_graph, create_graph, inputs), "backward")  # fmt: skip


def as_tuple(tensors: Any) -> tuple[Any, ...]:
    return (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)


def input_edges(inputs: Sequence[Any], name: str) -> list[Any]:
    if not inputs:
        raise RuntimeError(f"`inputs` argument to `{name}()` cannot be empty.")
    edges = [gradient_edge(t) for t in inputs]
    if NOWHERE in edges:
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    return edges


def roots(outputs: Any, given: Any) -> tuple[list[Any], list[Any]]:
    """The edges where a pass begins, and a gradient for each: the given one, or 1 where the output is a single element."""
    outputs = as_tuple(outputs)
    edges, gradients = [gradient_edge(t) for t in outputs], [None] * len(outputs) if given is None else as_tuple(given)
    if len(gradients) < len(edges):  # as in torch, gradients beyond the number of outputs are passed over
        raise RuntimeError(f"got {len(edges)} tensors and {len(gradients)} gradients")
    if NOWHERE in edges:
        raise RuntimeError(NO_GRAPH.format(edges.index(NOWHERE)))
    return edges, [seed(index, *one) for index, one in enumerate(zip(outputs, edges, gradients, strict=False))]


def seed(index: int, output: Any, edge: Any, gradient: Any) -> Tensor:
    """What is sent into the graph at the edge of `output`."""
    shape, dtype = edge[0].outputs[edge[1]]
    if gradient is None and prod(shape) == 1:
        return Tensor._wrap(np.ones_like(output._array))
    return checked(index, gradient, shape, dtype)


def checked(index: int, gradient: Any, shape: tuple[int, ...], dtype: np.dtype) -> Tensor:
    """A gradient that was given."""
    if gradient is None:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    if not isinstance(gradient, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(gradient).__name__}")
    if gradient._array.shape != shape:
        raise RuntimeError(MISMATCH.format(index, gradient.shape, index, list(shape)))
    return gradient if gradient._array.dtype == dtype else gradient._to_numpy_dtype(dtype)
