"""`torch.FloatTensor`, `torch.DoubleTensor` and the like: old names for a dtype and a device."""

from __future__ import annotations

import warnings
from typing import Any

from reference_impl import _dtype
from reference_impl._tensor import Tensor
from reference_impl.ops.creation import legacy_tensor_of


class tensortype(type):
    """The metaclass of `torch.FloatTensor` and the like: a call creates a tensor, and `isinstance` compares the dtype."""

    dtype: _dtype.dtype

    def __call__(cls, *args: Any, **kwargs: Any) -> Tensor:
        return legacy_tensor_of(cls.dtype, *args, **kwargs)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor) and instance.dtype is cls.dtype


tensortype.__module__ = "torch"

types: dict[str, Any] = {}
for _d in _dtype.ALL:
    _name = _d.tensor_type + "Tensor"
    types[_name] = tensortype(_name, (), {"dtype": _d, "__module__": "torch", "is_cuda": False})


def set_default_tensor_type(t: Any) -> None:
    """Set the default dtype to that of a tensor type such as `torch.DoubleTensor` or "torch.DoubleTensor". Warn of the deprecation.

    Raises:
        TypeError: `t` does not name a floating-point type.
    """
    warnings.warn(
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() and "
        "torch.set_default_device() as alternatives.",
        UserWarning,
        stacklevel=2,
    )
    name = t if isinstance(t, str) else f"{t.__module__}.{t.__name__}"
    kind = types.get(name.removeprefix("torch."))
    if kind is None or not kind.dtype.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _dtype.set_default_dtype(kind.dtype)


def typename(obj: Any) -> str:
    """Return the name of a class, or of an object's class; for a tensor, its legacy type such as 'torch.FloatTensor'."""
    if isinstance(obj, Tensor):
        return obj.type()
    kind = obj if isinstance(obj, type) else type(obj)
    module = "" if kind.__module__ in ("builtins", "__builtin__") else kind.__module__ + "."
    return module + kind.__qualname__
