"""Apply in-place operations that need no temporary result, such as `zero_`, `copy_` and random numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reference_impl.core import inplace, saving
from reference_impl.core.node import Node
from reference_impl.core.record import make_node, needs_grad
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import check_inplace, rebase_history


def change(
    tensor: Tensor,
    write: Callable[[Any], Any],
    node_class: type[Node],
    sources: Sequence[Any] = (),
    saved: Sequence[Any] = (),
    **attributes: Any,
) -> Tensor:
    """Apply an in-place operation whose gradients do not need the old values, record it if necessary, and return `tensor`.

    Args:
        write: function that changes the array of `tensor` in place.
        node_class: class of the node, whose inputs are `tensor` and `sources`.
        sources: further inputs: tensors or other values.
        saved: tensors that the node saves.
        attributes: attributes of the node.

    Raises:
        RuntimeError: autograd does not allow the change, see `check_inplace`.
    """
    recorded = needs_grad(tensor, *sources) and tensor._array.dtype.kind == "f"
    check_inplace(tensor, recorded)
    node = None
    if recorded:
        node = make_node(node_class, (tensor, *sources), (tensor._array,), attributes)
        saving.save(node, saved)
    inplace.write(tensor, write)
    if node is not None:
        rebase_history(tensor, node)
    return tensor
