"""Storages: the one-dimensional memory under tensors. A tensor is a view of a storage."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl._device import device as Device


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


class TypedStorage:
    """The memory under a tensor, as elements of its dtype. It is deprecated: its first use warns."""

    _elements: Any
    _has_warned = False

    @classmethod
    def _of(cls, root: Any) -> TypedStorage:
        if not TypedStorage._has_warned:
            TypedStorage._has_warned = True
            warnings.warn(
                "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage class. "
                "This should only matter to you if you are using storages directly.  To access UntypedStorage directly, use "
                "tensor.untyped_storage() instead of tensor.storage()",
                stacklevel=3,
            )
        out = cls.__new__(cls)
        out._elements = _flat(root)
        return out

    def untyped(self) -> UntypedStorage:
        """Return the same memory as bytes."""
        return UntypedStorage._of(self._elements)

    def data_ptr(self) -> int:
        """Return the address of the first element; 0 for an empty storage."""
        return self.untyped().data_ptr()

    def size(self) -> int:
        """Return the number of elements."""
        return int(self._elements.size)

    __len__ = size

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return int(self._elements.nbytes)

    def element_size(self) -> int:
        """Return the number of bytes of an element."""
        return int(self._elements.itemsize)

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return _dtype.from_numpy(self._elements.dtype)

    @property
    def device(self) -> Device:
        """The device of the memory."""
        return Device(_backend.device_type_of(self._elements))

    def tolist(self) -> list[Any]:
        """Return the elements as Python numbers."""
        return self._elements.tolist()  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __getitem__(self, index: int) -> Any:
        return self.tolist()[index]

    def __setitem__(self, index: int, value: Any) -> None:
        self._elements[index] = value

    def __str__(self) -> str:
        elements = "\n ".join(str(value) for value in self.tolist())
        return (
            f" {elements}\n[torch.storage.TypedStorage(dtype={self.dtype}, device={self.device}) of size {self.size()}]"
        )

    __repr__ = __str__

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, TypedStorage) and self.untyped() == other.untyped()

    def __hash__(self) -> int:
        return hash(self.untyped())


UntypedStorage.__module__ = TypedStorage.__module__ = "torch.storage"
