"""`as_strided`: a view of a tensor's memory with any shape and strides."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.core.record import needs_grad
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import AsStridedBackward0, record_view
from reference_impl.ops.registry import op


@op("function", "method")
def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """Return a view of the memory of `input` with shape `size`. Strides and offset count elements.

    Args:
        storage_offset: position in the memory of the view's element 0, 0, ...; None stands for that of `input`.

    Raises:
        RuntimeError: `size` and `stride` differ in length, a number is negative, or the view would reach beyond the
            end of the memory.
    """
    x = input._array
    root, size, stride = _backend.root_of(x), tuple(size), tuple(stride)
    offset = input.storage_offset() if storage_offset is None else storage_offset
    _check_window(size, stride, offset, x.itemsize, root.nbytes)
    out = _backend.as_strided(_backend.memory_of(x), size, stride, 0 if 0 in size else offset)
    windows = ((size, stride, offset), (x.shape, input.stride(), input.storage_offset()))
    return record_view(AsStridedBackward0, out, input, **(_node_attributes(x, *windows) if needs_grad(input) else {}))


def _check_window(size: tuple[int, ...], stride: tuple[int, ...], offset: int, itemsize: int, nbytes: int) -> None:
    """Raise RuntimeError unless size, stride and offset are valid and the view fits into a memory of `nbytes` bytes.

    `itemsize` is the size of an element in bytes.
    """
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if min(stride, default=0) < 0:
        raise RuntimeError(f"as_strided: Negative strides are not supported at the moment, got strides: {list(stride)}")
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    if min(size, default=0) < 0:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(size)} and strides={list(stride)}")
    needed = _extent(size, stride, offset) * itemsize
    if needed > nbytes:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize {itemsize} "
            f"requiring a storage size of {needed} are out of bounds for storage of size {nbytes}"
        )


def _node_attributes(x: Any, view_window: Any, input_window: Any) -> dict[str, Any]:
    """Return the attributes "indices", "input_indices", "counts" and "sizes" of the node of a view, see `AsStridedBackward0`.

    Positions in memory are counted from the smaller of the offsets of the view and the input. `indices` and `input_indices` have the
    positions of the elements of the view and of the input, `counts` the number of elements of the input at each position, at least 1.
    `sizes` is (number of positions,).

    Args:
        x: array of the input.
        view_window: (shape, strides, offset) of the view in the memory of `x`.
        input_window: (shape, strides, offset) of `x` itself.
    """
    start = min(view_window[2], input_window[2])
    extent = max(_extent(*view_window), _extent(*input_window)) - start
    indices, input_indices = [
        _backend.as_strided(np.arange(extent), w[0], w[1], w[2] - start).copy() for w in (view_window, input_window)
    ]
    counts = np.maximum(np.bincount(input_indices.reshape(-1), minlength=extent), 1).astype(x.dtype)
    on_device = [Tensor._wrap(_backend.to_device_of(array, x)) for array in (indices, input_indices, counts)]
    return dict(zip(("indices", "input_indices", "counts"), on_device, strict=True), sizes=(extent,))


def _extent(shape: tuple[int, ...], stride: tuple[int, ...], offset: int) -> int:
    """Return 1 + the position in memory of a view's last element, or 0 if the view is empty. Strides must not be negative."""
    return 0 if 0 in shape else offset + 1 + sum([(n - 1) * s for n, s in zip(shape, stride, strict=True)])
