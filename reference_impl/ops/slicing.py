"""Views of a part of a tensor: `select` (an index), `narrow` (a range of indices), `diagonal`, `unfold` (windows).

The gradient of the tensor is a tensor of zeros that contains the gradient of the part. It is computed by recorded operations, so
derivatives of every order exist. Indexing by tensors, which copies, is in `indexing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation
from reference_impl.core.operations import indexing as core
from reference_impl.core.operations.indexing import index_along
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import record_view
from reference_impl.ops.registry import op

INT64_MAX = 2**63 - 1


def whole_number(value: Any) -> int:
    """Return `value` as a Python integer. It may be a NumPy integer or a tensor with a single integer.

    Raises:
        AttributeError, TypeError: `value` is not an integer.
    """
    return value if value.__class__ is int else value.__index__()


@op("function", "method")
def select(input: Tensor, dim: int, index: Any) -> Tensor:
    """Return the view at `index` of dimension `dim`, without this dimension: `x[:, 2]` for `dim` 1 and `index` 2.

    Raises:
        IndexError: the dimension or the index does not exist.
    """
    x = input._array
    if not x.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    d, i = checked_dim(dim, x.ndim), whole_number(index)
    if not -x.shape[d] <= i < x.shape[d]:
        raise IndexError(
            f"select(): index {i} out of range for tensor of size {list(x.shape)} at dimension {dim if dim >= 0 else d}"
        )
    return select_at(input, d, i)


def select_at(input: Tensor, dim: int, index: int) -> Tensor:
    """Return `select(input, dim, index)` without checking the arguments. `dim` must count from the front."""
    x = input._array
    part = x[index, ...] if dim == 0 else x[index_along(dim, index)]
    return record_view(core.select.node, part, input, self_sym_sizes=x.shape, dim=dim, index=index)


def slice_at(input: Tensor, dim: int, start: int | None, end: int | None, step: int) -> Tensor:
    """Return the view `[start:end:step]` along dimension `dim`, without checking the arguments. `dim` must count from the front."""
    x = input._array
    s = slice(start, end, step)
    return record_view(
        core.slice_along.node,
        x[s] if dim == 0 else x[index_along(dim, s)],
        input,
        self_sym_sizes=x.shape,
        dim=dim,
        start=0 if start is None else start,
        end=INT64_MAX if end is None else end,
        step=step,
    )


@op("function", "method")
def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """Return the view `[start:start + length]` along dimension `dim`. A negative `start` counts from the end.

    Raises:
        IndexError: the dimension does not exist, or `start` is out of range.
        RuntimeError: `input` has no dimensions, `length` is negative, `start + length` is larger than the size of the dimension, or
            `start` is a tensor other than a 0-d integer.
    """
    x = input._array
    if not x.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    d, begin = checked_dim(dim, x.ndim), _narrow_start(start)
    size = x.shape[d]
    if not -size <= begin <= size:
        raise IndexError(f"start out of range (expected to be in range of [{-size}, {size}], but got {begin})")
    begin += size if begin < 0 else 0
    if begin + length > size:
        raise RuntimeError(f"start ({begin}) + length ({length}) exceeds dimension size ({size}).")
    return slice_at(input, d, begin, begin + length, 1)


def _narrow_start(start: Any) -> int:
    if isinstance(start, Tensor) and (start._array.ndim or start._array.dtype.kind not in "iu"):
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    return whole_number(start)


def diagonal_array(x: Any, offset: int, dim1: int, dim2: int) -> Any:
    """Return `np.diagonal(x, offset, dim1, dim2)` as a view that is writable if `x` is."""
    part = np.diagonal(x, offset, dim1, dim2)
    if isinstance(part, np.ndarray):
        part.flags.writeable = x.flags.writeable
    return part


def checked_diagonal_dims(ndim: int, dim1: int, dim2: int) -> tuple[int, int]:
    """Return `dim1` and `dim2` counted from the front.

    Raises:
        IndexError: a dimension does not exist.
        RuntimeError: both are the same dimension.
    """
    a, b = checked_dim(dim1, ndim), checked_dim(dim2, ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return a, b


@op("function", "method")
@operation("DiagonalBackward0", view=True, self=lambda g, self_sym_sizes, offset, dim1, dim2:
           diagonal_backward(g, self_sym_sizes, offset, dim1, dim2))  # fmt: skip
def diagonal(self: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """Return a view whose last dimension contains the diagonals of matrices: (3, 3, 5) -> (5, 3).

    Args:
        offset: the diagonal: 0 is the main diagonal, 1 the diagonal above it, -1 below it.
        dim1, dim2: the dimensions of the matrices.

    Raises:
        IndexError: a dimension does not exist.
        RuntimeError: `dim1` and `dim2` are the same dimension.
    """
    return diagonal_array(self, offset, *checked_diagonal_dims(self.ndim, dim1, dim2))


@op("function")
@operation("DiagonalBackwardBackward0", grad=lambda g, offset, dim1, dim2: diagonal(g, offset, dim1, dim2))
def diagonal_backward(grad: Any, input_sizes: Sequence[int], offset: int, dim1: int, dim2: int) -> Any:
    """`grad` on the diagonal, 0 elsewhere

    Return the gradient of the input of `diagonal`, of shape `input_sizes`.
    """
    out = np.zeros_like(grad, shape=tuple(input_sizes))
    ndim = len(out.shape)
    diagonal_array(out, offset, dim1 % ndim, dim2 % ndim)[...] = grad
    return out


@op("method")
@operation("UnfoldBackward0", view=True, self=lambda g, self_sym_sizes, dimension, size, step:
           unfold_backward(g, self_sym_sizes, dimension, size, step))  # fmt: skip
def unfold(self: Any, dimension: int, size: int, step: int) -> Any:
    """Return a view of windows along `dimension`: [1, 2, 3, 4] -> [[1, 2], [2, 3], [3, 4]] for size 2 and step 1.

    Args:
        size: number of elements of a window, which form a new last dimension.
        step: distance between the first elements of neighboring windows.

    Raises:
        IndexError: the dimension does not exist.
        RuntimeError: `size` is negative or larger than the dimension, or `step` is not positive.
    """
    x, d = self, checked_dim(dimension, self.ndim)
    length, stride = (x.shape[d], x.strides[d]) if x.ndim else (1, x.itemsize)
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > length:
        raise RuntimeError(f"maximum size for tensor at dimension {d} is {length} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    windows = (length - size) // step + 1
    shape = (*x.shape[:d], windows, *x.shape[d + 1 :], size) if x.ndim else (size,)
    strides = (*x.strides[:d], stride * step, *x.strides[d + 1 :], stride) if x.ndim else (stride,)
    return _backend.window(x, shape, strides)


@op("function")
@operation("UnfoldBackwardBackward0", grad_in=lambda g, dim, size, step: unfold(g, dim, size, step))
def unfold_backward(grad_in: Any, input_sizes: Sequence[int], dim: int, size: int, step: int) -> Any:
    """Return a tensor of shape `input_sizes`: the sum of all windows of `grad_in`, each added where `unfold` has read it."""
    g = grad_in
    out = np.zeros_like(g, shape=tuple(input_sizes))
    if not out.ndim:
        out = np.sum(g, keepdims=False).reshape(())
    else:
        dim %= out.ndim
        last = step * (g.shape[dim] - 1) + 1
        for k in range(size):  # the k-th elements of all windows lie `step` apart, so no position occurs twice
            out[index_along(dim, slice(k, k + last, step))] += g[..., k]
    return out
