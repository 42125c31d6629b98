"""`index_fill`: overwrite the slices at some indices of a dimension with a number."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._layout import preserve_format
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation
from reference_impl.core.record import needs_grad
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import check_inplace
from reference_impl.numerics.memory_order import copy_in_format
from reference_impl.ops.creation import number_in
from reference_impl.ops.direct_writes import change
from reference_impl.ops.overlap import warn_of_overlap
from reference_impl.ops.registry import op
from reference_impl.ops.selection import index_select
from reference_impl.ops.sets import unique


def _fill_at(x: Any, dim: int, index: Any, value: Any) -> None:
    """Set x[..., index, ...] = value in dimension `dim`, where `value` is a number or a 0-d array."""
    number = value.astype(x.dtype) if hasattr(value, "dtype") else number_in(value, x.dtype)
    place: Any = (*(slice(None),) * dim, np.reshape(index, (-1,)))
    if x.size:
        np.reshape(x, x.shape or (1,))[place] = number


def _check_index_fill(x: Any, dim: int, i: Any, value: Any) -> int:
    """Return `dim` counted from the front.

    Raises:
        IndexError: the dimension or an index does not exist, or the indices are not int64.
        RuntimeError: `value` has dimensions, or the array of indices `i` has more than one.
    """
    if isinstance(value, Tensor) and value._array.ndim:
        raise RuntimeError(
            f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value._array.ndim} dimension(s)."
        )
    if i.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    if isinstance(value, complex):
        raise RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")
    if not isinstance(value, Tensor):
        number_in(value, x.dtype)
    d = checked_dim(dim, x.ndim)
    if i.ndim > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    size = x.shape[d] if x.ndim else 1
    outside = i[(i < -size) | (i >= size)]
    if outside.size and (x.size or not size):
        raise IndexError(f"index {int(outside[0])} is out of bounds for dimension {d} with size {size}")
    return d


@operation("IndexFillBackward0", without_gradient=["index"],
           self=lambda g, dim, index: index_fill(g, dim, index, 0))  # fmt: skip
def _index_fill(self: Any, dim: int, index: Any, value: Any) -> Any:
    out = copy_in_format(self, preserve_format)
    _fill_at(out, dim, index, value)
    return out


_index_fill_by_tensor = operation("IndexFillBackward1", without_gradient=["index"],
    self=lambda g, dim, index: index_fill(g, dim, index, 0),
    value=lambda g, dim, index: index_select(g, dim, unique(index)).sum(),
)(_index_fill.node.declared_by)  # fmt: skip


@op("function", "method")
def index_fill(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """Return a copy of `input` with `value`, a number or a 0-d tensor, in the slices at the indices `index`, a vector, along `dim`.

    Raises:
        IndexError: the dimension or an index does not exist, or `index` is not int64.
        RuntimeError: `value` has dimensions or is a number outside the range of the dtype, or `index` has more than one dimension.
    """
    d = _check_index_fill(input._array, dim, index._array, value)
    return (_index_fill_by_tensor if isinstance(value, Tensor) else _index_fill)(input, d, index, value)


@op("method")
def index_fill_(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """Apply `index_fill` in place. If elements of `input` share memory, warn instead of raising an error, as torch does.

    Raises:
        IndexError, RuntimeError: an argument is wrong, as in `index_fill`, or `input` must not be changed in place.
    """
    check_inplace(input, needs_grad(input, value))
    d = _check_index_fill(input._array, dim, index._array, value)
    warn_of_overlap(input, "index_fill_", "tensor[mask] = scalar")
    is_tensor = isinstance(value, Tensor)
    node = (_index_fill_by_tensor if is_tensor else _index_fill).node
    number, sources = (value._array, (value,)) if is_tensor else (value, ())
    return change(input, lambda x: _fill_at(x, d, index._array, number), node, sources, (index,), dim=d)
