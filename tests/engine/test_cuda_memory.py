"""`torch.cuda` reports the peak of memory in use. An imitation of CuPy's memory pool and its hooks stands in for a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from reference_impl import _backend, cuda


class FakeCupy:
    """Imitates the module `cupy`: counts bytes in use, and calls memory hooks after each allocation."""

    def __init__(self) -> None:
        self.used = 0
        self.hooks: dict[str, Any] = {}
        fake_cupy = self

        class MemoryHook:
            """Imitates CuPy's class of that name: entering an instance registers it."""

            name = ""

            def __enter__(self) -> Any:
                fake_cupy.hooks[self.name] = self
                return self

        self.cuda = SimpleNamespace(MemoryHook=MemoryHook)

    def get_default_memory_pool(self) -> Any:
        """Return an object with the method of CuPy's pool that the engine calls."""
        return SimpleNamespace(used_bytes=lambda: self.used)

    def malloc(self, size: int) -> None:
        """Allocate `size` bytes and call the hooks."""
        self.used += size
        for hook in self.hooks.values():
            hook.malloc_postprocess(device_id=0, size=size, mem_size=size, mem_ptr=1, pmem_id=1)


@pytest.fixture
def fake_cupy(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCupy]:
    """Register an imitation of CuPy as the array module of 'cuda'."""
    module = FakeCupy()
    monkeypatch.setitem(_backend._modules, "cuda", module)
    cuda._peak.cache_clear()
    yield module
    cuda._peak.cache_clear()


def test_the_peak_includes_memory_that_was_freed(fake_cupy: FakeCupy) -> None:
    fake_cupy.malloc(100)
    assert cuda.max_memory_allocated() == 100
    fake_cupy.malloc(1000)
    fake_cupy.used -= 1000
    fake_cupy.malloc(50)
    assert (cuda.memory_allocated(), cuda.max_memory_allocated()) == (150, 1100)
    cuda.reset_peak_memory_stats()
    assert cuda.max_memory_allocated() == 150
    fake_cupy.malloc(10)
    assert cuda.max_memory_allocated() == 160


def test_without_a_gpu_the_peak_is_zero() -> None:
    assert cuda.max_memory_allocated() == 0
    cuda.reset_peak_memory_stats()
