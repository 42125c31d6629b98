"""`x[...]` and `x[...] = v`.

Numbers, slices, `...` and None are applied first, from left to right, and give views. Then tensors of indices and masks are applied,
all together, and give a copy.
"""

from typing import Any

import numpy as np

from reference_impl.core.declare import in_place_form, operation, publish
from reference_impl.core.extensions import extensions
from reference_impl.core.node import Node
from reference_impl.core.operations.shapes import fill_tensor_
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor

ZERO_DIM = "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
END = 2**63 - 1  # torch's number for an open end of a slice


def index_along(dim: int, index):
    """Return a NumPy index with `index` in dimension `dim` and `:` in all others. The `...` in it makes a 0-d result an array."""
    return (*(slice(None),) * dim, index, ...)


@operation("SelectBackward0", "select", view=True,
           self=lambda g, self_sym_sizes, dim, index: select_backward(g, self_sym_sizes, dim, index))  # fmt: skip
def select(self, dim, index):
    """Return the view at `index` of dimension `dim`, without that dimension."""
    return self[index_along(dim % self.ndim, index)]


@operation("SelectBackwardBackward0", grad=lambda g, dim, index: select(g, dim, index))
def select_backward(grad, sizes, dim, index):
    """`grad` at `index` of dimension `dim`, 0 elsewhere"""
    out = np.zeros_like(grad, shape=sizes)
    out[index_along(dim % len(sizes), index)] = grad
    return out


@operation("SliceBackward0", view=True, self=lambda g, self_sym_sizes, dim, start, end, step:
           slice_backward(g, self_sym_sizes, dim, start, end, step))  # fmt: skip
def slice_along(self, dim, start, end, step):
    """Return the view `[start:end:step]` of dimension `dim`."""
    return self[index_along(dim, slice(start, end, step))]


@operation("SliceBackwardBackward0", grad=lambda g, dim, start, end, step: slice_along(g, dim, start, end, step))
def slice_backward(grad, sizes, dim, start, end, step):
    """`grad` inside the slice, 0 elsewhere"""
    out = np.zeros_like(grad, shape=sizes)
    out[index_along(dim, slice(start, end, step))] = grad
    return out


@operation("AliasBackward0", view=True, self=lambda g: g)
def alias(self):
    """Return the whole tensor as a view."""
    return self[...]


class WithIndices(Node):
    """Base of nodes that save indices: per dimension a tensor of indices or a mask; None for a dimension that is not indexed."""

    @property
    def _saved_indices(self) -> tuple[Any, ...]:
        count = 1 if self.saved is None else len(self.saved)  # if they were freed, the first read raises an error
        return tuple([self.saved_value(number) for number in range(count)])


class IndexBackward0(WithIndices):
    """out = self[indices]: an element receives the sum of g over all its copies in out."""

    self_sym_sizes: tuple[int, ...]

    def grad_self(self, g):
        return g.new_zeros(self.self_sym_sizes)._put(self._saved_indices, g, True, IndexPutImplBackward0)


class IndexPutBackward0(WithIndices):
    """out = self with out[indices] = values:  ∂self = g with zeros at indices (g if values were added),  ∂values = g[indices]."""

    accumulate: bool

    def grad_self(self, g):
        indices = self._saved_indices  # checked although not needed, as in torch
        return g if self.accumulate else g._put(indices, g.new_zeros(()))

    def grad_values(self, g):
        return g._index(self._saved_indices)


class IndexPutImplBackward0(IndexPutBackward0):
    """As IndexPutBackward0, recorded for the gradient of `self[indices]`."""


def array_index(indices):
    """Convert a sequence of tensors of indices, masks, or None to a NumPy index."""
    return tuple([slice(None) if i is None else i._array for i in indices])


def index(self, indices):
    """Return the elements at `indices`: per dimension a tensor of indices or a mask, or None."""
    return record(IndexBackward0, self._array[array_index(indices)], (self,), indices, self_sym_sizes=self._array.shape)


def put(self, indices, values, accumulate=False, node_class=IndexPutBackward0):
    """Return a copy of `self` with `values` at `indices`. With `accumulate` they are added, also repeatedly at repeated indices."""
    out = self._array.copy()
    if accumulate:
        extensions.add_at(out, array_index(indices), values._array)
    else:
        out[array_index(indices)] = values._array
    return record(node_class, out, (self, values), indices, accumulate=accumulate)


publish(index, "_index")
publish(put, "index_put index_put_ _put")


def narrow(self, dim, start, length):
    """Return the view `[start:start + length]` of dimension `dim`."""
    return slice_along(self, dim % self._array.ndim, start, start + length, 1)


publish(narrow, "narrow")


def apply_views(self, key):
    """Apply the numbers, slices, `...` and None in `key`. Return the view, and the tensors in `key` per dimension of the view.

    The second result is None if there are no tensors.
    """
    key = key if isinstance(key, tuple) else (key,)
    specified = sum([1 if not is_mask(i) else i._array.ndim for i in key if i is not None and i is not Ellipsis])
    if specified > max(self._array.ndim, 1):
        raise IndexError(f"too many indices for tensor of dimension {self._array.ndim}")
    part, dim, index_by_dim = self, 0, {}
    for position, i in enumerate(key):
        if isinstance(i, Tensor) and not i._array.ndim and i._array.dtype.kind in "iu":
            i = int(i)
        if i is None:
            part, dim = part.unsqueeze(dim), dim + 1
        elif i is Ellipsis:
            dim += self._array.ndim - specified
        elif isinstance(i, slice):
            if i != slice(None):
                stop, step = END if i.stop is None else i.stop, 1 if i.step is None else i.step
                part = slice_along(part, dim, i.start or 0, stop, step)
            dim += 1
        elif isinstance(i, (int, np.integer)):
            if not self._array.ndim:
                raise IndexError(ZERO_DIM)
            size = part._array.shape[dim] if part._array.ndim else 0
            if not -size <= i < size:
                raise IndexError(f"index {i} is out of bounds for dimension {position} with size {size}")
            part = select(part, dim, i)
        else:
            index_by_dim[dim] = i if isinstance(i, Tensor) else Tensor._wrap(np.asarray(i))
            dim += index_by_dim[dim]._array.ndim if is_mask(index_by_dim[dim]) else 1
    if not index_by_dim:
        return part, None
    indices, d = [], 0
    while d < dim:
        indices.append(index_by_dim.get(d))
        d += index_by_dim[d]._array.ndim if is_mask(index_by_dim.get(d)) else 1
    return part, tuple(indices)


def is_mask(i) -> bool:
    """Return whether an index is a boolean tensor."""
    return isinstance(i, Tensor) and i._array.dtype.kind == "b"


def getitem(self, key):
    """Return `self[key]`. The result is never `self` itself: even `self[...]` is a view of it."""
    part, indices = apply_views(self, key)
    if indices is not None:
        return index(part, indices)
    if part is self:
        return slice_along(self, 0, 0, END, 1) if isinstance(key, slice) else alias(self)
    return part


def setitem(self, key, value) -> None:
    """Set `self[key] = value`."""
    part, indices = apply_views(self, key)
    if indices is not None:
        value = value if isinstance(value, Tensor) else Tensor._wrap(np.asarray(value, self._array.dtype))
        part.index_put_(indices, value)
    elif isinstance(value, Tensor):
        part.copy_(value)
    else:
        in_place_form(fill_tensor_)(part, value)


publish(getitem, "__getitem__")
publish(setitem, "__setitem__")
