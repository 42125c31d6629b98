"""Run the tests of the engine with one thread of torch, because with several threads torch adds numbers in another order.

The fixture `imitated_gpu` is for tests that use a device.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from reference_impl import _backend
from tests.engine import device_arrays


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def imitated_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the imitation of a GPU as the device 'cuda'."""
    monkeypatch.setitem(_backend._modules, "cuda", None)  # restores the registered module after the test
    _backend.register_array_module("cuda", device_arrays.module)
