"""Return copies with rearranged elements: repeat, flip, roll, tril, diag, meshgrid and others. (Views are in `views` and `slicing`.)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._layout import contiguous_format, preserve_format
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import empty_as
from reference_impl.ops.creation import finish
from reference_impl.ops.kernel_positions import n_times
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import op
from reference_impl.ops.slicing import checked_diagonal_dims, diagonal, diagonal_array, diagonal_backward
from reference_impl.ops.views import shape_of, unsqueeze


def _summed_copies(g: Tensor, shape: tuple[int, ...], repeats: tuple[int, ...]) -> Tensor:
    """`g` summed over the copies

    Return the gradient of the input of `repeat`, of shape `shape`.
    """
    sizes = (*(1,) * (len(repeats) - len(shape)), *shape)
    # For repeats (r0, r1) of a tensor of shape (s0, s1): view g as (r0, s0, r1, s1) and sum over dimensions 0 and 2.
    apart = g.reshape([n for pair in zip(repeats, sizes, strict=True) for n in pair])
    return apart.sum(tuple(range(0, 2 * len(sizes), 2))).reshape(shape) if sizes else g


@operation("RepeatBackward0", self=lambda g, self_sym_sizes, repeats: _summed_copies(g, self_sym_sizes, repeats))
def _repeat(self: Any, repeats: tuple[int, ...]) -> Any:
    return np.tile(_backend.contiguous(self), repeats) if repeats else self.copy()


@op("method")
def repeat(input: Tensor, *repeats: Any, **named: Any) -> Tensor:
    """Return the tensor repeated `repeats[d]` times along each dimension d: (2, 3) with repeats (4, 1, 2) -> (4, 2, 6).

    Raises:
        RuntimeError: there are fewer numbers than dimensions, or a number is negative.
    """
    x, times = input._array, shape_of(repeats, named)
    if len(times) < x.ndim:
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    for n in times:
        if n < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {list(times)}")
    return _repeat(input, times)


@op("function", "method")
def tile(input: Tensor, *dims: Any, **named: Any) -> Tensor:
    """Return the tensor repeated as by `repeat`. If `dims` has fewer numbers than dimensions, they apply to the last dimensions.

    Raises:
        RuntimeError: a number is negative.
    """
    times = shape_of(dims, named)
    return repeat(input, (*(1,) * (input._array.ndim - len(times)), *times))


@op("function", "method")
def repeat_interleave(
    input: Tensor, repeats: Any = None, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Return the tensor with each element along `dim` repeated: [5, 6] -> [5, 5, 6, 6] for `repeats` 2.

    A vector `repeats` has a number for each element: [1, 2] gives [5, 6, 6]. Without `dim`, the tensor is flattened. With `input` alone,
    `input` has the numbers, and the elements are the indices 0, 1, 2, ...

    Args:
        output_size: has no effect.

    Raises:
        RuntimeError: `repeats` is negative or of the wrong size.
        NotImplementedError: a vector `repeats` is neither int32 nor int64.
        IndexError: the dimension does not exist.
    """
    if repeats is None:
        return Tensor._wrap(_repeat_indices(input._array))
    if dim is None:
        input, dim = input.flatten(), 0
    x = input._array
    d = checked_dim(dim, x.ndim)
    counts = repeats._array if isinstance(repeats, Tensor) else None
    if counts is not None and counts.size == 1 and counts.ndim <= 1:
        repeats, counts = int(counts.item()), None
    if counts is None:
        if repeats < 0:
            raise RuntimeError("Repeats must be non-negative")
        wide = unsqueeze(input, d + 1).expand(*x.shape[: d + 1], repeats, *x.shape[d + 1 :])
        return wide.clone(memory_format=None).contiguous().flatten(d, d + 1)
    if counts.ndim != 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if counts.size != x.shape[d]:
        raise RuntimeError(
            f"repeats must have the same size as input along dim, but got repeats.size(0) = {counts.size} and "
            f"input.size({d}) = {x.shape[d]}"
        )
    return input.index_select(d, Tensor._wrap(_repeat_indices(counts)))


@_backend.on_host  # CuPy's `repeat` does not accept an array of numbers
def _repeat_indices(counts: Any) -> Any:
    """Return each index i of `counts` repeated `counts[i]` times: [2, 0, 1] -> [0, 0, 2].

    Raises:
        NotImplementedError: `counts` are not int32 or int64.
        RuntimeError: `counts` has not one dimension, or a number is negative.
    """
    if counts.dtype not in (np.int32, np.int64):
        refuse_dtype("repeat_interleave_cpu", counts.dtype)
    if counts.ndim != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    if (counts < 0).any():
        raise RuntimeError("repeats can not be negative")
    return np.repeat(np.arange(counts.size, dtype=np.int64), counts)


@operation("FlipBackward0", self=lambda g, dims: flip(g, dims))
def _flip(self: Any, dims: tuple[int, ...]) -> Any:
    flipped = empty_as(self, preserve_format)
    np.copyto(flipped, np.flip(self, dims if self.ndim else ()))
    return flipped


@op("function", "method")
def flip(input: Tensor, *dims: Any, **named: Any) -> Tensor:
    """Return a copy with the elements of `dims`, integers or a list of them, in reverse order.

    Raises:
        IndexError: a dimension does not exist.
        RuntimeError: a dimension is named twice.
    """
    x = input._array
    dim_names = shape_of(dims, named)
    axes = tuple([checked_dim(d, x.ndim) for d in dim_names])
    for d in axes:
        if axes.count(d) > 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return _flip(input, dim_names)


@op("function", "method")
def fliplr(input: Tensor) -> Tensor:
    """Return a copy with the elements of dimension 1 in reverse order.

    Raises:
        RuntimeError: the tensor has fewer than two dimensions.
    """
    if input._array.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(input, 1)


@op("function", "method")
def flipud(input: Tensor) -> Tensor:
    """Return a copy with the elements of dimension 0 in reverse order.

    Raises:
        RuntimeError: the tensor has no dimensions.
    """
    if input._array.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip(input, 0)


def _rolled_back(g: Tensor, shifts: Any, dims: Any) -> Tensor:
    """g rolled back.

    Return the gradient of the input of `roll`: `g`, shifted in the opposite direction.
    """
    return roll(g, [-s for s in n_times(shifts, 1)], dims)


@op("function", "method")
@operation("RollBackward0", self=_rolled_back)
def roll(self: Any, shifts: Any, dims: Any = ()) -> Any:
    """Return a copy with the elements shifted along `dims` by `shifts`: [1, 2, 3] -> [3, 1, 2] for 1.

    Elements that are shifted past the end return at the front. Without `dims`, the flattened tensor is shifted; the shape stays.

    Raises:
        RuntimeError: `shifts` and `dims` differ in length.
        TypeError: `shifts` or `dims` are not integers.
        IndexError: a dimension does not exist.
    """
    x = self
    by, axes = n_times(shifts, 1), n_times(dims, 1) if dims is not None else ()
    if any([isinstance(n, (bool, float)) for n in (*by, *axes)]):
        raise TypeError("roll(): arguments 'shifts' and 'dims' must be int or tuple of ints")
    if not by:
        raise RuntimeError("`shifts` required")
    if not axes and len(by) == 1:
        rolled = np.roll(x, by[0])
    else:
        if len(by) != len(axes):
            raise RuntimeError(f"shifts and dimensions must align. shifts: {len(by)}, dims:{len(axes)}")
        if not x.ndim:
            raise IndexError(f"Dimension specified as {axes[0]} but tensor has no dimensions")
        rolled = np.roll(x, by, tuple([checked_dim(d, x.ndim) for d in axes])) if x.ndim else x.copy()
    return _backend.contiguous(rolled) if rolled.ndim else rolled


@operation("Rot90Backward0", self=lambda g, k, dims: rot90(g, -k, dims))
def _rot90(self: Any, k: int, dims: tuple[int, int]) -> Any:
    """Rotate in the plane of `dims`: reverse none, one or both of them in a copy, and for an odd k return a transposed view of the copy."""
    reversed_: Any = {0: (), 1: dims[1], 2: dims, 3: dims[0]}[k % 4]
    copy = empty_as(self, contiguous_format if k % 4 == 0 else preserve_format)
    np.copyto(copy, np.flip(self, reversed_))
    return np.swapaxes(copy, *dims) if k % 2 else copy


@op("function", "method")
def rot90(input: Tensor, k: int = 1, dims: Sequence[int] = (0, 1)) -> Tensor:
    """Return a copy rotated `k` times by 90 degrees in the plane of two dimensions, from `dims[0]` towards `dims[1]`.

    Raises:
        RuntimeError: `dims` are not two different dimensions.
    """
    axes, n = tuple(dims), input._array.ndim
    if len(axes) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(axes)}")
    if n < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {n}")
    a, b = axes
    if a == b or abs(a - b) == n:
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {a} and dim1 = {b}")
    for position, d in enumerate(axes):
        if not -n <= d < n:
            raise RuntimeError(f"Rotation dim{position} out of range, dim{position} = {d}")
    return _rot90(input, k, axes)


def _check_matrix(name: str, x: Any) -> None:
    if x.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")


@op("function", "method", "inplace", "out_exact")
@operation("TrilBackward0", self=lambda g, diagonal: tril(g, diagonal))
def tril(self: Any, diagonal: int = 0) -> Any:
    """Return a copy with 0 above a diagonal of each matrix: 0 is the main diagonal, 1 the diagonal above it, -1 below it.

    The matrices are in the last two dimensions.

    Raises:
        RuntimeError: the input has fewer than two dimensions.
    """
    _check_matrix("tril", self)
    return np.tril(_backend.contiguous(self), diagonal)


@op("function", "method", "inplace", "out_exact")
@operation("TriuBackward0", self=lambda g, diagonal: triu(g, diagonal))
def triu(self: Any, diagonal: int = 0) -> Any:
    """Return a copy with 0 below a diagonal of each matrix: 0 is the main diagonal, 1 the diagonal above it, -1 below it. See `tril`."""
    _check_matrix("triu", self)
    return np.triu(_backend.contiguous(self), diagonal)


@op("function")
def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None, **_: Any) -> Tensor:
    """Return the indices of the elements in the lower triangle of a (row, col) matrix, as two rows: row and column numbers.

    Args:
        offset: the diagonal that bounds the triangle: 0 is the main diagonal, 1 the diagonal above it.
        dtype: dtype of the indices; int64 if None.

    Raises:
        RuntimeError: `row` or `col` is negative.
    """
    _check_triangle(row, col)
    return _triangle(np.tril_indices(row, offset, col), dtype, device)


@op("function")
def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None, **_: Any) -> Tensor:
    """Return the indices of the elements in the upper triangle of a (row, col) matrix. See `tril_indices`."""
    _check_triangle(row, col)
    return _triangle(np.triu_indices(row, offset, col), dtype, device)


def _check_triangle(row: int, col: int) -> None:
    for name, size in (("row", row), ("col", col)):
        if size < 0:
            raise RuntimeError(f"{name} must be non-negative, got{size}")


def _triangle(places: Any, dtype: Any, device: Any) -> Tensor:
    return finish(np.stack(places).astype(np.int64 if dtype is None else dtype.numpy), device)


@op("function", "out_exact")
@operation("DiagonalBackward0_copy", self=lambda g, self_sym_sizes, offset, dim1, dim2:
           diagonal_backward(g, self_sym_sizes, offset, dim1, dim2))  # fmt: skip
def diagonal_copy(self: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """Return a copy of the view that `diagonal` returns."""
    return diagonal_array(self, offset, *checked_diagonal_dims(self.ndim, dim1, dim2)).copy()


diagonal_copy.node.namespace = ""  # as in torch, although its name has no number at the end


@op("function", "method")
@operation("DiagEmbedBackward0", self=lambda g, offset, dim1, dim2: diagonal(g, offset, dim1, dim2))
def diag_embed(self: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Return matrices of zeros with the vectors of the last dimension on a diagonal: (4, 3) -> (4, 3, 3).

    Args:
        offset: the diagonal: 0 is the main diagonal, 1 the diagonal above it.
        dim1, dim2: the dimensions of the matrices in the result.

    Raises:
        RuntimeError: `dim1` and `dim2` are the same dimension.
        IndexError: a dimension does not exist.
    """
    x = self
    a, b = checked_dim(dim1, x.ndim + 1), checked_dim(dim2, x.ndim + 1)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    n = x.shape[-1] + abs(offset)
    shape = list(x.shape[:-1])
    for d in sorted((a, b)):
        shape.insert(d, n)
    out = np.zeros_like(x, shape=tuple(shape))
    diagonal_array(out, offset, a, b)[...] = x
    return out


@op("function", "method", "out_exact")
def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Return a matrix of zeros with a vector on a diagonal: (3,) -> (3, 3). For a matrix, return a copy of a diagonal: (3, 3) -> (3,).

    Args:
        diagonal: 0 is the main diagonal, 1 the diagonal above it.

    Raises:
        RuntimeError: `input` is neither a vector nor a matrix.
    """
    n = input._array.ndim
    if n not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {n}D")
    return diag_embed(input, diagonal) if n == 1 else diagonal_copy(input, diagonal)


@op("function", "method")
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """Return a matrix of zeros with the elements of the flattened tensor on a diagonal; `offset` 0 is the main diagonal."""
    return diag_embed(input.contiguous().view(-1), offset)


@op("function", "method")
@operation("TraceBackward0", self=lambda g, self_sym_sizes:
           diagonal_backward(g.expand(min(self_sym_sizes)), self_sym_sizes, 0, 0, 1))  # fmt: skip
def trace(self: Any) -> Any:
    """Return the sum of the diagonal of a matrix. Integers and booleans are summed in int64.

    Raises:
        RuntimeError: the input is not a matrix.
    """
    if self.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {self.ndim}")
    return np.trace(self, dtype=np.int64 if self.dtype.kind in "biu" else self.dtype)


@op("function")
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Return the coordinates of a grid: for vectors of n and m elements two tensors of shape (n, m), which are views.

    Args:
        tensors: vectors or 0-d tensors, separate or in a list.
        indexing: "ij", or "xy", which exchanges the first two dimensions of the results. None means "ij", with a warning.

    Raises:
        RuntimeError: `tensors` is empty, a tensor has more than one dimension, the dtypes differ, or `indexing` is unknown.
    """
    vectors = list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else list(tensors)
    if not vectors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if any([v._array.dtype != vectors[0]._array.dtype for v in vectors]):
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    for v in vectors:
        if v._array.ndim > 1:
            raise RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {v!r}")
    if indexing is None:
        _warn_indexing()
    elif indexing not in ("ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    swapped = indexing == "xy" and len(vectors) > 1
    if swapped:
        vectors[0], vectors[1] = vectors[1], vectors[0]
    shape = tuple([v._array.size for v in vectors])
    grids = [v.view(*(1,) * d, -1, *(1,) * (len(vectors) - d - 1)).expand(shape) for d, v in enumerate(vectors)]
    if swapped:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


def _warn_indexing() -> None:
    import warnings

    warnings.warn(
        "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.",
        UserWarning,
        stacklevel=3,
    )
