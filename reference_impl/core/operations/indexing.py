"""`x[...]` and `x[...] = v`.

Numbers, slices, `...` and None give views and are applied first, from the left. What is left, tensors of indices and masks, is
applied at once and copies.
"""

import numpy as np

from reference_impl.core import arrays
from reference_impl.core.declare import in_place_of, operation, publish
from reference_impl.core.operations.shapes import fill_tensor_
from reference_impl.core.tensor import Tensor

ZERO_DIM = "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
END = 2**63 - 1  # how torch writes the end of a slice that has none


def along(dim: int, index):
    """The index that is `index` in dimension `dim` and everything elsewhere; it always gives an array, not a number."""
    return (*(slice(None),) * dim, index, ...)


@operation("SelectBackward0", "select", view=True,
           self=lambda g, self_sym_sizes, dim, index: select_backward(g, self_sym_sizes, dim, index))  # fmt: skip
def select(self, dim, index):
    """The view at `index` of dimension `dim`, which is gone in it."""
    return self[along(dim % self.ndim, index)]


@operation("SelectBackwardBackward0", grad=lambda g, dim, index: select(g, dim, index))
def select_backward(grad, sizes, dim, index):
    """`grad` at place `index` of dimension `dim`, 0 elsewhere"""
    out = np.zeros_like(grad, shape=sizes)
    out[along(dim % len(sizes), index)] = grad
    return out


@operation("SliceBackward0", view=True, self=lambda g, self_sym_sizes, dim, start, end, step:
           slice_backward(g, self_sym_sizes, dim, start, end, step))  # fmt: skip
def slice_of(self, dim, start, end, step):
    """The view `[start:end:step]` of dimension `dim`."""
    return self[along(dim, slice(start, end, step))]


@operation("SliceBackwardBackward0", grad=lambda g, dim, start, end, step: slice_of(g, dim, start, end, step))
def slice_backward(grad, sizes, dim, start, end, step):
    """`grad` at the places of the slice, 0 elsewhere"""
    out = np.zeros_like(grad, shape=sizes)
    out[along(dim, slice(start, end, step))] = grad
    return out


@operation("AliasBackward0", view=True, self=lambda g: g)
def alias(self):
    """The whole tensor as a view."""
    return self[...]


@operation("IndexBackward0", self=lambda g, self_sym_sizes, indices:
           index_put(g.new_zeros(self_sym_sizes), indices, g, True))  # fmt: skip
def index(self, indices):
    """The elements at `indices`: arrays, and slices of everything."""
    return self[tuple(indices)]


@operation("IndexPutBackward0", "index_put index_put_",
           self=lambda g, indices, accumulate: g if accumulate else index_put(g, indices, 0),
           values=lambda g, indices: index(g, indices))  # fmt: skip
def index_put(self, indices, values, accumulate=False):
    """`self` with `values` at `indices`, or added there, as often as an index is named."""
    out = self.copy()
    if accumulate:
        arrays.add_at(out, tuple(indices), values)
    else:
        out[tuple(indices)] = values
    return out


def narrow(self, dim, start, length):
    """The view of `length` indices of `dim` from `start` on."""
    return slice_of(self, dim % self._array.ndim, start, start + length, 1)


publish(narrow, "narrow")


def viewed(self, key):
    """What numbers, slices, `...` and None leave of `self`, and the arrays to index that with (None: there are none)."""
    key = key if isinstance(key, tuple) else (key,)
    specified = sum([1 if not is_mask(i) else i._array.ndim for i in key if i is not None and i is not Ellipsis])
    if specified > max(self._array.ndim, 1):
        raise IndexError(f"too many indices for tensor of dimension {self._array.ndim}")
    part, dim, given = self, 0, {}
    for position, i in enumerate(key):
        if isinstance(i, Tensor) and not i._array.ndim and i._array.dtype.kind in "iu":
            i = int(i)
        if i is None:
            part, dim = part.unsqueeze(dim), dim + 1
        elif i is Ellipsis:
            dim += self._array.ndim - specified
        elif isinstance(i, slice):
            if i != slice(None):
                part = slice_of(
                    part, dim, i.start or 0, END if i.stop is None else i.stop, 1 if i.step is None else i.step
                )
            dim += 1
        elif isinstance(i, (int, np.integer)):
            if not self._array.ndim:
                raise IndexError(ZERO_DIM)
            size = part._array.shape[dim] if part._array.ndim else 0
            if not -size <= i < size:
                raise IndexError(f"index {i} is out of bounds for dimension {position} with size {size}")
            part = select(part, dim, i)
        else:
            given[dim] = i._array if isinstance(i, Tensor) else np.asarray(i)
            dim += given[dim].ndim if given[dim].dtype.kind == "b" else 1
    if not given:
        return part, None
    indices, d = [], 0
    while d < dim:
        indices.append(given.get(d, slice(None)))
        d += given[d].ndim if d in given and given[d].dtype.kind == "b" else 1
    return part, tuple(indices)


def is_mask(i) -> bool:
    return isinstance(i, Tensor) and i._array.dtype.kind == "b"


def getitem(self, key):
    """`self[key]`: never `self` itself, so that a change of the one is a change of a view of the other."""
    part, indices = viewed(self, key)
    if indices is not None:
        return index(part, indices)
    if part is self:
        return slice_of(self, 0, 0, END, 1) if isinstance(key, slice) else alias(self)
    return part


def setitem(self, key, value) -> None:
    """`self[key] = value`"""
    part, indices = viewed(self, key)
    if indices is not None:
        part.index_put_(indices, value)
    elif isinstance(value, Tensor):
        part.copy_(value)
    else:
        in_place_of(fill_tensor_)(part, value)


publish(getitem, "__getitem__")
publish(setitem, "__setitem__")
