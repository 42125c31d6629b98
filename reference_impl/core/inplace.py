"""Apply operations in place, all by one rule.

`x.op_(...)` computes `op(x, ...)` as usual, writes the result into the memory of `x`, raises its version, and makes the node of the
result the `grad_fn` of `x`. (If `x` is a view, `views.rebase_history` adds two more nodes.)
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl.core.extensions import extensions, states
from reference_impl.core.node import Node
from reference_impl.core.record import needs_grad
from reference_impl.core.saving import SavedTensor, is_result
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import check_inplace, rebase_history

SHAPE_MISMATCH = "output with shape {} doesn't match the broadcast shape {}"
DTYPE_MISMATCH = "result type {} can't be cast to the desired output type {}"
INTERNAL_OVERLAP = "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation."


def apply_inplace(op: Callable[..., Tensor], tensor: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Apply `op` in place, as `tensor.op_(*args, **kwargs)`, and return `tensor`.

    Raises:
        RuntimeError: the tensor must not be changed in place, or the shape or dtype of the result does not fit the tensor.
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
    """Copy the values of `array` to `tensor` without recording an operation, and return `tensor`."""
    return write(tensor, lambda target: np.copyto(target, array, casting="unsafe"))


def write(tensor: Tensor, change: Callable[[Any], Any]) -> Tensor:
    """Call `change(array)`, which modifies the array of `tensor` in place, raise the version, and return `tensor`. Record no operation.

    Every in-place operation of the engine changes memory through this function.
    """
    if states.watching:
        extensions.before_write(tensor)
    change(tensor._array)
    tensor._bump_version()
    return tensor


def compute(op: Callable[..., Tensor], *args: Any, **kwargs: Any) -> Tensor:
    """Return `op(*args, **kwargs)` without calling pack hooks. `save_old_value` and `save_new_value` call them later."""
    return extensions.without_pack_hooks(op, *args, **kwargs) if states.pack_hooks else op(*args, **kwargs)


def save_old_value(node: Node, tensor: Tensor) -> None:
    """If `node` saved `tensor` under the name `self`, replace it in the node by a copy, because the operation will overwrite `tensor`.

    torch saves `self.clone()`, too. A tensor that was saved under another name is not copied: in `x.mul_(x)` the other factor changes,
    and the backward pass raises an error. Finally, call the pack hooks, if there are any, on all saved tensors but the result.
    """
    if node.saved and "self" in node.saved_names:
        index = node.saved_names.index("self")
        saved = node.saved[index]
        if saved.__class__ is SavedTensor and saved.tensor is tensor:
            node.saved = (*node.saved[:index], SavedTensor(tensor.clone()), *node.saved[index + 1 :])
    if states.pack_hooks:  # hooks see the old value before the change, and the new one after it
        extensions.apply_pack_hooks(node)


def save_new_value(node: Node, tensor: Tensor) -> None:
    """If `node` saved its result, make it save `tensor` instead: `tensor` now holds the result, with the version after the write.

    Then call the pack hooks, if there are any, on this saved tensor.
    """
    if node.saved:
        node.saved = tuple([SavedTensor(tensor, 0) if is_result(saved) else saved for saved in node.saved])
    if states.pack_hooks:
        extensions.apply_pack_hooks(node, (tensor,))


def check_writable(tensor: Tensor, source: Any) -> None:
    """Check that the array `source` can be written into `tensor`.

    Raises:
        RuntimeError: the shapes differ, or `source` has a dtype of a higher category, in the order bool, integer, floating point.
    """
    target = tensor._array
    if source.shape != target.shape:
        raise RuntimeError(SHAPE_MISMATCH.format(list(target.shape), list(source.shape)))
    if _dtype._category[source.dtype.kind] > _dtype._category[target.dtype.kind]:
        source_dtype, target_dtype = _dtype.from_numpy(source.dtype), _dtype.from_numpy(target.dtype)
        raise RuntimeError(DTYPE_MISMATCH.format(source_dtype.tensor_type, target_dtype.tensor_type))


def check_memory(tensor: Tensor, sources: Sequence[Any] = ()) -> None:
    """Check that `tensor` is not expanded: several elements that share memory cannot be written separately.

    (`ops.overlap` replaces this function by one that also compares the memory of `tensor` with that of `sources`, the other operands.)

    Raises:
        RuntimeError: a dimension of more than one element has the stride 0.
    """
    x = tensor._array
    if 0 in x.strides and x.size and any(s == 0 and n > 1 for s, n in zip(x.strides, x.shape, strict=True)):
        raise RuntimeError(INTERNAL_OVERLAP)


extensions.define(check_memory=check_memory)
