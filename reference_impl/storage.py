"""Storages: the memory under tensors, in one dimension. A tensor is a way to look at a storage."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._device import device as device_type
from reference_impl.core.tensor import Tensor


def _flat(root: Any) -> Any:
    """The elements of an array that owns its memory, in the order in which they lie there."""
    if root.flags.c_contiguous:
        return root.reshape(-1)
    if root.flags.f_contiguous:
        return root.T.reshape(-1)
    return root.ravel("K")


class UntypedStorage:
    """Memory as bytes.

    Two storages are equal where they are the same memory.
    """

    _bytes: Any

    def __init__(self, nbytes: int = 0) -> None:
        self._bytes = np.zeros(nbytes, np.uint8)

    @classmethod
    def _of(cls, root: Any) -> UntypedStorage:
        out = cls.__new__(cls)
        out._bytes = _flat(root).view(np.uint8)
        return out

    def data_ptr(self) -> int:
        """Address of the first byte."""
        return _backend.address_of(self._bytes) if self._bytes.size else 0

    def nbytes(self) -> int:
        """Number of bytes."""
        return self._bytes.size

    size = nbytes

    def __len__(self) -> int:
        return self._bytes.size

    def element_size(self) -> int:
        return 1

    @property
    def device(self) -> device_type:
        return Tensor._wrap(self._bytes).device

    def tolist(self) -> list[int]:
        """The bytes as numbers."""
        return self._bytes.tolist()

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return UntypedStorage._of(self._bytes[index])
        return int(self._bytes[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        self._bytes[index] = value

    def __iter__(self) -> Any:
        return iter(self._bytes.tolist())

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, UntypedStorage) and (self.data_ptr(), len(self)) == (other.data_ptr(), len(other))

    def __hash__(self) -> int:
        return hash(self.data_ptr())

    def __repr__(self) -> str:
        lines = "".join(f" {b}\n" for b in self._bytes.tolist())
        return f"{lines}[torch.storage.UntypedStorage(device={self.device}) of size {len(self)}]"


UntypedStorage.__module__ = "torch.storage"
