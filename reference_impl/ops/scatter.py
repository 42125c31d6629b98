"""gather and its reverse: reading and writing at indices given per element, along one dimension.

`gather` is out[i][j] = self[index[i][j]][j] for dim 0; `scatter` writes self[index[i][j]][j] = src[i][j]. Each is the other's
gradient. `index_add` and its kin take one index per slice instead.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.core.arrays import checked_dim
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.creation import ABSENT, number_in
from reference_impl.ops.indexing import add_at
from reference_impl.ops.registry import op
from reference_impl.ops.with_number import scaled


def grid(index: Any, dim: int) -> tuple[Any, ...]:
    """The index that is `index` in dimension `dim` and the element's own place in the others."""
    places = []
    for d, n in enumerate(index.shape):
        if d == dim:
            places.append(index)
        else:
            own = np.reshape(np.arange(n), tuple([-1 if k == d else 1 for k in range(index.ndim)]))
            places.append(_backend.to_device_of(own, index))
    return tuple(places)


def check_index(name: str, x: Any, index: Any, dim: int, src: Any = None) -> int:
    """`dim` counted from the front.

    Raises:
        RuntimeError: `index` is of another dtype or too large, or out of range.
    """
    d = checked_dim(dim, x.ndim)
    if not index.size:
        return d
    if index.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if max(index.ndim, 1) != max(x.ndim, 1):
        raise RuntimeError(
            "Index tensor must have the same number of dimensions as "
            + ("input tensor" if name == "gather" else "self tensor")
        )
    if src is not None and max(index.ndim, 1) != max(src.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    own, wanted = (x.shape or (1,)), (index.shape or (1,))
    if any(wanted[k] > own[k] for k in range(len(own)) if k != d):
        k = next(k for k in range(len(own)) if k != d and wanted[k] > own[k])
        if name == "gather":
            raise RuntimeError(
                f"Size does not match at dimension {k} expected index {list(index.shape)} to be no larger than self "
                f"{list(x.shape)} apart from dimension {d}"
            )
        tail = "" if src is None else f" and to be no larger size than src {list(src.shape)}"
        raise RuntimeError(
            f"Expected index {list(index.shape)} to be no larger than self {list(x.shape)} apart from dimension {d}{tail}"
        )
    if src is not None and any(a > b for a, b in zip(wanted, src.shape or (1,), strict=True)):
        raise RuntimeError(
            f"Expected index {list(index.shape)} to be no larger than self {list(x.shape)} apart from dimension {d} and to be "
            f"no larger size than src {list(src.shape)}"
        )
    check_range(index, own[d], d)
    return d


class GatherBackward0(Node):
    """out = self at `index` along dimension `dim`: an element receives the sum over the places where it was taken to."""

    saved_names = ("self", "index")
    dim: int
    sparse_grad: bool

    def grad_self(self, g: Tensor) -> Tensor:
        zeros = Tensor._wrap(_backend.full_like(g._array, 0, self._saved_self._array.shape))
        return scatter_add(zeros, self.dim, self._saved_index, g)


@op("function", "method", "out_exact")
def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False) -> Tensor:
    """The elements of `input` at `index` along `dim`, in the shape of `index`, which may be smaller than `input` elsewhere.

    Raises:
        RuntimeError: `index` is of another dtype, too large, or out of range.
    """
    x, i = input._array, index._array
    d = check_index("gather", x, i, dim)
    if not i.size:
        taken = _backend.full_like(x, 0, i.shape)
    elif not x.ndim or not i.ndim:
        taken = np.reshape(np.reshape(x, (-1,))[np.reshape(i, (-1,))], i.shape)
    else:
        taken = _backend.contiguous(x[grid(i, d)])
    return record(GatherBackward0, taken, (input,), (input, index), dim=dim, sparse_grad=sparse_grad)


class ScatterBackward0(Node):
    """out = self with src written at `index` along dimension `dim`:  ∂self = g, 0 there,  ∂src = g there."""

    saved_names = ("index",)
    dim: int

    def grad_self(self, g: Tensor) -> Tensor:
        return scatter(g, self.dim, self._saved_index, 0)

    def grad_src(self, g: Tensor) -> Tensor:
        return gather(g, self.dim, self._saved_index)


class ScatterBackward1(Node):
    """As ScatterBackward0, for one number."""

    saved_names = ("index",)
    dim: int

    def grad_self(self, g: Tensor) -> Tensor:
        return scatter(g, self.dim, self._saved_index, 0)


class ScatterAddBackward0(Node):
    """out = self with src added at `index` along dimension `dim`:  ∂self = g,  ∂src = g there."""

    saved_names = ("index",)
    dim: int

    def grad_self(self, g: Tensor) -> Tensor:
        return g

    def grad_src(self, g: Tensor) -> Tensor:
        return gather(g, self.dim, self._saved_index)


def _place(x: Any, index: Any, dim: int) -> tuple[Any, tuple[Any, ...]]:
    """A copy of `x` to write into, and where."""
    out = x.copy()
    flat = out if out.ndim else np.reshape(out, (1,))
    return flat, grid(index if index.ndim else np.reshape(index, (1,)), dim)


def first_part(src: Any, index: Any) -> Any:
    part = src[tuple([slice(0, n) for n in index.shape])]
    return part if part.ndim else np.reshape(part, (1,))


_REDUCES = {"add": "sum", "multiply": "prod"}


@op("function", "method", "inplace", "out_exact")
def scatter(
    input: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: str = ABSENT
) -> Tensor:
    """A copy of `input` with `src` (a tensor or a number) written at `index` along `dim`.

    Args:
        reduce: "add" or "multiply" instead of overwriting.

    Raises:
        RuntimeError: `index` is of another dtype, too large, or out of range; `src` is of another dtype.
    """
    src = value if src is None else src
    x, i = input._array, index._array
    tensor = isinstance(src, Tensor)
    d = check_index("scatter", x, i, dim, src._array if tensor else None)
    if tensor and src._array.dtype != x.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if reduce is not ABSENT:
        return _scatter_reduced(input, d, index, src, reduce)
    if not i.size:
        out = x.copy()
    else:
        flat, where = _place(x, i, d)
        flat[where] = first_part(src._array, i) if tensor else number_in(src, x.dtype)
        out = np.reshape(flat, x.shape)
    if tensor:
        return record(ScatterBackward0, out, (input, src), (index,), dim=dim)
    return record(ScatterBackward1, out, (input,), (index,), dim=dim)


def _scatter_reduced(input: Tensor, dim: int, index: Tensor, src: Any, reduce: str) -> Tensor:
    if reduce is None:
        raise TypeError("scatter(): reduce may not be None")
    if reduce not in _REDUCES:
        raise RuntimeError("reduce argument must be either add or multiply.")
    if not isinstance(src, Tensor):
        src = Tensor._wrap(_backend.full_like(input._array, src, index._array.shape))
        return _with_reduction(input, dim, index, src, reduce)
    warnings.warn(
        "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future PyTorch release. Use "
        "torch.scatter_reduce instead for more reduction options.",
        UserWarning,
        stacklevel=5,
    )
    if reduce == "add":
        return scatter_add(input, dim, index, src)
    return _with_reduction(input, dim, index, src, reduce)


def _with_reduction(input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str) -> Tensor:
    flat, where = _place(input._array, index._array, dim)
    ufunc = np.add if reduce == "add" else np.multiply
    _backend.at(ufunc, flat, where, first_part(src._array, index._array))
    return Tensor._wrap(np.reshape(flat, input._array.shape))


@op("function", "method", "inplace", "out_exact")
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """A copy of `input` with `src` added at `index` along `dim`.

    Raises:
        RuntimeError: as `scatter`.
    """
    x, i, s = input._array, index._array, src._array
    d = check_index("scatter", x, i, dim, s)
    if s.dtype != x.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not i.size:
        out = x.copy()
    else:
        flat, where = _place(x, i, d)
        flat = _backend.contiguous(flat)
        add_at(flat, where, first_part(s, i))
        out = np.reshape(flat, x.shape)
    return record(ScatterAddBackward0, out, (input, src), (index,), dim=dim)


class IndexAddBackward0(Node):
    """out = self with alpha source added at `index` of dimension `dim`:  ∂self = g,  ∂source = alpha g there."""

    saved_names = ("index", "source")
    dim: int
    alpha: Any

    def grad_self(self, g: Tensor) -> Tensor:
        return g

    def grad_source(self, g: Tensor) -> Tensor:
        taken = g.index_select(self.dim, self._saved_index)
        shape = self._saved_source._array.shape
        if taken._array.shape != shape:
            taken = taken.reshape(shape)
        return scaled(taken, self.alpha)


@op("function", "method", "inplace", "out_exact")
def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """A copy of `input` with the slices of `source` along `dim`, times `alpha`, added at the indices `index`.

    Raises:
        RuntimeError, IndexError: sizes or dtypes don't fit, or an index is out of range.
    """
    x, i, s = input._array, index._array, source._array
    d = check_index_add(x, i, s, dim)
    out = np.reshape(_backend.contiguous(x), x.shape).copy()
    if i.size:
        flat = out if out.ndim else np.reshape(out, (1,))
        values = s if alpha == 1 else np.multiply(s, s.dtype.type(alpha))
        add_at(flat, (*(slice(None),) * d, np.reshape(i, (-1,))), values if out.ndim else np.reshape(values, (-1,)))
    saved = (index, source if source.requires_grad else None)
    return record(IndexAddBackward0, out, (input, source), saved, dim=dim, alpha=alpha)


def check_index_add(x: Any, i: Any, s: Any, dim: int, name: str = "index_add") -> int:
    """`dim` counted from the front.

    Raises:
        RuntimeError, IndexError: shapes or dtypes that don't fit, or an index out of range.
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
    check_range(i, x.shape[d] if x.ndim else 1, d)
    return d


def check_range(index: Any, size: int, dim: int, error: type[Exception] = RuntimeError, start: str = "") -> None:
    outside = (index < 0) | (index >= size)
    if outside.any():
        bad = int(index[outside].reshape(-1)[0])
        raise error(f"{start}index {bad} is out of bounds for dimension {dim} with size {size}")
