"""Making tensors: from data, of constants, of sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl._device import device as Device
from reference_impl._dtype import get_default_dtype
from reference_impl._tensor import Tensor, _new
from reference_impl.autograd.node import Node
from reference_impl.autograd.inplace import check_writable, write
from reference_impl.ops.registry import op


def finish(array: Any, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A leaf around `array`, on `device`."""
    if device is not None:
        array = _backend.to_device(array, Device(device).type)
    out = Tensor._wrap(array)
    if requires_grad:
        out.requires_grad_()
    return out


def _numpy_dtype(dtype: _dtype.dtype | None) -> np.dtype:
    return get_default_dtype().numpy if dtype is None else dtype.numpy


@op("function")
def tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False) -> Tensor:
    """A new leaf with a copy of `data`: numbers in nested lists, an array, a tensor.

    The dtype is that of the data: integers give int64, floats the default dtype, booleans bool.

    Raises:
        ValueError: nested lists of unequal length.
        RuntimeError: `requires_grad` for integers.
    """
    if isinstance(data, Tensor):
        import warnings

        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
        array = data._array.copy("K") if dtype is None else data._array.astype(dtype.numpy)
    else:
        array = array_of(data, dtype)
    if requires_grad and array.dtype.kind != "f":
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    return finish(array, device, requires_grad)


def array_of(data: Any, dtype: Any = None) -> Any:
    """A new array with the numbers in `data`, in the dtype that torch infers.

    Raises:
        ValueError: nested lists of unequal length.
        TypeError: something that is no number.
    """
    if isinstance(data, (np.ndarray, np.generic)):
        _dtype.from_numpy(data.dtype)
        return np.array(data, dtype=None if dtype is None else dtype.numpy)
    if isinstance(data, (list, tuple)):
        _check_nesting(data, 0)
        data = _plain(data)
    array = np.array(data)
    if array.dtype.kind not in "biuf":
        if array.dtype.kind == "c":
            raise TypeError("complex numbers are out of the scope of reference_impl")
        raise TypeError(f"new(): invalid data type '{_culprit(data)}'")
    if dtype is not None:
        return array.astype(dtype.numpy)
    if array.size == 0 or (array.dtype.kind == "f" and not _has_numpy_dtype(data)):
        return array.astype(get_default_dtype().numpy)
    return array.astype(np.int64) if array.dtype.kind in "iu" and not _has_numpy_dtype(data) else array


def _has_numpy_dtype(data: Any) -> bool:
    """numpy numbers keep their dtype, Python numbers get torch's defaults."""
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return isinstance(data, (np.ndarray, np.generic)) and not isinstance(data, float)


def _plain(data: Any) -> Any:
    if isinstance(data, Tensor):
        return data._array.tolist()
    return [_plain(v) for v in data] if isinstance(data, (list, tuple)) else data


def _check_nesting(data: Sequence[Any], dim: int) -> None:
    lengths = [len(v) if hasattr(v, "__len__") and not (isinstance(v, Tensor) and v.ndim == 0) else None for v in data]
    for index, n in enumerate(lengths):
        if n != lengths[0]:
            if n is None or lengths[0] is None:
                culprit = data[index] if n is None else data[index]
                raise TypeError(f"not a sequence: {type(culprit).__name__} where a list was expected")
            raise ValueError(f"expected sequence of length {lengths[0]} at dim {dim + 1} (got {n})")
    for v in data:
        if isinstance(v, (list, tuple)):
            _check_nesting(v, dim + 1)


def _culprit(data: Any) -> str:
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return type(data).__name__


@op("function")
def zeros(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Zeros of shape `size`."""
    return finish(np.zeros(_shape(size), _numpy_dtype(dtype)), device, requires_grad)


@op("function")
def ones(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Ones of shape `size`."""
    return finish(np.ones(_shape(size), _numpy_dtype(dtype)), device, requires_grad)


def _shape(size: tuple[Any, ...]) -> tuple[int, ...]:
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    return tuple(int(n) for n in size)


@op("function")
def zeros_like(input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Zeros of the shape, dtype and device of `input`."""
    return finish(np.zeros_like(input._array, dtype=None if dtype is None else dtype.numpy), device, requires_grad)


@op("function")
def ones_like(input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Ones of the shape, dtype and device of `input`."""
    return finish(np.ones_like(input._array, dtype=None if dtype is None else dtype.numpy), device, requires_grad)


@op("function")
def arange(start: Any, end: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """start, start + step, ... below `end`; `arange(n)` begins at 0. Integers give int64, floats the default dtype."""
    if end is None:
        start, end = 0, start
    values = [v.item() if isinstance(v, Tensor) else v for v in (start, end, step)]
    if values[2] == 0:
        raise RuntimeError("step must be nonzero")
    if (values[1] - values[0]) * values[2] < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    whole = all(isinstance(v, int) for v in values)
    kind = np.dtype(np.int64) if dtype is None and whole else _numpy_dtype(dtype)
    n = int(np.ceil((values[1] - values[0]) / values[2]))
    array = (values[0] + values[2] * np.arange(n, dtype=np.int64 if whole else np.float64)).astype(kind)
    return finish(array, device, requires_grad)


def legacy_tensor(cls: type[Tensor], *args: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """`torch.Tensor(...)`: see `Tensor.__new__`."""
    t = _new(cls)
    if len(args) == 1 and isinstance(args[0], Tensor):
        t._array, t._version_counter = args[0]._array, args[0]._shared_version()
    elif len(args) == 1 and not isinstance(args[0], int):
        from reference_impl._size import Size

        t._array = (
            np.zeros(args[0], get_default_dtype().numpy)
            if isinstance(args[0], Size)
            else array_of(args[0], get_default_dtype())
        )
    else:
        t._array = np.zeros(args if args else (0,), get_default_dtype().numpy)
    return t


class ZeroBackward0(Node):
    """The values no longer depend on what was there before: its gradient is 0."""

    def grad_self(self, g: Tensor) -> Tensor:
        return g * 0


class FillBackward1(ZeroBackward0):
    """As ZeroBackward0, for a fill with another number."""


def constant_node(tensor: Tensor) -> Node:
    """The node of a tensor that has been overwritten with a constant."""
    from reference_impl.autograd.node import gradient_edge, next_sequence_number

    node = ZeroBackward0()
    node.next_edges = (gradient_edge(tensor),)
    node.sequence_number = next_sequence_number()
    node.output_metadata = (tensor._array.shape, tensor._array.dtype)
    return node


def write_out(result: Tensor, out: Tensor, name: str) -> Tensor:
    """Write `result` into `out`, which is given the result's shape.

    Raises:
        RuntimeError: gradients are wanted, or `out` cannot hold the dtype.
    """
    if result.requires_grad or out.requires_grad:
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
            "requires grad."
        )
    if out._array.shape != result._array.shape:
        out._array = np.empty_like(out._array, shape=result._array.shape)
    check_writable(out, result._array)
    return write(out, result._array)
