"""Unfold: an image as columns."""

from __future__ import annotations

from typing import Any

from reference_impl.nn import functional as F
from reference_impl.nn.modules.layer import Layer


class Unfold(Layer):
    """The elements under a kernel at each of its positions: (n, c, h, w) -> (n, c · kernel, positions)."""

    kernel_size: Any
    dilation: Any = 1
    padding: Any = 0
    stride: Any = 1
    function = F.unfold
