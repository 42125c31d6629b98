"""`backward` and `grad`: from tensors to a backward pass of the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_impl._tensor import Tensor
from reference_impl.autograd.engine import run_backward
from reference_impl.autograd.node import Edge, gradient_edge

_UNUSED = (
    "The differentiated Tensor at index {0} appears to not have been used in the graph. Set allow_unused=True if this is "
    "the desired behavior."
)


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
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
    outputs = _as_tuple(tensors)
    if inputs is not None and len(_as_tuple(inputs)) == 0:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    grads = _root_gradients(outputs, grad_tensors)
    wanted = []
    for t in _as_tuple(inputs) if inputs is not None else ():
        t.retain_grad()
        wanted.append(gradient_edge(t))
    run_backward(
        _root_edges(outputs),
        grads,
        keep_graph=create_graph if retain_graph is None else retain_graph,
        create_graph=create_graph,
        inputs=wanted,  # type: ignore[arg-type]
    )


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """The gradients of the sum of `outputs` with respect to `inputs`, without touching any `.grad`.

    Only the part of the graph between the two runs.

    Args:
        grad_outputs: a gradient for each output, of its shape.
        allow_unused: give None for an input that the outputs don't depend on, instead of raising.
        materialize_grads: give zeros there.

    Raises:
        RuntimeError: as `backward`; also for an input that was not used.
    """
    if is_grads_batched:
        raise NotImplementedError("is_grads_batched needs vmap, which is out of the scope of reference_impl")
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    allow_unused = materialize_grads if allow_unused is None else allow_unused
    outs, ins = _as_tuple(outputs), _as_tuple(inputs)
    edges: list[Edge] = []
    for t in ins:
        edge = t if isinstance(t, tuple) else gradient_edge(t)
        if edge is None:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
        edges.append(edge)
    results = run_backward(
        _root_edges(outs),
        _root_gradients(outs, grad_outputs),
        keep_graph=create_graph if retain_graph is None else retain_graph,
        create_graph=create_graph,
        inputs=edges,
        accumulate_grad=False,
    )
    for index, result in enumerate(results):
        if result is None and not allow_unused:
            raise RuntimeError(_UNUSED.format(index))
        if result is None and materialize_grads:
            results[index] = Tensor._wrap(np.zeros_like(ins[index]._array))
    return tuple(results)


def _as_tuple(tensors: Any) -> tuple[Any, ...]:
    if isinstance(tensors, Tensor) or (isinstance(tensors, tuple) and hasattr(tensors, "node")):
        return (tensors,)
    return tuple(tensors)


def _root_edges(outputs: tuple[Tensor, ...]) -> list[Edge]:
    edges = []
    for index, t in enumerate(outputs):
        edge = gradient_edge(t)
        if edge is None:
            raise RuntimeError(f"element {index} of tensors does not require grad and does not have a grad_fn")
        edges.append(edge)
    return edges


def _root_gradients(outputs: tuple[Tensor, ...], given: Any) -> list[Tensor]:
    """A gradient for each output: the given one, or 1 where the output is a single element."""
    gradients: Sequence[Any] = (None,) * len(outputs) if given is None else _as_tuple(given)
    if len(gradients) != len(outputs):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(gradients)} gradients")
    result = []
    for index, (output, gradient) in enumerate(zip(outputs, gradients, strict=True)):
        if gradient is None:
            if output.requires_grad and output.numel() != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            gradient = Tensor._wrap(np.ones_like(output._array))
        elif not isinstance(gradient, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(gradient).__name__}")
        elif gradient.shape != output.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{index}] has a shape of {gradient.shape} and output[{index}] has a shape "
                f"of {output.shape}."
            )
        result.append(gradient)
    return result
