"""`torch.cuda`: query and select GPUs.

Without CuPy or without a GPU, these functions return values and raise errors as in torch's CPU build, so programs that check for a
GPU run.
"""

from __future__ import annotations

import functools
from types import SimpleNamespace, TracebackType
from typing import Any

from reference_impl import _backend
from reference_impl._device import device as Device
from reference_impl.arguments.missing_names import absent


def is_available() -> bool:
    """Return whether tensors can be created on 'cuda'."""
    return _backend.has_device("cuda")


def device_count() -> int:
    """Return the number of GPUs; 0 without CuPy."""
    return int(_runtime().getDeviceCount()) if is_available() else 0


def current_device() -> int:
    """Return the index of the GPU on which new tensors are created.

    Raises:
        AssertionError: there is no GPU.
    """
    return int(_runtime().getDevice())


def set_device(device: Any) -> None:
    """Select the GPU for new tensors, by an index, a `device` or a string.

    A negative index, or a device without an index such as "cuda", changes nothing.

    Raises:
        AssertionError: there is no GPU.
    """
    index = _index(device)
    if index >= 0:
        _runtime().setDevice(index)


def empty_cache() -> None:
    """Return the unused memory of CuPy's pool to the driver. Without a GPU, do nothing."""
    if is_available():
        _backend.array_module("cuda").get_default_memory_pool().free_all_blocks()


def memory_allocated(device: Any = None) -> int:
    """Return the number of bytes that tensors use on the current GPU; 0 without a GPU. `device` is ignored."""
    return int(_backend.array_module("cuda").get_default_memory_pool().used_bytes()) if is_available() else 0


def memory_reserved(device: Any = None) -> int:
    """Return the number of bytes, used or unused, in CuPy's pool for the current GPU; 0 without a GPU. `device` is ignored."""
    return int(_backend.array_module("cuda").get_default_memory_pool().total_bytes()) if is_available() else 0


def max_memory_allocated(device: Any = None) -> int:
    """Return the peak of `memory_allocated` in bytes; 0 without a GPU. `device` is ignored.

    CuPy does not record the peak. The first call of this function or of `reset_peak_memory_stats` installs a hook in CuPy's pool that
    records it. Earlier peaks and allocations by other threads are missing.
    """
    return _peak().bytes if is_available() else 0


def reset_peak_memory_stats(device: Any = None) -> None:
    """Set the peak that `max_memory_allocated` returns to the number of bytes in use now. Without a GPU, do nothing."""
    if is_available():
        _peak().bytes = memory_allocated(device)


@functools.cache
def _peak() -> SimpleNamespace:
    """Return an object whose attribute `bytes` is the peak of `memory_allocated`. The first call installs a hook that updates it."""
    cupy = _backend.array_module("cuda")
    peak = SimpleNamespace(bytes=memory_allocated())

    class Watch(cupy.cuda.MemoryHook):  # type: ignore[misc, name-defined]
        """Memory hook that updates the peak after each allocation from CuPy's pool."""

        name = "reference_impl.cuda.max_memory_allocated"

        def malloc_postprocess(self, **allocation: Any) -> None:
            peak.bytes = max(peak.bytes, memory_allocated())

    peak.watch = Watch()
    peak.watch.__enter__()
    return peak


def synchronize(device: Any = None) -> None:
    """Wait until the current GPU has finished all of its work. `device` is ignored.

    Raises:
        AssertionError: there is no GPU.
    """
    _runtime().deviceSynchronize()


def get_device_name(device: Any = None) -> str:
    """Return the name of the GPU `device`, which must have an index; by default, of the current GPU.

    Raises:
        AssertionError: there is no GPU.
    """
    return _runtime().getDeviceProperties(current_device() if device is None else _index(device))["name"].decode()


def manual_seed(seed: int) -> None:
    """Do nothing: random numbers for the GPU come from the CPU's generator."""


manual_seed_all = manual_seed


class device:  # noqa: N801  (torch's name)
    """Select a GPU within a `with` block, and the previous GPU again after it. A negative or missing index changes nothing."""

    def __init__(self, device: Any) -> None:
        self.idx = _index(device)
        self.prev_idx = -1

    def __enter__(self) -> None:
        if self.idx >= 0:
            self.prev_idx = current_device()
            set_device(self.idx)

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.prev_idx >= 0:
            set_device(self.prev_idx)


def _runtime() -> Any:
    return _backend.array_module("cuda").cuda.runtime


def _index(requested: Any) -> int:
    if isinstance(requested, int):
        return requested
    where = Device(requested)
    return -1 if where.index is None else where.index


def __getattr__(name: str) -> Any:
    raise absent("torch.cuda", name)
