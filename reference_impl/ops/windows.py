"""Windows on memory: `as_strided`, and what in-place operations on views need of them (see `autograd.view`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record, record_view
from reference_impl.autograd.view import Geometry, flat_memory
from reference_impl.ops.registry import op


def _memory_of(g: Tensor, base: Geometry) -> Any:
    """The values of `g`, which has the base's shape, laid out as the base lies in memory."""
    memory = flat_memory(base, g._array.dtype, g._array)
    base.window(memory)[...] = g._array
    return memory


class ReadWindowBackward0(Node):
    """Reading a window of a gradient is linear: its gradient is written back into zeros."""

    view: Geometry
    base: Geometry

    def grad_self(self, g: Tensor) -> Tensor:
        return scatter_window(g, self.view, self.base)


def read_window(g: Tensor, view: Geometry, base: Geometry) -> Tensor:
    """The part of `g`, a gradient of the base, that belongs to the view; a copy."""
    memory = _memory_of(g, base)
    if view.extent() > memory.size:
        memory = np.concatenate([memory, np.zeros_like(memory, shape=(view.extent() - memory.size,))])
    return record(ReadWindowBackward0, view.window(memory).copy(), (g,), view=view, base=base)


class ScatterWindowBackward0(Node):
    """The reverse of reading a window: reading it."""

    view: Geometry
    base: Geometry

    def grad_self(self, g: Tensor) -> Tensor:
        return read_window(g, self.view, self.base)


def scatter_window(g: Tensor, view: Geometry, base: Geometry) -> Tensor:
    """A gradient of the base that is `g` where the view lies and 0 elsewhere; elements shown twice are summed."""
    size = max(view.extent(), base.extent())
    memory = np.zeros_like(g._array, shape=(size,))
    positions = view.window(np.arange(size))
    np.add.at(memory, positions, g._array)
    if 0 in base.strides:
        shown = np.zeros_like(memory)
        np.add.at(shown, base.window(np.arange(size)), 1)
        memory = memory / np.maximum(shown, 1)
    return record(ScatterWindowBackward0, base.window(memory).copy(), (g,), view=view, base=base)


def write_window(g: Tensor, inside: Tensor | None, view: Geometry, base: Geometry) -> Tensor:
    """`g`, a gradient of the base, with the view's part replaced by `inside` (0 if None)."""
    outside = g - scatter_window(read_window(g, view, base), view, base)
    return outside if inside is None else outside + scatter_window(inside, view, base)


class AsStridedBackward0(Node):
    """Any window on the memory of `self`."""

    view: Geometry
    base: Geometry

    def grad_self(self, g: Tensor) -> Tensor:
        return scatter_window(g, self.view, self.base)


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
    flat = _backend.as_strided(root.reshape(-1) if root.flags.c_contiguous else root.ravel("K"), (root.size,), (1,), 0)
    relative = Geometry(tuple(size), tuple(stride), offset - input.storage_offset())
    return record_view(AsStridedBackward0, whole.window(flat), input, view=relative, base=Geometry.of(x, x))
