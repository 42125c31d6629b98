"""Determine the memory order of arrays, and copy arrays into a given order."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._layout import channels_last, channels_last_3d, contiguous_format

_RANK = {channels_last: 4, channels_last_3d: 5}


def has_format(x: Any, memory_format: Any) -> bool:
    """Return whether the elements of `x` lie in memory in the order `memory_format`, without gaps.

    A format other than `channels_last` and `channels_last_3d` stands for C order.
    """
    if memory_format in _RANK:
        return x.ndim == _RANK[memory_format] and bool(np.moveaxis(x, 1, -1).flags.c_contiguous)
    return bool(x.flags.c_contiguous)


def is_dense(array: Any) -> bool:
    """Return whether the elements lie in memory without gaps or overlap, in any order of the dimensions."""
    if array.flags.c_contiguous:
        return True
    expected = array.itemsize
    for stride, n in sorted((s, n) for s, n in zip(array.strides, array.shape, strict=True) if n != 1):
        if stride != expected:
            return False
        expected *= n
    return True


def copy_in_format(x: Any, memory_format: Any, dtype: Any = None) -> Any:
    """Return a copy of `x` in `memory_format`, converted to `dtype` unless that is None.

    `preserve_format` keeps the order of the dimensions in memory, without gaps.

    Raises:
        RuntimeError: `memory_format` requires another number of dimensions.
    """
    out = empty_as(x, memory_format, dtype)
    np.copyto(out, x, casting="unsafe")
    return out


def empty_as(x: Any, memory_format: Any, dtype: Any = None) -> Any:
    """Return an uninitialised array in `memory_format`, with the shape and device of `x` and, without `dtype`, its dtype.

    Raises:
        RuntimeError: `memory_format` requires another number of dimensions.
    """
    return empty(x.shape, memory_format, dtype or x.dtype, x)


def empty(shape: tuple[int, ...], memory_format: Any, dtype: Any, like: Any) -> Any:
    """Return an uninitialised array of `shape` in `memory_format`, on the device of the array `like`.

    `preserve_format` means the order that the dimensions of `like` have in memory.

    Raises:
        RuntimeError: `memory_format` requires another number of dimensions.
    """
    if memory_format in _RANK:
        if len(shape) != _RANK[memory_format]:
            raise RuntimeError(f"required rank {_RANK[memory_format]} tensor to use {memory_format.name} format")
        last = np.empty_like(like, dtype=dtype, shape=(shape[0], *shape[2:], shape[1]), order="C")
        return np.moveaxis(last, -1, 1)
    if memory_format is contiguous_format or like.flags.c_contiguous:
        return np.empty_like(like, dtype=dtype, shape=shape, order="C")
    order = dense_order(shape, like.strides)
    memory = np.empty_like(like, dtype=dtype, shape=tuple([shape[d] for d in order]), order="C")
    back = [0] * len(order)
    for place, d in enumerate(order):
        back[d] = place
    return np.transpose(memory, back)


def suggested_format(x: Any) -> Any:
    """Return `channels_last` (four dimensions) or `channels_last_3d` (five) if `x` has this order, otherwise `contiguous_format`.

    See c10/core/MemoryFormat.h, `is_channels_last_strides_2d`.
    """
    if x.flags.c_contiguous or x.ndim not in (4, 5) or 0 in x.shape:
        return contiguous_format
    least = 0
    for d in (1, *range(x.ndim - 1, 1, -1), 0):
        if x.strides[d] < least or (d == 0 and least == x.strides[1]) or x.strides[1] == 0:
            return contiguous_format
        least = x.strides[d] * max(x.shape[d], 1)
    return channels_last if x.ndim == 4 else channels_last_3d


def arrange_as_result(y: Any, *strides: tuple[int, ...]) -> Any:
    """Return `y`, copied if necessary, in the memory order that torch gives an element-wise result.

    Args:
        strides: strides of each operand, broadcast to the shape of `y`.
    """
    order = dense_order(y.shape, *strides)
    in_order = [s for s, n in ((y.strides[d], y.shape[d]) for d in order) if n > 1]
    return y if in_order == sorted(in_order, reverse=True) else _copy_in_order(y, order, y.shape)


def to_format(y: Any, memory_format: Any) -> Any:
    """Return `y` if its memory format is `memory_format`, otherwise a copy in that format."""
    return y if has_format(y, memory_format) else copy_in_format(y, memory_format)


def dense_order(shape: tuple[int, ...], *strides: tuple[int, ...]) -> list[int]:
    """Return the dimensions from outermost to innermost, as torch's TensorIterator sorts them (`reorder_dimensions`).

    Like torch, use an insertion sort: dimensions with a stride of 0 cannot be compared, so another algorithm could give another order.

    Args:
        strides: strides of each operand. Two dimensions are compared by their strides in the first operand where these differ.
    """
    order = list(range(len(shape) - 1, -1, -1))
    for i in range(1, len(order)):
        place = i
        for before in range(i - 1, -1, -1):
            comparison = _compare(order[before], order[place], shape, strides)
            if comparison > 0:
                order[before], order[place] = order[place], order[before]
                place = before
            elif comparison < 0:
                break
    return order[::-1]


def _compare(a: int, b: int, shape: tuple[int, ...], strides: tuple[tuple[int, ...], ...]) -> int:
    """Return 1 if dimension `a` is outside of `b` in memory order, -1 if it is inside, 0 if the two cannot be compared."""
    for steps in strides:
        if steps[a] == 0 or steps[b] == 0:
            continue
        if steps[a] != steps[b]:
            return -1 if steps[a] < steps[b] else 1
        if shape[a] > shape[b]:
            return 1
    return 0


def align_operands(*operands: Any) -> tuple[Any, ...]:
    """Return `operands`, copied if necessary, so that NumPy gives an element-wise result the memory order that torch gives it.

    If the memory orders of the operands differ, the result has the order of the first operand in torch, and C order in NumPy. In this
    case the operands are copied to torch's order. Numbers and 0-d arrays are unchanged.
    """
    arrays = [a for a in operands if getattr(a, "ndim", 0)]
    if all(a.flags.c_contiguous for a in arrays):
        return operands
    shape = np.broadcast_shapes(*[a.shape for a in arrays])
    strides = [_broadcast_strides(a, shape) for a in arrays]
    order = dense_order(shape, *strides)
    if [d for d in order if shape[d] != 1] == [d for d in _numpy_order(shape, strides) if shape[d] != 1]:
        return operands
    leading = next((i for i, a in enumerate(arrays) if a.shape == shape), 0)
    copies = iter([_copy_in_order(a, order, shape if i == leading else a.shape) for i, a in enumerate(arrays)])
    return tuple([next(copies) if getattr(a, "ndim", 0) else a for a in operands])


def _broadcast_strides(x: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    used_strides = [
        0 if m == 1 and n != 1 else s for s, m, n in zip(x.strides, x.shape, shape[len(shape) - x.ndim :], strict=True)
    ]
    return (*(0,) * (len(shape) - x.ndim), *used_strides)


def _numpy_order(shape: tuple[int, ...], strides: list[tuple[int, ...]]) -> list[int]:
    """Return the order in memory that NumPy chooses for the dimensions of a result, from outermost to innermost.

    In NumPy's `npyiter_find_best_axis_ordering`, a dimension moves inwards past another if its stride is smaller in every operand.
    """
    order: list[int] = []
    for d in range(len(shape) - 1, -1, -1):
        place = len(order)
        for before in range(len(order) - 1, -1, -1):
            votes = [abs(s[d]) < abs(s[order[before]]) for s in strides if s[d] and s[order[before]]]
            if votes and not all(votes):
                break
            if votes:
                place = before
        order.insert(place, d)
    return order[::-1]


def _copy_in_order(x: Any, order: list[int], shape: tuple[int, ...]) -> Any:
    """Return a copy of `x`, broadcast to `shape`, with the dimensions in memory in this `order`, from outermost to innermost.

    `order` numbers the dimensions of the result. If it has more dimensions than `shape`, the leading dimensions are left out.
    """
    absent = len(order) - len(shape)
    used_dims = [d - absent for d in order if d >= absent]
    memory = np.empty_like(x, shape=tuple([shape[d] for d in used_dims]), order="C")
    out = np.transpose(memory, [used_dims.index(d) for d in range(len(used_dims))])
    np.copyto(out, x)
    return out
