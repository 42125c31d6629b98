"""Windows on memory: where the elements of a view lie, and three linear operations that read and write gradients there."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl.core import arrays
from reference_impl.core.arrays import NumPyMemory
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor


class Geometry:
    """Where the elements of a tensor lie in memory: shape, strides and offset, in elements."""

    __slots__ = ("shape", "strides", "offset")

    def __init__(self, shape: tuple[int, ...], strides: tuple[int, ...], offset: int) -> None:
        self.shape, self.strides, self.offset = shape, strides, offset

    @staticmethod
    def of(array: Any, base: Any) -> Geometry:
        """The geometry of `array`, its offset counted from the first element of `base`."""
        itemsize = array.itemsize
        offset = (arrays.memory.address_of(array) - arrays.memory.address_of(base)) // itemsize if array.size else 0
        return Geometry(array.shape, tuple(s // itemsize for s in array.strides), offset)

    def extent(self) -> int:
        """How many elements of memory, from the first of the base, are needed."""
        if 0 in self.shape:
            return 0
        return self.offset + 1 + sum((n - 1) * s for n, s in zip(self.shape, self.strides, strict=True))

    def window(self, flat: Any) -> Any:
        """This tensor's elements as a view of `flat`, the memory in one dimension."""
        return arrays.memory.as_strided(flat, self.shape, self.strides, self.offset)

    def overlaps(self) -> bool:
        """Whether two elements may lie at one place: some stride does not step over all that the smaller ones reach."""
        reach = 0
        for stride, n in sorted((abs(s), n) for s, n in zip(self.strides, self.shape, strict=True) if n > 1):
            if stride <= reach:
                return True
            reach += stride * (n - 1)
        return False


def memory_for(g: Tensor, view: Geometry, base: Geometry) -> tuple[Geometry, Geometry, Any]:
    """Both with their offsets counted from the first element that either needs, and zeros for all elements they need."""
    start = min(view.offset, base.offset)
    v, b = (Geometry(x.shape, x.strides, x.offset - start) for x in (view, base))
    return v, b, np.zeros_like(g._array, shape=(max(v.extent(), b.extent()),))


class ReadWindowBackward0(Node):
    """Reading a window of a gradient is linear: its gradient is written back into zeros."""

    def grad_self(self, g: Tensor) -> Tensor:
        return scatter_window(g, self.view, self.base)


def read_window(g: Tensor, view: Geometry, base: Geometry) -> Tensor:
    """The part of `g`, a gradient of the base, that belongs to the view; a copy."""
    v, b, memory = memory_for(g, view, base)
    b.window(memory)[...] = g._array
    return record(ReadWindowBackward0, v.window(memory).copy(), (g,), view=view, base=base)


class ScatterWindowBackward0(Node):
    """The reverse of reading a window: reading it."""

    def grad_self(self, g: Tensor) -> Tensor:
        return read_window(g, self.view, self.base)


def scatter_window(g: Tensor, view: Geometry, base: Geometry) -> Tensor:
    """A gradient of the base that is `g` where the view lies and 0 elsewhere; elements shown twice are summed.

    Where elements of the base share memory, each receives its share: torch's `as_strided_backward`.
    """
    v, b, memory = memory_for(g, view, base)
    if v.overlaps():
        arrays.memory.add_at(memory, places(v, memory), g._array)
    else:
        v.window(memory)[...] = g._array
    if b.overlaps():
        shown = np.zeros_like(memory)
        arrays.memory.add_at(shown, places(b, memory), 1)
        memory = memory / np.maximum(shown, 1)
    return record(ScatterWindowBackward0, b.window(memory).copy(), (g,), view=view, base=base)


def places(geometry: Geometry, memory: Any) -> Any:
    """The position in memory of each element."""
    return NumPyMemory.as_strided(np.arange(memory.size), geometry.shape, geometry.strides, geometry.offset)


class WriteWindowBackward0(Node):
    """Writing into a window is linear: what was there has the gradient 0, what was written that of the window."""

    def grad_outside(self, g: Tensor) -> Tensor:
        return write_window(g, None, self.view, self.base)

    def grad_inside(self, g: Tensor) -> Tensor:
        return read_window(g, self.view, self.base)


def write_window(g: Tensor, inside: Tensor | None, view: Geometry, base: Geometry) -> Tensor:
    """`g`, a gradient of the base, with the view's part replaced by `inside` (0 if None)."""
    v, b, memory = memory_for(g, view, base)
    b.window(memory)[...] = g._array
    v.window(memory)[...] = 0 if inside is None else inside._array
    return record(WriteWindowBackward0, b.window(memory).copy(), (g, inside), view=view, base=base)
