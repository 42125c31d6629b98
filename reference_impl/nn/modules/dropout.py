"""Dropout layers: active in training mode only."""

from __future__ import annotations

from reference_impl.nn import functional as F
from reference_impl.nn.modules.layer import Layer


class _DropoutNd(Layer):
    """Base of dropout layers.

    Raises:
        ValueError: `p` is not in [0, 1].
    """

    p: float = 0.5
    inplace: bool = False
    function_options = "p training inplace"

    def complete(self) -> None:
        if self.p < 0 or self.p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {self.p}")

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """In training, set each element to 0 with probability `p`, and divide the others by 1 - p. In evaluation, return the input."""

    function = F.dropout


class Dropout1d(_DropoutNd):
    """In training, set whole channels of (n, c, l) or (c, l) to 0 with probability `p`, and divide the others by 1 - p."""

    function = F.dropout1d


class Dropout2d(_DropoutNd):
    """In training, set whole channels of (n, c, h, w) to 0 with probability `p`, and divide the others by 1 - p.

    An input of three dimensions counts as (n, c, l), not as (c, h, w).
    """

    function = F.dropout2d


class Dropout3d(_DropoutNd):
    """In training, set whole channels of (n, c, d, h, w) or (c, d, h, w) to 0 with probability `p`, and divide the others by 1 - p."""

    function = F.dropout3d


class AlphaDropout(_DropoutNd):
    """Dropout for outputs of SELU: in training, replace elements with probability `p` such that a mean of 0 and a variance of 1 are kept.

    `inplace` is ignored.
    """

    function = F.alpha_dropout
    function_options = "p training"


class FeatureAlphaDropout(AlphaDropout):
    """AlphaDropout that, in training, replaces whole channels of (n, c, *). `inplace` is ignored."""

    function = F.feature_alpha_dropout
