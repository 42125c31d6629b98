"""`Parameter` and `Buffer`: tensors that a module takes note of when they become its attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._tensor import Tensor

_new = Tensor._blank


def _from_array(array: np.ndarray, requires_grad: bool) -> Parameter:
    """What a pickle calls for a parameter."""
    return Parameter(Tensor._wrap(array), requires_grad)


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

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _from_array, (self.numpy(force=True).copy("K"), self._requires_grad)

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


for _cls in (Parameter, Buffer):
    _cls.__module__ = "torch.nn.parameter"
