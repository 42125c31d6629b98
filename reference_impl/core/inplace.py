"""In-place operations, all by one rule.

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
    """`tensor.op_(*args, **kwargs)`.

    Raises:
        RuntimeError: the tensor may not be changed in place, or the result has another shape or a dtype that it cannot hold.
    """
    recorded = needs_grad(tensor, *args, *kwargs.values())
    check_inplace(tensor, recorded)
    extensions.check_memory(tensor, args)
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
    """Let `change` put other values into the array of `tensor`, outside the graph: the one place where that is done and counted."""
    if states.watching:
        extensions.before_write(tensor)
    change(tensor._array)
    tensor._bump_version()
    return tensor


def compute(op: Callable[..., Tensor], *args: Any, **kwargs: Any) -> Tensor:
    """The result before it is written. Hooks on saved tensors wait until then."""
    return extensions.without_packing(op, *args, **kwargs) if states.packing else op(*args, **kwargs)


def save_old_value(node: Node, tensor: Tensor) -> None:
    """A formula that needs the value from before the change gets a copy of it (torch's `self.clone()`).

    Only in the place of `self`: in `x.mul_(x)` the other factor is kept as it is, and found changed in the backward pass.
    """
    if node.saved and "self" in node.saved_names:
        index = node.saved_names.index("self")
        saved = saved_of(node)[index]
        if saved.__class__ is SavedTensor and saved.tensor is tensor:
            node.saved = (*node.saved[:index], SavedTensor(tensor.clone()), *node.saved[index + 1 :])
    if states.packing:  # hooks see the old value before the change, and the new one after it
        extensions.pack(node)


def save_new_value(node: Node, tensor: Tensor) -> None:
    """A saved result is now what lies in `tensor`, with its version after the write: not an array of its own beside it."""
    if node.saved:
        node.saved = tuple([SavedTensor(tensor, 0) if is_result(saved) else saved for saved in node.saved])
    if states.packing:
        extensions.pack(node, (tensor,))


def check_writable(tensor: Tensor, source: Any) -> None:
    """Whether `source` fits into `tensor`.

    Raises:
        RuntimeError: it does not, by shape or by category of dtype.
    """
    target = tensor._array
    if source.shape != target.shape:
        raise RuntimeError(OTHER_SHAPE.format(list(target.shape), list(source.shape)))
    if _dtype._category[source.dtype.kind] > _dtype._category[target.dtype.kind]:
        source_dtype, target_dtype = _dtype.from_numpy(source.dtype), _dtype.from_numpy(target.dtype)
        raise RuntimeError(OTHER_KIND.format(source_dtype.tensor_type, target_dtype.tensor_type))


def check_memory(tensor: Tensor, sources: Sequence[Any] = ()) -> None:
    """Whether every element of `tensor` has memory of its own. A slot: it is also to share no part of it with `others`.

    Raises:
        RuntimeError: an expanded tensor, whose elements share some.
    """
    x = tensor._array
    if 0 in x.strides and x.size and any(s == 0 and n > 1 for s, n in zip(x.strides, x.shape, strict=True)):
        raise RuntimeError(NO_MEMORY_OF_ITS_OWN)


extensions.define(check_memory=check_memory)
