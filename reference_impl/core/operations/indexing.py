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
    """Return a NumPy index with `index` in dimension `dim` and `:` in all others: `(:, index, ...)` for dimension 1.

    The final `...` makes NumPy return a 0-d array instead of a number.
    """
    return (*(slice(None),) * dim, index, ...)


@operation("SelectBackward0", "select", view=True,
           self=lambda g, self_sym_sizes, dim, index: select_backward(g, self_sym_sizes, dim, index))  # fmt: skip
def select(self, dim, index):
    """Return the view at `index` of dimension `dim`, without this dimension: `x[:, 2]` for dimension 1 and index 2."""
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
    """Return the view `[start:end:step]` along dimension `dim`."""
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
    """Base class of nodes that save indices: per dimension a tensor of integers or a mask; None for a dimension that is not indexed."""

    @property
    def _saved_indices(self) -> tuple[Any, ...]:
        count = 1 if self.saved is None else len(self.saved)  # if they were freed, reading the first raises an error
        return tuple([self.saved_value(number) for number in range(count)])


class IndexBackward0(WithIndices):
    """out = self[indices]: an element receives the sum of g over all its copies in out."""

    self_sym_sizes: tuple[int, ...]

    def grad_self(self, g):
        """Return zeros in the shape of the input, to which g is added at the indices. At a repeated index, all elements are added."""
        return g.new_zeros(self.self_sym_sizes)._put(self._saved_indices, g, True, IndexPutImplBackward0)


class IndexPutBackward0(WithIndices):
    """out = self with out[indices] = values:  ∂self = g with zeros at indices (g if values were added),  ∂values = g[indices]."""

    accumulate: bool

    def grad_self(self, g):
        """Return g with zeros at the indices; if values were added there, g itself."""
        indices = self._saved_indices  # checked although not needed, as in torch
        return g if self.accumulate else g._put(indices, g.new_zeros(()))

    def grad_values(self, g):
        """Return the elements of g at the indices."""
        return g._index(self._saved_indices)


class IndexPutImplBackward0(IndexPutBackward0):
    """As IndexPutBackward0, recorded for the gradient of `self[indices]`."""


def array_index(indices):
    """Return `indices` as a NumPy index. Per dimension they contain a tensor of integers or a mask, or None, which becomes `:`."""
    return tuple([slice(None) if i is None else i._array for i in indices])


def index(self, indices):
    """Return a copy of the elements at `indices`, which contain per dimension a tensor of integers or a mask, or None for `:`."""
    return record(IndexBackward0, self._array[array_index(indices)], (self,), indices, self_sym_sizes=self._array.shape)


def put(self, indices, values, accumulate=False, node_class=IndexPutBackward0):
    """Return a copy of `self` with `values` written at `indices`, which have the same form as in `index`.

    With `accumulate`, add the values instead. At a repeated index, all of them are added.
    """
    out = self._array.copy()
    if accumulate:
        extensions.add_at(out, array_index(indices), values._array)
    else:
        out[array_index(indices)] = values._array
    return record(node_class, out, (self, values), indices, accumulate=accumulate)


publish(index, "_index")
publish(put, "index_put index_put_ _put")


def narrow(self, dim, start, length):
    """Return the view `[start:start + length]` along dimension `dim`."""
    return slice_along(self, dim % self._array.ndim, start, start + length, 1)


publish(narrow, "narrow")


def apply_views(self, key):
    """Apply the numbers, slices, `...` and None in `key`. Return the view, and the indices that remain to be applied to it.

    The indices are a tuple with a tensor or None for each dimension of the view, from the first on. A mask stands for as many dimensions
    as it has. If the key has no tensors, masks or lists, None replaces the tuple.

    Each entry of the key applies to dimension `dim` of the view so far. For x of shape (4, 5, 6) and the key of `x[1, None, [0, 2], :3]`:

        entry     dim    view afterwards    indices afterwards
        1         0      (5, 6)             ()
        None      0      (1, 5, 6)          (None)
        [0, 2]    1      (1, 5, 6)          (None, tensor([0, 2]))
        :3        2      (1, 5, 3)          (None, tensor([0, 2]), None)

    Raises:
        IndexError: the key has too many indices, or a number is out of range.
    """
    key = key if isinstance(key, tuple) else (key,)
    indexed = sum([indexed_dims(entry) for entry in key if entry is not None and entry is not Ellipsis])
    if indexed > max(self._array.ndim, 1):
        raise IndexError(f"too many indices for tensor of dimension {self._array.ndim}")
    view, dim, indices = self, 0, []
    for position, entry in enumerate(key):
        if isinstance(entry, Tensor) and not entry._array.ndim and entry._array.dtype.kind in "iu":
            entry = int(entry)
        if isinstance(entry, (int, np.integer)):
            if not self._array.ndim:
                raise IndexError(ZERO_DIM)
            view = select_entry(view, dim, entry, position)
            continue  # `view` has lost dimension `dim`, so `dim` is now the number of the following dimension
        index = None
        if entry is None:
            view = view.unsqueeze(dim)
        elif isinstance(entry, slice):
            view = slice_entry(view, dim, entry)
        elif entry is not Ellipsis:
            index = entry if isinstance(entry, Tensor) else Tensor._wrap(np.asarray(entry))
        dims = self._array.ndim - indexed if entry is Ellipsis else indexed_dims(index)
        indices += [None] * dims if index is None else [index]
        dim += dims
    return view, tuple(indices) if any([index is not None for index in indices]) else None


def select_entry(view, dim: int, index: int, position: int):
    """Return `select(view, dim, index)`. If `index` is out of range, raise IndexError, which names `position`, its position in the key."""
    size = view._array.shape[dim] if view._array.ndim else 0
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for dimension {position} with size {size}")
    return select(view, dim, index)


def slice_entry(view, dim: int, entry: slice):
    """Return the view `entry`, such as `1:3`, along dimension `dim`. For `:`, return `view` itself."""
    if entry == slice(None):
        return view
    stop, step = END if entry.stop is None else entry.stop, 1 if entry.step is None else entry.step
    return slice_along(view, dim, entry.start or 0, stop, step)


def indexed_dims(entry) -> int:
    """Return how many dimensions of a tensor an entry of a key applies to: 1, but for a mask the number of its dimensions."""
    return entry._array.ndim if isinstance(entry, Tensor) and entry._array.dtype.kind == "b" else 1


def getitem(self, key):
    """Return `self[key]`. The result is never `self` itself: even `self[...]` is a view of it."""
    view, indices = apply_views(self, key)
    if indices is not None:
        return index(view, indices)
    if view is self:
        return slice_along(self, 0, 0, END, 1) if isinstance(key, slice) else alias(self)
    return view


def setitem(self, key, value) -> None:
    """Copy `value`, a tensor or a number, into the elements `self[key]`."""
    view, indices = apply_views(self, key)
    if indices is not None:
        value = value if isinstance(value, Tensor) else Tensor._wrap(np.asarray(value, self._array.dtype))
        view.index_put_(indices, value)
    elif isinstance(value, Tensor):
        view.copy_(value)
    else:
        in_place_form(fill_tensor_)(view, value)


publish(getitem, "__getitem__")
publish(setitem, "__setitem__")
