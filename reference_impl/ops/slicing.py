"""Parts of a tensor that are views of it: one index, a range of indices, a diagonal, and windows.

The gradient of the tensor is that of the part, inside a tensor of zeros. The gradient of this operation is the same part of its `g`,
so derivatives of every order exist. Indexing by tensors, which copies, is in `indexing`; joining is in `joining`.
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
    """Convert an index to a Python integer. torch also accepts NumPy integers and tensors of one integer."""
    return value if value.__class__ is int else value.__index__()


@op("function", "method")
def select(input: Tensor, dim: int, index: Any) -> Tensor:
    """Return the view at `index` of dimension `dim`, without that dimension.

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
    """Run `select` without its checks."""
    x = input._array
    part = x[index, ...] if dim == 0 else x[index_along(dim, index)]
    return record_view(core.select.node, part, input, self_sym_sizes=x.shape, dim=dim, index=index)


def slice_at(input: Tensor, dim: int, start: int | None, end: int | None, step: int) -> Tensor:
    """Return `input[..., start:end:step, ...]` in dimension `dim`, which must exist."""
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
    """Return the view of `length` indices of `dim` from `start` on.

    Raises:
        IndexError: the dimension does not exist, or `start` is out of range.
        RuntimeError: the length is negative or reaches beyond the end.
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
    """Return `np.diagonal` as a writable view on the same memory."""
    part = np.diagonal(x, offset, dim1, dim2)
    if isinstance(part, np.ndarray):
        part.flags.writeable = x.flags.writeable
    return part


def checked_diagonal_dims(ndim: int, dim1: int, dim2: int) -> tuple[int, int]:
    """Return the two dimensions counted from the front.

    Raises:
        IndexError: the dimension does not exist.
        RuntimeError: the two are the same.
    """
    a, b = checked_dim(dim1, ndim), checked_dim(dim2, ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return a, b


@op("function", "method")
@operation("DiagonalBackward0", view=True, self=lambda g, self_sym_sizes, offset, dim1, dim2:
           diagonal_backward(g, self_sym_sizes, offset, dim1, dim2))  # fmt: skip
def diagonal(self: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """Return a view whose last dimension is a diagonal of `dim1` and `dim2`: with a positive `offset`, one above the main diagonal.

    Raises:
        IndexError: the dimension does not exist.
        RuntimeError: the two are the same.
    """
    return diagonal_array(self, offset, *checked_diagonal_dims(self.ndim, dim1, dim2))


@op("function")
@operation("DiagonalBackwardBackward0", grad=lambda g, offset, dim1, dim2: diagonal(g, offset, dim1, dim2))
def diagonal_backward(grad: Any, input_sizes: Sequence[int], offset: int, dim1: int, dim2: int) -> Any:
    """`grad` on the diagonal, 0 elsewhere"""
    out = np.zeros_like(grad, shape=tuple(input_sizes))
    ndim = len(out.shape)
    diagonal_array(out, offset, dim1 % ndim, dim2 % ndim)[...] = grad
    return out


@op("method")
@operation("UnfoldBackward0", view=True, self=lambda g, self_sym_sizes, dimension, size, step:
           unfold_backward(g, self_sym_sizes, dimension, size, step))  # fmt: skip
def unfold(self: Any, dimension: int, size: int, step: int) -> Any:
    """Return a view with windows of `size` elements along `dimension`, one every `step`. A new last dimension has their elements.

    Raises:
        IndexError: the dimension does not exist.
        RuntimeError: the window is larger than the dimension, or the step is not positive.
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
    """Return zeros of `input_sizes` to which each window of `grad_in` is added."""
    g = grad_in
    out = np.zeros_like(g, shape=tuple(input_sizes))
    if not out.ndim:
        out = np.sum(g, keepdims=False).reshape(())
    else:
        dim %= out.ndim
        last = step * (g.shape[dim] - 1) + 1
        for k in range(size):  # the k-th elements of all windows at once: they lie `step` apart, so they are distinct
            out[index_along(dim, slice(k, k + last, step))] += g[..., k]
    return out
