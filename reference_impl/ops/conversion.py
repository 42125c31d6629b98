"""Convert a tensor to another dtype or device."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl._device import device as Device
from reference_impl._layout import preserve_format
from reference_impl.core.operations import shapes
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import copy_in_format, has_format
from reference_impl.ops.registry import op
from reference_impl.ops.views import record_copy


def _target(args: tuple[Any, ...], dtype: Any, device: Any) -> tuple[Any, Any]:
    """Return the dtype and the device that the arguments of `Tensor.to` name.

    Args:
        args: positional arguments: a dtype, a device, both, or a tensor, which stands for its dtype and device.
        dtype: the dtype if no positional argument names one.
        device: the device if no positional argument names one.

    Raises:
        TypeError: a positional argument is neither one of these nor None nor a boolean. (None and booleans are ignored.)
    """
    for a in args:
        if isinstance(a, _dtype.dtype):
            dtype = a
        elif isinstance(a, Tensor):
            dtype, device = a.dtype, a.device
        elif isinstance(a, (str, Device)) or (isinstance(a, int) and not isinstance(a, bool)):
            device = a
        elif a is not None and not isinstance(a, bool):
            raise TypeError(
                f"to() received an invalid combination of arguments - got ({type(a).__name__}), but expected one of:\n"
                " * (torch.device device = None, torch.dtype dtype = None, bool non_blocking = False, bool copy = False, *, "
                "torch.memory_format memory_format = None)\n"
                " * (torch.dtype dtype, bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None)\n"
                " * (Tensor tensor, bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None)\n"
            )
    return dtype, device


@op("method")
def to(
    input: Tensor, *args: Any, dtype: Any = None, device: Any = None, non_blocking: bool = False, copy: bool = False,
    memory_format: Any = None, other: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Convert to another dtype or device, or to those of another tensor. If nothing changes, return `input` itself, unless `copy` is set.

    Args:
        args: a dtype, a device, both, or a tensor whose dtype and device are used. Booleans after these are `non_blocking` and `copy`.
        non_blocking: has no effect.
        copy: whether to return a copy even if nothing changes.
        memory_format: memory order of the result; None keeps that of `input`.
        other: a tensor whose dtype and device are used, like a tensor in `args`.

    Raises:
        TypeError: a positional argument is neither a dtype, a device, a tensor nor a boolean.
        RuntimeError: `memory_format` does not fit the number of dimensions.
    """
    dtype, device = _target(args if other is None else (*args, other), dtype, device)
    booleans = [argument for argument in args if isinstance(argument, bool)]  # non_blocking, copy
    copy = copy or booleans[1:] == [True]
    x = input._array
    source = _backend.device_type_of(x)
    target = source if device is None else Device(device).type
    kind = x.dtype if dtype is None else dtype.numpy
    order = memory_format or preserve_format
    if kind == x.dtype and target == source and not copy and (order is preserve_format or has_format(x, order)):
        return input
    array = x if target == source else _backend.to_device(x, target)
    if kind.kind == "u" and x.dtype.kind == "f":
        array = copy_in_format(array, preserve_format, np.int64)  # a cast in C: -1.0 becomes 255
    return record_copy(
        shapes.cast.node, copy_in_format(array, order, kind), input, device=None if target == source else source
    )


def _to_dtype(name: str, dtype: _dtype.dtype) -> Any:
    def convert(input: Tensor, memory_format: Any = None) -> Tensor:
        if memory_format is None and input._array.dtype is dtype.numpy:
            return input
        return to(input, dtype, memory_format=memory_format)

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"Convert to {dtype}. Return `input` itself if it has this dtype."
    return op("method")(convert)


double, float, half = (
    _to_dtype("double", _dtype.float64),
    _to_dtype("float", _dtype.float32),
    _to_dtype("half", _dtype.float16),
)
long, int_, short = _to_dtype("long", _dtype.int64), _to_dtype("int", _dtype.int32), _to_dtype("short", _dtype.int16)
char, byte, bool_ = _to_dtype("char", _dtype.int8), _to_dtype("byte", _dtype.uint8), _to_dtype("bool", _dtype.bool_)


@op("method")
def type_as(input: Tensor, other: Tensor) -> Tensor:
    """Convert to the dtype and device of `other`. Return `input` itself if it has them."""
    return to(input, other)


@op("method")
def cpu(input: Tensor, memory_format: Any = None) -> Tensor:
    """Return a copy on the CPU, or `input` itself if it is on the CPU."""
    return to(input, device="cpu", memory_format=memory_format)


@op("method")
def cuda(input: Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Tensor:
    """Return a copy on the GPU, or `input` itself if it is on the GPU. `non_blocking` and `memory_format` have no effect.

    Raises:
        AssertionError: CuPy or a GPU is missing.
    """
    return to(input, device="cuda" if device is None else device)


def _out_of_scope(name: str, subject: str) -> None:
    def refuse(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        raise NotImplementedError(f"Tensor.{name}(): {subject} is out of the scope of reference_impl")

    refuse.__name__ = name
    refuse.__doc__ = f"Raise NotImplementedError: {subject} is out of scope."
    op("method")(refuse)


_out_of_scope("bfloat16", "bfloat16, which NumPy does not have,")
_out_of_scope("cfloat", "complex numbers")
_out_of_scope("cdouble", "complex numbers")
_out_of_scope("to_sparse", "the sparse layout")
