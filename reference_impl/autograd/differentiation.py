"""`backward` and `grad`: from tensors to a backward pass of the engine."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reference_impl._settings import warn_once
from reference_impl._size import Size
from reference_impl._tensor import Tensor
from reference_impl.autograd.engine import run_backward
from reference_impl.autograd.node import Edge, gradient_edge

_REFERENCE_CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient which can "
    "cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you have to use this "
    "function, make sure to reset the .grad fields of your parameters to None after use to break the cycle and avoid the leak."
)
_ONLY_INPUTS = (
    "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other parts of the "
    "graph, please use torch.autograd.backward."
)
_BATCH_MISMATCH = (
    "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. The sizes of the "
    "remaining dimensions are expected to match the shape of corresponding output, but a mismatch was detected: {0} If you only "
    "want some tensors in `grad_output` to be considered batched, consider using vmap."
)
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
        inputs: fill the `.grad` of these tensors only: one, several, or a dict of them.

    Raises:
        RuntimeError: a tensor does not require grad, a gradient is missing or has the wrong shape, or the graph was freed.
    """
    if grad_variables is not None:
        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use "
                "`grad_tensors`."
            )
        grad_tensors = grad_variables
    if create_graph:
        warn_once(_REFERENCE_CYCLE, stacklevel=2)
    listed = () if inputs is None else _listed_inputs(inputs, "backward")
    outputs = _as_tuple(tensors)
    grads = _root_gradients(outputs, grad_tensors)
    roots = _root_edges(outputs, grads)
    for t in listed:
        if isinstance(t, Tensor):
            t.retain_grad()
    run_backward(
        roots,
        grads,
        keep_graph=create_graph if retain_graph is None else retain_graph,
        create_graph=create_graph,
        inputs=_input_edges(listed),
    )


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """The gradients of the sum of `outputs` with respect to `inputs`, without touching any `.grad`.

    Only the part of the graph between the two runs.

    Args:
        grad_outputs: a gradient for each output, of its shape.
        allow_unused: give None for an input that the outputs don't depend on, instead of raising.
        materialize_grads: give zeros there.
        is_grads_batched: `grad_outputs` have a further first dimension; one pass is made for each of its entries.
        only_inputs: no longer means anything.

    Returns:
        A tuple with one gradient per input; for a dict of inputs, a dict with the same keys.

    Raises:
        RuntimeError: as `backward`; also for an input that was not used.
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    if not only_inputs:
        warnings.warn(_ONLY_INPUTS, FutureWarning, stacklevel=2)
    allow_unused = materialize_grads if allow_unused is None else allow_unused
    outs, ins = _as_tuple(outputs), _listed_inputs(inputs, "grad")
    keep_graph = create_graph if retain_graph is None else retain_graph
    seeds = _root_gradients(outs, grad_outputs, is_grads_batched)
    if is_grads_batched:
        results = _one_pass_per_entry(outs, ins, seeds, keep_graph, create_graph, allow_unused)
    else:
        results = _gradients(outs, ins, seeds, keep_graph, create_graph, allow_unused)
    if materialize_grads:
        results = [_zeros_for(t, create_graph) if g is None else g for g, t in zip(results, ins, strict=True)]
    return dict(zip(inputs, results, strict=True)) if type(inputs) is dict else tuple(results)


def _zeros_for(unused: Any, requires_grad: bool) -> Tensor:
    if _is_edge(unused):
        raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
    zeros = Tensor._wrap(np.zeros_like(unused._array))
    zeros._requires_grad = requires_grad
    return zeros


def _listed_inputs(inputs: Any, name: str) -> tuple[Any, ...]:
    if isinstance(inputs, Mapping) and type(inputs) is not dict:
        raise TypeError(
            f"`inputs` argument to `{name}()` must be a dict, not {type(inputs).__name__}. Other Mapping types are not supported."
        )
    ins = tuple(inputs.values()) if type(inputs) is dict else _as_tuple(inputs)
    if not ins:
        raise RuntimeError(f"`inputs` argument to `{name}()` cannot be empty.")
    return ins


def _one_pass_per_entry(
    outs: tuple[Any, ...],
    ins: tuple[Any, ...],
    seeds: list[Tensor],
    keep: bool,
    create_graph: bool,
    allow_unused: bool,
) -> list[Tensor | None]:
    """The gradients for each entry of the first dimension of `seeds`, stacked."""
    passes = []
    n = seeds[0].shape[0]
    for i in range(n):
        entry = [seed[i] for seed in seeds]
        passes.append(_gradients(outs, ins, entry, keep or i < n - 1, create_graph, allow_unused))
    from reference_impl.ops.joining import stack  # operations are built on this module

    return [None if column[0] is None else stack(column) for column in zip(*passes, strict=True)]


def _gradients(
    outs: tuple[Any, ...],
    ins: tuple[Any, ...],
    seeds: list[Tensor],
    keep_graph: bool,
    create_graph: bool,
    allow_unused: bool,
) -> list[Tensor | None]:
    roots = _root_edges(outs, seeds)
    results = run_backward(
        roots,
        seeds,
        keep_graph=keep_graph,
        create_graph=create_graph,
        inputs=_input_edges(ins),
        accumulate_grad=False,
    )
    for index, result in enumerate(results):
        if result is None and not allow_unused:
            raise RuntimeError(_UNUSED.format(index))
    return results


def _as_tuple(tensors: Any) -> tuple[Any, ...]:
    return (tensors,) if isinstance(tensors, Tensor) or _is_edge(tensors) else tuple(tensors)


def _is_edge(value: Any) -> bool:
    """Whether it is a `graph.GradientEdge`, which may stand wherever a tensor may."""
    return isinstance(value, tuple) and hasattr(value, "node")


def _root_edges(outputs: tuple[Any, ...], gradients: Sequence[Tensor]) -> list[Edge]:
    if len(outputs) != len(gradients):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(gradients)} gradients")
    edges = []
    for index, t in enumerate(outputs):
        edge = t[:2] if _is_edge(t) else gradient_edge(t)
        if edge is None:
            raise RuntimeError(f"element {index} of tensors does not require grad and does not have a grad_fn")
        edges.append(edge)
    return edges


def _input_edges(inputs: tuple[Any, ...]) -> list[Edge]:
    edges = []
    for t in inputs:
        if not isinstance(t, Tensor) and not _is_edge(t):
            raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(t).__name__}")
        edge = t[:2] if _is_edge(t) else gradient_edge(t)
        if edge is None:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
        edges.append(edge)
    return edges


def _root_gradients(outputs: tuple[Any, ...], given: Any, batched: bool = False) -> list[Tensor]:
    """A gradient for each output: the given one, or 1 where the output is a single element.

    As in torch, gradients beyond the number of outputs are passed over.
    """
    gradients: Sequence[Any] = (None,) * len(outputs) if given is None else _as_tuple(given)
    result = []
    for index, (output, gradient) in enumerate(zip(outputs, gradients, strict=False)):
        if not isinstance(output, Tensor) and not _is_edge(output):
            raise AssertionError("Expected output to be a torch.Tensor")
        shape, dtype = _metadata(output)
        if gradient is None:
            if (_is_edge(output) or output.requires_grad) and math.prod(shape) != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            like = output._array if isinstance(output, Tensor) else np.empty(shape, dtype)
            gradient = Tensor._wrap(np.ones_like(like))
        elif not isinstance(gradient, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(gradient).__name__}")
        else:
            first = gradient[0] if batched else gradient
            if first._array.shape != shape:
                seen = Size(first.shape[1:]) if batched else first.shape  # torch looks at an entry of the entry here
                sizes = f"grad_output[{index}] has a shape of {seen} and output[{index}] has a shape of {Size(shape)}."
                raise RuntimeError(_BATCH_MISMATCH.format(sizes) if batched else f"Mismatch in shape: {sizes}")
        result.append(gradient)
    return result


def _metadata(output: Any) -> tuple[Any, Any]:
    """Shape and NumPy dtype of a tensor, or of the output of a node that an edge names."""
    if isinstance(output, Tensor):
        return output._array.shape, output._array.dtype
    return output.node.output_metadata[2 * output.output_nr : 2 * output.output_nr + 2]
