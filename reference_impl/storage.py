"""Storages: the one-dimensional memory under tensors. A tensor is a view of a storage."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend


def _flat(root: Any) -> Any:
    """Return a 1-D view of the elements of an array that owns its memory, in memory order."""
    if root.flags.c_contiguous:
        return root.reshape(-1)
    if root.flags.f_contiguous:
        return root.T.reshape(-1)
    return root.ravel("K")


class UntypedStorage:
    """The memory under a tensor, as bytes.

    Two storages are equal if they have the same address and size.
    """

    _bytes: Any

    @classmethod
    def _of(cls, root: Any) -> UntypedStorage:
        out = cls.__new__(cls)
        out._bytes = _flat(root).view(np.uint8)
        return out

    def data_ptr(self) -> int:
        """Return the address of the first byte; 0 for an empty storage."""
        return _backend.address_of(self._bytes) if self._bytes.size else 0

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return self._bytes.size

    size = nbytes

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, UntypedStorage) and (self.data_ptr(), self.size()) == (other.data_ptr(), other.size())

    def __hash__(self) -> int:
        return hash(self.data_ptr())


UntypedStorage.__module__ = "torch.storage"
