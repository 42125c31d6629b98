"""Record a formula that consists of several operations as one node.

Most of these formulas are gradients for which torch has a single operation. For example, `create_graph` records `elu_backward` as one
`EluBackwardBackward0`. To differentiate such a node, the backward pass computes the formula again, records its operations, and
differentiates them.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from reference_impl.autograd.output_mask import output_mask
from reference_impl.core.backward import run_backward
from reference_impl.core.modes import enable_grad, mode, no_grad
from reference_impl.core.node import Node, gradient_edge
from reference_impl.core.record import needs_grad, record, record_many
from reference_impl.core.tensor import Tensor


class RecomputedNode(Node):
    """The formula is computed again and recorded, and each operand receives its gradient.

    Attributes:
        _formula: function of the saved tensors that returns the result, or a tuple of results (None for a result that is not needed).
        _arguments: keyword arguments of the formula, which are not tensors.
        _materialize: whether the gradient of an input that the result doesn't depend on is zeros instead of None.
    """

    _formula: Callable[..., Any]
    _arguments: dict[str, Any]
    _materialize: bool

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Compute the formula again, record it, and differentiate it. Return the gradients of the inputs.

        The gradient is None for an input that needs none and, unless `_materialize`, for one on which the results do not depend.
        """
        saved = [self.saved_value(i) for i in range(len(self.saved_names))]
        indices = [i for i, (is_needed, _) in enumerate(zip(output_mask(self), saved, strict=False)) if is_needed]
        recorded = mode.enabled
        with enable_grad():
            # If one operand was computed from another, views of both keep their gradients separate.
            operands = [t.view_as(t) if i in indices else t for i, t in enumerate(saved)]
            outputs = type(self)._formula(*operands, **self._arguments)
        results = (outputs,) if isinstance(outputs, Tensor) else outputs
        pairs = [
            (r, g) for r, g in zip(results, grads, strict=True) if r is not None and r.requires_grad and g is not None
        ]
        gradients: list[Tensor | None] = [None] * len(self.next_nodes)
        if pairs and indices:
            ends, output_gradients = zip(*pairs, strict=True)
            edges: Any = [gradient_edge(t) for t in (*ends, *[operands[i] for i in indices])]
            reached = run_backward(
                edges[: len(ends)],
                output_gradients,
                retain_graph=recorded,
                create_graph=recorded,
                inputs=edges[len(ends) :],
                accumulate_grad=False,
            )
            for i, gradient in zip(indices, reached, strict=True):
                gradients[i] = gradient
        if self._materialize and any(g is not None for g in grads):
            gradients = [
                Tensor._wrap(np.zeros_like(saved[i]._array)) if i in indices and g is None else g
                for i, g in enumerate(gradients)
            ]
        return tuple(gradients)


def recomputed(
    node_name: str, *saved_names: str, materialize_grads: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that turns `formula(*operands, **arguments)` into an operation recorded as a single node.

    The decorated function has the same arguments, and `inputs`: the inputs of the node in torch's order, if they are not the operands.

    Args:
        node_name: class name of the node, such as `EluBackwardBackward0`.
        saved_names: names of the operands, tensors or None, all of which the node saves: `grad_fn._saved_self` for "self".
        materialize_grads: whether the gradient of an operand that the result doesn't depend on is zeros instead of None.
    """

    def decorate(formula: Callable[..., Any]) -> Callable[..., Any]:
        parameters = inspect.signature(formula).parameters.values()
        plain = {p.name: p.annotation for p in parameters if p.kind is p.KEYWORD_ONLY}
        members = {"saved_names": saved_names, "_formula": staticmethod(formula), "_materialize": materialize_grads}
        about = {"__doc__": formula.__doc__, "__module__": formula.__module__, "__annotations__": plain}
        node_class = type(node_name, (RecomputedNode,), {**members, **about})

        @functools.wraps(formula)
        def call(*operands: Any, inputs: Sequence[Any] | None = None, **arguments: Any) -> Any:
            inputs = operands if inputs is None else inputs
            if not needs_grad(*inputs):
                return formula(*operands, **arguments)
            with no_grad():
                outputs = formula(*operands, **arguments)
            if isinstance(outputs, Tensor):
                return record(node_class, outputs._array, inputs, operands, _arguments=arguments, **arguments)
            arrays = [None if t is None else t._array for t in outputs]
            return record_many(node_class, arrays, inputs, operands, _arguments=arguments, **arguments)

        return call

    return decorate
