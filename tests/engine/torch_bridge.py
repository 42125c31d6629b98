"""Convert values between PyTorch and the engine, and compare results of both."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

import reference_impl as engine

DTYPES = {str(d): getattr(engine, str(d).removeprefix("torch.")) for d in (
    torch.float64, torch.float32, torch.float16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool,
)}  # fmt: skip


class OutOfScope(Exception):
    """A value that the engine does not support. The message says which property, as in "complex" or "dtype torch.bfloat16"."""


def to_engine(value: Any) -> Any:
    """Copy tensors, dtypes, devices and containers of them to the engine; return other values unchanged.

    Tensors keep dtype, shape, strides, offset and `requires_grad`, and share no memory with the original.

    Raises:
        OutOfScope: a value is complex, sparse or quantised, has more than 64 dimensions, or is or has a dtype, a layout or a device
            that the engine lacks.
    """
    if isinstance(value, torch.Tensor):
        return _tensor_to_engine(value)
    if isinstance(value, torch.dtype):
        if str(value) not in DTYPES:
            raise OutOfScope(f"dtype {value}")
        return DTYPES[str(value)]
    if isinstance(value, torch.device):
        return engine.device(str(value))
    if isinstance(value, complex):
        raise OutOfScope("complex")
    if isinstance(value, (torch.layout, torch.memory_format)):
        name = str(value).removeprefix("torch.")
        if not hasattr(engine, name):
            raise OutOfScope(f"layout {name}")
        return getattr(engine, name)
    if isinstance(value, torch.Size):
        return engine.Size(value)
    if type(value).__name__ == "LinearCrossEntropyOptions":
        raise OutOfScope("linear_cross_entropy in chunks")
    if isinstance(value, torch.nn.PairwiseDistance):
        return engine.nn.PairwiseDistance(value.norm, value.eps, value.keepdim)
    if isinstance(value, slice):
        return slice(to_engine(value.start), to_engine(value.stop), to_engine(value.step))
    if isinstance(value, (list, tuple)):
        return type(value)([to_engine(v) for v in value])
    if isinstance(value, dict):
        return {key: to_engine(v) for key, v in value.items()}
    return value


def _tensor_to_engine(t: torch.Tensor) -> Any:
    if t.layout != torch.strided:
        raise OutOfScope("sparse")
    if t.is_complex():
        raise OutOfScope("complex")
    if str(t.dtype) not in DTYPES or t.is_quantized:
        raise OutOfScope(f"dtype {t.dtype}")
    if t.device.type != "cpu":
        raise OutOfScope(f"device {t.device.type}")
    if t.ndim > 64:
        raise OutOfScope("more than NumPy's 64 dimensions")
    flat = torch.empty(0, dtype=t.dtype).set_(t.untyped_storage()).numpy().copy()
    if t.is_contiguous() and flat.size == t.numel():
        array = flat.reshape(tuple(t.shape))
    else:
        itemsize = t.element_size()
        strides = tuple(s * itemsize for s in t.stride())
        array = np.ndarray(tuple(t.shape), flat.dtype, flat, t.storage_offset() * itemsize, strides)
    out = engine.Tensor._wrap(array)
    if t.requires_grad:
        out.requires_grad_()
    return out


def copy_of(value: Any) -> Any:
    """Copy `value` for PyTorch. Its tensors become leaves in new memory, with the same strides."""
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided:
            return value.detach().clone().requires_grad_(value.requires_grad)
        storage = value.untyped_storage().clone()
        out = torch.empty(0, dtype=value.dtype).set_(storage, value.storage_offset(), value.shape, value.stride())
        return out.requires_grad_(value.requires_grad)
    if isinstance(value, torch.Size):
        return value
    if isinstance(value, (list, tuple)):
        return type(value)([copy_of(v) for v in value])
    if isinstance(value, dict):
        return {key: copy_of(v) for key, v in value.items()}
    return value


def tensors_in(value: Any) -> list[Any]:
    """Return the tensors of either engine in nested lists, tuples and dicts, from left to right."""
    if isinstance(value, (torch.Tensor, engine.Tensor)):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in tensors_in(v)]
    return []


def array_of(t: Any) -> np.ndarray:
    """Return the values of a tensor of either engine as an array."""
    return t._array if isinstance(t, engine.Tensor) else t.detach().numpy(force=True)


# (absolute, relative) tolerance by dtype: NumPy's functions and torch's vectorised functions differ in the last digits.
TOLERANCE = {"float64": (1e-10, 1e-9), "float32": (2e-5, 2e-5), "float16": (2e-3, 2e-3)}


def difference(expected: Any, actual: Any, scale: float = 1.0) -> str | None:
    """Describe how a value of the engine differs from torch's in type, dtype, shape or numbers; else return None.

    Args:
        scale: factor of the tolerance.
    """
    if isinstance(expected, torch.Tensor):
        if not isinstance(actual, engine.Tensor):
            return f"a {type(actual).__name__} instead of a tensor"
        return _tensor_difference(expected, actual, scale)
    if isinstance(expected, (list, tuple)) and not isinstance(expected, torch.Size):
        if not isinstance(actual, (list, tuple)) or len(actual) != len(expected):
            return f"{_kind(actual)} instead of {_kind(expected)}"
        for i, (e, a) in enumerate(zip(expected, actual, strict=True)):
            mismatch = difference(e, a, scale)
            if mismatch:
                return f"[{i}] {mismatch}"
        return None
    if isinstance(expected, float) and isinstance(actual, float):
        same = (
            expected == actual
            or (expected != expected and actual != actual)
            or np.isclose(actual, expected, 1e-6, 1e-9)
        )
        return None if same else f"{actual} instead of {expected}"
    if isinstance(expected, (torch.dtype, torch.device, torch.Size)):
        return None if str(expected) == str(actual) else f"{actual} instead of {expected}"
    return None if type(expected) is type(actual) and expected == actual else f"{actual!r} instead of {expected!r}"


def _kind(value: Any) -> str:
    return f"{type(value).__name__} of {len(value)}" if isinstance(value, (list, tuple)) else type(value).__name__


def _tensor_difference(expected: torch.Tensor, actual: Any, scale: float) -> str | None:
    if str(expected.dtype) != str(actual.dtype):
        return f"dtype {actual.dtype} instead of {expected.dtype}"
    if tuple(expected.shape) != tuple(actual.shape):
        return f"shape {tuple(actual.shape)} instead of {tuple(expected.shape)}"
    x, y = array_of(expected), array_of(actual)
    if x.dtype.kind != "f":
        differs = x != y
    else:
        atol, rtol = TOLERANCE[x.dtype.name]
        with np.errstate(all="ignore"):
            close = np.abs(x - y) <= scale * (atol + rtol * np.abs(x))
        differs = ~(close | (x == y) | (np.isnan(x) & np.isnan(y)))
    if not np.any(differs):
        return None
    index = tuple(int(i) for i in np.argwhere(differs)[0])
    location = f" at {list(index)}" if index else ""
    return f"{y[index]!s} instead of {x[index]!s}{location} ({int(np.sum(differs))} of {x.size} differ)"


def layout_difference(expected: torch.Tensor, actual: Any) -> str | None:
    """Describe a difference between the strides of dimensions longer than 1; return None if there is none."""
    if expected.numel() < 2:
        return None
    dims = [d for d, n in enumerate(expected.shape) if n > 1]
    is_equal = all(expected.stride(d) == actual.stride(d) for d in dims)
    return None if is_equal else f"strides {tuple(actual.stride())} instead of {tuple(expected.stride())}"


def shares_memory(result: Any, inputs: list[Any]) -> list[bool]:
    """Return for each of `inputs` whether `result` shares memory with it."""
    if isinstance(result, engine.Tensor):
        root = _root(result._array)
        return [_root(t._array) is root for t in inputs]
    address = result.untyped_storage().data_ptr()
    return [t.untyped_storage().data_ptr() == address for t in inputs]


def _root(array: np.ndarray) -> Any:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
