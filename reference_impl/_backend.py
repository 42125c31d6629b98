"""Choose between NumPy and CuPy. No other module distinguishes them.

All other modules call NumPy's functions (`np.multiply(x, y)`), which call CuPy's implementation if an argument is a CuPy
array (NEP 13 and NEP 18). This module adds what no NumPy function can do: find the device of an array, create an array on
a device, and copy an array to another device.
"""

from __future__ import annotations

import functools
import importlib
import math
import threading
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

# In torch, division by zero, overflow and invalid operations give inf and nan without a warning. NumPy warns, and the
# warning names the module that called NumPy. So the filter below silences only warnings for modules of the engine.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"reference_impl\.")

# glibc keeps free memory for later allocations only up to a limit: twice the size of the largest block freed so far
# (mallopt(3), "dynamic mmap threshold"). Above the limit it returns the memory to the system, and the next array of some
# 100 kB takes a page fault for each of its pages. Freeing one block of 16 MiB raises the limit to 32 MiB. The block itself
# costs nothing, because its pages are never touched.
np.empty(1 << 24, np.uint8)

_modules: dict[str, Any] = {"cpu": np}


def register_array_module(device_type: str, module: Any) -> None:
    """Use arrays of `module` for tensors on `device_type`. `module` must have NumPy's creation functions and an `ndarray` class."""
    _modules[device_type] = module


def array_module(device_type: str) -> Any:
    """Return the module that creates arrays on `device_type`.

    Raises:
        AssertionError: `device_type` is 'cuda', and CuPy or a GPU is missing.
        RuntimeError: no module is registered for `device_type`.
    """
    if device_type == "cuda" and "cuda" not in _modules:
        try:
            cupy = importlib.import_module("cupy")
            cupy.cuda.runtime.getDeviceCount()
        except Exception as error:
            hint = RuntimeError("The device 'cuda' of reference_impl needs CuPy and a CUDA GPU.")
            hint.__cause__ = error
            raise AssertionError("Torch not compiled with CUDA enabled") from hint
        _modules["cuda"] = cupy
    try:
        return _modules[device_type]
    except KeyError:
        available = ", ".join(sorted(_modules))
        raise RuntimeError(
            f"reference_impl, which runs here, has no device '{device_type}', only {available}"
        ) from None


def positions(indices: Any) -> Any:
    """Convert an array of indices to int64, torch's dtype for indices. NumPy's functions return int32 indices on WebAssembly."""
    return indices.astype(np.int64, copy=False)


def has_device(device_type: str) -> bool:
    """Return whether arrays can be created on `device_type`."""
    try:
        array_module(device_type)
    except (AssertionError, RuntimeError):
        return False
    return True


def device_type_of(array: Any) -> str:
    """Return the device type of `array`: 'cpu' for a NumPy array, 'cuda' for a CuPy array.

    Raises:
        TypeError: `array` is not an array of a registered module.
    """
    if isinstance(array, np.ndarray):
        return "cpu"
    for device_type, module in _modules.items():
        if isinstance(array, module.ndarray):
            return device_type
    raise TypeError(f"expected an array of NumPy or CuPy, got {type(array).__name__}")


def to_numpy(array: Any) -> np.ndarray:
    """Return `array` as a NumPy array on the CPU. A NumPy array is returned itself, not copied."""
    if isinstance(array, np.ndarray):
        return array
    return array.get()


def to_device(array: Any, device_type: str) -> Any:
    """Return `array` on `device_type`, copied only if it is on another device."""
    if device_type_of(array) == device_type:
        return array
    host = to_numpy(array)
    return host if device_type == "cpu" else array_module(device_type).asarray(host)


def to_device_of(array: Any, like: Any) -> Any:
    """Return `array` on the device of the array `like`."""
    return to_device(array, device_type_of(like))


def on_host(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs `kernel` on the CPU: it copies array arguments to the CPU, and the results to the device of the first.

    Use it for functions that loop over the elements and for functions that CuPy lacks.
    """

    @functools.wraps(kernel)
    def call(*args: Any) -> Any:
        if isinstance(args[0], np.ndarray):
            return kernel(*args)
        results = kernel(*[a if isinstance(a, _NO_ARRAYS) else to_numpy(a) for a in args])
        if isinstance(results, tuple):
            return tuple([to_device_of(r, args[0]) for r in results])
        return to_device_of(results, args[0])

    return call


_NO_ARRAYS = (int, float, str, np.dtype, type(None))


def as_array(value: Any) -> Any:
    """Return a NumPy scalar as a 0-d array, and an array unchanged. NumPy's functions return scalars where torch returns 0-d tensors."""
    return np.asarray(value) if isinstance(value, np.generic) else value


def as_strided(array: Any, shape: tuple[int, ...], strides: tuple[int, ...], offset: int) -> Any:
    """Return a view of the memory of `array`, which must be one-dimensional and contiguous.

    Args:
        shape: shape of the view.
        strides: strides of the view, in elements.
        offset: position of the view's first element in `array`, in elements.
    """
    itemsize = array.itemsize
    byte_strides = tuple(s * itemsize for s in strides)
    if isinstance(array, np.ndarray):
        return np.ndarray(shape, array.dtype, array, offset * itemsize, byte_strides)
    return _strided_view(array[offset:], shape, byte_strides)


def window(array: Any, shape: tuple[int, ...], byte_strides: tuple[int, ...]) -> Any:
    """Return a view of the memory of `array` with this shape and these strides in bytes. It begins at the first element of `array`."""
    memory = memory_of(array)
    if isinstance(array, np.ndarray) and memory is not None:
        offset = address_of(array) - address_of(memory)
        return np.ndarray(shape, array.dtype, memory, offset if array.size else 0, byte_strides)
    return _strided_view(array, shape, byte_strides)


_viewed_arrays: dict[int, Any] = {}
"""The array behind each view made by CuPy's `as_strided`, by the `id` of the view. (The `base` of such a view is None.)"""


def _strided_view(array: Any, shape: tuple[int, ...], byte_strides: tuple[int, ...]) -> Any:
    view = array_module(device_type_of(array)).lib.stride_tricks.as_strided(array, shape, byte_strides)
    _viewed_arrays[id(view)] = array
    weakref.finalize(view, _viewed_arrays.pop, id(view))
    return view


def memory_of(array: Any) -> Any:
    """Return all elements of the array that owns the memory of `array`, in memory order, as a one-dimensional view.

    Return None if there are gaps between the elements.
    """
    root = root_of(array)
    order = sorted(range(root.ndim), key=lambda d: (-root.strides[d], root.shape[d] == 1))
    in_order = root.transpose(order)
    return in_order.reshape(-1) if in_order.flags.c_contiguous else None


def root_of(array: Any) -> Any:
    """Return the array that owns the memory of `array`."""
    root = array
    while array is not None:
        if isinstance(array, type(root)):
            root = array
        base = getattr(array, "base", None)  # NumPy's `as_strided` puts a helper object in between
        array = _viewed_arrays.get(id(array)) if base is None else base
    return root


def contiguous(array: Any) -> Any:
    """Return `array` in C order, copied only if necessary. (`np.ascontiguousarray` does not dispatch to CuPy.)"""
    return array if array.flags.c_contiguous else array.copy("C")


def accumulate(ufunc: Any, array: Any, axis: int) -> Any:
    """Return `ufunc.accumulate(array, axis)`, such as a running maximum.

    CuPy supports sums and products only. For other ufuncs, step k combines each element with the element 2^k positions before it,
    which takes log2(n) steps for n elements.
    """
    if isinstance(array, np.ndarray):
        return ufunc.accumulate(array, axis=axis)
    result, step = np.moveaxis(array, axis, 0), 1
    while step < result.shape[0]:
        joined = result.copy()
        joined[step:] = ufunc(result[:-step], result[step:])
        result, step = joined, 2 * step
    return np.moveaxis(result, 0, axis).copy()


def at(ufunc: np.ufunc, target: Any, index: Any, values: Any) -> None:
    """Compute `ufunc.at(target, index, values)` in place. CuPy supports only sums of some dtypes; in other cases compute on the CPU."""
    if isinstance(target, np.ndarray):
        ufunc.at(target, index, values)
    elif ufunc is np.add and (target.dtype.kind == "f" or target.dtype.itemsize == 8):
        array_module(device_type_of(target)).add.at(target, index, values)
    else:
        host_copy = target.get()
        ufunc.at(host_copy, _fetch(index), _fetch(values))
        target[...] = to_device_of(host_copy, target)


def add_at(target: Any, index: Any, values: Any) -> None:
    """Compute `target[index] += values`, where values at repeated indices add up. `index` may be a NumPy array on every device."""
    at(np.add, target, to_device_of(index, target) if isinstance(index, np.ndarray) else index, values)


def _fetch(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple([_fetch(v) for v in value])
    return value if isinstance(value, (*_NO_ARRAYS, slice)) else to_numpy(value)


def full_like(like: Any, value: Any, shape: tuple[int, ...], dtype: Any = None) -> Any:
    """Return a new array of `shape`, filled with `value`, as `np.full_like` does. (CuPy's version ignores a shape of `()`.)"""
    array = np.full_like(like, value, dtype=dtype, shape=shape or (1,))
    return array if shape else array.reshape(())


def largest(array: Any, axis: Any, keepdims: bool, initial: float) -> Any:
    """Return `np.max(array, axis, keepdims=keepdims, initial=initial)`. (CuPy's version lacks `initial`.)"""
    if isinstance(array, np.ndarray):
        return np.max(array, axis=axis, keepdims=keepdims, initial=initial)
    if array.size:
        return np.maximum(np.max(array, axis=axis, keepdims=keepdims), initial)
    return np.full_like(np.sum(array, axis=axis, keepdims=keepdims), initial)


def address_of(array: Any) -> int:
    """Return the memory address of the first element."""
    if isinstance(array, np.ndarray):
        return array.__array_interface__["data"][0]
    return array.data.ptr


class _Scratch(threading.local):
    """Buffers by name, which later calls of `scratch` reuse. Each thread has separate buffers."""

    def __init__(self) -> None:
        self.memory: dict[str, np.ndarray] = {}


_scratch = _Scratch()
_LARGEST_REUSED = 1 << 24  # bytes per name; larger buffers are allocated each time


def scratch(name: str, shape: tuple[int, ...], like: Any) -> Any:
    """Return uninitialised memory for an intermediate result, of the dtype and device of `like`.

    The next call with the same `name` may return the same memory, so do not store or return a view of the result. The reuse
    avoids page faults: NumPy returns large arrays to the system immediately. CuPy has a pool, so CuPy arrays are not reused
    here.
    """
    if not isinstance(like, np.ndarray):
        return np.empty_like(like, shape=shape)
    size = math.prod(shape) * like.itemsize
    if size > _LARGEST_REUSED:
        return np.empty(shape, like.dtype)
    memory = _scratch.memory.get(name)
    if memory is None or memory.size < size:
        memory = _scratch.memory[name] = np.empty(size, np.uint8)
    return memory[:size].view(like.dtype).reshape(shape)
