"""Choose between NumPy and CuPy. No other module distinguishes them.

Everywhere else arrays are handled through NumPy's own functions (`np.multiply(x, y)`), which hand over to CuPy's
implementation for CuPy arrays (NEP 13 and NEP 18). This module adds the rest: finding the device of an array, creating
an array on a device, and moving one between devices.
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

# torch's division by zero, overflow and invalid operations give inf and nan in silence. NumPy warns, naming the
# module that called it: the filter below silences warnings of the engine's frames only.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"reference_impl\.")

# glibc returns freed memory to the system at once if it exceeds twice the largest block that was ever freed (mallopt(3),
# "dynamic mmap threshold"), and a program that frees and allocates arrays of some 100 kB faults the same pages in again and
# again. One large block, which is never touched and therefore free, makes it keep up to 32 MiB.
np.empty(1 << 24, np.uint8)

_modules: dict[str, Any] = {"cpu": np}


def register_array_module(device_type: str, module: Any) -> None:
    """Use arrays of `module` for tensors on `device_type`. `module` has NumPy's creation functions and `ndarray`."""
    _modules[device_type] = module


def array_module(device_type: str) -> Any:
    """Return the module that creates arrays on `device_type`.

    Raises:
        AssertionError: 'cuda' without CuPy or without a GPU.
        RuntimeError: no module has arrays on this device.
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
    """Convert an index array to int64. On WebAssembly, where pointers have 32 bits, NumPy returns int32."""
    return indices.astype(np.int64, copy=False)


def has_device(device_type: str) -> bool:
    """Return whether arrays can be created on `device_type`."""
    try:
        array_module(device_type)
    except (AssertionError, RuntimeError):
        return False
    return True


def device_type_of(array: Any) -> str:
    """Return 'cpu' for a NumPy array, otherwise the device whose module made `array`."""
    if isinstance(array, np.ndarray):
        return "cpu"
    for device_type, module in _modules.items():
        if isinstance(array, module.ndarray):
            return device_type
    raise TypeError(f"not an array of a known module: {type(array).__name__}")


def to_numpy(array: Any) -> np.ndarray:
    """Return the values of `array` as a NumPy array. For a NumPy array, the result shares its memory."""
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
    """Wrap `kernel` to run on the CPU: copy its arrays from their device, and copy the results back.

    Use it for functions that loop over the elements and for those that CuPy lacks.
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
    """Return `value` as an array. NumPy's functions return a scalar object instead of a 0-d array."""
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
    """Return a view with this shape and these strides that begins at the first element of `array`."""
    memory = memory_of(array)
    if isinstance(array, np.ndarray) and memory is not None:
        offset = address_of(array) - address_of(memory)
        return np.ndarray(shape, array.dtype, memory, offset if array.size else 0, byte_strides)
    return _strided_view(array, shape, byte_strides)


_memory_shown: dict[int, Any] = {}
"""Map the `id` of a view made by CuPy's `as_strided` to the array that it views, which its `base` does not tell."""


def _strided_view(array: Any, shape: tuple[int, ...], byte_strides: tuple[int, ...]) -> Any:
    view = array_module(device_type_of(array)).lib.stride_tricks.as_strided(array, shape, byte_strides)
    _memory_shown[id(view)] = array
    weakref.finalize(view, _memory_shown.pop, id(view))
    return view


def memory_of(array: Any) -> Any:
    """Return the whole memory that `array` is a view of, as a one-dimensional array; None if this memory has gaps."""
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
        base = getattr(array, "base", None)  # NumPy's `as_strided` puts another object between the two
        array = _memory_shown.get(id(array)) if base is None else base
    return root


def contiguous(array: Any) -> Any:
    """Return `array` in C order, copied only if necessary. (`np.ascontiguousarray` does not dispatch to CuPy.)"""
    return array if array.flags.c_contiguous else array.copy("C")


def accumulate(ufunc: Any, array: Any, axis: int) -> Any:
    """Compute `ufunc.accumulate`, such as a running maximum.

    CuPy supports sums and products only. For other ufuncs, step k combines each element with the one 2^k positions before it, so
    n elements take log2(n) steps.
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
    """Compute `ufunc.at(target, index, values)`. CuPy supports sums of some dtypes; other cases run on the CPU."""
    if isinstance(target, np.ndarray):
        ufunc.at(target, index, values)
    elif ufunc is np.add and (target.dtype.kind == "f" or target.dtype.itemsize == 8):
        array_module(device_type_of(target)).add.at(target, index, values)
    else:
        on = target.get()
        ufunc.at(on, _fetch(index), _fetch(values))
        target[...] = to_device_of(on, target)


def add_at(target: Any, index: Any, values: Any) -> None:
    """Compute `target[index] += values`, where values at repeated indices add up. `index` may be a NumPy array."""
    at(np.add, target, to_device_of(index, target) if isinstance(index, np.ndarray) else index, values)


def _fetch(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple([_fetch(v) for v in value])
    return value if isinstance(value, (*_NO_ARRAYS, slice)) else to_numpy(value)


def full_like(like: Any, value: Any, shape: tuple[int, ...], dtype: Any = None) -> Any:
    """Call `np.full_like` with any `shape`, also `()`, which CuPy would ignore."""
    array = np.full_like(like, value, dtype=dtype, shape=shape or (1,))
    return array if shape else array.reshape(())


def largest(array: Any, axis: Any, keepdims: bool, initial: float) -> Any:
    """Compute `np.max` with its argument `initial`, which CuPy's version lacks."""
    if isinstance(array, np.ndarray):
        return np.max(array, axis=axis, keepdims=keepdims, initial=initial)
    if array.size:
        return np.maximum(np.max(array, axis=axis, keepdims=keepdims), initial)
    return np.full_like(np.sum(array, axis=axis, keepdims=keepdims), initial)


def address_of(array: Any) -> int:
    """Return the address of the first element, in bytes."""
    if isinstance(array, np.ndarray):
        return array.__array_interface__["data"][0]
    return array.data.ptr


class _Scratch(threading.local):
    """Buffers by name, reused from call to call. Each thread has separate buffers."""

    def __init__(self) -> None:
        self.memory: dict[str, np.ndarray] = {}


_scratch = _Scratch()
_MOST_KEPT = 1 << 24  # bytes per name; larger buffers are allocated each time


def scratch(name: str, shape: tuple[int, ...], like: Any) -> Any:
    """Return uninitialised memory for an intermediate result, of the dtype and device of `like`.

    The next call with the same name may get the same memory, so do not keep or return a view of it. Reuse saves requests for
    memory pages: NumPy returns large arrays to the system at once. CuPy keeps them in a pool.
    """
    if not isinstance(like, np.ndarray):
        return np.empty_like(like, shape=shape)
    size = math.prod(shape) * like.itemsize
    if size > _MOST_KEPT:
        return np.empty(shape, like.dtype)
    memory = _scratch.memory.get(name)
    if memory is None or memory.size < size:
        memory = _scratch.memory[name] = np.empty(size, np.uint8)
    return memory[:size].view(like.dtype).reshape(shape)
