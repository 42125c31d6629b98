"""Elements by their indices: index_select, take, take_along_dim, nonzero. (`x[...]` is in `indexing`, gather in `scatter`.)"""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._tensor import Tensor, _checked_dim
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record
from reference_impl.ops.indexing import put
from reference_impl.ops.registry import op


class IndexSelectBackward0(Node):
    """out = self at `index` in `dim`: an element receives the sum over the places where it was taken to."""

    saved_names = ("index",)
    self_sym_sizes: tuple[int, ...]
    dim: int

    def grad_self(self, g: Tensor) -> Tensor:
        zeros = Tensor._wrap(np.zeros_like(g._array, shape=self.self_sym_sizes))
        return zeros.index_add(self.dim, self._saved_index, g)


@op("function", "method", "out_exact")
def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The indices `index`, a vector, of dimension `dim`, copied.

    Raises:
        IndexError: no such dimension or index, or `index` is not a vector of integers.
    """
    x, i = input._array, index._array
    d = _checked_dim(dim, x.ndim)
    if i.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if i.dtype not in (np.int64, np.int32):
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if i.size and not (0 <= int(i.min()) and int(i.max()) < (x.shape[d] if x.ndim else 1)):
        raise RuntimeError("index out of range in self")
    taken = np.take(x, np.reshape(i, (-1,)), axis=d) if x.ndim else x.copy()
    return record(IndexSelectBackward0, taken, (input,), (index,), self_sym_sizes=x.shape, dim=d)


class TakeBackward0(Node):
    """out = self, seen as a vector, at `index`: an element receives the sum over the places where it was taken to."""

    saved_names = ("self", "index")

    def grad_self(self, g: Tensor) -> Tensor:
        shape = self._saved_self._array.shape
        zeros = Tensor._wrap(np.zeros_like(g._array, shape=(int(np.prod(shape, dtype=np.int64)),)))
        return put(zeros, [self._saved_index._array], g, accumulate=True).view(shape)


@op("function", "method", "out")
def take(input: Tensor, index: Tensor) -> Tensor:
    """The elements of `input`, seen as a vector, at `index`, in the shape of `index`.

    Raises:
        IndexError: out of range, or not integers.
    """
    x, i = input._array, index._array
    if i.dtype != np.int64:
        raise IndexError(f"take(): Expected a long tensor for index, but got {index.dtype.tensor_type}")
    if i.size and not x.size:
        raise IndexError("take(): tried to take from an empty tensor")
    if i.size and not (-x.size <= int(i.min()) and int(i.max()) < x.size):
        raise IndexError(f"out of range: tried to access index {int(i.max())} on a tensor of {x.size} elements.")
    return record(TakeBackward0, np.reshape(x, (-1,))[i], (input,), (input, index))


@op("function", "method", "out_exact")
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """`gather`, with the other dimensions broadcast; without `dim`, of `input` seen as a vector."""
    if dim is None:
        return input.reshape(-1).gather(0, indices.reshape(-1))
    if input._array.ndim != indices._array.ndim:
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
            f"{input._array.ndim} dimensions for input, and {indices._array.ndim} dimensions for indices"
        )
    if indices._array.dtype.kind not in "i" or indices._array.dtype.itemsize < 4:
        raise RuntimeError(
            f"torch.take_along_dim(): dtype of indices should be Long but got {indices.dtype.tensor_type}"
        )
    d = _checked_dim(dim, input._array.ndim)
    shape = np.broadcast_shapes(*[(*a.shape[:d], 1, *a.shape[d + 1 :]) for a in (input._array, indices._array)])
    wide = [(*shape[:d], t._array.shape[d], *shape[d + 1 :]) for t in (input, indices)]
    return input.expand(wide[0]).gather(d, indices.expand(wide[1]) % wide[0][d])


@op("function", "method", "out_exact")
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The indices of the elements that are not 0, a row each; `as_tuple`: a vector per dimension, for use as an index."""
    x = input._array
    if as_tuple:
        found = np.nonzero(np.reshape(x, (-1,)) if not x.ndim else x)
        return tuple(Tensor._wrap(np.ascontiguousarray(i)) for i in found)
    if not x.ndim:
        return Tensor._wrap(np.zeros_like(x, dtype=np.int64, shape=(1 if x else 0, 0)))
    return Tensor._wrap(np.argwhere(x))


@op("function", "method")
def argwhere(input: Tensor) -> Tensor:
    """As `nonzero`."""
    return nonzero(input)
