"""Convert the operands of elementwise operations, tensors and numbers of different dtypes, to arrays of their common dtype."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl._layout import preserve_format
from reference_impl.core.declare import check_broadcast
from reference_impl.core.extensions import extensions
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import align_operands, copy_in_format

_ndarray = np.ndarray


def as_operand(array: Any, number: float) -> Any:
    """Return `number` as a 0-d array in the dtype of `array`, because NumPy takes a third longer for a Python number.

    The number 0, and numbers for an `array` without dimensions or on another device, are returned unchanged.
    """
    if number and array.__class__ is _ndarray and array.ndim:
        return _without_dimensions(number, array.dtype)
    return number


@functools.lru_cache(256)
def _without_dimensions(number: float, dtype: np.dtype) -> np.ndarray:
    """Return `number` as a 0-d array. `number` must not be 0, because the cache would confuse 0.0 and -0.0."""
    return np.asarray(number, dtype)


def operands(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the arrays of `a` and `b`, tensors or numbers, in their common dtype and in torch's memory order. One must be a tensor.

    If `a` is a floating-point tensor, a float or int `b` is returned unchanged, because NumPy converts it to the dtype of the array.
    Other numbers, and two 0-d tensors of the same dtype, become NumPy numbers.

    Raises:
        RuntimeError: the shapes of `a` and `b` don't broadcast, or they are on different devices.
        TypeError: an operand is neither a tensor nor a number.
    """
    if isinstance(a, Tensor):
        x = a._array
        if isinstance(b, Tensor):
            y = b._array
            if not x.ndim and not y.ndim and x.dtype is y.dtype:
                return x[()], y[()]  # NumPy's scalars are faster than 0-d arrays
            if x.shape != y.shape:
                check_broadcast(x.shape, y.shape)
                x, y = align_operands(x, y)
            elif not x.flags.c_contiguous:
                x, y = align_operands(x, y)
            if x.dtype is not y.dtype:
                x, y = promote(x, y)
            if x.__class__ is not y.__class__:
                x, y = on_one_device(x, y)
            return x, y
        kind = x.dtype.kind
        if kind == "f" and b.__class__ in (float, int):
            return x, b
        return promote(x, _number(b))
    x, y = promote(_number(a), b._array)
    return x, y


def tensor_operands(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the arrays of two tensors as `operands` does, but raise an error for numbers.

    Raises:
        TypeError: an operand is not a tensor.
    """
    require_tensor(a)
    require_tensor(b)
    return operands(a, b)


def require_tensor(value: Any) -> None:
    """Raise TypeError if `value` is not a tensor. `registry.as_torch_function` replaces the message by torch's."""
    if not isinstance(value, Tensor):
        raise TypeError(f"expected Tensor, but got {type(value).__name__}")


def promote(*values: Any) -> tuple[Any, ...]:
    """Return the arrays and numbers `values`, converted to their common dtype. Numbers become NumPy numbers."""
    common = _dtype.result_type_of(values)
    return tuple([cast(v, common) for v in values])


def cast(x: Any, dtype: np.dtype) -> Any:
    """Return an array or a number converted to `dtype`: an array of this dtype itself, otherwise a copy in the same memory order."""
    if hasattr(x, "dtype"):
        if isinstance(x, np.generic):
            return x.astype(dtype)
        return x if x.dtype == dtype else copy_in_format(x, preserve_format, dtype)
    if dtype.kind in "iu":
        _dtype.check_width(x)
        return np.int64(x - 2**64 if x >= 2**63 else x).astype(dtype)  # converted as in C: 300 becomes 44 in uint8
    return dtype.type(x)


extensions.fill(operands=operands, cast=cast)  # functions that handle devices and memory orders


def as_float(x: Any, y: Any) -> tuple[Any, Any]:
    """Return two operands, of which at least one is an array. If they are integers or booleans, convert both to the default dtype."""
    if (x if _is_array(x) else y).dtype.kind == "f":
        return x, y
    dtype = _dtype.get_default_dtype().numpy
    return cast(x, dtype), cast(y, dtype)


def _number(value: Any) -> Any:
    number = _dtype.python_number(value)
    if isinstance(number, (int, float)):
        return number
    raise TypeError(f"unsupported operand type(s): 'Tensor' and '{type(value).__name__}'")


def on_one_device(*values: Any) -> tuple[Any, ...]:
    """Return `values` (arrays and Python numbers) with all arrays on one device.

    As in torch, 0-d arrays move from the CPU to the device of the other arrays.

    Raises:
        RuntimeError: two arrays with dimensions are on different devices.
    """
    home = _array_off_cpu([v for v in values if _is_array(v)])
    return values if home is None else tuple([_backend.to_device_of(v, home) if _is_array(v) else v for v in values])


def _is_array(value: Any) -> bool:
    return hasattr(value, "dtype") and not isinstance(value, np.generic)


def check_one_device(*values: Any) -> None:
    """Check that all tensors in `values`, which may be nested in lists and dicts, are on the same device or have no dimensions.

    Raises:
        RuntimeError: two tensors with dimensions are on different devices.
    """
    _array_off_cpu(list(_arrays_in(values)))


def _array_off_cpu(arrays: list[Any]) -> Any:
    """Return one of `arrays` that is not on the CPU, or None if all arrays have the same class and are thus on devices of one kind.

    Arrays without dimensions may stay on the CPU.

    Raises:
        RuntimeError: two tensors with dimensions are on different devices.
    """
    if len({a.__class__ for a in arrays}) < 2:
        return None
    home = next(a for a in arrays if _backend.device_type_of(a) != "cpu")
    for a in arrays:
        check_same_device(home, a)
    return home


def _arrays_in(value: Any) -> Iterator[Any]:
    if isinstance(value, Tensor):
        yield value._array
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _arrays_in(part)
    elif isinstance(value, dict):
        yield from _arrays_in(list(value.values()))


def check_same_device(x: Any, y: Any) -> None:
    """Raise RuntimeError if `y` is on another device than `x` and has dimensions."""
    device_x, device_y = _backend.device_type_of(x), _backend.device_type_of(y)
    if device_x != device_y and y.ndim:
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{_device_text(device_x)} and {_device_text(device_y)}!"
        )


def _device_text(device_type: str) -> str:
    return device_type if device_type == "cpu" else device_type + ":0"


def refuse_dtype(kernel: str, dtype: np.dtype) -> NoReturn:
    """Raise NotImplementedError with torch's message: its function `kernel` has no implementation for `dtype`."""
    raise NotImplementedError(f"\"{kernel}\" not implemented for '{_dtype.from_numpy(dtype).tensor_type}'")
