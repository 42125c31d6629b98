"""Which gradients a node with `apply` has to compute. `core.backward.BackwardPass.apply_needed` decides it for nodes with formulas."""

from __future__ import annotations

from reference_impl.core.modes import mode
from reference_impl.core.node import Node


def output_mask(node: Node) -> tuple[bool, ...]:
    """Return, for each input of `node`, whether its gradient is used.

    The gradient of an input that requires no gradient is not used. In a pass with `inputs`, a gradient that leads to none of them is not
    used either. torch decides it in the same way: see torch/csrc/autograd/function.h, `task_should_compute_output`.
    """
    the_pass = mode.backward_pass
    if the_pass is None:  # the node was called by itself, as in `y.grad_fn(g)`
        return tuple([target is not None for target in node.next_nodes])
    return tuple([the_pass.is_needed(target) for target in node.next_nodes])
