"""`torch.nn.parallel`: `DataParallel`, which in the engine runs its module on a single device."""

from __future__ import annotations

from typing import Any

from reference_impl.arguments.missing_names import absent
from reference_impl.nn.modules.module import Module

__all__ = ["DataParallel"]


class DataParallel(Module):
    """A wrapper that calls `module`. With GPUs, torch's class calls a copy of the module on each GPU.

    Args:
        device_ids, output_device, dim: options of torch's copies; accepted and ignored.
    """

    def __init__(self, module: Module, device_ids: Any = None, output_device: Any = None, dim: int = 0) -> None:
        super().__init__()
        self.module = module
        self.device_ids: list[int] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the wrapped module with these arguments, and return its result."""
        return self.module(*inputs, **kwargs)


DataParallel.__module__ = "torch.nn.parallel.data_parallel"


def __getattr__(name: str) -> Any:
    raise absent("torch.nn.parallel", name)
