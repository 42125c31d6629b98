"""In-place operations, all by one rule.

`x.op_(...)` computes `op(x, ...)` as usual, writes the result into the memory of `x`, raises its version, and gives `x`
the place in the graph that the result had.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl._tensor import Tensor
from reference_impl.autograd.grad_mode import mode
from reference_impl.autograd.recording import needs_grad
from reference_impl.autograd.saved_variable import SavedVariable
from reference_impl.autograd.view import check_inplace, rebase_history


def apply_inplace(op: Callable[..., Tensor], tensor: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """`tensor.op_(*args, **kwargs)`.

    Raises:
        RuntimeError: the tensor may not be changed in place, or the result has another shape or a dtype that it cannot hold.
    """
    recorded = needs_grad(tensor, *args, *kwargs.values())
    check_inplace(tensor, recorded)
    result = op(tensor, *args, **kwargs)
    source = result._array
    check_writable(tensor, source)
    node = result._grad_fn if recorded else None
    if node is not None and node.saved:
        _keep_old_value(node, tensor)
    np.copyto(tensor._array, source, casting="unsafe")
    tensor._bump_version()
    if node is not None:
        if node.saved:
            for kept in node.saved:
                if isinstance(kept, SavedVariable) and kept.is_output:
                    kept.rebind(tensor)
        rebase_history(tensor, node)
    return tensor


def _keep_old_value(node: Any, tensor: Tensor) -> None:
    """A formula that needs the value from before the change gets a copy of it (torch's `self.clone()`)."""
    if any(kept is tensor for kept in node.saved):
        clone = Tensor._wrap(tensor._array.copy("K"))
        clone._edge, clone._requires_grad = tensor._edge, tensor._requires_grad
        node.save([clone if kept is tensor else kept for kept in node.saved])


def write(tensor: Tensor, array: Any) -> Tensor:
    """Change the values of `tensor` to `array`, outside the graph: `zero_`, `fill_`, random fills, `set_`."""
    np.copyto(tensor._array, array, casting="unsafe")
    tensor._bump_version()
    return tensor


def write_constant(tensor: Tensor, array: Any) -> Tensor:
    """As `write`, for values that do not depend on the old ones: the gradient of what was there before is zero."""
    recorded = mode.enabled and tensor.requires_grad
    check_inplace(tensor, recorded)
    write(tensor, array)
    if recorded:
        from reference_impl.ops.creation import constant_node

        rebase_history(tensor, constant_node(tensor))
    return tensor


def check_writable(tensor: Tensor, source: Any) -> None:
    """Whether `source` fits into `tensor`.

    Raises:
        RuntimeError: it does not, by shape or by category of dtype.
    """
    target = tensor._array
    if source.shape != target.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(source.shape)}"
        )
    if _dtype._category[source.dtype.kind] > _dtype._category[target.dtype.kind]:
        given, wanted = _dtype.from_numpy(source.dtype), _dtype.from_numpy(target.dtype)
        raise RuntimeError(
            f"result type {given.tensor_type} can't be cast to the desired output type {wanted.tensor_type}"
        )
    if 0 in target.strides and target.size > 1 and any(s == 0 and n > 1 for s, n in zip(target.strides, target.shape, strict=True)):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation."
        )
