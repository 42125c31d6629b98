"""Apply operations in place, all by one rule.

`x.op_(...)` computes `op(x, ...)` as usual, writes the result into the memory of `x`, raises its version, and gives `x` the place
in the graph that the result had.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl.core.extensions import extensions, states
from reference_impl.core.node import Node
from reference_impl.core.record import needs_grad
from reference_impl.core.saving import SavedTensor, is_result, saved_of
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import check_inplace, rebase_history

OTHER_SHAPE = "output with shape {} doesn't match the broadcast shape {}"
OTHER_KIND = "result type {} can't be cast to the desired output type {}"
NO_MEMORY_OF_ITS_OWN = "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation."


def apply_inplace(op: Callable[..., Tensor], tensor: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Apply `op` in place, as `tensor.op_(*args, **kwargs)`.

    Raises:
        RuntimeError: the tensor may not be changed in place, or the result has another shape or a dtype that it cannot hold.
    """
    recorded = needs_grad(tensor, *args, *kwargs.values())
    check_inplace(tensor, recorded)
    extensions.check_memory(tensor, (*args, *kwargs.values()))
    result = compute(op, tensor, *args, **kwargs)
    check_writable(tensor, result._array)
    node = result._grad_fn if recorded else None
    if node is not None:
        save_old_value(node, tensor)
    overwrite(tensor, result._array)
    if node is not None:
        rebase_history(tensor, node)
        save_new_value(node, tensor)
    return tensor


def overwrite(tensor: Tensor, array: Any) -> Tensor:
    """Change the values of `tensor` to those of `array`, outside the graph."""
    return write(tensor, lambda target: np.copyto(target, array, casting="unsafe"))


def write(tensor: Tensor, change: Callable[[Any], Any]) -> Tensor:
    """Change the array of `tensor` with `change`, outside the graph. Only this function writes and raises the version."""
    if states.watching:
        extensions.before_write(tensor)
    change(tensor._array)
    tensor._bump_version()
    return tensor


def compute(op: Callable[..., Tensor], *args: Any, **kwargs: Any) -> Tensor:
    """Call `op` for an in-place operation, whose result is written later. Hooks on saved tensors wait until then."""
    return extensions.without_pack_hooks(op, *args, **kwargs) if states.pack_hooks else op(*args, **kwargs)


def save_old_value(node: Node, tensor: Tensor) -> None:
    """Replace `self` among the saved tensors by a copy from before the change (torch's `self.clone()`).

    In `x.mul_(x)` the other factor is not copied, and the backward pass detects that it has changed.
    """
    if node.saved and "self" in node.saved_names:
        index = node.saved_names.index("self")
        saved = saved_of(node)[index]
        if saved.__class__ is SavedTensor and saved.tensor is tensor:
            node.saved = (*node.saved[:index], SavedTensor(tensor.clone()), *node.saved[index + 1 :])
    if states.pack_hooks:  # hooks see the old value before the change, and the new one after it
        extensions.apply_pack_hooks(node)


def save_new_value(node: Node, tensor: Tensor) -> None:
    """Make a saved result refer to `tensor`, with its version after the write, instead of to a separate array."""
    if node.saved:
        node.saved = tuple([SavedTensor(tensor, 0) if is_result(saved) else saved for saved in node.saved])
    if states.pack_hooks:
        extensions.apply_pack_hooks(node, (tensor,))


def check_writable(tensor: Tensor, source: Any) -> None:
    """Check that `source` fits into `tensor`.

    Raises:
        RuntimeError: the shape or the category of the dtype does not fit.
    """
    target = tensor._array
    if source.shape != target.shape:
        raise RuntimeError(OTHER_SHAPE.format(list(target.shape), list(source.shape)))
    if _dtype._category[source.dtype.kind] > _dtype._category[target.dtype.kind]:
        source_dtype, target_dtype = _dtype.from_numpy(source.dtype), _dtype.from_numpy(target.dtype)
        raise RuntimeError(OTHER_KIND.format(source_dtype.tensor_type, target_dtype.tensor_type))


def check_memory(tensor: Tensor, sources: Sequence[Any] = ()) -> None:
    """Check that no two elements of `tensor` share memory. A slot: `ops.overlap` also compares the memory of `sources`.

    Raises:
        RuntimeError: the tensor is expanded, so that elements share memory.
    """
    x = tensor._array
    if 0 in x.strides and x.size and any(s == 0 and n > 1 for s, n in zip(x.strides, x.shape, strict=True)):
        raise RuntimeError(NO_MEMORY_OF_ITS_OWN)


extensions.define(check_memory=check_memory)
