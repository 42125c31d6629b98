"""`Parameter` and `Buffer`: tensors that a module takes note of when they become its attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl._device import device as Device
from reference_impl._tensor import Tensor
from reference_impl._torch_names import new

_new = Tensor._blank


class Parameter(Tensor):
    """A tensor that is to be trained: a leaf that requires grad, also when made under `no_grad`.

    Args:
        data: shares its memory with the parameter; an empty tensor if None.
        requires_grad: whether it is to be trained.
    """

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        if data is None:
            data = Tensor._wrap(np.empty(0, np.float32))
        if not isinstance(data, Tensor):
            raise TypeError(f"cannot create a Parameter from a {type(data).__name__}")
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

    def __repr__(self, *, tensor_contents: Any = None) -> str:  # type: ignore[override]
        return "Parameter containing:\n" + super().__repr__()

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if self._array.ndim == 0 and spec else object.__format__(self, spec)


class Buffer(Tensor):
    """A tensor that belongs to a module's state but is not trained.

    Args:
        data: shares its memory with the buffer.
        persistent: whether it stands in the module's `state_dict`.
    """

    persistent: bool

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Buffer:
        if data is None:
            data = Tensor._wrap(np.empty(0, np.float32))
        t = _new(cls)
        t._array, t._version_counter = data._array, data._shared_version()
        t._requires_grad = data._requires_grad
        t.persistent = persistent
        return t


_NO_SHAPE = (
    "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` when trying "
    "to load an uninitialized parameter into an initialized one. Call `forward` to initialize the parameters before accessing "
    "their attributes."
)
_NO_VALUES = (
    "Attempted to use an uninitialized parameter. This error happens when you are using a `LazyModule` or explicitly manipulating "
    "`torch.nn.parameter.{0}` objects. When using LazyModules Call `forward` with a dummy batch to initialize the parameters "
    "before calling torch functions"
)


class UninitializedTensorMixin(Tensor):
    """A tensor that has dtype and device but neither shape nor values, until `materialize`.

    Attributes:
        data: an empty tensor that stands for dtype and device.
    """

    cls_to_become: Any

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Become an ordinary tensor of this shape, its values not set."""
        array = _backend.array_module(Device(device or self.device).type).empty(
            tuple(shape), (dtype or self.dtype).numpy
        )
        self.__class__ = self.cls_to_become
        self.__dict__.pop("_empty")
        ordinary: Any = self
        ordinary._array = array

    @property
    def _array(self) -> Any:
        raise ValueError(_NO_VALUES.format(type(self).__name__))

    @property
    def data(self) -> Tensor:
        return self._empty

    @data.setter
    def data(self, value: Tensor) -> None:
        self._empty = value._empty if is_lazy(value) else value

    @property
    def shape(self) -> Any:
        raise RuntimeError(_NO_SHAPE)

    @property
    def dtype(self) -> Any:
        return self._empty.dtype

    @property
    def device(self) -> Any:
        return self._empty.device

    def is_floating_point(self) -> bool:
        return self._empty.is_floating_point()

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """One that waits for another dtype or device."""
        empty = self._empty.to(*args, **kwargs)
        return type(self)(self._requires_grad, empty.device, empty.dtype)

    def float(self) -> Any:
        return self.to(_dtype.float32)

    def double(self) -> Any:
        return self.to(_dtype.float64)

    def half(self) -> Any:
        return self.to(_dtype.float16)

    def cpu(self) -> Any:
        return self.to("cpu")

    def cuda(self, device: Any = None) -> Any:
        return self.to("cuda" if device is None else Device(device))

    def __repr__(self, *, tensor_contents: Any = None) -> str:  # type: ignore[override]
        return f"<{type(self).__name__}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self._requires_grad, self.device, self.dtype)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return new, (type(self).__module__, type(self).__name__, self._requires_grad, self.device, self.dtype)


def is_lazy(param: Any) -> bool:
    """Whether `param` is an uninitialized parameter or buffer."""
    return isinstance(param, UninitializedTensorMixin)


class UninitializedParameter(UninitializedTensorMixin, Parameter):  # type: ignore[misc]
    """A parameter whose shape the first input will decide."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Any:
        return _uninitialized(cls, requires_grad, device, dtype)


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer whose shape the first input will decide."""

    cls_to_become = Tensor

    def __new__(
        cls, requires_grad: bool = False, device: Any = None, dtype: Any = None, persistent: bool = True
    ) -> Any:
        t = _uninitialized(cls, requires_grad, device, dtype)
        t.persistent = persistent
        return t


def _uninitialized(cls: Any, requires_grad: bool, device: Any, dtype: Any) -> Any:
    from reference_impl.ops.creation import empty

    t = _new(cls)
    t._empty = empty(0, device=device, dtype=dtype)
    t._requires_grad = requires_grad
    return t


for _cls in (Parameter, Buffer, UninitializedTensorMixin, UninitializedParameter, UninitializedBuffer):
    _cls.__module__ = "torch.nn.parameter"
