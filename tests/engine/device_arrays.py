"""An array module that imitates a GPU: NumPy arrays in a wrapper that is as strict as CuPy.

Values enter through `asarray` and leave through `.get()`, `.item()` and `.tolist()`. Everything else that mixes wrapped arrays and
NumPy arrays raises a TypeError: `np.asarray(x)`, an operation on an array of each type, an index or a value of the other type.

If CuPy is installed, each call is also made on arrays of CuPy, and raises the errors of CuPy: see `cupy_checks`.
"""

from __future__ import annotations

import functools
import operator
import weakref
from types import SimpleNamespace
from typing import Any

import numpy as np

from reference_impl import _backend
from tests.engine import cupy_checks

_wrappers: weakref.WeakValueDictionary[int, DeviceArray] = weakref.WeakValueDictionary()


class DeviceArray(np.lib.mixins.NDArrayOperatorsMixin):
    """An imitation of `cupy.ndarray` on the NumPy array `_host`."""

    __slots__ = ("__weakref__", "_host", "base")

    def __init__(self, host: np.ndarray) -> None:
        self._host = host
        root = _backend.root_of(host)
        self.base = None
        if root is not host:
            known = _wrappers.get(id(root))
            self.base = DeviceArray(root) if known is None else known
        else:
            _wrappers[id(host)] = self

    def __array__(self, *args: Any, **kwargs: Any) -> np.ndarray:
        raise TypeError(
            "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a NumPy array explicitly."
        )

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method not in ("__call__", "reduce"):
            # CuPy lacks `accumulate` and `reduceat`, and its `at` accepts no tuple if it is called through NumPy.
            return NotImplemented
        if "where" in kwargs:
            # Observed on a GPU. Without a GPU, CuPy fails before it checks this argument.
            raise TypeError("Wrong arguments {'where': ...}")
        host, host_kwargs = [_to_host(x) for x in inputs], _to_host(kwargs)
        result = getattr(ufunc, method)(*host, **host_kwargs)
        _check_on_cupy("a ufunc", ufunc.__name__, getattr(ufunc, method), inputs, kwargs, result)
        if cupy_checks.cupy is not None and method == "__call__":
            cupy_checks.check_types(ufunc, tuple(host), host_kwargs, result)
        return kwargs["out"][0] if len(kwargs.get("out", ())) == 1 else _to_device(result)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if any(issubclass(t, np.ndarray) for t in types):
            return NotImplemented
        if kwargs.get("shape") == () and function.__name__.endswith("_like"):
            kwargs = {**kwargs, "shape": None}  # observed on a GPU
        if function is np.unique and args[0].dtype.kind == "b":
            raise TypeError("cupy boolean subtract, the `-` operator, is deprecated")  # observed on a GPU
        result = function(*_to_host(args), **_to_host(kwargs))
        _check_on_cupy("a function", function.__name__, function, args, kwargs, result)
        if function is np.diagonal:
            result.flags.writeable = True  # NumPy returns a read-only view, CuPy a writable one
        out = kwargs.get("out")
        return out if out is not None else _to_device(result)

    def __getitem__(self, index: Any) -> Any:
        result = self._host[_to_host(index)]
        _check_on_cupy("an index", "[...]", operator.getitem, (self, index), {}, result)
        return _to_device(result)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._host[_to_host(index)] = _to_host(value)
        _check_on_cupy("an index", "[...] = ", operator.setitem, (self, index, value), {}, None)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(self._host, name)
        _check_on_cupy("an attribute", name, getattr, (self, name), {}, value)
        return functools.partial(self._call, name) if callable(value) else _to_device(value)

    def _call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        result = getattr(self._host, name)(*_to_host(args), **_to_host(kwargs))
        _check_on_cupy(
            "a method",
            name,
            lambda x, *args, **kwargs: getattr(x, name)(*args, **kwargs),
            (self, *args),
            kwargs,
            result,
        )
        return _to_device(result)

    @property
    def data(self) -> Any:
        """Return an object whose `ptr` is the address of the first element, as `cupy.ndarray.data`."""
        return SimpleNamespace(ptr=self._host.__array_interface__["data"][0])

    def get(self) -> np.ndarray:
        """Return a copy of the values as a NumPy array."""
        return self._host.copy("K")

    def item(self, *args: Any) -> Any:
        """Return the element at an index as a Python number; without an index, the only element."""
        return self._host.item(*args)

    def tolist(self) -> Any:
        """Return the values as nested lists."""
        return self._host.tolist()

    def __len__(self) -> int:
        return len(self._host)

    def __iter__(self) -> Any:
        return (_to_device(row) for row in self._host)

    def __bool__(self) -> bool:
        return bool(self._host)

    def __int__(self) -> int:
        return int(self._host)

    def __float__(self) -> float:
        return float(self._host)

    def __index__(self) -> int:
        return self._host.__index__()


def _to_host(value: Any) -> Any:
    """Unwrap the arrays in a value or in nested containers.

    Raises:
        TypeError: `value` contains a NumPy array.
    """
    if isinstance(value, DeviceArray):
        return value._host
    if isinstance(value, np.ndarray):
        raise TypeError(f"Unsupported type {type(value)}")
    if isinstance(value, (tuple, list)):
        return type(value)([_to_host(v) for v in value])
    if isinstance(value, dict):
        return {k: _to_host(v) for k, v in value.items()}
    return value


def _to_cupy(value: Any) -> Any:
    """Replace the wrapped arrays in a value or in nested containers by arrays of CuPy."""
    if isinstance(value, DeviceArray):
        return cupy_checks.on_gpu(value._host)
    if isinstance(value, (tuple, list)):
        return type(value)([_to_cupy(v) for v in value])
    if isinstance(value, dict):
        return {k: _to_cupy(v) for k, v in value.items()}
    return value


def _check_on_cupy(kind: str, name: str, function: Any, args: Any, kwargs: Any, result: Any) -> None:
    if cupy_checks.cupy is not None:
        cupy_checks.call_counts[kind, name] += 1
        cupy_checks.check_call(lambda: function(*_to_cupy(args), **_to_cupy(kwargs)), result)


def _to_device(value: Any) -> Any:
    """Wrap the arrays in a result. As in CuPy, a scalar of NumPy becomes an array of shape ()."""
    if isinstance(value, np.ndarray):
        return DeviceArray(value)
    if isinstance(value, np.generic):
        return DeviceArray(np.asarray(value))
    if isinstance(value, (tuple, list)) and any(isinstance(v, (np.ndarray, np.generic)) for v in value):
        return (
            type(value)([_to_device(v) for v in value])
            if type(value) in (tuple, list)
            else tuple(_to_device(v) for v in value)
        )
    return value


def asarray(value: Any) -> DeviceArray:
    """Copy values of the host to the imitated device. Return a DeviceArray unchanged."""
    return value if isinstance(value, DeviceArray) else DeviceArray(np.array(value))


def _as_strided(x: DeviceArray, shape: Any, strides: Any) -> DeviceArray:
    return DeviceArray(np.lib.stride_tricks.as_strided(x._host, shape, strides))


class _Pool:
    def free_all_blocks(self) -> None:
        pass

    def used_bytes(self) -> int:
        return sum(wrapper._host.nbytes for wrapper in list(_wrappers.values()))

    total_bytes = used_bytes


class _Runtime:
    current = 0

    def getDeviceCount(self) -> int:  # noqa: N802
        return 2

    def getDevice(self) -> int:  # noqa: N802
        return self.current

    def setDevice(self, index: int) -> None:  # noqa: N802
        self.current = index


_runtime, _pool = _Runtime(), _Pool()


def _add_at(x: DeviceArray, index: Any, values: Any) -> None:
    np.add.at(x._host, _to_host(index), _to_host(values))
    _check_on_cupy("a ufunc", "add.at", lambda *arrays: cupy_checks.cupy.add.at(*arrays), (x, index, values), {}, None)


module = SimpleNamespace(
    add=SimpleNamespace(at=_add_at),
    ndarray=DeviceArray,
    asarray=asarray,
    empty=lambda *args, **kwargs: DeviceArray(np.empty(*args, **kwargs)),
    lib=SimpleNamespace(stride_tricks=SimpleNamespace(as_strided=_as_strided)),
    cuda=SimpleNamespace(runtime=_runtime),
    get_default_memory_pool=lambda: _pool,
)
"""The argument of `register_array_module` in place of the module `cupy`."""
