"""`torch.autograd.backward` and `grad`.

Unlike the core's functions, they accept dicts of inputs and batches of gradients, and emit torch's warnings.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from reference_impl._settings import warn_once
from reference_impl._size import Size
from reference_impl.core import differentiate
from reference_impl.core.differentiate import as_tuple
from reference_impl.core.node import AccumulateGrad, Node
from reference_impl.core.operations.shapes import stack
from reference_impl.core.tensor import Tensor

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


class GradientEdge(NamedTuple):
    """An output of a node. `graph.get_gradient_edge` returns it, and `grad` and `backward` accept it in place of the tensor.

    Attributes:
        node, output_nr: the node, and the index of the output.
        ownership_token: for an output of a custom Function, a node that keeps the graph alive; otherwise None.
    """

    node: Node
    output_nr: int
    ownership_token: Node | None = None


GradientEdge.__module__ = "torch.autograd.graph"


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Compute the gradients of `tensors` with respect to the leaves, and add them to the `.grad` of the leaves.

    Args:
        tensors: a tensor or a GradientEdge, or a sequence of them.
        grad_tensors: for each tensor a gradient of its shape; may be left out for tensors of one element.
        retain_graph: keep the saved values for another pass; default: the value of `create_graph`.
        create_graph: record the pass itself, to differentiate the gradients. The first such call warns of a reference cycle.
        grad_variables: the old name of `grad_tensors`, which causes a warning.
        inputs: a tensor or a GradientEdge, or a sequence or dict of them; the pass adds to the `.grad` of these tensors only.

    Raises:
        RuntimeError: a tensor or an input does not require grad, `inputs` is empty or has an entry of another type, a gradient has the
            wrong shape or is missing, or both `grad_tensors` and `grad_variables` are passed.
        TypeError: a gradient is not a tensor, or `inputs` is a mapping other than a dict.
        AssertionError: an entry of `tensors` is neither a tensor nor a GradientEdge.
    """
    if grad_variables is not None:
        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use "
                "`grad_tensors`."
            )
        grad_tensors = grad_variables
    outputs = [_tensor_of(t) for t in _as_tuple(tensors)]
    listed = None
    if inputs is not None:
        listed = [_tensor_of(t) for t in _input_tuple(inputs, "backward", outputs, grad_tensors)]
    if create_graph:
        differentiate.roots_and_gradients(outputs, grad_tensors)  # an error comes before the warning
        warn_once(_REFERENCE_CYCLE, stacklevel=2)
    differentiate.backward(outputs, grad_tensors, retain_graph, create_graph, listed)


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
    """Return the gradients of the sum of `outputs` with respect to `inputs`: a tuple, or a dict if `inputs` is a dict.

    Args:
        grad_outputs: for each output a gradient of its shape; may be left out for outputs of one element.
        retain_graph, create_graph: as in `backward`.
        only_inputs: accepted and ignored, as in torch; False causes a warning.
        allow_unused: return None for an input that the outputs don't depend on, instead of raising an error.
        is_grads_batched: each of `grad_outputs` has an additional first dimension. One pass runs for each index of this dimension, and
            the returned gradients have this dimension too.
        materialize_grads: return zeros for a tensor among `inputs` that the outputs don't depend on; for a GradientEdge, RuntimeError.

    Raises:
        RuntimeError: `inputs` is empty or has an entry of another type, an output or an input does not require grad, or a gradient in
            `grad_outputs` has the wrong shape or is missing. Or the outputs don't depend on an input, and neither `allow_unused` nor
            `materialize_grads` is True.
        ValueError: `materialize_grads` is True and `allow_unused` is False.
        TypeError: a gradient is not a tensor, or `inputs` is a mapping other than a dict.
        AssertionError: an entry of `outputs` is neither a tensor nor a GradientEdge.
    """
    if not only_inputs:
        warnings.warn(_ONLY_INPUTS, FutureWarning, stacklevel=2)
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    outputs = [_tensor_of(t) for t in _as_tuple(outputs)]
    listed = _input_tuple(inputs, "grad", outputs, grad_outputs)
    unused = True if materialize_grads else allow_unused
    targets = [_tensor_of(t) for t in listed]

    def gradients(seeds: Any, keep: bool | None) -> tuple[Any, ...]:
        return differentiate.grad(outputs, targets, seeds, keep, create_graph, unused)

    if is_grads_batched and grad_outputs is not None:
        keep_last = create_graph if retain_graph is None else retain_graph
        results = _one_pass_per_entry(outputs, as_tuple(grad_outputs), gradients, keep_last)
    else:
        results = gradients(grad_outputs, retain_graph)
    if materialize_grads:
        if any([g is None and not isinstance(t, Tensor) for g, t in zip(results, listed, strict=True)]):
            raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
        results = tuple([_zeros_for(t, create_graph) if g is None else g for g, t in zip(results, listed, strict=True)])
    return dict(zip(inputs, results, strict=True)) if type(inputs) is dict else results


def _input_tuple(inputs: Any, name: str, outputs: list[Tensor], seeds: Any) -> tuple[Any, ...]:
    """Check `inputs`, a tensor or GradientEdge or a sequence or dict of them, and return them as a tuple.

    As in torch, if an input has a wrong type, errors in `outputs` and in their gradients `seeds` are raised first.

    Args:
        name: name of the function for error messages, "backward" or "grad".

    Raises:
        TypeError: `inputs` is a mapping, but not a dict.
        RuntimeError: `inputs` is empty, or an entry is neither a tensor nor a GradientEdge.
    """
    if isinstance(inputs, Mapping) and type(inputs) is not dict:
        raise TypeError(
            f"`inputs` argument to `{name}()` must be a dict, not {type(inputs).__name__}. Other Mapping types are not supported."
        )
    listed = tuple(inputs.values()) if type(inputs) is dict else _as_tuple(inputs)
    if not listed:
        raise RuntimeError(differentiate.NO_INPUTS.format(name))
    for t in listed:
        if not isinstance(t, Tensor | GradientEdge):
            differentiate.roots_and_gradients(outputs, seeds)
            raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(t).__name__}")
    return listed


def _as_tuple(tensors: Any) -> tuple[Any, ...]:
    return (tensors,) if isinstance(tensors, GradientEdge) else as_tuple(tensors)


def _tensor_of(t: Any) -> Tensor:
    """Return `t` if it is a tensor. For the GradientEdge of a leaf, return the leaf.

    For another GradientEdge, return a tensor of zeros with the edge's node as its `grad_fn`.

    Raises:
        AssertionError: `t` is something else.
    """
    if isinstance(t, Tensor):
        return t
    if not isinstance(t, GradientEdge):
        raise AssertionError("Expected output to be a torch.Tensor")
    if isinstance(t.node, AccumulateGrad):
        return t.node.variable
    leaf: Any = t.node
    while leaf is not None and not isinstance(leaf, AccumulateGrad):  # the new tensor gets the device of a leaf
        leaf = next(filter(None, leaf.next_nodes), None)
    shape, dtype = t.node.outputs[t.output_nr]
    like = np.zeros(0) if leaf is None else leaf.variable._array
    tensor = Tensor._wrap(np.zeros_like(like, dtype, shape=shape))
    tensor._grad_fn, tensor._output_nr = t.node, t.output_nr
    return tensor


def _one_pass_per_entry(
    outputs: Sequence[Any],
    seeds: tuple[Any, ...],
    gradients: Callable[..., Any],
    keep_last: bool,
) -> tuple[Any, ...]:
    """Run a backward pass for each index of the first dimension of `seeds`, the batches of gradients of `outputs`.

    Args:
        gradients: function of the gradients of the outputs and of `retain_graph` that runs a pass and returns the gradients of the inputs.
        keep_last: the value of `retain_graph` for the last pass.

    Returns:
        For each input its gradients, stacked; None if it gets no gradient.

    Raises:
        RuntimeError: an entry of `seeds`, without its first dimension, has another shape than its output.
    """
    for index, (output, seed) in enumerate(zip(outputs, seeds, strict=False)):
        shape = output._array.shape
        if seed is not None and seed._array.shape[1:] != shape:
            printed = Size(seed.shape[2:])  # torch's message omits two dimensions, not one
            sizes = f"grad_output[{index}] has a shape of {printed} and output[{index}] has a shape of {Size(shape)}."
            raise RuntimeError(_BATCH_MISMATCH.format(sizes))
    n = seeds[0].shape[0]
    passes = [gradients([seed[i] for seed in seeds], keep_last or i < n - 1) for i in range(n)]
    return tuple([None if column[0] is None else stack(column) for column in zip(*passes, strict=True)])


def _zeros_for(unused: Tensor, requires_grad: bool) -> Tensor:
    zeros = Tensor._wrap(np.zeros_like(unused._array))
    zeros._requires_grad = requires_grad
    return zeros
