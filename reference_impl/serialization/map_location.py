"""Choose the device of the tensors in a file: `torch.load(map_location=...)`."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend, cuda
from reference_impl._device import device as Device
from reference_impl.storage import UntypedStorage


def move_storage(array: np.ndarray, location: str, map_location: Any) -> Any:
    """Return `array`, the values of a storage, on the device that `map_location` determines.

    Args:
        location: the device of the storage when it was saved, such as "cpu" or "cuda:0".
        map_location: the argument of `torch.load`.

    Raises:
        RuntimeError: the device is not available.
    """
    if isinstance(map_location, dict):
        location = map_location.get(location, location)
    elif isinstance(map_location, (str, bytes, Device)):
        location = map_location.decode() if isinstance(map_location, bytes) else str(map_location)
    elif map_location is not None:
        storage = map_location(UntypedStorage._of(array), location)
        if storage is not None:
            return storage._bytes.view(array.dtype)
    return _on(array, location)


def _on(array: np.ndarray, location: str) -> Any:
    if location == "cpu":
        return array
    if location.split(":")[0] != "cuda":
        raise RuntimeError(
            f"don't know how to restore data location of torch.storage.UntypedStorage (tagged with {location})"
        )
    if not cuda.is_available():
        raise RuntimeError(
            "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a "
            "CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU."
        )
    index, count = Device(location).index or 0, cuda.device_count()
    if index >= count:
        raise RuntimeError(
            f"Attempting to deserialize object on CUDA device {index} but torch.cuda.device_count() is {count}. Please use "
            "torch.load with map_location to map your storages to an existing device."
        )
    return _backend.to_device(array, "cuda")
