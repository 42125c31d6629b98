"""Memory layouts and formats, as far as a strided engine has them."""

from __future__ import annotations


class layout:
    """torch.strided is the only layout here."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"


class memory_format(layout):
    """How the dimensions of a dense tensor lie in memory."""


layout.__module__ = memory_format.__module__ = "torch"
strided = layout("strided")
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
channels_last = memory_format("channels_last")
channels_last_3d = memory_format("channels_last_3d")
