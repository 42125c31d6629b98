"""Shape, dtype and values of a tensor. This module does not use the graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl._device import device as device_type
from reference_impl._size import Size
from reference_impl._tensor_attributes import TensorAttributes
from reference_impl._type_hints import TensorOperations
from reference_impl.core.extensions import extensions


def address_of(array: Any) -> int:
    """Return the memory address of the first element. (`_tensor` replaces this function by one for arrays on all devices.)"""
    return array.__array_interface__["data"][0]


def add_at(target: Any, index: Any, values: Any) -> None:
    """Add `values` to `target[index]` in place. At a repeated index all values are added; NumPy's `+=` adds only the last."""
    np.add.at(target, index, values)


extensions.define(address_of=address_of, add_at=add_at)


def strides_of(array: Any) -> tuple[int, ...]:
    """Return the strides of `array` in elements, one per dimension."""
    return tuple([s // array.itemsize for s in array.strides])


class ArrayAccess(TensorAttributes, TensorOperations):
    """Base class of `Tensor` with the methods that use only the tensor's array, not the graph."""

    __slots__ = ()

    @property
    def shape(self) -> Size:
        """Return the sizes of all dimensions as a torch.Size."""
        return Size(self._array.shape)

    def size(self, dim: int | None = None) -> Any:
        """Return the shape; with `dim`, the size of that dimension."""
        return self.shape if dim is None else self.shape[checked_dim(dim, self._array.ndim)]

    @property
    def dtype(self) -> _dtype.dtype:
        """Return torch's dtype of the elements."""
        return _dtype._by_numpy[self._array.dtype]

    @property
    def device(self) -> device_type:
        """Return the device, which is always the CPU in the core."""
        return device_type("cpu")

    @property
    def ndim(self) -> int:
        """Return the number of dimensions."""
        return self._array.ndim

    def dim(self) -> int:
        """Return the number of dimensions."""
        return self._array.ndim

    def numel(self) -> int:
        """Return the number of elements."""
        return self._array.size

    def stride(self, dim: int | None = None) -> Any:
        """Return the strides in elements, one per dimension; with `dim`, the stride of that dimension."""
        strides = strides_of(self._array)
        return strides if dim is None else strides[checked_dim(dim, self._array.ndim)]

    def is_floating_point(self) -> bool:
        """Return whether the elements are floating-point numbers."""
        return self._array.dtype.kind == "f"

    # -- Python values

    def item(self) -> Any:
        """Return the single value as a Python number.

        Raises:
            RuntimeError: the tensor does not have exactly one element.
        """
        if self._array.size != 1:
            raise RuntimeError(f"a Tensor with {self._array.size} elements cannot be converted to Scalar")
        return self._array.item()

    def tolist(self) -> Any:
        """Return the values as nested lists; for a 0-d tensor, as a number."""
        return self._array.tolist()

    def __bool__(self) -> bool:
        if self._array.size != 1:
            ambiguous = "no values" if self._array.size == 0 else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {ambiguous} is ambiguous")
        return bool(self._array.item())

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __len__(self) -> int:
        if self._array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return self._array.shape[0]

    def __iter__(self) -> Any:
        if self._array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if self._array.ndim == 0 else object.__format__(self, spec)

    def type(self, dtype: Any = None) -> Any:
        """Return the name of the type, such as 'torch.FloatTensor'; with `dtype`, return the tensor converted to `dtype`."""
        return f"torch.{self.dtype.tensor_type}Tensor" if dtype is None else self.to(dtype)


def checked_dim(dim: int, ndim: int) -> int:
    """Return dimension `dim` counted from the front: `checked_dim(-1, 3)` is 2. For 0 dimensions, 0 and -1 are allowed and give 0.

    Raises:
        IndexError: the dimension does not exist.
    """
    low, high = (-ndim, ndim - 1) if ndim else (-1, 0)
    if not low <= dim <= high:
        raise IndexError(f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})")
    return dim + (ndim or 1) if dim < 0 else dim
