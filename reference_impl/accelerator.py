"""`torch.accelerator`: query and select GPUs of any vendor. In the engine it stands for `cuda`, which needs CuPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference_impl import cuda
from reference_impl._device import device as Device
from reference_impl.arguments import missing_names

__all__ = [
    "current_accelerator", "current_device_index", "device_count", "empty_cache", "is_available", "max_memory_allocated",
    "memory_allocated", "memory_reserved", "set_device_index", "synchronize",
]  # fmt: skip


def is_available() -> bool:
    """Return whether there is an accelerator."""
    return cuda.is_available()


def device_count() -> int:
    """Return the number of accelerators."""
    return cuda.device_count()


def current_accelerator(check_available: bool = False) -> Device | None:
    """Return the accelerator as a device without an index; None if there is no accelerator. `check_available` is ignored."""
    return Device("cuda") if cuda.is_available() else None


def _of_accelerator(function: Callable[..., Any], name: str = "") -> Callable[..., Any]:
    """Wrap a function of `cuda` to raise RuntimeError if there is no accelerator. `name` replaces the name of the function."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if not cuda.is_available():
            raise RuntimeError("Cannot access accelerator device when none is available.")
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = name or function.__name__
    call.__doc__ = f"{function.__doc__}\n\nRaises:\n    RuntimeError: no accelerator is available."
    return call


current_device_index = _of_accelerator(cuda.current_device, "current_device_index")
set_device_index = _of_accelerator(cuda.set_device, "set_device_index")
synchronize = _of_accelerator(cuda.synchronize)
empty_cache = _of_accelerator(cuda.empty_cache)
memory_allocated = _of_accelerator(cuda.memory_allocated)
memory_reserved = _of_accelerator(cuda.memory_reserved)
max_memory_allocated = _of_accelerator(cuda.max_memory_allocated)


def __getattr__(name: str) -> Any:
    raise missing_names.absent("torch.accelerator", name)
