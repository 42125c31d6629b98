"""Questions about tensors and dtypes: is_tensor, numel, result_type, can_cast, the address of the memory."""

from __future__ import annotations

from typing import Any

from reference_impl import _backend, _dtype
from reference_impl.core.tensor import Tensor
from reference_impl.ops.registry import op
from reference_impl.storage import UntypedStorage


@op("function")
def is_tensor(obj: Any) -> bool:
    """Whether `obj` is a Tensor."""
    return isinstance(obj, Tensor)


def _function_of(method: str) -> None:
    """`torch.name(tensor)` for a method that is defined with the class."""

    def call(input: Tensor) -> Any:
        if not isinstance(input, Tensor):
            raise TypeError(f"{method}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
        return getattr(input, method)()

    call.__name__ = call.__qualname__ = method
    call.__doc__ = getattr(Tensor, method).__doc__
    op("function")(call)


for _name in ("numel", "is_floating_point", "is_complex", "is_signed", "is_inference", "detach", "detach_"):
    _function_of(_name)


@op("function", "method")
def is_nonzero(input: Tensor) -> bool:
    """Whether the one element is not 0.

    Raises:
        RuntimeError: there is not exactly one.
    """
    return bool(input)


@op("function", "method", aliases=("resolve_conj", "resolve_neg"))
def conj(input: Tensor) -> Tensor:
    """The tensor itself: there are no complex numbers here."""
    return input


@op("function", "method", "out")
def conj_physical(input: Tensor) -> Tensor:
    """The tensor itself: there are no complex numbers here."""
    return input


@op("function", "method")
def conj_physical_(input: Tensor) -> Tensor:
    """The tensor itself: there are no complex numbers here."""
    return input


@op("function")
def real(input: Tensor) -> Tensor:
    """The tensor itself: there are no complex numbers here."""
    return input


@op("function")
def imag(input: Tensor) -> Tensor:
    """Raises:
    RuntimeError: always: there are no complex numbers here."""
    raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")


Tensor.real = property(real)  # type: ignore[attr-defined]
Tensor.imag = property(imag)  # type: ignore[attr-defined]


@op("function", "method")
def is_conj(input: Tensor) -> bool:
    """False: there are no complex numbers here."""
    return False


@op("function", "method")
def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Whether both have one shape."""
    return input._array.shape == other._array.shape


@op("function", name="result_type")
def result_type(tensor1: Any, tensor2: Any) -> _dtype.dtype:
    """The dtype of an element-wise operation on two tensors or numbers."""
    values = [t._array if isinstance(t, Tensor) else t for t in (tensor1, tensor2)]
    return _dtype.from_numpy(_dtype.result_type_of(tuple(values)))


@op("function")
def can_cast(from_: _dtype.dtype, to: _dtype.dtype) -> bool:
    """Whether a result of dtype `from_` may be written into a tensor of dtype `to`: not into a lower category."""
    if from_.is_floating_point and not to.is_floating_point:
        return False
    if from_ is not _dtype.bool_ and to is _dtype.bool_:
        return False
    return not (from_.is_signed and not from_.is_floating_point and to is _dtype.uint8)


@op("method")
def is_set_to(input: Tensor, tensor: Tensor) -> bool:
    """Whether both show the same memory in the same way: address, shape and strides."""
    same = input.data_ptr() == tensor.data_ptr() and input.shape == tensor.shape
    return same and input.stride() == tensor.stride()


@op("function", "method")
def is_neg(input: Tensor) -> bool:
    """False: no view is a negative."""
    return False


@op("method")
def is_shared(input: Tensor) -> bool:
    """Whether the memory is shared between processes: never here."""
    return False


@op("method")
def is_pinned(input: Tensor, device: Any = None) -> bool:
    """Whether the memory is page-locked: never here."""
    return False


@op("method")
def pin_memory(input: Tensor, device: Any = None) -> Tensor:
    """Raises:
    RuntimeError: always: pinned memory is for accelerators."""
    raise RuntimeError("Cannot access accelerator device when none is available.")


@op("method")
def share_memory_(input: Tensor) -> Tensor:
    """Itself: memory is not shared between processes here."""
    return input


@op("function", "method")
def get_device(input: Tensor) -> int:
    """The index of the device; -1 for the CPU."""
    index = input.device.index
    return -1 if index is None else index


@op("method")
def dim_order(input: Tensor) -> tuple[int, ...]:
    """The dimensions in the order in which they lie in memory, outermost first."""
    strides = input.stride()
    return tuple(sorted(range(input._array.ndim), key=lambda d: -strides[d]))


@op("method")
def untyped_storage(input: Tensor) -> Any:
    """The memory of this tensor and all its views, as bytes."""
    return UntypedStorage._of(_backend.root_of(input._array))
