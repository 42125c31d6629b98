"""Layers that move channels into space and back."""

from __future__ import annotations

from reference_impl._tensor import Tensor
from reference_impl.nn import functional as F
from reference_impl.nn.modules.module import Module


class PixelShuffle(Module):
    """(*, c · r², h, w) -> (*, c, h · r, w · r)."""

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """(*, c, h · r, w · r) -> (*, c · r², h, w)."""

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"
