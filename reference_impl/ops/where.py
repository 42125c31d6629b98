"""`where`: select each element from one of two operands by a condition. `nonzero`, `argwhere`: the indices of nonzero elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl._settings import warn_user
from reference_impl.core.declare import check_broadcast
from reference_impl.core.operations import arithmetic as core
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import align_operands
from reference_impl.ops.promotion import cast, on_one_device, operands
from reference_impl.ops.registry import op


@op("function", "out")
def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Return the elements of `input` where `condition` is True and those of `other` where it is False.

    `input` and `other` are tensors or numbers. All three broadcast, and the result has the common dtype of `input` and `other`. With
    `condition` alone, return a tuple with a vector per dimension: the indices of its nonzero elements.

    Raises:
        RuntimeError: `condition` is neither boolean nor uint8, which causes a warning, unless it is alone; or the shapes don't broadcast.
    """
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    mask = condition._array
    if mask.dtype == np.uint8:
        warn_user(
            "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future version of PyTorch. "
            "Use a boolean condition instead."
        )
        mask = mask.astype(bool)
    if mask.dtype != bool:
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype {condition.dtype.tensor_type}"
        )
    if isinstance(input, Tensor) or isinstance(other, Tensor):
        x, y = operands(input, other)
    else:
        numbers = _dtype.python_number(input), _dtype.python_number(other)
        common = _dtype.result_type_of(numbers)
        x, y = [cast(number, common) for number in numbers]
    for value in (x, y):
        if getattr(value, "shape", ()) != mask.shape:
            check_broadcast(mask.shape, getattr(value, "shape", ()))
    if not mask.flags.c_contiguous or not getattr(x, "flags", mask.flags).c_contiguous:
        mask, x, y = align_operands(mask, x, y)
    return record(core.where_self.node, np.where(*on_one_device(mask, x, y)), (input, other), (condition,))


def _where_method(self: Tensor, condition: Tensor, other: Any) -> Tensor:
    """Return `torch.where(condition, self, other)`."""
    return where(condition, self, other)


op("method", name="where")(_where_method)


@op("function", "method", "out_exact")
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Return the indices of nonzero elements, a row for each: [[0, 5], [6, 0]] -> [[0, 1], [1, 0]].

    With `as_tuple`, return the columns instead, a vector for each dimension: ([0, 1], [1, 0]). A 0-d tensor then counts as a vector;
    otherwise it gives rows without elements, (1, 0) or (0, 0).
    """
    x = input._array
    if as_tuple:
        coordinates = np.nonzero(np.reshape(x, (-1,)) if not x.ndim else x)
        return tuple(Tensor._wrap(_backend.positions(_backend.contiguous(i))) for i in coordinates)
    if not x.ndim:
        return Tensor._wrap(np.zeros_like(x, dtype=np.int64, shape=(1 if x else 0, 0)))
    return Tensor._wrap(_backend.positions(np.argwhere(x)))


@op("function", "method")
def argwhere(input: Tensor) -> Tensor:
    """Return the indices of nonzero elements, a row for each: [[0, 5], [6, 0]] -> [[0, 1], [1, 0]]."""
    return nonzero(input)
