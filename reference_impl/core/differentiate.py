"""`backward` and `grad`: from tensors to a backward pass."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from reference_impl.core.backward import run_backward
from reference_impl.core.node import gradient_edge
from reference_impl.core.tensor import Tensor

Outputs = Tensor | Sequence[Any]
"""One tensor or several. A gradient edge, a tuple (node, number of its output, ...), may take the place of each."""


def backward(
    tensors: Outputs,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Compute the gradients of `tensors` with respect to the leaves and add them to their `.grad`.

    Args:
        tensors: one tensor or several.
        grad_tensors: a gradient for each, of its shape; may be left out for tensors of one element.
        retain_graph: keep what the nodes saved, for another pass; default: as `create_graph`.
        create_graph: record the pass itself, for higher derivatives.
        inputs: fill the `.grad` of these tensors only.

    Raises:
        RuntimeError: a tensor does not require grad, a gradient is missing or has the wrong shape, or the graph was freed.
    """
    listed = () if inputs is None else given_inputs(inputs, "backward")
    outputs = as_tuple(tensors)
    grads = root_gradients(outputs, grad_tensors)
    edges = root_edges(outputs, grads)
    for t in listed:
        if isinstance(t, Tensor):
            t.retain_grad()
    keep = create_graph if retain_graph is None else retain_graph
    run_backward(edges, grads, keep_graph=keep, create_graph=create_graph, inputs=input_edges(listed))


def grad(
    outputs: Outputs, inputs: Outputs, grad_outputs: Any = None, retain_graph: bool | None = None, create_graph: bool = False,
    allow_unused: bool | None = None, materialize_grads: bool = False,
) -> tuple[Any, ...]:  # fmt: skip
    """The gradients of the sum of `outputs` with respect to `inputs`, without touching any `.grad`.

    Only the part of the graph between the two runs.

    Args:
        grad_outputs: a gradient for each output, of its shape.
        allow_unused: give None for an input that the outputs don't depend on, instead of raising.
        materialize_grads: give zeros there.

    Raises:
        RuntimeError: as `backward`; also for an input that was not used.
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    outs, ins = as_tuple(outputs), given_inputs(inputs, "grad")
    keep = create_graph if retain_graph is None else retain_graph
    grads = root_gradients(outs, grad_outputs)
    edges = root_edges(outs, grads)
    results = run_backward(
        edges, grads, keep_graph=keep, create_graph=create_graph, inputs=input_edges(ins), accumulate_grad=False
    )
    for index, (result, t) in enumerate(zip(results, ins, strict=True)):
        if result is None and materialize_grads:
            results[index] = zeros_for(t, create_graph)
        elif result is None and not allow_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {index} appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior."
            )
    return tuple(results)


def backward_of(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Compute the gradients of the leaves and add them to their `.grad`. See `torch.autograd.backward`."""
    backward(self, gradient, retain_graph, create_graph, inputs)


Tensor.backward = backward_of  # type: ignore[attr-defined]


def as_tuple(tensors: Any) -> tuple[Any, ...]:
    return (tensors,) if isinstance(tensors, Tensor) or is_edge(tensors) else tuple(tensors)


def is_edge(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "node")


def given_inputs(inputs: Any, name: str) -> tuple[Any, ...]:
    listed = as_tuple(inputs)
    if not listed:
        raise RuntimeError(f"`inputs` argument to `{name}()` cannot be empty.")
    return listed


def root_edges(outputs: Sequence[Any], grads: Sequence[Any]) -> list[Any]:
    if len(outputs) != len(grads):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(grads)} gradients")
    edges = [t[:2] if is_edge(t) else gradient_edge(t) for t in outputs]
    for index, (node, _) in enumerate(edges):
        if node is None:
            raise RuntimeError(f"element {index} of tensors does not require grad and does not have a grad_fn")
    return edges


def input_edges(inputs: Sequence[Any]) -> list[Any]:
    for t in inputs:
        if not isinstance(t, Tensor) and not is_edge(t):
            raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(t).__name__}")
        if isinstance(t, Tensor) and not t.requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    return [t[:2] if is_edge(t) else gradient_edge(t) for t in inputs]


def root_gradients(outputs: Sequence[Any], given: Any) -> list[Tensor]:
    """A gradient for each output: the given one, or 1 where the output is a single element.

    As in torch, gradients beyond the number of outputs are passed over.
    """
    gradients: Sequence[Any] = (None,) * len(outputs) if given is None else as_tuple(given)
    result = []
    for index, (output, gradient) in enumerate(zip(outputs, gradients, strict=False)):
        if not isinstance(output, Tensor) and not is_edge(output):
            raise AssertionError("Expected output to be a torch.Tensor")
        like = np.empty(*output.node.outputs[output.output_nr]) if is_edge(output) else output._array
        if gradient is None:
            if (is_edge(output) or output.requires_grad) and prod(like.shape) != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            gradient = Tensor._wrap(np.ones_like(like))
        elif not isinstance(gradient, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(gradient).__name__}")
        elif gradient._array.shape != like.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{index}] has a shape of {gradient.shape} and output[{index}] has a shape of torch.Size({list(like.shape)})."
            )
        result.append(gradient)
    return result


def zeros_for(unused: Any, requires_grad: bool) -> Tensor:
    if is_edge(unused):
        raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
    zeros = Tensor._wrap(np.zeros_like(unused._array))
    zeros._requires_grad = requires_grad
    return zeros
