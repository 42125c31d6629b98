"""Methods of `Tensor` that repeat something else: see `lazy_families`."""

from __future__ import annotations

import math
from typing import Any

from reference_impl._settings import warn_user
from reference_impl._tensor import Tensor
from reference_impl.autograd.function import Function
from reference_impl.ops.rectifier import hardshrink, prelu
from reference_impl.ops.registry import op
from reference_impl.ops.views import alias

op("method")(prelu)
op("method")(hardshrink)


@op("method")
def ndimension(self: Tensor) -> int:
    """As `dim`."""
    return self._array.ndim


@op("method")
def is_distributed(self: Tensor) -> bool:
    """False."""
    return False


@op("method")
def as_subclass(self: Tensor, cls: Any) -> Any:
    """A view of all of this tensor, of the class `cls`.

    Raises:
        TypeError: no class, or one that is not a tensor's.
    """
    if not isinstance(cls, type):
        raise TypeError(f"cls must be a type (got {type(cls).__name__})")
    if not issubclass(cls, Tensor):
        raise TypeError(
            "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. Make sure your class "
            "inherits from Tensor."
        )
    view = alias(self)
    view.__class__ = cls
    return view


@op("method")
def module_load(self: Tensor, other: Tensor, assign: bool = False) -> Tensor:
    """What `load_state_dict` of torch puts in the place of this tensor: `other`, or this tensor with the values of `other`.

    Raises:
        RuntimeError: a leaf that requires grad cannot take values outside `no_grad`.
    """
    return other.detach() if assign else self.copy_(other).detach()


class Resize(Function):
    """A view of another shape, a copy where that cannot be:  ∂input = g in the old shape."""

    @staticmethod
    def forward(ctx: Any, tensor: Tensor, sizes: tuple[int, ...]) -> Tensor:
        count = math.prod(sizes)
        if tensor.numel() != count:
            asked, have = ("x".join(map(str, shape)) for shape in (sizes, tensor.shape))
            raise RuntimeError(
                f"requested resize to {asked} ({count} elements in total), but the given tensor has a size of {have} "
                f"({tensor.numel()} elements). autograd's resize can only change the shape of a given tensor, while preserving the "
                "number of elements. "
            )
        ctx.sizes = tensor.shape
        return tensor.contiguous().view(*sizes)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        return grad.contiguous().view(ctx.sizes), None


@op("method")
def resize(self: Tensor, *sizes: Any) -> Tensor:
    """A view of another shape; deprecated: `view` and `reshape` say what they do.

    Raises:
        RuntimeError: another number of elements.
    """
    warn_user("non-inplace resize is deprecated")
    return Resize.apply(self, sizes)


@op("method")
def resize_as(self: Tensor, tensor: Tensor) -> Tensor:
    """`resize` to the shape of `tensor`."""
    warn_user("non-inplace resize_as is deprecated")
    return Resize.apply(self, tensor.size())
