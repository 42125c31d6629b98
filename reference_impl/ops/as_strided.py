"""`as_strided`: any window on the memory of a tensor."""

from __future__ import annotations

from typing import Any

from reference_impl import _backend
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import record_view
from reference_impl.core.windows import AsStridedBackward0, Geometry
from reference_impl.ops.registry import op


@op("function", "method")
def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """A view of the memory of `input` with the given shape, strides and offset (in elements).

    Raises:
        RuntimeError: the window leaves the memory.
    """
    x = input._array
    root = _backend.root_of(x)
    offset = input.storage_offset() if storage_offset is None else storage_offset
    whole = Geometry(tuple(size), tuple(stride), offset)
    if whole.extent() > root.size:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize {x.itemsize} "
            f"requiring a storage size of {whole.extent() * x.itemsize} are out of bounds for storage of size {root.nbytes}"
        )
    flat = _backend.memory_of(x)
    relative = Geometry(tuple(size), tuple(stride), offset - input.storage_offset())
    return record_view(AsStridedBackward0, whole.window(flat), input, window=(relative, Geometry.of(x, x)))
