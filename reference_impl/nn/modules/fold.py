"""Unfold: an image as columns."""

from __future__ import annotations

from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn import functional as F
from reference_impl.nn.modules.module import Module


class Unfold(Module):
    """What a kernel sees at each of its places: (n, c, h, w) -> (n, c · kernel, places)."""

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, stride={self.stride}"
