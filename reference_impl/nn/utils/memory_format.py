"""Weights of convolutions in another order of memory, such as `channels_last`."""

from __future__ import annotations

from typing import Any

from reference_impl.nn.modules.conv import Conv2d, Conv3d, ConvTranspose2d, ConvTranspose3d
from reference_impl.nn.modules.module import Module

__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]


def convert_conv2d_weight_memory_format(module: Module, memory_format: Any) -> Module:
    """Lay the weights of all `Conv2d` and `ConvTranspose2d` in `module`, or itself, out in that order. Returns `module`."""
    return _converted(module, (Conv2d, ConvTranspose2d), memory_format)


def convert_conv3d_weight_memory_format(module: Module, memory_format: Any) -> Module:
    """As `convert_conv2d_weight_memory_format`, for `Conv3d` and `ConvTranspose3d`."""
    return _converted(module, (Conv3d, ConvTranspose3d), memory_format)


def _converted(module: Module, kinds: tuple[type, ...], memory_format: Any) -> Module:
    for part in module.modules():
        if isinstance(part, kinds):
            weight: Any = part.weight
            weight.data = weight.detach().clone(memory_format=memory_format)
    return module
