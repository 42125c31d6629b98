"""In-place operations that write directly, without a temporary result: `zero_`, `fill_`, random numbers, `copy_`."""

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
    """Apply an in-place operation whose gradients do not need the old values: `write` changes the array in place.

    Args:
        node_class: class of the node, whose inputs are `tensor` and then `sources`.
        saved, attributes: as for `record`.
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
