"""`torch.frombuffer`: a tensor on the memory of an object that has Python's buffer protocol."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl._settings import is_warn_always_enabled, warn_user
from reference_impl._tensor import Tensor
from reference_impl.ops.creation import ABSENT, finish, numpy_dtype
from reference_impl.ops.registry import builtin


@builtin
def frombuffer(
    buffer: Any, *, dtype: Any = ABSENT, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """A one-dimensional tensor on the bytes of `buffer`, which it shares; on the CPU.

    Args:
        count: how many elements; all that are there if negative.
        offset: of the first element, in bytes.

    Raises:
        ValueError: no buffer, an empty one, or `count` and `offset` that don't fit it.
        RuntimeError: a buffer with gaps, or `requires_grad` for integers.
    """
    if not isinstance(dtype, (_dtype.dtype, type)) or not isinstance(count, int) or not isinstance(offset, int):
        raise TypeError  # which the registry puts into words
    kind = numpy_dtype(dtype, "frombuffer")
    data = _bytes_of(buffer)
    first, last = _bounds(len(data), kind.itemsize, count, offset)
    if requires_grad and kind.kind != "f":
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    array = np.frombuffer(data[first:last], kind)
    return finish(array, "cpu", requires_grad)


_read_only_warned = False


def _bytes_of(buffer: Any) -> memoryview:
    """The memory of `buffer`, byte by byte."""
    global _read_only_warned
    try:
        view = memoryview(buffer)
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    if not view.c_contiguous:
        raise RuntimeError("could not retrieve buffer from object")
    if view.readonly and (not _read_only_warned or is_warn_always_enabled()):
        _read_only_warned = True
        warn_user(
            "The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write to the "
            "underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to protect its data or "
            "make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this "
            "program. (Triggered internally at /__w/pytorch/pytorch/torch/csrc/utils/tensor_new.cpp:1556.)"
        )
    return view.cast("B") if view.nbytes else memoryview(b"")


def _bounds(size: int, itemsize: int, count: int, offset: int) -> tuple[int, int]:
    """The first byte and the one behind the last.

    Raises:
        ValueError: nothing there or wanted, or more than there is.
    """
    if size == 0 or count == 0:
        raise ValueError(f"both buffer length ({size}) and count ({count}) must not be 0")
    if not 0 <= offset < size:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({size} bytes) minus 1"
        )
    if count < 0:
        if (size - offset) % itemsize:
            raise ValueError(
                f"buffer length ({size - offset} bytes) after offset ({offset} bytes) must be a multiple of element size "
                f"({itemsize})"
            )
        return offset, size
    if offset + count * itemsize > size:
        raise ValueError(
            f"requested buffer length ({count} * {itemsize} bytes) after offset ({offset} bytes) must not be greater than actual "
            f"buffer length ({size} bytes)"
        )
    return offset, offset + count * itemsize
