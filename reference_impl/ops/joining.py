"""Join tensors: cat, stack and related functions. Functions that split tensors are in `pieces`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl._layout import channels_last, contiguous_format
from reference_impl.core.arrays import checked_dim
from reference_impl.core.operations import shapes
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import empty, has_format
from reference_impl.ops.promotion import check_same_device
from reference_impl.ops.registry import op


def tensors_of(tensors: Any, name: str) -> list[Tensor]:
    """Return `tensors` as a list.

    Args:
        name: the function, for errors.

    Raises:
        TypeError: `tensors` is not a sequence of tensors.
    """
    if isinstance(tensors, Tensor) or not isinstance(tensors, (tuple, list)):
        kind = "Tensor" if isinstance(tensors, Tensor) else type(tensors).__name__
        raise TypeError(f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not {kind}")
    for index, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            raise TypeError(f"expected Tensor as element {index} in argument 0, but got {type(t).__name__}")
    return list(tensors)


def _in_common_dtype(tensors: Sequence[Tensor]) -> list[Any]:
    arrays = [t._array for t in tensors]
    first = arrays[0]
    if all(a.dtype is first.dtype for a in arrays):
        return arrays
    common = _dtype.result_type_of(tuple(arrays))
    return [a.astype(common, copy=False) for a in arrays]


def _concatenate(arrays: list[Any], dim: int) -> Any:
    """Concatenate arrays. The result is in C order, or in channels last if all arrays are; NumPy would keep any common order."""
    first = arrays[0]
    if all(a.flags.c_contiguous for a in arrays):
        return np.concatenate(arrays, axis=dim)
    shape = (*first.shape[:dim], sum(a.shape[dim] for a in arrays), *first.shape[dim + 1 :])
    last = all(has_format(a, channels_last) for a in arrays)
    out = empty(shape, channels_last if last else contiguous_format, first.dtype, first)
    return np.concatenate(arrays, axis=dim, out=out)


@op("function", "out", aliases=("concat", "concatenate"))
def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Concatenate the tensors along `dim`. Tensors of different dtypes are converted to their common dtype.

    Vectors without elements, of shape (0,), are ignored if another tensor has any other shape.

    Raises:
        ValueError: the list is empty.
        RuntimeError: a tensor has no dimensions, the numbers of dimensions differ, or sizes differ in another dimension than `dim`.
        IndexError: the dimension does not exist.
        TypeError: `tensors` is not a sequence of tensors.
    """
    parts = tensors_of(tensors, "cat")
    if not parts:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    for position, t in enumerate(parts):
        if not t._array.ndim:
            raise RuntimeError(f"zero-dimensional tensor (at position {position}) cannot be concatenated")
    arrays = _in_common_dtype(parts)
    used = [a for a in arrays if a.shape != (0,)]  # as in torch, empty vectors are ignored
    d = checked_dim(dim, (used or arrays)[0].ndim)
    if used:
        _check_cat(used, arrays, d)
    joined = _concatenate(used or arrays, d)
    sizes = tuple([a.shape[d] if used and a.shape != (0,) else -1 for a in arrays])
    if used and used[0].ndim == 1:
        sizes = tuple([a.shape[0] for a in arrays])
    return record(shapes.cat_tuple.node, joined, parts, dim=d, sizes=sizes)


def _check_cat(used: list[Any], arrays: list[Any], dim: int) -> None:
    first = used[0]
    for position, a in enumerate(arrays):
        if a.shape == (0,):
            continue
        if a.ndim != first.ndim:
            raise RuntimeError(f"Tensors must have same number of dimensions: got {first.ndim} and {a.ndim}")
        for d in range(a.ndim):
            if d != dim and a.shape[d] != first.shape[d]:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected size {first.shape[d]} but got size "
                    f"{a.shape[d]} for tensor number {position} in the list."
                )
        check_same_device(first, a)


@op("function", "out")
def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Stack the tensors, all of one shape, along a new dimension `dim`: three tensors (2, 4) -> (3, 2, 4) for `dim` 0.

    Tensors of different dtypes are converted to their common dtype.

    Raises:
        RuntimeError: the list is empty, or the shapes differ.
        IndexError: the dimension does not exist.
        TypeError: `tensors` is not a sequence of tensors.
    """
    parts = tensors_of(tensors, "stack")
    if not parts:
        raise RuntimeError("stack expects a non-empty TensorList")
    arrays = _in_common_dtype(parts)
    d = checked_dim(dim, arrays[0].ndim + 1)
    for position, a in enumerate(arrays):
        if a.shape != arrays[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(arrays[0].shape)} at entry 0 and {list(a.shape)} at "
                f"entry {position}"
            )
    return record(shapes.stack_tuple.node, _concatenate([np.expand_dims(a, d) for a in arrays], d), parts, dim=d)


def _at_least(name: str, ndim: int, widen: Callable[[Tensor], Tensor]) -> Callable[..., Any]:
    """Define and register a function such as `atleast_2d`, and return it.

    The function returns a tensor for a single tensor, and a tuple for several tensors or a list of them.

    Args:
        ndim: smallest number of dimensions of the results.
        widen: function from a tensor to its view with at least `ndim` dimensions.
    """

    def at_least(*tensors: Any) -> Any:
        if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
            return tuple(widen(t) for t in tensors[0])
        widened = tuple(widen(t) for t in tensors)
        return widened[0] if len(tensors) == 1 else widened

    at_least.__name__ = at_least.__qualname__ = name
    at_least.__doc__ = f"Return the tensors with at least {ndim} dimension{'s' if ndim > 1 else ''}: as views, or themselves if they have enough."
    return op("function")(at_least)


def _wide_1d(t: Tensor) -> Tensor:
    return t.reshape(1) if t._array.ndim == 0 else t


def _wide_2d(t: Tensor) -> Tensor:
    return t.reshape(1, 1) if t._array.ndim == 0 else t.unsqueeze(0) if t._array.ndim == 1 else t


def _wide_3d(t: Tensor) -> Tensor:
    n = t._array.ndim
    if n == 0:
        return t.reshape(1, 1, 1)
    if n == 1:
        return t.unsqueeze(0).unsqueeze(-1)
    return t.unsqueeze(-1) if n == 2 else t


atleast_1d = _at_least("atleast_1d", 1, _wide_1d)
atleast_2d = _at_least("atleast_2d", 2, _wide_2d)
atleast_3d = _at_least("atleast_3d", 3, _wide_3d)


def _non_empty(tensors: Any, name: str) -> list[Tensor]:
    parts = tensors_of(tensors, name)
    if not parts:
        raise RuntimeError(f"{name} expects a non-empty TensorList")
    return parts


@op("function", "out")
def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Concatenate tensors along dimension 1, or vectors along dimension 0.

    Raises:
        RuntimeError: `tensors` is empty, or numbers of dimensions or sizes don't fit.
        TypeError: `tensors` is not a sequence of tensors.
    """
    wide = [atleast_1d(t) for t in _non_empty(tensors, "hstack")]
    return cat(wide, 0 if wide[0]._array.ndim == 1 else 1)


@op("function", "out", aliases=("row_stack",))
def vstack(tensors: Sequence[Tensor]) -> Tensor:
    """Concatenate tensors along dimension 0. A vector counts as a matrix of one row.

    Raises:
        RuntimeError: `tensors` is empty, or numbers of dimensions or sizes don't fit.
        TypeError: `tensors` is not a sequence of tensors.
    """
    return cat([atleast_2d(t) for t in _non_empty(tensors, "vstack")], 0)


@op("function", "out")
def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Concatenate tensors along dimension 2, after `atleast_3d`.

    Raises:
        RuntimeError: `tensors` is empty, or numbers of dimensions or sizes don't fit.
        TypeError: `tensors` is not a sequence of tensors.
    """
    return cat([atleast_3d(t) for t in _non_empty(tensors, "dstack")], 2)


@op("function", "out")
def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Concatenate tensors along dimension 1. A vector counts as a matrix of one column, a 0-d tensor as a 1x1 matrix.

    Raises:
        RuntimeError: `tensors` is empty, or numbers of dimensions or sizes don't fit.
        TypeError: `tensors` is not a sequence of tensors.
    """
    parts = _non_empty(tensors, "column_stack")
    return hstack([t.reshape(t._array.size, 1) if t._array.ndim <= 1 else t for t in parts])
