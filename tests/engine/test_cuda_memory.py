"""`torch.cuda` reports the peak of memory in use, tested on an imitation of CuPy's memory pool and its hooks."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from reference_impl import _backend, cuda


class Pool:
    """Imitates CuPy's memory pool: counts bytes in use, and calls hooks after each allocation."""

    def __init__(self) -> None:
        self.used = 0
        self.hooks: dict[str, Any] = {}
        pool = self

        class MemoryHook:
            """Imitates CuPy's class of that name: entering an instance registers it."""

            name = ""

            def __enter__(self) -> Any:
                pool.hooks[self.name] = self
                return self

        self.cuda = SimpleNamespace(MemoryHook=MemoryHook)

    def get_default_memory_pool(self) -> Any:
        return SimpleNamespace(used_bytes=lambda: self.used)

    def malloc(self, size: int) -> None:
        self.used += size
        for hook in self.hooks.values():
            hook.malloc_postprocess(device_id=0, size=size, mem_size=size, mem_ptr=1, pmem_id=1)


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    stand_in = Pool()
    monkeypatch.setitem(_backend._modules, "cuda", stand_in)
    cuda._peak.cache_clear()
    yield stand_in
    cuda._peak.cache_clear()


def test_the_peak_includes_memory_that_was_freed(pool: Pool) -> None:
    pool.malloc(100)
    assert cuda.max_memory_allocated() == 100
    pool.malloc(1000)
    pool.used -= 1000
    pool.malloc(50)
    assert (cuda.memory_allocated(), cuda.max_memory_allocated()) == (150, 1100)
    cuda.reset_peak_memory_stats()
    assert cuda.max_memory_allocated() == 150
    pool.malloc(10)
    assert cuda.max_memory_allocated() == 160


def test_without_a_gpu_the_peak_is_zero() -> None:
    assert cuda.max_memory_allocated() == 0
    cuda.reset_peak_memory_stats()
