"""`gather` and `scatter`: read and write elements along one dimension, with an index for each element.

For dim 0, `gather` computes out[i][j] = self[index[i][j]][j], and `scatter` sets self[index[i][j]][j] = src[i][j]. The gradient of each is
computed by the other. `index_add` has an index for each slice instead of each element.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._settings import warn_user
from reference_impl.arguments.kinds import as_number
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation
from reference_impl.core.tensor import Tensor
from reference_impl.ops.creation import ABSENT, number_in
from reference_impl.ops.indexing import add_at
from reference_impl.ops.not_implemented import record_not_implemented
from reference_impl.ops.registry import op
from reference_impl.ops.with_number import scale


def grid(index: Any, dim: int) -> tuple[Any, ...]:
    """Return a NumPy index for `gather`: `index` in dimension `dim`, and 0, 1, 2, ... in all other dimensions.

    For a matrix `index` and `dim` 0, `x[grid(index, 0)][i, j]` is `x[index[i, j], j]`.
    """
    places = []
    for d, n in enumerate(index.shape):
        if d == dim:
            places.append(index)
        else:
            numbers = np.reshape(np.arange(n), tuple([-1 if k == d else 1 for k in range(index.ndim)]))
            places.append(_backend.to_device_of(numbers, index))
    return tuple(places)


def zeros_of(g: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return zeros of `shape`, with the dtype and device of `g`."""
    return Tensor._wrap(_backend.full_like(g._array, 0, shape))


def check_index(name: str, x: Any, index: Any, dim: int, src: Any = None) -> int:
    """Check the arguments of the operation `name` as torch does, and return `dim` counted from the front.

    If `index` has no elements, only `dim` and the dtype of `src` are checked.

    Args:
        x, index, src: arrays: the operand, the indices and the values to write; `src` is None if there are no values to check.

    Raises:
        IndexError: the dimension does not exist.
        RuntimeError: `index` or `src` has a wrong dtype or shape, or an index is out of range.
    """
    d = checked_dim(dim, x.ndim)
    if index.size and index.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if src is not None and src.dtype != x.dtype:
        raise RuntimeError(f"{name}(): Expected self.dtype to be equal to src.dtype")
    if not index.size:
        return d
    if max(index.ndim, 1) != max(x.ndim, 1):
        raise RuntimeError(
            "Index tensor must have the same number of dimensions as "
            + ("input tensor" if name == "gather" else "self tensor")
        )
    if src is not None and max(index.ndim, 1) != max(src.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    sizes, index_sizes = (x.shape or (1,)), (index.shape or (1,))
    if any(index_sizes[k] > sizes[k] for k in range(len(sizes)) if k != d):
        k = next(k for k in range(len(sizes)) if k != d and index_sizes[k] > sizes[k])
        if name == "gather":
            raise RuntimeError(
                f"Size does not match at dimension {k} expected index {list(index.shape)} to be no larger than self "
                f"{list(x.shape)} apart from dimension {d}"
            )
        tail = "" if src is None else f" and to be no larger size than src {list(src.shape)}"
        raise RuntimeError(
            f"Expected index {list(index.shape)} to be no larger than self {list(x.shape)} apart from dimension {d}{tail}"
        )
    if src is not None and any(a > b for a, b in zip(index_sizes, src.shape or (1,), strict=True)):
        raise RuntimeError(
            f"Expected index {list(index.shape)} to be no larger than self {list(x.shape)} apart from dimension {d} and to be "
            f"no larger size than src {list(src.shape)}"
        )
    check_range(index, sizes[d], d)
    return d


def _gather_backward(g: Tensor, shape: tuple[int, ...], dim: int, index: Tensor) -> Tensor:
    """`g` added up at `index`, 0 elsewhere"""
    return scatter_add(zeros_of(g, shape), dim, index, g)


@operation("GatherBackward0", without_gradient=["index"],
           self=lambda g, self, dim, index, sparse_grad: _gather_backward(g, self.shape, dim, index))  # fmt: skip
def _gather(self: Any, dim: int, index: Any, sparse_grad: bool) -> Any:
    x, i, d = self, index, dim % max(self.ndim, 1)
    if not i.size:
        return _backend.full_like(x, 0, i.shape)
    if not x.ndim or not i.ndim:
        return np.reshape(np.reshape(x, (-1,))[np.reshape(i, (-1,))], i.shape)
    return _backend.contiguous(x[grid(i, d)])


@op("function", "method", "out_exact")
def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False) -> Tensor:
    """Return the elements of `input` at `index` along `dim`: for `dim` 0, out[i][j] = input[index[i][j]][j].

    The result has the shape of `index`. In dimensions other than `dim`, `index` may be smaller than `input`. `sparse_grad` has no effect.

    Raises:
        IndexError: the dimension does not exist.
        RuntimeError: `index` has a wrong dtype or another number of dimensions than `input`, is too large, or has an index out of range.
    """
    check_index("gather", input._array, index._array, dim)
    return _gather(input, dim, index, sparse_grad)


def _place(x: Any, index: Any, dim: int) -> tuple[Any, tuple[Any, ...]]:
    """Return a copy of `x`, and the NumPy index of the elements to overwrite. A 0-d `x` or `index` gets a dimension of size 1."""
    out = x.copy()
    flat = out if out.ndim else np.reshape(out, (1,))
    return flat, grid(index if index.ndim else np.reshape(index, (1,)), dim)


def first_part(src: Any, index: Any) -> Any:
    """Return the first elements of each dimension of `src`, in the shape of `index`: (4, 4) -> (2, 3) for an index of shape (2, 3)."""
    part = src[tuple([slice(0, n) for n in index.shape])]
    return part if part.ndim else np.reshape(part, (1,))


_REDUCES = {"add": np.add, "multiply": np.multiply}
_REDUCE_DEPRECATED = (
    "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future PyTorch release. Use "
    "torch.scatter_reduce instead for more reduction options."
)


@operation("ScatterBackward0", without_gradient=["index"], self=lambda g, dim, index: scatter(g, dim, index, 0),
           src=lambda g, dim, index: gather(g, dim, index))  # fmt: skip
def _scatter(self: Any, dim: int, index: Any, src: Any) -> Any:
    return _scatter_number.node.declared_by(self, dim, index, src)


@operation("ScatterBackward1", without_gradient=["index"], self=lambda g, dim, index: scatter(g, dim, index, 0))
def _scatter_number(self: Any, dim: int, index: Any, src: Any) -> Any:
    if not index.size:
        return self.copy()
    flat, where = _place(self, index, dim % max(self.ndim, 1))
    flat[where] = first_part(src, index) if hasattr(src, "dtype") else number_in(src, self.dtype)
    return np.reshape(flat, self.shape)


@op("function", "method", "inplace_apart", "out_exact")
def scatter(
    input: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: str = ABSENT
) -> Tensor:
    """Return a copy of `input` with `src` written at `index` along `dim`: for `dim` 0, out[index[i][j]][j] = src[i][j].

    The in-place form `scatter_` writes into `input` itself.

    Args:
        src, value: the new values: a tensor `src`, or a number `src` or `value`.
        reduce: "add" or "multiply" combines the old values with the new ones, instead of overwriting. This has no gradient, as in torch,
            and is deprecated for a tensor `src`: the function warns.

    Raises:
        RuntimeError: `index` has a wrong dtype or shape, or an index is out of range; `src` has another dtype than `input`; or `reduce`
            is unknown.
        TypeError: `reduce` is None.
        IndexError: the dimension does not exist.
    """
    src = value if src is None else src if isinstance(src, Tensor) else as_number(src)
    x, i = input._array, index._array
    tensor = isinstance(src, Tensor)
    d = check_index("scatter", x, i, dim, src._array if tensor else None)
    if reduce is not ABSENT:
        return _scatter_reduced(input, d, index, src, reduce)
    return (_scatter if tensor else _scatter_number)(input, dim, index, src)


def _scatter_reduced(input: Tensor, dim: int, index: Tensor, src: Any, reduce: str) -> Tensor:
    if reduce is None:
        raise TypeError("scatter(): argument 'reduce' must be str, not NoneType")
    if reduce not in _REDUCES:
        raise RuntimeError("reduce argument must be either add or multiply.")
    flat, where = _place(input._array, index._array, dim)
    if isinstance(src, Tensor):
        warn_user(_REDUCE_DEPRECATED)
        values = first_part(src._array, index._array)
    else:
        values = _backend.full_like(input._array, src, index._array.shape)
        values = values if values.ndim else np.reshape(values, (1,))
    _backend.at(_REDUCES[reduce], flat, where, values)
    return record_not_implemented("scatter", (np.reshape(flat, input._array.shape),), (input, src))[0]


@op("function", "method", "inplace_apart", "out_exact")
@operation("ScatterAddBackward0", without_gradient=["index"],
           self=lambda g: g, src=lambda g, dim, index: gather(g, dim, index))  # fmt: skip
def scatter_add(self: Any, dim: int, index: Any, src: Any) -> Any:
    """Return a copy of `self` with `src` added at `index` along `dim`: for `dim` 0, out[index[i][j]][j] += src[i][j].

    The in-place form `scatter_add_` adds to `self` itself.

    Raises:
        RuntimeError: `index` has a wrong dtype or shape, or an index is out of range; or `src` has another dtype than `self`.
        IndexError: the dimension does not exist.
    """
    x, i, s = self, index, src
    d = check_index("scatter", x, i, dim, s)
    if not i.size:
        return x.copy()
    flat, where = _place(x, i, d)
    flat = _backend.contiguous(flat)
    add_at(flat, where, first_part(s, i))
    return np.reshape(flat, x.shape)


@operation("IndexAddBackward0", without_gradient=["index"], self=lambda g: g, source=lambda g, index, source, dim, alpha:
           scale(g.index_select(dim, index).reshape(source.shape), alpha))  # fmt: skip
def _index_add(self: Any, dim: int, index: Any, source: Any, alpha: Any) -> Any:
    out = np.reshape(_backend.contiguous(self), self.shape).copy()
    if index.size:
        flat = out if out.ndim else np.reshape(out, (1,))
        values = source if alpha == 1 else np.multiply(source, source.dtype.type(alpha))
        add_at(
            flat, (*(slice(None),) * dim, np.reshape(index, (-1,))), values if out.ndim else np.reshape(values, (-1,))
        )
    return out


@op("function", "method", "inplace_apart", "out_exact")
def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """Return a copy of `input` with the slices of `source` added along `dim`: for `dim` 0, out[index[i]] += alpha · source[i].

    Raises:
        RuntimeError, IndexError: a size or dtype of `index` or `source` is wrong, or an index is out of range.
    """
    d = check_index_add(input._array, index._array, source._array, dim)
    return _index_add(input, d, index, source, alpha)


def check_index_add(x: Any, i: Any, s: Any, dim: int, name: str = "index_add") -> int:
    """Check the arguments of `index_add`, arrays x, index i and source s, and return `dim` counted from the front.

    Args:
        name: the function, for errors.

    Raises:
        RuntimeError, IndexError: a size or dtype is wrong, or an index is out of range. The message is torch's.
    """
    d = checked_dim(dim, x.ndim)
    names = [Tensor._wrap(a).dtype.tensor_type for a in (x, i, s)]
    if d >= max(s.ndim, 1) and i.ndim <= 1:
        raise RuntimeError(f"{name}_(): Indexing dim {d} is out of bounds of the source tensor with dim {s.ndim}")
    if i.ndim > 1:
        raise IndexError(
            f"{name}_(): Index is supposed to be a vector, but got dim: {i.ndim} with type: {names[1]} and size: "
            f"{list(i.shape)}"
        )
    if i.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{name}_(): Expected dtype int32/int64 for index but got: {names[1]}")
    if x.dtype != s.dtype:
        raise RuntimeError(f"{name}_(): self ({names[0]}) and source ({names[2]}) must have the same scalar type")
    if i.size != (s.shape[d] if s.ndim else 1):
        raise RuntimeError(
            f"{name}_(): Number of indices ({i.size}) should be equal to source.size(dim): ({s.shape[d] if s.ndim else 1}), for dim: {d}"
        )
    if x.ndim != s.ndim or any(a != b for k, (a, b) in enumerate(zip(x.shape, s.shape, strict=True)) if k != d):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
            f"{list(x.shape)} source.shape = {list(s.shape)}"
        )
    if x.ndim <= 1 and bool(np.any((i < 0) | (i >= max(x.size, 1)))):
        raise IndexError("index out of range in self")
    check_range(i, x.shape[d] if x.ndim else 1, d)
    return d


def check_range(index: Any, size: int, dim: int, error: type[Exception] = RuntimeError, start: str = "") -> None:
    """Raise `error` if an index is negative or not less than `size`. The message is `start`, then a sentence with the first invalid index."""
    outside = (index < 0) | (index >= size)
    if outside.any():
        bad = int(index[outside].reshape(-1)[0])
        raise error(f"{start}index {bad} is out of bounds for dimension {dim} with size {size}")
