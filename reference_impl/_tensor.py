"""Add to the core's Tensor the members that the core lacks: memory, device, the protocols of Python and NumPy, further checks.

The members are those of the class `_TensorMembers`.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl._device import device
from reference_impl._layout import strided
from reference_impl._settings import warn_once
from reference_impl.autograd.grad_mode import NO_VERSION
from reference_impl.core.arrays import checked_dim
from reference_impl.core.extensions import add_members, extensions
from reference_impl.core.modes import mode
from reference_impl.core.node import AccumulateGrad, Node
from reference_impl.core.tensor import Tensor

__all__ = ["Tensor"]

_TO_SCALAR = (
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first."
)


_DETACHED_VIEW = (
    "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and "
    "gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these "
    "gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
)


def _blank(cls: Any) -> Any:
    """Return a tensor of the class `cls` without an array."""
    t = object.__new__(cls)
    t._array = t._version_counter = t._grad_fn = t._view = None
    t._output_nr = 0
    return t


def _from_array(array: np.ndarray, requires_grad: bool) -> Tensor:
    """Rebuild a tensor for `pickle` and `copy`."""
    t = Tensor._wrap(array)
    t._requires_grad = requires_grad
    return t


class _TensorMembers(Tensor if TYPE_CHECKING else object):  # type: ignore[misc]
    _blank = staticmethod(_blank)

    # -- structure

    @property
    def device(self) -> device:
        kind = _backend.device_type_of(self._array)
        return device(kind) if kind == "cpu" else device(kind, 0)

    def size(self, dim: int | None = None) -> Any:
        """Return the shape; with `dim`, the size of that dimension. Raise IndexError if the dimension does not exist."""
        if dim is not None and not self._array.ndim:
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        return _size(self, dim)

    @property
    def output_nr(self) -> int:
        """Return the index of the tensor among the outputs of its `grad_fn`; 0 for a leaf."""
        return self._output_nr

    def _is_view(self) -> bool:
        return self._view is not None

    def data_ptr(self) -> int:
        """Return the memory address of the first element; 0 for an empty tensor."""
        return _backend.address_of(self._array) if self._array.size else 0

    def element_size(self) -> int:
        """Return the number of bytes per element."""
        return self._array.itemsize

    @property
    def layout(self) -> Any:
        return strided

    def nelement(self) -> int:
        """Return the number of elements."""
        return self._array.size

    def ndimension(self) -> int:
        """Return the number of dimensions, as `dim` does."""
        return self._array.ndim

    def stride(self, dim: int | None = None) -> Any:
        """Return the strides in elements, one per dimension; with `dim`, the stride of that dimension.

        Raises:
            IndexError: the dimension does not exist.
        """
        array = self._array
        if array.size:
            strides = tuple([s // array.itemsize for s in array.strides])
        else:  # NumPy has no strides for an empty array
            strides = tuple([prod([max(n, 1) for n in array.shape[d + 1 :]]) for d in range(array.ndim)])
        return strides if dim is None else strides[checked_dim(dim, self._array.ndim)]

    def storage_offset(self) -> int:
        """Return the position of the tensor's first element in its storage, in elements; 0 for an empty tensor."""
        array = self._array
        if array.size == 0:
            return 0
        return (_backend.address_of(array) - _backend.address_of(_backend.root_of(array))) // array.itemsize

    @property
    def itemsize(self) -> int:
        return self._array.itemsize

    @property
    def nbytes(self) -> int:
        return self._array.nbytes

    def is_complex(self) -> bool:
        return False

    def is_signed(self) -> bool:
        return self._array.dtype.kind in "fi"

    @property
    def is_cuda(self) -> bool:
        return self.device.type == "cuda"

    @property
    def is_cpu(self) -> bool:
        return self.device.type == "cpu"

    is_sparse = is_sparse_csr = is_mkldnn = is_quantized = is_meta = is_nested = False
    is_ipu = is_maia = is_mps = is_mtia = is_vulkan = is_xla = is_xpu = False
    name = None

    def type(self, dtype: Any = None, non_blocking: bool = False) -> Any:
        """Return the name of the type, such as 'torch.FloatTensor'; with `dtype`, the tensor converted to it.

        Args:
            dtype: a dtype, a type such as `torch.FloatTensor`, or its name. The name also says the device: this one the CPU,
                "torch.cuda.FloatTensor" the GPU.
            non_blocking: has no effect.

        Raises:
            ValueError: no type has the name `dtype`.
            TypeError: `dtype` is neither a dtype nor a type nor a string.
        """
        if dtype is None:
            return ("torch.cuda." if self.device.type == "cuda" else "torch.") + self.dtype.tensor_type + "Tensor"
        if isinstance(dtype, _dtype.dtype):
            return self.to(dtype)
        if isinstance(dtype, type):
            name = f"{dtype.__module__}.{dtype.__name__}" if dtype.__module__ in ("torch", "numpy") else dtype.__name__
        elif isinstance(dtype, str):
            name = dtype
        else:
            raise TypeError("dtype must be a type, str, or dtype object")
        device = "cuda" if name.startswith("torch.cuda.") else "cpu"
        kind = _dtype.by_tensor_type(name.replace("torch.cuda.", "torch."))
        if kind is None:
            raise ValueError(f"invalid type: '{name}'")
        return self.to(device, kind)

    # -- inference mode

    @property
    def _inference(self) -> bool:
        """Return whether the tensor was created in inference mode and therefore has no version counter."""
        return self._version_counter is NO_VERSION

    @_inference.setter
    def _inference(self, value: bool) -> None:
        if value:
            self._version_counter = NO_VERSION

    def is_inference(self) -> bool:
        return self._inference

    @Tensor.requires_grad.setter  # type: ignore[attr-defined]
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, (bool, np.bool_)):
            raise RuntimeError("requires_grad must be a bool")
        if value and self._inference and not mode.inference and self._array.dtype.kind == "f":
            raise RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
        _requires_grad.fset(self, value)  # type: ignore[misc]

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set `requires_grad` in place and return the tensor. On a tensor that is not a leaf, True has no effect.

        Raises:
            TypeError: `requires_grad` is not a bool.
            RuntimeError: `requires_grad` is True for a tensor that is not floating-point, or for an inference tensor outside inference
                mode. Or `requires_grad` is False for a tensor that is not a leaf.
        """
        if not isinstance(requires_grad, (bool, np.bool_)):
            type_name = type(requires_grad).__name__
            raise TypeError(f"requires_grad_(): argument 'requires_grad' (position 1) must be bool, not {type_name}")
        if requires_grad and self._array.dtype.kind != "f":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        return _set_requires_grad(self, requires_grad)

    # -- the gradient, and the values

    def detach_(self) -> Tensor:
        """Detach this tensor from the graph in place, and return it. In inference mode, only return it.

        Raises:
            RuntimeError: the tensor is a view: its base would stay attached to the graph.
        """
        if self._view is not None:
            raise RuntimeError(_DETACHED_VIEW)
        if mode.inference:  # in inference mode nothing is attached to a graph
            return self
        self._grad_fn, self._output_nr, self._requires_grad = None, 0, False
        return self

    def _check_grad(self, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(
                f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}"
            )
        if value is self:
            raise RuntimeError("can't assign Variable as its own grad")
        if value._array.dtype != self._array.dtype:
            raise RuntimeError(
                f"attempting to assign a gradient with dtype '{value.dtype.c_name}' to a tensor with grad_dtype "
                f"'{self.dtype.tensor_type}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's "
                "dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any "
                "dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break "
                "downstream systems that assume they match."
            )
        _check_grad(self, value)

    @property
    def data(self) -> Tensor:
        """Return a detached tensor on the same memory with a separate version counter, so autograd does not detect writes to it."""
        t = _blank(Tensor)
        t._array, t._version_counter = self._array, NO_VERSION if self._inference else None
        return t

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
        if self.requires_grad and value._array.dtype.kind != "f":
            raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
        self._array = value._array

    @data.deleter
    def data(self) -> None:
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    # -- leaving the engine

    def numpy(self, *, force: bool = False) -> np.ndarray:
        """Return the values as a NumPy array on the same memory.

        Args:
            force: detach the tensor and copy it to the CPU if necessary, instead of raising an error.

        Raises:
            RuntimeError: the tensor requires grad, recording is on, and `force` is False.
            TypeError: the tensor is not on the CPU, and `force` is False.
        """
        if force:
            return _backend.to_numpy(self._array).view()
        array = _numpy(self)
        if not self.is_cpu:
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
                "memory first."
            )
        return array.view()  # a new object: the program may assign its shape

    def __index__(self) -> int:
        if self._array.size != 1 or self._array.dtype.kind == "f":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._array.item())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.numpy()
        if dtype is not None:
            array = array.astype(dtype, copy=False)
        return array.copy() if copy else array

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return self._wrap(np.asarray(array))

    __array_priority__ = 1000

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

    # -- Python's protocols

    def __contains__(self, element: Any) -> bool:
        if isinstance(element, (Tensor, int, float, bool)):
            return bool(self.eq(element).any().item())
        raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}.")

    def __dir__(self) -> list[str]:
        return sorted(set(object.__dir__(self)))

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
                "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, "
                "see https://github.com/pytorch/pytorch/pull/103001"
            )
        if id(self) in memo:
            return memo[id(self)]
        t = _blank(type(self))
        t._array, t._requires_grad = self._array.copy("K"), self._requires_grad
        if self._grad is not None:
            t._grad = self._grad.__deepcopy__(memo)
        t.__dict__.update(self.__dict__)
        if mode.inference:
            t._inference = True
        else:
            t._bump_version()  # as in torch, which copies the memory and then calls `set_` on the new tensor
        memo[id(self)] = t
        return t

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _from_array, (self.detach().numpy(force=True).copy("K"), self._requires_grad)

    def _to_numpy_dtype(self, numpy_dtype: Any) -> Tensor:
        return self.to(_dtype.from_numpy(numpy_dtype))


_requires_grad, _set_requires_grad, _check_grad, _numpy, _size = (
    vars(Tensor)["requires_grad"],
    Tensor.requires_grad_,
    Tensor._check_grad,
    Tensor.numpy,
    Tensor.size,
)


def _to_leaf(node: Node, g: Any) -> Any:
    """Return the gradient `g` for `node`, moved to the device of the leaf if `node` is an AccumulateGrad.

    The devices differ if the leaf is a 0-d CPU tensor in an operation on a GPU.
    """
    if isinstance(node, AccumulateGrad) and g is not None and g._array.__class__ is not node.variable._array.__class__:
        return g.to(node.variable.device)
    return g


extensions.fill(to_leaf=_to_leaf, address_of=_backend.address_of, add_at=_backend.add_at)
for _name, _member in list(vars(_TensorMembers).items()):
    if _name not in ("__module__", "__doc__", "__slots__", "__dict__", "__weakref__", "__annotations__"):
        if callable(_member) and hasattr(_member, "__qualname__"):
            _member.__qualname__ = f"Tensor.{_name}"
        add_members(Tensor, **{_name: _member})
