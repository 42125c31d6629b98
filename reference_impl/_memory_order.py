"""In which order the elements of an array lie in memory, and copies in a given order."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._layout import channels_last, channels_last_3d, contiguous_format

_RANK = {channels_last: 4, channels_last_3d: 5}


def lies_in(x: Any, memory_format: Any) -> bool:
    """Whether the elements lie in `memory_format` without gaps."""
    if memory_format in _RANK:
        return x.ndim == _RANK[memory_format] and bool(np.moveaxis(x, 1, -1).flags.c_contiguous)
    return bool(x.flags.c_contiguous)


def copied(x: Any, memory_format: Any, dtype: Any = None) -> Any:
    """A copy in `memory_format`; `preserve_format` keeps the order of `x`, without gaps."""
    out = empty_as(x, memory_format, dtype)
    np.copyto(out, x, casting="unsafe")
    return out


def empty_as(x: Any, memory_format: Any, dtype: Any = None) -> Any:
    """Uninitialised memory in the shape of `x`, laid out in `memory_format`.

    Raises:
        RuntimeError: `memory_format` is for arrays of another number of dimensions.
    """
    return empty(x.shape, memory_format, dtype or x.dtype, x)


def empty(shape: tuple[int, ...], memory_format: Any, dtype: Any, like: Any) -> Any:
    """Uninitialised memory of `shape` in `memory_format`, on the device of the array `like`."""
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
    """The format that a result of the shape's kind should have: channels last where `x` lies so. See c10/core/MemoryFormat.h,
    `is_channels_last_strides_2d`."""
    if x.flags.c_contiguous or x.ndim not in (4, 5) or 0 in x.shape:
        return contiguous_format
    least = 0
    for d in (1, *range(x.ndim - 1, 1, -1), 0):
        if x.strides[d] < least or (d == 0 and least == x.strides[1]) or x.strides[1] == 0:
            return contiguous_format
        least = x.strides[d] * max(x.shape[d], 1)
    return channels_last if x.ndim == 4 else channels_last_3d


def in_format(y: Any, memory_format: Any) -> Any:
    """`y`, copied if it does not lie in `memory_format`."""
    return y if lies_in(y, memory_format) else copied(y, memory_format)


def column_major(x: Any) -> Any:
    """`x` with its last two dimensions in the order of columns, as LAPACK's results lie; itself where it lies so."""
    if x.ndim < 2:
        return x
    return np.swapaxes(_backend.contiguous(np.swapaxes(x, -2, -1)), -2, -1)


def dense_order(shape: tuple[int, ...], strides: tuple[int, ...]) -> list[int]:
    """The dimensions from the outermost to the innermost, as torch's TensorIterator sorts them (`reorder_dimensions`).

    An insertion sort, because strides of 0 compare with nothing and stay where they are.
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


def _compare(a: int, b: int, shape: tuple[int, ...], strides: tuple[int, ...]) -> int:
    """Positive where dimension `a` lies further apart than `b`, 0 where neither can be told."""
    if strides[a] == 0 or strides[b] == 0:
        return 0
    if strides[a] != strides[b]:
        return -1 if strides[a] < strides[b] else 1
    return 1 if shape[a] > shape[b] else 0
