"""Convert Python's numbers and nested lists to arrays for `torch.tensor`. See torch/csrc/utils/tensor_new.cpp."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl._dtype import get_default_dtype
from reference_impl._settings import warn_once
from reference_impl.core.tensor import Tensor

_PLAIN = {float, int, bool}
_MOST_DIMENSIONS = 128
_LIST_OF_ARRAYS = (
    "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single "
    "numpy.ndarray with numpy.array() before converting to a tensor."
)


def array_of(data: Any, dtype: Any = None) -> Any:
    """Return a new array with the numbers in `data`, in the torch dtype `dtype`; if it is None, in the dtype that torch infers.

    The first list of arrays in a program causes torch's warning.

    Raises:
        ValueError: nested lists differ in length, or contain a string or an integer beyond int64.
        TypeError: `data` is a string; torch does not have the dtype of an array; a list contains numbers and lists; or, with `dtype`,
            an element is not a number.
        RuntimeError: a number is outside the range of `dtype`; or, without `dtype`, an element is not a number.
    """
    if isinstance(data, (np.ndarray, np.generic)):
        _dtype.from_numpy(data.dtype)
        return np.array(data, dtype=None if dtype is None else dtype.numpy)
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    kind = None if dtype is None else dtype.numpy
    array = _of_plain_numbers(data, kind)
    if array is None:
        shape = _shape_of(data)
        known = kind or _infer_dtype(data)
        leaves: list[Any] = []
        if prod(shape):
            _collect(data, shape, 0, known.kind, leaves)
        array = np.array(leaves, dtype=known if kind is None or not leaves else None).reshape(shape)
    if kind is None or array.dtype == kind:
        return array
    if kind.kind in "iu":
        _check_range(array, kind)
    return array.astype(kind)


def _of_plain_numbers(data: Any, kind: Any) -> Any:
    """Return nested lists of Python numbers, the usual case, as an array. Return None for other or invalid data.

    If `kind` is None, the array has the dtype that torch infers. Otherwise it has a dtype that represents all numbers exactly, and the
    caller converts it to `kind`.
    """
    types: set[type] = set()
    if type(data) in (list, tuple):
        _add_types(data, types)
    else:
        types.add(type(data))
    if not types <= _PLAIN:
        return None
    try:
        array = np.array(data)
    except (ValueError, OverflowError):
        return None
    if array.dtype.kind not in "bif":
        return None
    if array.dtype.kind == "f" and float not in types and array.size:
        return None  # integers beyond int64, which NumPy has converted to floats
    if array.dtype.kind == "f" or not array.size:
        return array if kind is not None else array.astype(get_default_dtype().numpy)
    return array.astype(np.int64) if array.dtype.kind == "i" else array


def _add_types(data: Any, types: set[type]) -> None:
    element_types = set(map(type, data))
    if list in element_types or tuple in element_types:
        for v in data:
            if type(v) in (list, tuple):
                _add_types(v, types)
        element_types -= {list, tuple}
    types |= element_types


def is_sequence(value: Any) -> bool:
    """Return whether `value` has elements with positions, as lists, arrays and strings have. Tensors do not count."""
    return (
        hasattr(value, "__len__")
        and hasattr(value, "__getitem__")
        and not isinstance(value, (Tensor, dict, np.generic))
    )


def _shape_of(data: Any) -> tuple[int, ...]:
    """Return the shape of nested lists, judged by the first element of each list: [[1, 2], [3]] -> (2, 2).

    Raises:
        ValueError: there are more than 128 dimensions, for example because of a string, whose first element is a string again.
    """
    shape: list[int] = []
    while is_sequence(data):
        shape.append(len(data))
        if len(shape) > _MOST_DIMENSIONS:
            raise ValueError(f"too many dimensions '{type(data).__name__}'")
        if not shape[-1]:
            break
        data = data[0]
    return tuple(shape)


def _infer_dtype(data: Any) -> np.dtype:
    if isinstance(data, (Tensor, np.ndarray, np.generic)):
        array = data._array if isinstance(data, Tensor) else data
        return _dtype.from_numpy(array.dtype).numpy
    if isinstance(data, (bool, int, float, complex)):
        return _dtype.number_dtype(data).numpy
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if not is_sequence(data):
        raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")
    if not len(data):
        return get_default_dtype().numpy
    common = None
    for v in data:
        kind = _dtype.from_numpy(_infer_dtype(v))
        common = kind if common is None else _dtype.promote_types(common, kind)
    assert common is not None
    return common.numpy


def _collect(data: Any, shape: tuple[int, ...], dim: int, kind: str, leaves: list[Any]) -> None:
    """Append the numbers in the nested lists `data` to `leaves`, in order.

    Args:
        shape: expected shape of the outermost list.
        dim: depth of `data` in that list: 0 for the list itself.
        kind: NumPy's letter for the kind of dtype to which numbers are converted: "b", "i", "u" or "f".

    Raises:
        ValueError: the length of a list is not that in `shape`.
        TypeError: an element is not a list where `shape` requires it, or not a number.
    """
    if dim == len(shape):
        leaves.append(_number(data, kind))
        return
    if not hasattr(data, "__iter__"):
        raise TypeError("not a sequence")
    elements = list(data)
    if len(elements) != shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(elements)})")
    for v in elements:
        if isinstance(v, np.ndarray):
            warn_once(_LIST_OF_ARRAYS)
        _collect(v, shape, dim + 1, kind, leaves)


def _number(value: Any, kind: str) -> Any:
    if isinstance(value, (list, tuple, set, dict, str, type(None))):
        name = type(value).__name__
        raise TypeError(
            f"must be real number, not {name}"
            if kind == "f"
            else f"'{name}' object cannot be interpreted as an integer"
        )
    if kind == "b":
        return bool(value)
    if kind == "f" or (isinstance(value, (float, np.floating)) and value != value):
        return float(value)
    whole = int(value)
    if not -(2**63) <= whole < 2**63:
        raise ValueError("Overflow when unpacking long long")
    return whole


def _check_range(array: Any, kind: np.dtype) -> None:
    """Check that the numbers of `array` fit into the integer dtype `kind`. In uint8, -255 to -1 are allowed, since they wrap.

    Raises:
        RuntimeError: a number is too small or too large.
    """
    bounds = np.iinfo(kind)
    low = -int(bounds.max) if kind.kind == "u" else int(bounds.min)
    if array.size and array.dtype.kind != "b" and not (low <= array.min() and array.max() <= int(bounds.max)):
        raise RuntimeError(f"value cannot be converted to type {kind.name} without overflow")
