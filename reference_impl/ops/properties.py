"""Functions that return a property of a tensor: is_tensor, numel, is_floating_point, untyped_storage and others."""

from __future__ import annotations

from typing import Any

from reference_impl import _backend
from reference_impl.core.tensor import Tensor
from reference_impl.ops.promotion import require_tensor
from reference_impl.ops.registry import add_methods, op
from reference_impl.storage import TypedStorage, UntypedStorage


@op("function")
def is_tensor(obj: Any) -> bool:
    """Return whether `obj` is a Tensor."""
    return isinstance(obj, Tensor)


def _function_of(method: str) -> None:
    """Define the function `torch.<method>(tensor)`, which calls the method of the tensor."""

    def call(input: Tensor) -> Any:
        if not isinstance(input, Tensor):
            raise TypeError(f"{method}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
        return getattr(input, method)()

    call.__name__ = call.__qualname__ = method
    call.__doc__ = getattr(Tensor, method).__doc__
    op("function")(call)


for _name in ("numel", "is_floating_point", "is_complex", "is_signed", "is_inference", "detach", "detach_"):
    _function_of(_name)


@op("function", "method", aliases=("resolve_conj", "resolve_neg"))
def conj(input: Tensor) -> Tensor:
    """Return the tensor itself, because complex numbers are out of scope."""
    require_tensor(input)
    return input


@op("function", "method", "out")
def conj_physical(input: Tensor) -> Tensor:
    """Return the tensor itself, because complex numbers are out of scope."""
    require_tensor(input)
    return input


@op("function", "method")
def conj_physical_(input: Tensor) -> Tensor:
    """Return the tensor itself, because complex numbers are out of scope."""
    return input


@op("function")
def real(input: Tensor) -> Tensor:
    """Return the tensor itself, because complex numbers are out of scope."""
    require_tensor(input)
    return input


add_methods(real=property(real))


@op("function", "method")
def is_conj(input: Tensor) -> bool:
    """Return False, because complex numbers are out of scope."""
    return False


@op("method")
def is_pinned(input: Tensor, device: Any = None) -> bool:
    """Return False, because the engine has no page-locked memory."""
    return False


@op("method")
def pin_memory(input: Tensor, device: Any = None) -> Tensor:
    """Raise RuntimeError, because page-locked memory requires an accelerator."""
    raise RuntimeError("Cannot access accelerator device when none is available.")


def storage(self: Tensor) -> Any:
    """Return the memory that this tensor shares with its base and all views, as a TypedStorage of its elements. It is deprecated."""
    return TypedStorage._of(_backend.root_of(self._array))


add_methods(storage=storage)


@op("method")
def untyped_storage(input: Tensor) -> Any:
    """Return the memory that this tensor shares with its base and all views, as an UntypedStorage of bytes."""
    return UntypedStorage._of(_backend.root_of(input._array))
