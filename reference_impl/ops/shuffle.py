"""Moving channels into space and back, and mixing the channels of groups: reshapes and permutations."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._memory_order import in_format, suggested_format
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record
from reference_impl.ops.registry import builtin


class PixelShuffleBackward0(Node):
    """out = channels moved into space:  ∂self = g moved back."""

    upscale_factor: int

    def grad_self(self, g: Tensor) -> Tensor:
        return pixel_unshuffle(g, self.upscale_factor)


class PixelUnshuffleBackward0(Node):
    """out = space moved into channels:  ∂self = g moved back."""

    downscale_factor: int

    def grad_self(self, g: Tensor) -> Tensor:
        return pixel_shuffle(g, self.downscale_factor)


def _checked(name: str, input: Tensor, factor: int, which: str) -> tuple[Any, ...]:
    x = input._array
    if x.ndim < 3:
        raise RuntimeError(
            f"{name} expects input to have at least 3 dimensions, but got input with {x.ndim} dimension(s)"
        )
    if factor <= 0:
        raise RuntimeError(f"{name} expects a positive {which}, but got {factor}")
    return x, x.shape[:-3], *x.shape[-3:]


@builtin
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """(*, c · r², h, w) -> (*, c, h · r, w · r).

    Raises:
        RuntimeError: r² does not divide the channels.
    """
    r = upscale_factor
    x, lead, c, h, w = _checked("pixel_shuffle", input, r, "upscale_factor")
    if c % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but "
            f"input.size(-3)={c} is not divisible by {r * r}"
        )
    n = len(lead)
    split = x.reshape(*lead, c // (r * r), r, r, h, w)
    moved = np.transpose(split, (*range(n), n, n + 3, n + 1, n + 4, n + 2))
    out = in_format(moved.copy().reshape(*lead, c // (r * r), h * r, w * r), suggested_format(x))
    return record(PixelShuffleBackward0, out, (input,), upscale_factor=r)


@builtin
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """(*, c, h · r, w · r) -> (*, c · r², h, w).

    Raises:
        RuntimeError: r does not divide height and width.
    """
    r = downscale_factor
    x, lead, c, h, w = _checked("pixel_unshuffle", input, r, "downscale_factor")
    for name, position, size in (("height", -2, h), ("width", -1, w)):
        if size % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({position})={size} is not "
                f"divisible by {r}"
            )
    n = len(lead)
    split = x.reshape(*lead, c, h // r, r, w // r, r)
    moved = np.transpose(split, (*range(n), n, n + 2, n + 4, n + 1, n + 3))
    out = in_format(moved.copy().reshape(*lead, c * r * r, h // r, w // r), suggested_format(x))
    return record(PixelUnshuffleBackward0, out, (input,), downscale_factor=r)


class ChannelShuffleBackward0(Node):
    """out = channels mixed:  ∂self = g mixed with the other number of groups."""

    groups: int

    def grad_self(self, g: Tensor) -> Tensor:
        return channel_shuffle(g, g._array.shape[1] // self.groups)


@builtin
def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """The channels of (n, c, *) seen as (groups, c / groups) and transposed, so that each group has some of every other.

    Raises:
        RuntimeError: the groups don't divide the channels.
    """
    x = input._array
    if x.ndim <= 2:
        raise RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(x.shape)}")
    if groups <= 0:
        raise RuntimeError(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")
    n, c = x.shape[:2]
    if c % groups:
        raise RuntimeError(f"Number of channels must be divisible by groups. Got {c} channels and {groups} groups.")
    mixed = np.swapaxes(x.reshape(n, groups, c // groups, *x.shape[2:]), 1, 2).reshape(x.shape)
    out = in_format(_backend.contiguous(mixed), suggested_format(x))
    return record(ChannelShuffleBackward0, out, (input,), groups=groups)
