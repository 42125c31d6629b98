"""What a tensor says of its array, and how its values leave the engine: shape, dtype, device, `numpy()`, `item()`.

`Tensor` inherits it; nothing here knows of the graph, except that `numpy()` refuses a tensor that requires grad.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl._device import device as device_type
from reference_impl._layout import strided
from reference_impl._settings import warn_once
from reference_impl._size import Size
from reference_impl.autograd.grad_mode import mode

_TO_SCALAR = (
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first."
)


class ArrayAccess:
    """The part of `Tensor` that looks at nothing but its array."""

    __slots__ = ()

    _array: Any

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    # -- structure

    @property
    def shape(self) -> Size:
        return Size(self._array.shape)

    def size(self, dim: int | None = None) -> Any:
        """The shape, or its entry `dim`."""
        if dim is None:
            return Size(self._array.shape)
        if not self._array.ndim:
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        return self._array.shape[_checked_dim(dim, self._array.ndim)]

    @property
    def dtype(self) -> _dtype.dtype:
        return _dtype._by_numpy[self._array.dtype]

    @property
    def device(self) -> device_type:
        kind = _backend.device_type_of(self._array)
        return device_type(kind) if kind == "cpu" else device_type(kind, 0)

    @property
    def layout(self) -> Any:
        return strided

    @property
    def ndim(self) -> int:
        return self._array.ndim

    def dim(self) -> int:
        """Number of dimensions."""
        return self._array.ndim

    def numel(self) -> int:
        """Number of elements."""
        return self._array.size

    nelement = numel

    def stride(self, dim: int | None = None) -> Any:
        """Per dimension, how many elements lie between two neighbours; or that of `dim` alone."""
        array = self._array
        if array.size:
            strides = tuple([s // array.itemsize for s in array.strides])
        else:  # NumPy has no strides for an empty array
            strides = tuple([prod([max(n, 1) for n in array.shape[d + 1 :]]) for d in range(array.ndim)])
        return strides if dim is None else strides[_checked_dim(dim, self._array.ndim)]

    def storage_offset(self) -> int:
        """Position of the first element in the memory, in elements."""
        array = self._array
        if array.size == 0:
            return 0
        return (_backend.address_of(array) - _backend.address_of(_backend.root_of(array))) // array.itemsize

    def data_ptr(self) -> int:
        """Address of the first element."""
        return _backend.address_of(self._array) if self._array.size else 0

    def element_size(self) -> int:
        """Bytes per element."""
        return self._array.itemsize

    @property
    def itemsize(self) -> int:
        return self._array.itemsize

    @property
    def nbytes(self) -> int:
        return self._array.nbytes

    def is_floating_point(self) -> bool:
        return self._array.dtype.kind == "f"

    def is_complex(self) -> bool:
        return False

    def is_signed(self) -> bool:
        return self._array.dtype.kind in "fi"

    def is_inference(self) -> bool:
        return self._inference

    @property
    def is_cuda(self) -> bool:
        return self.device.type == "cuda"

    @property
    def is_cpu(self) -> bool:
        return self.device.type == "cpu"

    is_sparse = is_sparse_csr = is_mkldnn = is_quantized = is_meta = is_nested = False
    is_ipu = is_maia = is_mps = is_mtia = is_vulkan = is_xla = is_xpu = False
    name = None

    # -- leaving the engine

    def numpy(self, *, force: bool = False) -> np.ndarray:
        """The values as a NumPy array on the same memory.

        Args:
            force: detach, and copy from the device, where needed.

        Raises:
            RuntimeError: the tensor requires grad.
            TypeError: it is not on the CPU.
        """
        if force:
            return _backend.to_numpy(self._array)
        if mode.enabled and self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if not self.is_cpu:
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
                "memory first."
            )
        return self._array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.numpy()
        if dtype is not None:
            array = array.astype(dtype, copy=False)
        return array.copy() if copy else array

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return self._wrap(np.asarray(array))

    __array_priority__ = 1000

    def item(self) -> Any:
        """The single value as a Python number.

        Raises:
            RuntimeError: there is not exactly one.
        """
        if self._array.size != 1:
            raise RuntimeError(f"a Tensor with {self._array.size} elements cannot be converted to Scalar")
        return self._array.item()

    def tolist(self) -> Any:
        """The values as nested lists; a number without dimensions."""
        return self._array.tolist()

    def __bool__(self) -> bool:
        if self._array.size != 1:
            ambiguous = "no values" if self._array.size == 0 else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {ambiguous} is ambiguous")
        return bool(self._array.item())

    def __float__(self) -> float:
        if mode.enabled and self.requires_grad:
            warn_once(_TO_SCALAR, stacklevel=2)
        return float(self._only_value())

    def __complex__(self) -> complex:
        if mode.enabled and self.requires_grad:
            warn_once(_TO_SCALAR, stacklevel=2)
        return complex(self._only_value())

    def __int__(self) -> int:
        return int(self._only_value())

    def _only_value(self) -> Any:
        if self._array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self._array.item()

    def __index__(self) -> int:
        if self._array.size != 1 or self._array.dtype.kind == "f":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._array.item())

    def __len__(self) -> int:
        if self._array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return self._array.shape[0]

    def __iter__(self) -> Any:
        if self._array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __format__(self, spec: str) -> str:
        if self._array.ndim == 0:
            return format(self.item(), spec)
        return object.__format__(self, spec)

    def type(self, dtype: Any = None) -> Any:
        """The name of the type, such as 'torch.FloatTensor'; with an argument, the tensor in that dtype."""
        if dtype is None:
            return ("torch.cuda." if self.is_cuda else "torch.") + self.dtype.tensor_type + "Tensor"
        if isinstance(dtype, str):
            matches = [d for d in _dtype.ALL if f"torch.{d.tensor_type}Tensor" == dtype]
            if not matches:
                raise ValueError(f"invalid type: '{dtype}'")
            dtype = matches[0]
        return self.to(dtype)


def _checked_dim(dim: int, ndim: int) -> int:
    """`dim` counted from the front.

    Raises:
        IndexError: there is no such dimension.
    """
    low, high = (-ndim, ndim - 1) if ndim else (-1, 0)
    if not low <= dim <= high:
        raise IndexError(f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})")
    return dim + (ndim or 1) if dim < 0 else dim
