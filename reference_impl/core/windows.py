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
        offset = arrays.memory.address_of(array) - arrays.memory.address_of(base) if array.size else 0
        return Geometry(array.shape, tuple([s // array.itemsize for s in array.strides]), offset // array.itemsize)

    def extent(self) -> int:
        """How many elements of memory, from the first of the base, are needed."""
        if 0 in self.shape:
            return 0
        return self.offset + 1 + sum((n - 1) * s for n, s in zip(self.shape, self.strides, strict=True))

    def window(self, flat: Any) -> Any:
        """This tensor's elements as a view of `flat`, the memory in one dimension."""
        return arrays.memory.as_strided(flat, self.shape, self.strides, self.offset)

    def places(self, size: int) -> Any:
        """The position of each element in a memory of that size."""
        return NumPyMemory.as_strided(np.arange(size), self.shape, self.strides, self.offset)

    def overlaps(self) -> bool:
        """Whether two elements may lie at one place: some stride does not step over all that the smaller ones reach."""
        reach = 0
        for stride, n in sorted((abs(s), n) for s, n in zip(self.strides, self.shape, strict=True) if n > 1):
            if stride <= reach:
                return True
            reach += stride * (n - 1)
        return False


Window = tuple[Geometry, Geometry]  # of a view, and of its base


def window_of(view: Any, base: Any) -> Window:
    """Where the elements of an array lie in that of its base."""
    return Geometry.of(view, base), Geometry.of(base, base)


def memory_for(g: Tensor, window: Window) -> tuple[Geometry, Geometry, Any]:
    """Both with their offsets counted from the first element that either needs, and zeros for all elements they need."""
    start = min(x.offset for x in window)
    v, b = [Geometry(x.shape, x.strides, x.offset - start) for x in window]
    return v, b, np.zeros_like(g._array, shape=(max(v.extent(), b.extent()),))


class AsStridedBackward0(Node):
    """A window of its base: the gradient goes to the elements of the base that the window shows.

    Where the window shows an element more than once (`expand`), it receives the sum; where the base itself does, its share.
    """

    def grad_self(self, g: Tensor) -> Tensor:
        return scatter_window(g, self.window)


def read_window(g: Tensor, window: Window) -> Tensor:
    """The part of `g`, a gradient of the base, that belongs to the view; a copy."""
    v, b, memory = memory_for(g, window)
    b.window(memory)[...] = g._array
    return record(AsStridedBackward0, v.window(memory).copy(), (g,), window=window)


class ScatterWindowBackward0(Node):
    """The reverse of reading a window: reading it."""

    def grad_self(self, g: Tensor) -> Tensor:
        return read_window(g, self.window)


def scatter_window(g: Tensor, window: Window) -> Tensor:
    """A gradient of the base that is `g` where the view lies and 0 elsewhere; elements shown twice are summed.

    Where elements of the base share memory, each receives its share: torch's `as_strided_backward`.
    """
    v, b, memory = memory_for(g, window)
    arrays.memory.add_at(memory, v.places(memory.size), g._array)
    if b.overlaps():
        shown = np.zeros_like(memory)
        arrays.memory.add_at(shown, b.places(memory.size), 1)
        memory = memory / np.maximum(shown, 1)
    return record(ScatterWindowBackward0, b.window(memory).copy(), (g,), window=window)


class WriteWindowBackward0(Node):
    """Writing into a window is linear: what was there has the gradient 0, what was written that of the window."""

    def grad_outside(self, g: Tensor) -> Tensor:
        return write_window(g, None, self.window)

    def grad_inside(self, g: Tensor) -> Tensor:
        return read_window(g, self.window)


def write_window(g: Tensor, inside: Tensor | None, window: Window) -> Tensor:
    """`g`, a gradient of the base, with the view's part replaced by `inside` (0 if None)."""
    v, b, memory = memory_for(g, window)
    b.window(memory)[...] = g._array
    v.window(memory)[...] = 0 if inside is None else inside._array
    return record(WriteWindowBackward0, b.window(memory).copy(), (g, inside), window=window)
