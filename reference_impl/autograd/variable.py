"""`torch.autograd.Variable`: an old name for tensors. Calling it returns a tensor."""

from __future__ import annotations

import warnings
from typing import Any

from reference_impl.core.tensor import Tensor


class VariableMeta(type):
    """Metaclass that makes every tensor an instance of Variable."""

    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, Tensor)


class Variable(metaclass=VariableMeta):
    """Calling `Variable(tensor, requires_grad)` returns a leaf on the memory of `tensor`; `Variable()` returns an empty tensor.

    `volatile` has no effect; a value other than None causes a warning.

    Raises:
        TypeError: `tensor` is not a tensor.
    """

    def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: Any = None) -> Tensor:  # type: ignore[misc]
        if volatile is not None:
            warnings.warn(
                "volatile was removed and now has no effect. Use `with torch.no_grad():` instead.",
                UserWarning,
                stacklevel=2,
            )
        if data is None:
            return Tensor()
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        leaf = data.detach()
        return leaf.requires_grad_() if requires_grad else leaf
