"""`x[...]` and `x[...] = v`, and indexing by tensors: index, index_put.

Numbers, slices, `...` and None are applied first, from left to right, and give views (see `slicing`). Then tensors of indices and
masks are applied, all together, and give a copy: `x[i, j]` pairs the elements of i and j. See torch's python_variable_indexing.cpp
and TensorIndexing.h.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._layout import preserve_format
from reference_impl.arguments import parser
from reference_impl.core.node import Node
from reference_impl.core.operations.indexing import IndexBackward0, IndexPutBackward0
from reference_impl.core.record import needs_grad, record
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import check_inplace
from reference_impl.numerics.memory_order import arrange_as_result, copy_in_format
from reference_impl.ops.creation import number_in
from reference_impl.ops.direct_writes import change
from reference_impl.ops.filling import copy_, fill_
from reference_impl.ops.from_data import array_of
from reference_impl.ops.overlap import check_no_common_memory, warn_of_overlap
from reference_impl.ops.registry import add_methods
from reference_impl.ops.slicing import INT64_MAX, select_at, slice_at, whole_number
from reference_impl.ops.views import alias, broadcast_array, unsqueeze

_PLAIN = (int, slice)


# -- x[index]


def getitem(self: Tensor, index: Any) -> Tensor:
    """Return `self[index]`: a view, or a copy if the index has arrays, lists, booleans or tensors that are not 0-d.

    Raises:
        IndexError: an index is out of range or of an invalid type, or there are too many indices.
        ValueError: the step of a slice is not positive, or an integer does not fit into int64.
        TypeError: a bound of a slice is not an integer, or an index contains a string.
    """
    if index.__class__ is int:
        return _apply_int(self, 0, index)
    if index.__class__ is slice:
        if not self._array.ndim:
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        return _apply_slice(self, 0, index)
    if index is None:
        return unsqueeze(self, 0)
    if index is Ellipsis:
        return alias(self)
    part, tensors = _apply_views(self, _as_tuple(index))
    if tensors:
        return index_by(part, tensors)
    return alias(part) if part is self else part


def _as_tuple(index: Any) -> tuple[Any, ...]:
    """Return the index as a tuple. Python passes `x[i, j]` as a tuple; a single index becomes a tuple of one element.

    As in torch, a list or string of fewer than 32 items, which are not all numbers, counts as a tuple, with a warning.
    """
    if isinstance(index, tuple):
        return index
    if isinstance(index, (list, str)) and len(index) < 32 and any(_is_compound(i) for i in index):
        warnings.warn(
            "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use "
            "x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, "
            "x[torch.tensor(seq)], which will result either in an error or a different result",
            UserWarning,
            stacklevel=3,
        )
        return tuple(index)
    return (index,)


def _is_compound(i: Any) -> bool:
    return i is None or i is Ellipsis or isinstance(i, (Tensor, slice, list, tuple, str, np.ndarray))


def _apply_views(self: Tensor, index: tuple[Any, ...]) -> tuple[Tensor, list[Any]]:
    """Apply numbers, slices, `...` and None, which give views.

    Returns:
        The view, and a list of the remaining indices: per dimension of the view a tensor of indices, a mask or None. The list is empty
        if no indices remain.

    Raises:
        IndexError, ValueError, TypeError: an index is invalid, see `getitem`.
    """
    specified = 0
    for i in index:
        if isinstance(i, Tensor):
            specified += _indexed_dims(i)
        elif not (i is None or i is Ellipsis or i is True or i is False):
            specified += 1
    if specified > self._array.ndim:
        raise IndexError(f"too many indices for tensor of dimension {self._array.ndim}")
    part, dim = self, 0
    tensors: list[Any] = []
    for position, i in enumerate(index):
        if i.__class__ is int:
            part = _apply_int(part, dim, i, position)
        elif i.__class__ is slice:
            part = _apply_slice(part, dim, i, skip_whole=True)
            dim += 1
        elif i is Ellipsis:
            dim += self._array.ndim - specified
        elif i is None:
            part = unsqueeze(part, dim)
            dim += 1
        else:
            part, dim = _apply_other(part, dim, i, tensors, position)
    return part, tensors


def _apply_int(self: Tensor, dim: int, index: int, position: int = 0) -> Tensor:
    """Return the view of `self` at `index` along dimension `dim`.

    Args:
        position: number of indices before this one, for the error.

    Raises:
        IndexError: the index is out of range.
        ValueError: the index does not fit into int64.
    """
    x = self._array
    if not x.ndim and index:
        raise IndexError(f"index {index} is out of bounds for dimension 0 with size 0")
    if not x.ndim:
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim "
            "tensor to a number"
        )
    size = x.shape[dim] if dim < x.ndim else 0  # after a second `...`, dim can be beyond the last dimension
    if not -size <= index < size:
        if not -INT64_MAX <= index + 1 <= INT64_MAX + 1:
            raise ValueError("Overflow when unpacking long long")
        raise IndexError(f"index {index} is out of bounds for dimension {position} with size {size}")
    return select_at(self, dim, index)


def _apply_slice(self: Tensor, dim: int, index: slice, skip_whole: bool = False) -> Tensor:
    try:
        start = None if index.start is None else whole_number(index.start)
        end = None if index.stop is None else whole_number(index.stop)
        step = 1 if index.step is None else whole_number(index.step)
    except AttributeError:
        raise TypeError("slice indices must be integers or None or have an __index__ method") from None
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step < 0:
        raise ValueError("step must be greater than zero")
    if skip_whole and step == 1 and start in (None, 0) and end in (None, self._array.shape[dim]):
        return self
    return slice_at(self, dim, start, end, step)


def _apply_other(part: Tensor, dim: int, i: Any, tensors: list[Any], position: int) -> tuple[Tensor, int]:
    """Apply an index that is neither an int, a slice, `...` nor None, at dimension `dim` of the view `part`.

    A boolean, tensor, sequence or array is appended to `tensors`, except that a 0-d tensor of an integer selects a view. Any other
    object that Python can convert to an integer selects a view, too.

    Returns:
        The view, and the dimension to which the next index applies.

    Raises:
        IndexError: the index is out of range or of an invalid type.
        ValueError: an integer does not fit into int64, or nested lists differ in length.
        TypeError: the index is or contains a string.
    """
    if isinstance(i, bool):
        part, array = unsqueeze(part, dim), np.full((1 if i else 0,), 0, np.int64)
    elif isinstance(i, Tensor):
        array = i._array
        if not array.ndim and array.dtype.kind in "iu" and array.dtype != np.uint8:
            return _apply_int(part, dim, int(array), position), dim
        if not array.ndim and array.dtype.kind in "bu":
            part, array = unsqueeze(part, dim), np.full((1 if array else 0,), 0, np.int64)
    elif isinstance(i, (list, tuple, np.ndarray, range)):
        array = _array_of_numbers(i)
    elif isinstance(i, str):
        raise TypeError("new(): invalid data type 'str'")
    else:
        try:
            return _apply_int(part, dim, whole_number(i), position), dim
        except (AttributeError, TypeError):
            raise IndexError(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got "
                f"{parser.type_name(i)})"
            ) from None
    tensors.extend([None] * (dim - sum(map(_indexed_dims, tensors))))
    tensors.append(i if isinstance(i, Tensor) and i._array is array else Tensor._wrap(array))
    return part, dim + _indexed_dims(tensors[-1]) if array.ndim else dim


def _indexed_dims(index: Tensor | None) -> int:
    """Return the number of dimensions that an index stands for: those of a mask, otherwise one."""
    return 1 if index is None or index._array.dtype not in (np.bool_, np.uint8) else index._array.ndim


def _array_of_numbers(i: Any) -> Any:
    """Convert an index, a sequence or array of integers or booleans, to an array. Booleans give a mask, integers int64 indices.

    Floats are truncated to integers, as by `torch.LongTensor`. An array keeps an integer dtype.

    Raises:
        TypeError: the sequence contains a string.
        ValueError, RuntimeError: the sequence has other elements, or is not rectangular, see `array_of`.
    """
    if isinstance(i, list) and i and isinstance(i[0], str):
        raise TypeError("new(): invalid data type 'str'")
    array = array_of(i if isinstance(i, np.ndarray) else list(i))
    return array.astype(np.int64) if array.dtype.kind == "f" else array


# -- indexing by tensors


def index_arrays(shape: tuple[int, ...], tensors: Sequence[Any]) -> tuple[Any, ...]:
    """Return the index for NumPy that torch's index `tensors` stands for.

    Args:
        shape: shape of the indexed tensor.
        tensors: per dimension an array of indices, or None for the whole dimension. A boolean or uint8 array (with a warning) is a mask,
            and stands for as many dimensions as it has.

    Raises:
        IndexError: an array is not int32, int64, boolean or uint8, an index is out of range, a mask has another shape, or shapes don't
            broadcast.
    """
    dim = 0
    result: list[Any] = []
    shapes = []
    outside = False
    for position, array in enumerate(tensors):
        if array is None:
            result.append(slice(None))
            dim += 1
            continue
        if array.dtype == np.uint8:
            warnings.warn(
                "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.",
                UserWarning,
                stacklevel=4,
            )
            array = array.astype(bool)
        if array.dtype.kind == "b":
            _check_mask(array, shape, dim, position)
            coordinates = np.nonzero(array)
            result.extend(coordinates)
            shapes.extend([c.shape for c in coordinates])
            dim += array.ndim
            continue
        if array.dtype.kind not in "iu" or array.dtype.itemsize < 4:
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if array.size and not -shape[dim] <= int(array.min()) <= int(array.max()) < shape[dim]:
            outside = True
        result.append(array)
        shapes.append(array.shape)
        dim += 1
    if len(shapes) > 1:
        try:
            np.broadcast_shapes(*shapes)
        except ValueError:
            shape_list = ", ".join(str(list(s)) for s in shapes)
            raise IndexError(
                f"shape mismatch: indexing tensors could not be broadcast together with shapes {shape_list}"
            ) from None
    if outside:
        return _index_out_of_range(shape, result)
    return tuple(result)


def _index_out_of_range(shape: tuple[int, ...], index: list[Any]) -> tuple[Any, ...]:
    """Raise IndexError for an index that is out of range. If the index selects no elements, return it with zeros instead.

    As in torch, an index that selects no elements may be out of range, except in a dimension of size 0.
    """
    index_arrays = [(i, shape[d]) for d, i in enumerate(index) if not isinstance(i, slice)]
    if 0 not in np.broadcast_shapes(*[i.shape for i, _ in index_arrays]) and 0 not in shape:
        for number, (i, size) in enumerate(index_arrays):
            for bad in i[(i < -size) | (i >= size)].ravel()[:1]:
                raise IndexError(f"index {int(bad)} is out of bounds for dimension {number} with size {size}")
    if any(size == 0 and i.size for i, size in index_arrays):
        raise IndexError("index is out of bounds for dimension with size 0")
    return tuple(i if isinstance(i, slice) else np.zeros_like(i) for i in index)


def _check_mask(mask: Any, shape: tuple[int, ...], dim: int, position: int) -> None:
    for k, n in enumerate(mask.shape):
        if dim + k >= len(shape) or shape[dim + k] != n:
            raise IndexError(
                f"The shape of the mask {list(mask.shape)} at index {k} does not match the shape of the indexed tensor "
                f"{list(shape)} at index {dim + k}"
            )


def _strides_in_result(x: Any, index: tuple[Any, ...]) -> list[tuple[int, ...]]:
    """Return the strides of `x` and of each array of indices, in the dimensions of `x[index]`.

    A stride is 0 in dimensions of the result that `x` or the array of indices does not have.
    """
    indexed_dims = [d for d, i in enumerate(index) if not isinstance(i, slice)]
    common = np.broadcast_shapes(*[index[d].shape for d in indexed_dims])
    at = indexed_dims[0] if indexed_dims[-1] - indexed_dims[0] + 1 == len(indexed_dims) else 0
    slice_strides = [s for d, s in enumerate(x.strides) if d not in indexed_dims]
    spread = [np.broadcast_to(index[d], common).strides for d in indexed_dims]
    after = len(slice_strides) - at
    return [
        (*slice_strides[:at], *(0,) * len(common), *slice_strides[at:]),
        *[(*(0,) * at, *s, *(0,) * after) for s in spread],
    ]


def add_at(target: Any, index: tuple[Any, ...], values: Any) -> None:
    """Add `values` to `target[index]`, repeatedly where the same index occurs more than once. `target` must be contiguous.

    The index is first converted to positions in the flattened array, because `np.add.at` is ten times faster with a single array.
    """
    positions = np.arange(target.size, like=target).reshape(target.shape)
    flat = positions[index]
    _backend.at(np.add, target.reshape(-1), flat.reshape(-1), broadcast_array(values, flat.shape).reshape(-1))


def _index_arrays_on_device_of(x: Any, tensors: Sequence[Tensor | None]) -> Sequence[Any]:
    """Return the arrays of the indices on the device of `x`. As in torch, lists and tensors on the CPU index any tensor."""
    if isinstance(x, np.ndarray):
        return [None if t is None else t._array for t in tensors]
    return [None if t is None else _backend.to_device_of(t._array, x) for t in tensors]


def index_by(self: Tensor, tensors: Sequence[Tensor | None]) -> Tensor:
    """Return `self[tensors]`. `tensors` has a tensor of indices, a mask, or None per dimension."""
    x = self._array
    index = index_arrays(x.shape, _index_arrays_on_device_of(x, tensors))
    taken = x[index]
    if tensors[0] is None or not x.flags.c_contiguous:
        taken = arrange_as_result(taken, *_strides_in_result(x, index))
    return record(IndexBackward0, taken, (self,), tensors, self_sym_sizes=x.shape)


def put(
    self: Tensor,
    tensors: Sequence[Tensor | None],
    values: Tensor,
    accumulate: bool = False,
    node_class: type[Node] = IndexPutBackward0,
) -> Tensor:
    """Return a copy of `self` in which `values` are written, or with `accumulate` added, at the index `tensors`.

    Args:
        node_class: class of the node.
    """
    out = copy_in_format(self._array, preserve_format)
    _write_at(out, tensors, values, accumulate)
    return record(node_class, out, (self, values), tensors, accumulate=accumulate)


def put_(self: Tensor, tensors: Sequence[Tensor | None], values: Tensor, accumulate: bool = False) -> Tensor:
    """Write `values` in place at the index `tensors` of `self`, or add them if `accumulate` is True. Return `self`.

    Raises:
        RuntimeError: the shape or dtype of `values` does not fit, or `self` must not be changed or shares memory with an argument.
        IndexError: an index is invalid, see `index_arrays`.
    """
    check_inplace(self, needs_grad(self, values))
    warn_of_overlap(self, "index_put_", "tensor[indices] = tensor")
    if not _is_filling(tensors, values, accumulate):
        for other in (values, *tensors):
            if other is not None:
                check_no_common_memory(self, other)
    return change(
        self, lambda x: _write_at(x, tensors, values, accumulate), IndexPutBackward0, (values,), tensors,
        accumulate=accumulate,
    )  # fmt: skip


def _is_filling(tensors: Sequence[Tensor | None], values: Tensor, accumulate: bool) -> bool:
    """Return whether the index is a single mask, and `values` a single value that is not added.

    In this case torch calls `masked_fill_`, which converts the value to the dtype of the tensor.
    """
    indices = [t for t in tensors if t is not None]
    return len(indices) == 1 and indices[0]._array.dtype.kind == "b" and values._array.size == 1 and not accumulate


def _write_at(x: Any, tensors: Sequence[Tensor | None], values: Tensor, accumulate: bool) -> None:
    v = values._array
    if v.dtype != x.dtype and _is_filling(tensors, values, accumulate):
        v = v.astype(x.dtype)
    index = index_arrays(x.shape, _index_arrays_on_device_of(x, tensors))
    target_shape = _result_shape(x.shape, index)
    try:
        v = broadcast_array(v, target_shape)
    except ValueError:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(v.shape)} cannot be broadcast to indexing result of shape "
            f"{list(target_shape)}"
        ) from None
    if v.dtype != x.dtype:
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{_tensor_type(x)} for the destination and {_tensor_type(v)} for the source."
        )
    if not accumulate:
        x[index] = v
    elif x.flags.c_contiguous:
        add_at(x, index, v)
    else:
        _backend.at(np.add, x, index, v)


def _tensor_type(array: Any) -> str:
    return Tensor._wrap(array).dtype.tensor_type


def _result_shape(shape: tuple[int, ...], index: tuple[Any, ...]) -> tuple[int, ...]:
    """Return the shape of `x[index]` for an `x` of `shape`.

    The common shape of the arrays of indices replaces the dimensions that they index. If these dimensions are not adjacent, the common
    shape comes first.
    """
    indexed_dims = [d for d, i in enumerate(index) if not isinstance(i, slice)]
    common = np.broadcast_shapes(*[index[d].shape for d in indexed_dims])
    together = indexed_dims[-1] - indexed_dims[0] + 1 == len(indexed_dims)
    at = indexed_dims[0] if together else 0
    rest = [n for d, n in enumerate(shape) if d not in indexed_dims]
    return (*rest[:at], *common, *rest[at:])


# -- x[index] = value


def setitem(self: Tensor, index: Any, value: Any) -> None:
    """Set `self[index] = value`, where `value` is a number, or a tensor that broadcasts to the shape of `self[index]`.

    Raises:
        IndexError, ValueError, TypeError: an index is invalid, see `getitem`.
        TypeError: `value` is neither a number nor a tensor.
        RuntimeError: the shape or dtype of `value` does not fit, or `self` must not be changed in place.
    """
    if not isinstance(value, Tensor):
        value = _number_for(self, value)
    if index is Ellipsis:
        _copy_to(self, value)
        return
    if index is False:
        return
    if index.__class__ is int:
        _copy_to(_apply_int(self, 0, index), value)
        return
    if index.__class__ is slice:
        if not self._array.ndim:
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        _copy_to(_apply_slice(self, 0, index, skip_whole=True), value)
        return
    if index is None or index is True:
        _copy_to(unsqueeze(self, 0), value)
        return
    part, tensors = _apply_views(self, _as_tuple(index))
    if tensors:
        put_(part, tensors, _without_leading_ones(value))
    else:
        _copy_to(part, value)


def _number_for(self: Tensor, value: Any) -> Tensor:
    if not isinstance(value, (int, float, np.integer)):
        raise TypeError(f"can't assign a {parser.type_name(value)} to a {self.type()}")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("Overflow when unpacking long long")
    return Tensor._wrap(_backend.full_like(self._array, number_in(value, self._array.dtype), ()))


def _without_leading_ones(value: Tensor) -> Tensor:
    shape = value._array.shape
    if not shape or shape[0] != 1:
        return value
    ones = next((d for d, n in enumerate(shape) if n != 1), len(shape))
    return value.view(shape[ones:])


def _copy_to(part: Tensor, value: Tensor) -> None:
    if not value._array.ndim and part._array.ndim:
        fill_(part, value)
        return
    if value._array.shape != part._array.shape:
        value = _without_leading_ones(value)
        if value._array.shape != part._array.shape:
            value = value.expand(part._array.shape)
    copy_(part, value)


add_methods(__getitem__=getitem, __setitem__=setitem, _index=index_by, _put=put)
