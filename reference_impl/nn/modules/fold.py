"""Unfold: arrange the windows of an image as columns of a matrix."""

from __future__ import annotations

from typing import Any

from reference_impl.nn import functional as F
from reference_impl.nn.modules.layer import Layer


class Unfold(Layer):
    """Copy the elements of each window of an image into a column: (n, c, h, w) -> (n, c · kernel height · kernel width, windows).

    The batch dimension may be absent.
    """

    kernel_size: Any
    dilation: Any = 1
    padding: Any = 0
    stride: Any = 1
    function = F.unfold
