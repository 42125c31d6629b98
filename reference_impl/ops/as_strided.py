"""Windows on memory: `as_strided`, and what in-place operations on views need of them (see `autograd.view`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record, record_view
from reference_impl.autograd.view import Geometry
from reference_impl.ops.registry import op


def _from_common_start(view: Geometry, base: Geometry) -> tuple[Geometry, Geometry, int]:
    """Both with their offsets counted from the first element that either needs, and how many elements they need."""
    start = min(view.offset, base.offset)
    v, b = (Geometry(x.shape, x.strides, x.offset - start) for x in (view, base))
    return v, b, max(v.extent(), b.extent())


def _overlaps(geometry: Geometry) -> bool:
    """Whether two elements may lie at one place: some stride does not step over all that the smaller ones reach."""
    reach = 0
    for stride, n in sorted((abs(s), n) for s, n in zip(geometry.strides, geometry.shape, strict=True) if n > 1):
        if stride <= reach:
            return True
        reach += stride * (n - 1)
    return False


class ReadWindowBackward0(Node):
    """Reading a window of a gradient is linear: its gradient is written back into zeros."""

    view: Geometry
    base: Geometry

    def grad_self(self, g: Tensor) -> Tensor:
        return scatter_window(g, self.view, self.base)


def read_window(g: Tensor, view: Geometry, base: Geometry) -> Tensor:
    """The part of `g`, a gradient of the base, that belongs to the view; a copy."""
    v, b, size = _from_common_start(view, base)
    memory = np.zeros_like(g._array, shape=(size,))
    b.window(memory)[...] = g._array
    return record(ReadWindowBackward0, v.window(memory).copy(), (g,), view=view, base=base)


class ScatterWindowBackward0(Node):
    """The reverse of reading a window: reading it."""

    view: Geometry
    base: Geometry

    def grad_self(self, g: Tensor) -> Tensor:
        return read_window(g, self.view, self.base)


def scatter_window(g: Tensor, view: Geometry, base: Geometry) -> Tensor:
    """A gradient of the base that is `g` where the view lies and 0 elsewhere; elements shown twice are summed.

    Where elements of the base share memory, each receives its share: torch's `as_strided_backward`.
    """
    v, b, size = _from_common_start(view, base)
    memory = np.zeros_like(g._array, shape=(size,))
    if _overlaps(v):
        _backend.at(np.add, memory, _places(v, size, g), g._array)
    else:
        v.window(memory)[...] = g._array
    if _overlaps(b):
        shown = np.zeros_like(memory)
        _backend.at(np.add, shown, _places(b, size, g), 1)
        memory = memory / np.maximum(shown, 1)
    return record(ScatterWindowBackward0, b.window(memory).copy(), (g,), view=view, base=base)


def _places(geometry: Geometry, size: int, g: Tensor) -> Any:
    """The position in memory of each element."""
    return _backend.to_device_of(geometry.window(np.arange(size)), g._array)


class WriteWindowBackward0(Node):
    """Writing into a window is linear: what was there has the gradient 0, what was written that of the window."""

    view: Geometry
    base: Geometry

    def grad_outside(self, g: Tensor) -> Tensor:
        return write_window(g, None, self.view, self.base)

    def grad_inside(self, g: Tensor) -> Tensor:
        return read_window(g, self.view, self.base)


def write_window(g: Tensor, inside: Tensor | None, view: Geometry, base: Geometry) -> Tensor:
    """`g`, a gradient of the base, with the view's part replaced by `inside` (0 if None)."""
    v, b, size = _from_common_start(view, base)
    memory = np.zeros_like(g._array, shape=(size,))
    b.window(memory)[...] = g._array
    v.window(memory)[...] = 0 if inside is None else inside._array
    return record(WriteWindowBackward0, b.window(memory).copy(), (g, inside), view=view, base=base)


class AsStridedBackward0(Node):
    """Any window on the memory of `self`."""

    window: Geometry
    memory: Geometry

    def grad_self(self, g: Tensor) -> Tensor:
        return scatter_window(g, self.window, self.memory)


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
    return record_view(AsStridedBackward0, whole.window(flat), input, window=relative, memory=Geometry.of(x, x))
