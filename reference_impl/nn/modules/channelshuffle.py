"""Mixing the channels of groups."""

from __future__ import annotations

from reference_impl._tensor import Tensor
from reference_impl.nn import functional as F
from reference_impl.nn.modules.module import Module


class ChannelShuffle(Module):
    """The channels of (n, c, *) mixed between `groups` groups."""

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"
