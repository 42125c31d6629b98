"""Memory layouts and formats of strided tensors."""

from __future__ import annotations

from typing import Any


class layout:
    """A memory layout. The engine has torch.strided only."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> Any:
        return (_named, (self.name,))


class memory_format(layout):
    """The order of the dimensions of a dense tensor in memory."""


def _named(name: str) -> layout:
    """Return the layout or format called `name`. `copy` and `pickle` call this function, so that a copy is the same object."""
    return globals()[name]


layout.__module__ = memory_format.__module__ = "torch"
strided = layout("strided")
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
channels_last = memory_format("channels_last")
channels_last_3d = memory_format("channels_last_3d")
