"""`Parameter` and `Buffer`: tensors that a module registers when they are assigned to its attributes."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from reference_impl._dtype import float16, float32, float64
from reference_impl._tensor import Tensor
from reference_impl.autograd.grad_mode import no_grad
from reference_impl.ops.creation import empty

_new = Tensor._blank


def _tensor_of(data: Any) -> Tensor:
    """Return `data`, or an empty tensor for None. Raises AttributeError if `data` is not a tensor."""
    if data is None:
        return Tensor._wrap(np.empty(0, np.float32))
    if not isinstance(data, Tensor):
        raise AttributeError(f"'{type(data).__name__}' object has no attribute 'detach'")  # torch's message
    return data


def _from_array(array: np.ndarray, requires_grad: bool) -> Parameter:
    """Rebuild a pickled parameter."""
    return Parameter(Tensor._wrap(array), requires_grad)


class Parameter(Tensor):
    """A trainable tensor: a leaf that by default requires grad, even if it is created under `no_grad`.

    Args:
        data: tensor whose memory the parameter shares; None for an empty tensor.
        requires_grad: whether the backward pass computes a gradient for the parameter.

    Raises:
        AttributeError: `data` is not a tensor.
        RuntimeError: `requires_grad` is True, and `data` is not floating-point.
    """

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        data = _tensor_of(data)
        if requires_grad and data._array.dtype.kind != "f":
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        t = _new(cls)
        t._array, t._version_counter = data._array, data._shared_version()
        if data._inference:
            t._inference = True
        if requires_grad:
            t.requires_grad_()
        return t

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        if id(self) not in memo:
            memo[id(self)] = type(self)(Tensor._wrap(self._array.copy("K")), self._requires_grad)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _from_array, (self.numpy(force=True).copy("K"), self._requires_grad)

    def __repr__(self, *, tensor_contents: Any = None) -> str:  # type: ignore[override]
        return "Parameter containing:\n" + super().__repr__()

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if self._array.ndim == 0 and spec else object.__format__(self, spec)


class Buffer(Tensor):
    """A tensor that belongs to a module's state but is not trained.

    Args:
        data: tensor whose memory the buffer shares; None for an empty tensor.
        persistent: whether the module's `state_dict` includes the buffer.

    Raises:
        AttributeError: `data` is not a tensor.
    """

    persistent: bool

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Buffer:
        data = _tensor_of(data)
        t = _new(cls)
        t._array, t._version_counter = data._array, data._shared_version()
        t._requires_grad = data._requires_grad
        t.persistent = persistent
        return t


_OF_ALL = frozenset(
    "size copy_ is_complex is_floating_point half float double char short int long cuda cpu to get_device materialize".split()
)
"""The methods that can be called on an uninitialized tensor."""


class UninitializedTensorMixin(Tensor):
    """A tensor whose shape is not known yet. It can be cast and moved to a device; `materialize` gives it a shape.

    Most other methods of Tensor raise ValueError.

    Attributes:
        cls_to_become: the class of the tensor after `materialize`.
    """

    cls_to_become: type[Tensor]

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Give the tensor this shape, arbitrary values and the class `cls_to_become`. None keeps the tensor's device or dtype."""
        with no_grad():
            self.data = empty(tuple(shape), device=device or self.device, dtype=dtype or self.dtype)
        self.__class__ = self.cls_to_become  # type: ignore[assignment]

    def __getattribute__(self, name: str) -> Any:
        cls = object.__getattribute__(self, "__class__")
        if not name.startswith("_") and name not in _OF_ALL and isinstance(getattr(cls, name, None), FunctionType):
            raise ValueError(
                f"Attempted to use an uninitialized parameter in <method '{name}' of 'torch._C.TensorBase' objects>. This error "
                "happens when you are using a `LazyModule` or explicitly manipulating "
                f"`torch.nn.parameter.{cls.__name__}` objects. When using LazyModules Call `forward` with a dummy batch to "
                "initialize the parameters before calling torch functions"
            )
        return object.__getattribute__(self, name)

    @property
    def shape(self) -> Any:
        """Raise RuntimeError, because the shape is not known yet."""
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` when "
            "trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the parameters "
            "before accessing their attributes."
        )

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Return an uninitialized tensor with another dtype or on another device, or this tensor if nothing changes."""
        moved = Tensor._wrap(self._array).to(*args, **kwargs)  # type: ignore[attr-defined]
        return self if moved._array is self._array else self._another(moved.device, moved.dtype)

    def _another(self, device: Any, dtype: Any) -> Any:
        cls: Any = type(self)
        other = cls(self._requires_grad, device, dtype)
        if isinstance(self, UninitializedBuffer):
            other.persistent = self.persistent
        return other

    def float(self) -> Any:
        """Return the tensor cast to float32."""
        return self.to(float32)

    def double(self) -> Any:
        """Return the tensor cast to float64."""
        return self.to(float64)

    def half(self) -> Any:
        """Return the tensor cast to float16."""
        return self.to(float16)

    def cpu(self) -> Any:
        """Return the tensor moved to the CPU."""
        return self.to("cpu")

    def cuda(self, device: Any = None) -> Any:
        """Return the tensor moved to a GPU."""
        return self.to("cuda" if device is None else device)

    def __repr__(self, *, tensor_contents: Any = None) -> str:  # type: ignore[override]
        return f"<{type(self).__name__}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            memo[id(self)] = self._another(self.device, self.dtype)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _uninitialized, (type(self).__name__, self._requires_grad)


class UninitializedParameter(UninitializedTensorMixin, Parameter):  # type: ignore[misc]
    """A parameter without a shape. A lazy module derives the shape from its first input."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> UninitializedParameter:
        t = _new(cls)
        t._array, t._requires_grad = empty(0, device=device, dtype=dtype)._array, requires_grad
        return t


class UninitializedBuffer(UninitializedTensorMixin):
    """A buffer without a shape. A lazy module derives the shape from its first input."""

    cls_to_become = Tensor

    def __new__(
        cls, requires_grad: bool = False, device: Any = None, dtype: Any = None, persistent: bool = True
    ) -> UninitializedBuffer:
        t = _new(cls)
        t._array, t._requires_grad = empty(0, device=device, dtype=dtype)._array, requires_grad
        t.persistent = persistent
        return t


def _uninitialized(name: str, requires_grad: bool) -> Any:
    """Rebuild a pickled uninitialized tensor. `name` is the name of its class."""
    return {cls.__name__: cls for cls in (UninitializedParameter, UninitializedBuffer)}[name](requires_grad)


def is_lazy(value: Any) -> bool:
    """Return whether `value` is an uninitialized parameter or buffer."""
    return isinstance(value, UninitializedTensorMixin)


for _cls in (Parameter, Buffer, UninitializedTensorMixin, UninitializedParameter, UninitializedBuffer):
    _cls.__module__ = "torch.nn.parameter"
