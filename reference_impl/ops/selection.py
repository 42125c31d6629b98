"""Select elements by indices: index_select, take, take_along_dim, put, index_put.

(`x[...]` is in `indexing`, gather in `scatter`.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_impl._dtype import from_numpy
from reference_impl.arguments import parser
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import check_broadcast, operation
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import arrange_as_result
from reference_impl.ops.indexing import add_at, put, put_
from reference_impl.ops.registry import op
from reference_impl.ops.scatter import zeros_of


def _index_select_backward(g: Tensor, self_sym_sizes: tuple[int, ...], dim: int, index: Tensor) -> Tensor:
    """g added up at index of dimension dim, 0 elsewhere"""
    return zeros_of(g, self_sym_sizes).index_add(dim, index, g)


@op("function", "method", "out_exact")
@operation("IndexSelectBackward0", without_gradient=["index"], self=_index_select_backward)
def index_select(self: Any, dim: int, index: Any) -> Any:
    """Return a copy of the slices at the indices `index`, a vector, along `dim`: for `dim` 0, out[i] = self[index[i]].

    Raises:
        IndexError, RuntimeError: the dimension or an index does not exist, or `index` is not a vector of integers.
    """
    x, i = self, index
    d = checked_dim(dim, x.ndim)
    if i.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if i.dtype not in (np.int64, np.int32):
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if not x.ndim and i.size != 1:
        raise RuntimeError(f"index_select(): Index to scalar can have only 1 value, got {i.size} value(s)")
    size = x.shape[d] if x.ndim else 1
    outside = i[(i < 0) | (i >= size)]
    if outside.size:
        if x.ndim > 1 and d == 1:
            raise RuntimeError(f"INDICES element is out of DATA bounds, id={int(outside[0])} axis_dim={size}")
        raise IndexError("index out of range in self")
    return np.take(x, np.reshape(i, (-1,)), axis=d) if x.ndim else x.copy()


@op("function", "method", "out")
@operation("TakeBackward0", without_gradient=["index"],
           self=lambda g, self, index: put_elements(zeros_of(g, self.shape), index, g, True))  # fmt: skip
def take(self: Any, index: Any) -> Any:
    """Return the elements of the flattened tensor at `index`, in the shape of `index`. Negative indices count from the end.

    Raises:
        IndexError: an index is out of range.
        RuntimeError: `index` is not int64.
    """
    x, i = self, index
    if i.dtype != np.int64:
        raise RuntimeError(f"take(): Expected a long tensor for index, but got {_type_of(i)}")
    if i.size and not x.size:
        raise IndexError("take(): tried to take from an empty tensor")
    if i.size and not (-x.size <= int(i.min()) and int(i.max()) < x.size):
        raise IndexError(f"out of range: tried to access index {int(i.max())} on a tensor of {x.size} elements.")
    return np.reshape(x, (-1,))[i]


def _type_of(array: Any) -> str:
    return from_numpy(array.dtype).tensor_type


@op("function", "method", "out_exact")
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """Return the elements at `indices` along `dim`, as `gather` does, but broadcast the other dimensions of both tensors.

    With `dim`, each index stands for its remainder modulo the size of `dim`: -1 is the last index. Without `dim`, both tensors are
    flattened, and indices must be in range.

    Raises:
        RuntimeError: the tensors have different numbers of dimensions or don't broadcast, `indices` is not int64 or int32, or without
            `dim`, an index is out of range.
        IndexError: the dimension does not exist.
    """
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
    d = checked_dim(dim, input._array.ndim)
    if not input._array.ndim:
        raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
    others = [(*a.shape[:d], 1, *a.shape[d + 1 :]) for a in (input._array, indices._array)]
    check_broadcast(*others)
    shape = np.broadcast_shapes(*others)
    wide = [(*shape[:d], t._array.shape[d], *shape[d + 1 :]) for t in (input, indices)]
    return input.expand(wide[0]).gather(d, indices.expand(wide[1]) % wide[0][d])


# -- put: `x.view(-1)[index] = values`


@op("function", "method", "inplace_apart", name="put")
@operation("PutBackward0", without_gradient=["index"],
           self=lambda g, index, accumulate: g if accumulate else put_elements(g, index, zeros_of(g, index.shape), False),
           source=lambda g, index, source: take(g, index).reshape(source.shape))  # fmt: skip
def put_elements(self: Any, index: Any, source: Any, accumulate: bool = False) -> Any:
    """Return a copy of `self` with the elements of `source` at the positions `index` of the flattened tensor.

    Negative positions count from the end.

    Args:
        accumulate: add the elements of `source` to the old elements, instead of replacing these.

    Raises:
        RuntimeError: `source` has another dtype than `self`, or `index` is not int64.
        IndexError: an index is out of range, or `index` has another number of elements than `source`.
    """
    x, i, s = self, index, source
    if i.dtype != np.int64:
        raise RuntimeError(f"put_(): Expected a long tensor for index, but got {_type_of(i)}")
    if x.dtype != s.dtype:
        raise RuntimeError(
            f"put_(): self and source expected to have the same dtype, but got self.dtype = {_type_of(x)} and "
            f"source.dtype = {_type_of(s)}"
        )
    if i.size != s.size:
        raise IndexError(
            f"put_(): Expected source and index to have the same number of elements, but got source.numel() = {s.size}, "
            f"index.numel() = {i.size}"
        )
    if i.size and not x.size:
        raise IndexError("put_(): Tried to put elements into an empty tensor")
    if i.size and not (-x.size <= int(i.min()) and int(i.max()) < x.size):
        raise IndexError(f"out of range: tried to access index {int(i.max())} on a tensor of {x.size} elements.")
    flat = np.reshape(x, (-1,)).copy()
    where = (np.reshape(i, (-1,)),)
    if accumulate:
        add_at(flat, where, np.reshape(s, (-1,)))
    else:
        flat[where] = np.reshape(s, (-1,))
    return flat.reshape(x.shape) if x.flags.c_contiguous else arrange_as_result(flat.reshape(x.shape), x.strides)


# -- index_put: `x[indices] = values`


def _checked_indices(input: Tensor, indices: Sequence[Any]) -> Sequence[Tensor]:
    """Return `indices`, the argument of `index_put`, after checking them.

    Raises:
        IndexError: there are more indices than dimensions.
        TypeError: an index is not a tensor.
    """
    if isinstance(indices, Tensor):
        raise TypeError("index_put_(): argument 'indices' (position 1) must be tuple of Tensors, not Tensor")
    for position, i in enumerate(indices):
        if not isinstance(i, Tensor):
            raise TypeError(f"expected Tensor as element {position} in argument 0, but got {parser.type_name(i)}")
    if len(indices) > input._array.ndim:
        raise IndexError(f"too many indices for tensor of dimension {input._array.ndim} (got {len(indices)})")
    return indices


@op("function", "method")
def index_put(input: Tensor, indices: Sequence[Any], values: Tensor, accumulate: bool = False) -> Tensor:
    """Return a copy with `values` at `indices`, as after `copy[indices] = values`.

    Args:
        indices: a tensor of integers or a mask for each of the first dimensions.
        accumulate: add the values instead of overwriting. At an index that occurs several times, all its values are added.

    Raises:
        IndexError: there are more indices than dimensions, or an index is out of range.
        TypeError: an index is not a tensor.
        RuntimeError: the shape or dtype of `values` does not fit.
    """
    return put(input, _checked_indices(input, indices), values, accumulate)


@op("function", "method")
def index_put_(input: Tensor, indices: Sequence[Any], values: Tensor, accumulate: bool = False) -> Tensor:
    """Set `input[indices] = values`, or add the values with `accumulate`, and return `input`.

    Arguments and errors are those of `index_put`. RuntimeError also says that `input` must not be changed in place.
    """
    return put_(input, _checked_indices(input, indices), values, accumulate)
