"""Create tensors from data, of a constant, or with uninitialized values: tensor, zeros, full, empty and related functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend, _dtype, _settings
from reference_impl._device import device as Device
from reference_impl._device import resolve_device
from reference_impl._dtype import get_default_dtype
from reference_impl._layout import contiguous_format, preserve_format, strided
from reference_impl._settings import warn_user
from reference_impl._size import Size
from reference_impl.arguments.parser import is_index
from reference_impl.core.extensions import add_members
from reference_impl.core.modes import mode
from reference_impl.core.operations.indexing import alias
from reference_impl.core.tensor import Tensor
from reference_impl.numerics import memory_order
from reference_impl.numerics.memory_order import empty_as
from reference_impl.ops.from_data import array_of, is_sequence
from reference_impl.ops.registry import op

ABSENT: Any = object()
"""Default of an argument that can be omitted, but must not be None."""
_TENSOR_OPTIONS = (
    "TensorOptions(dtype={}, device=cpu, layout=Strided, requires_grad=false (default), pinned_memory=false (default), "
    "memory_format=(nullopt))"
)


def finish(array: Any, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Return a leaf tensor of `array` on `device`. If `device` is None, use the default device or, without one, that of `array`.

    Raises:
        RuntimeError: `requires_grad` is True, but the dtype is not floating point.
    """
    where = resolve_device(device)
    if where is not None:
        array = _backend.to_device(array, where.type)
    out = Tensor._wrap(array)
    if requires_grad:
        if array.dtype.kind != "f":
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        out.requires_grad_()
    return out


@op("function")
def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False
) -> Tensor:
    """Return a new leaf with a copy of `data`: numbers in nested lists, an array, a tensor.

    Without `dtype`, Python's integers give int64, its floats the default dtype and its booleans bool. Arrays and tensors keep their
    dtype. A tensor causes a warning.

    Raises:
        ValueError, TypeError: `data` is not numeric or not rectangular, see `array_of`.
        RuntimeError: `requires_grad` is True, but the dtype is not floating point; a number is outside the range of `dtype`; or
            `pin_memory` is True.
    """
    if pin_memory:
        refuse_pinning()
    if isinstance(data, Tensor):
        warn_user(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
        )
        array = data._array.copy("K") if dtype is None else data._array.astype(dtype.numpy)
    else:
        array = array_of(data, dtype)
    return finish(array, device, requires_grad)


def size_of(name: str, size: tuple[Any, ...], options: dict[str, Any] | None = None) -> tuple[int, ...]:
    """Return the shape that is passed to a function such as `zeros(2, 3)`, `zeros((2, 3))` or `zeros(size=(2, 3))`.

    Args:
        name: the function, for errors.
        size: its positional arguments.
        options: its remaining keyword arguments. `size` is removed from them.

    Raises:
        TypeError: torch has no such keyword argument, or a size is not an integer.
        RuntimeError: a size is negative, or the option `pin_memory` is True.
        NotImplementedError: the option `layout` is not `torch.strided`.
    """
    if options:
        size = _checked_options(name, size, options)
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    if not all([n.__class__ is int for n in size]):
        size = tuple([_size_number(name, n, position) for position, n in enumerate(size, 1)])
    if size and min(size) < 0:
        if name == "zeros":
            raise RuntimeError("zeros: Dimension size must be non-negative.")
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(size)}: {list(size)}")
    return size


def _checked_options(name: str, size: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, ...]:
    named_size = options.pop("size", None)
    for option in options:
        if option not in ("layout", "pin_memory", "memory_format", "out"):
            raise TypeError(f"{name}() got an unexpected keyword argument '{option}'")
    if options.get("pin_memory"):
        refuse_pinning()
    if options.get("layout") not in (None, strided):
        raise NotImplementedError(f"{name}(): other layouts than torch.strided are out of the scope of reference_impl")
    return size if named_size is None else (named_size,)


def refuse_pinning() -> None:
    """Raise RuntimeError as torch does for `pin_memory=True` on a machine without an accelerator."""
    raise RuntimeError(
        "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on this system."
    )


def _size_number(name: str, n: Any, position: int) -> int:
    if isinstance(n, Tensor) and n._array.dtype.kind in "iu" and n._array.size == 1:
        return int(n._array.item())
    if isinstance(n, np.integer) or n.__class__ is int or (n.__class__ is bool and position > 1):
        return int(n)
    raise TypeError(
        f"{name}(): argument 'size' failed to unpack the object at pos {position} with error \"type must be tuple of ints,"
        f'but got {type(n).__name__}"'
    )


def numpy_dtype(dtype: Any, name: str = "") -> np.dtype:
    """Return the NumPy dtype for a torch dtype, for Python's `float`, `int` or `bool`, or for None, the default dtype.

    Args:
        name: the function that takes `dtype`, for errors.

    Raises:
        TypeError: `dtype` is something else.
    """
    if dtype is None:
        return get_default_dtype().numpy
    kind = dtype if isinstance(dtype, _dtype.dtype) else _dtype.of_python_type(dtype)
    if kind is None:
        raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {type(dtype).__name__}")
    return kind.numpy


@op("function", "out_dtype")
def zeros(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **options: Any) -> Tensor:
    """Return zeros of shape `size`, integers or a list of them. Without `dtype`, they have the default dtype.

    For errors see `size_of`.
    """
    return finish(np.zeros(size_of("zeros", size, options), numpy_dtype(dtype, "zeros")), device, requires_grad)


@op("function", "out_dtype")
def ones(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **options: Any) -> Tensor:
    """Return ones of shape `size`, integers or a list of them. Without `dtype`, they have the default dtype.

    For errors see `size_of`.
    """
    return finish(np.ones(size_of("ones", size, options), numpy_dtype(dtype, "ones")), device, requires_grad)


@op("function", "out_dtype")
def empty(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **options: Any) -> Tensor:
    """Return uninitialized values of shape `size`, integers or a list of them. Without `dtype`, they have the default dtype.

    Under `use_deterministic_algorithms`, the values are nan, True or the largest integer. For errors see `size_of`.
    """
    shape, kind = size_of("empty", size, options), numpy_dtype(dtype, "empty")
    return finish(empty_memory(shape, options.get("memory_format"), kind), device, requires_grad)


def empty_memory(shape: tuple[int, ...], memory_format: Any, dtype: np.dtype) -> np.ndarray:
    """Return an uninitialized array on the CPU, in the given memory order (contiguous if None).

    Under `use_deterministic_algorithms` it is filled, see `fill_if_deterministic`.
    """
    if memory_format in (None, contiguous_format):
        return fill_if_deterministic(np.empty(shape, dtype))
    return fill_if_deterministic(memory_order.empty(shape, memory_format, dtype, np.empty(0, dtype)))


def fill_if_deterministic(array: Any) -> Any:
    """Return `array`. Under `use_deterministic_algorithms`, first fill it with nan, True or the largest integer, as torch does."""
    if _settings.are_deterministic_algorithms_enabled():
        kind = array.dtype.kind
        array.fill(np.nan if kind == "f" else True if kind == "b" else np.iinfo(array.dtype).max)
    return array


@op("function", "out_dtype")
def full(
    size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **options: Any
) -> Tensor:
    """Return a tensor of shape `size` filled with `fill_value`.

    Args:
        dtype: if it is None, the type of `fill_value` decides: int64, bool, or the default dtype for a float.

    Raises:
        TypeError: `size` is not a tuple or list of integers.
        RuntimeError: a size is negative, or `fill_value` is outside the range of `dtype`.
    """
    if not isinstance(size, (tuple, list)):  # `arguments.parser` replaces this message by torch's
        raise TypeError("full(): size must be a tuple of ints")
    value = fill_value.item() if isinstance(fill_value, Tensor) else _dtype.python_number(fill_value)
    shape = size_of("full", (size,), options)
    kind = _dtype.number_dtype(value).numpy if dtype is None else numpy_dtype(dtype, "full")
    return finish(np.full(shape, number_in(value, kind), kind), device, requires_grad)


def number_in(value: Any, dtype: np.dtype) -> Any:
    """Convert the Python number `value` to a NumPy number of `dtype`, as C does: 3.7 becomes 3 in int64, -1 becomes 255 in uint8.

    Raises:
        RuntimeError: the number is complex or outside the range of the dtype; uint8 accepts integers from -255.
        OverflowError: an integer has more than 64 bits, whatever the dtype.
    """
    if isinstance(value, int):
        _dtype.check_width(value)
    if dtype.kind in "iu" and not isinstance(value, (bool, np.bool_)):
        bounds = np.iinfo(dtype)
        low = -int(bounds.max) if dtype.kind == "u" and not isinstance(value, float) else int(bounds.min)
        if isinstance(value, complex) or not low <= value <= int(bounds.max):
            raise RuntimeError(f"value cannot be converted to type {dtype.name}_t without overflow")
        return np.array(int(value)).astype(dtype)[()]
    is_finite = abs(value) != float("inf") and value == value
    if dtype.kind == "f" and (isinstance(value, complex) or is_finite and abs(value) > float(np.finfo(dtype).max)):
        name = _dtype.from_numpy(dtype).c_name
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")
    return np.array(value).astype(dtype)[()]


def _like(input: Tensor, fill: Any, dtype: Any, device: Any, requires_grad: bool, options: dict[str, Any]) -> Tensor:
    """Return a tensor with the shape of `input`. By default, it has the strides of `input` if `input` has no gaps in memory.

    Args:
        fill: value of the elements; None leaves them uninitialized.
        dtype: dtype of the result; None stands for that of `input`.
        options: keyword arguments of torch's function. Only `memory_format` is used; it replaces the order of `input` in memory.
    """
    kind = None if dtype is None else numpy_dtype(dtype)
    out = empty_as(input._array, options.get("memory_format") or preserve_format, kind)
    if fill is None:
        fill_if_deterministic(out)
    else:
        out.fill(fill)
    return finish(out, device, requires_grad)


@op("function")
def zeros_like(
    input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **options: Any
) -> Tensor:
    """Return zeros of the shape and, by default, the dtype and device of `input`."""
    return _like(input, 0, dtype, device, requires_grad, options)


@op("function")
def ones_like(
    input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **options: Any
) -> Tensor:
    """Return ones of the shape and, by default, the dtype and device of `input`."""
    return _like(input, 1, dtype, device, requires_grad, options)


@op("function")
def empty_like(
    input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **options: Any
) -> Tensor:
    """Return uninitialized values of the shape and, by default, the dtype and device of `input`."""
    return _like(input, None, dtype, device, requires_grad, options)


@op("function")
def full_like(
    input: Tensor,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    **options: Any,
) -> Tensor:
    """Return a tensor filled with `fill_value`, with the shape and, by default, the dtype and device of `input`.

    Raises:
        RuntimeError: `fill_value` is outside the range of the dtype.
    """
    value = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    kind = input._array.dtype if dtype is None else numpy_dtype(dtype)
    return _like(input, number_in(value, kind), dtype, device, requires_grad, options)


@op("function", "out_dtype")
def eye(
    n: int, m: Any = ABSENT, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any
) -> Tensor:
    """Return a matrix of `n` rows and `m` columns, with 1 on the diagonal and 0 elsewhere. By default, `m` equals `n`.

    Raises:
        RuntimeError: a size is negative.
    """
    m = n if m is ABSENT else m
    if n < 0 or m < 0:
        raise RuntimeError(f"{'n' if n < 0 else 'm'} must be greater or equal to 0, got {n if n < 0 else m}")
    return finish(np.eye(n, m, dtype=numpy_dtype(dtype, "eye")), device, requires_grad)


@op("function")
def empty_strided(
    size: Any, stride: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any
) -> Tensor:
    """Return an uninitialized tensor of shape `size` whose strides are `stride`, in elements.

    Raises:
        RuntimeError: `size` and `stride` differ in length.
    """
    shape, steps = tuple(size), tuple(stride)
    if len(shape) != len(steps):
        raise RuntimeError(f"mismatch in length of strides and shape {list(shape)}, {list(steps)}")
    extent = 0 if 0 in shape else 1 + sum((n - 1) * s for n, s in zip(shape, steps, strict=True))
    memory = _memory(extent, numpy_dtype(dtype, "empty_strided"), device)
    return finish(_backend.as_strided(memory, shape, steps, 0), device, requires_grad)


def _memory(size: int, dtype: Any, device: Any) -> Any:
    """Return `size` uninitialized elements on `device`. Create a view only after this: moving a view would lose its strides."""
    memory, where = fill_if_deterministic(np.empty(size, dtype)), resolve_device(device)
    return memory if where is None else _backend.to_device(memory, where.type)


@op("function")
def from_numpy(ndarray: Any) -> Tensor:
    """Return a tensor that shares the memory of a NumPy array: a change of the array changes the tensor, and vice versa.

    A read-only array causes a warning.

    Raises:
        TypeError: `ndarray` is not an array, or torch does not have its dtype.
        ValueError: a stride of the array is negative.
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    _dtype.from_numpy(ndarray.dtype)
    if any(s < 0 for s in ndarray.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently "
            "supported. (You can probably work around this by making a copy of your array  with array.copy().) "
        )
    if not ndarray.flags.writeable:
        _warn_read_only()
    return Tensor._wrap(ndarray.view())  # a new object: the program may assign the shape of its array


def _warn_read_only() -> None:
    warn_user(
        "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this "
        "tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before "
        "converting it to a tensor. This type of warning will be suppressed for the rest of this program.",
    )


@op("function")
def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Return `data` as a tensor, without a copy if possible.

    If dtype and device need no change, a tensor is returned itself, and a NumPy array shares its memory with the result.
    """
    if isinstance(data, np.ndarray):
        data = from_numpy(data)
    if isinstance(data, Tensor):
        return data.to(dtype=dtype, device=device) if dtype is not None or device is not None else data
    return finish(array_of(data, dtype), device)


@op("function")
def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Return a 0-d tensor of the number `s`. If `dtype` is None, it has the default dtype."""
    kind = numpy_dtype(dtype, "scalar_tensor")
    return finish(np.full((), number_in(s, kind), kind), device, requires_grad)


def _new_method(function: Any) -> None:
    """Define and register a method such as `Tensor.new_zeros` for a function such as `zeros`."""

    def method(self: Tensor, *args: Any, dtype: Any = None, device: Any = None, **options: Any) -> Tensor:
        return function(*args, dtype=dtype or self.dtype, device=device or self.device, **options)

    method.__name__ = method.__qualname__ = "new_" + function.__name__
    method.__doc__ = f"Call `torch.{function.__name__}`, by default with the dtype and device of this tensor."
    op("method")(method)


for _function in (zeros, ones, empty, full, empty_strided):
    _new_method(_function)


@op("method")
def new_tensor(
    input: Tensor, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any
) -> Tensor:
    """Call `torch.tensor(data)`, by default with the dtype and device of `input`."""
    return tensor(data, dtype=dtype or input.dtype, device=device or input.device, requires_grad=requires_grad)


@op("method")
def new(input: Tensor, *args: Any, device: Any = None) -> Tensor:
    """Call the constructor of the tensor type with the dtype of `input`, such as `torch.FloatTensor(...)`."""
    return legacy_tensor_of(input.dtype, *args, device=device)


def legacy_tensor(cls: type[Tensor], *args: Any, device: Any = None) -> Tensor:
    """Construct a tensor as `torch.Tensor(...)` does: uninitialized from sizes, or with the values of a sequence.

    Without arguments, the result has the shape (0,). If the argument is a tensor, the result shares its memory and has its dtype. If that
    tensor requires grad, the result is a view that autograd records; if `cls` is a subclass of Tensor, autograd records nothing. For
    other arguments, the dtype is the default dtype, and an array of this dtype shares its memory with the result.

    Raises:
        TypeError, ValueError: the arguments are neither sizes nor numeric, rectangular data, see `array_of`.
        RuntimeError: a size is negative, a number is outside the range of the default dtype, or `device` is not the CPU.
    """
    if device is not None and Device(device).type != "cpu":
        raise RuntimeError(
            f"legacy constructor expects device type: cpu but device type: {Device(device).type} was passed"
        )
    t = Tensor._blank(cls)
    t._inference = mode.inference
    if len(args) == 1 and isinstance(args[0], Tensor):
        if cls is Tensor and args[0].requires_grad:
            return alias(args[0])
        t._array, t._version_counter = args[0]._array, args[0]._shared_version()
    else:
        t._array = _legacy_array(args, get_default_dtype())
    return t


def legacy_tensor_of(kind: _dtype.dtype, *args: Any, device: Any = None) -> Tensor:
    """Construct a tensor of the dtype `kind` as `torch.FloatTensor(...)` and the like do. See `legacy_tensor`.

    Raises:
        TypeError: the argument is a tensor with another dtype.
    """
    if len(args) == 1 and isinstance(args[0], Tensor):
        if args[0].dtype is not kind:
            expected, actual = (_TENSOR_OPTIONS.format(d.c_name) for d in (kind, args[0].dtype))
            raise TypeError(f"expected {expected} (got {actual})")
        return legacy_tensor(Tensor, *args, device=device)
    t = legacy_tensor(Tensor, device=device)
    t._array = _legacy_array(args, kind)
    return t


def _legacy_array(args: tuple[Any, ...], dtype: _dtype.dtype) -> Any:
    if len(args) == 1 and isinstance(args[0], Size):
        args = tuple(args[0])
    if len(args) == 1 and isinstance(args[0], str):
        raise TypeError("new(): invalid data type 'str'")
    if len(args) == 1 and not is_index(args[0]):
        if not is_sequence(args[0]):
            raise TypeError(f"new(): data must be a sequence (got {type(args[0]).__name__})")
        if isinstance(args[0], np.ndarray):
            return from_numpy(args[0]).to(dtype)._array
        return array_of(args[0], dtype)
    if not all(is_index(n) for n in args):
        type_names = ", ".join(type(n).__name__ for n in args)
        raise TypeError(f"new() received an invalid combination of arguments - got ({type_names})")
    return fill_if_deterministic(np.empty(size_of("new", args) if args else (0,), dtype.numpy))


# Python's message for an unexpected argument shows this name, as torch's does.
legacy_tensor.__qualname__ = legacy_tensor_of.__qualname__ = "new"


def _new(cls: type[Tensor], *args: Any, **kwargs: Any) -> Tensor:
    """Construct a tensor from sizes, data or another tensor, as torch's legacy constructor does: see `legacy_tensor`.

    `Tensor(2, 3)` has uninitialized values and shape (2, 3); `Tensor([2, 3])` has the values 2 and 3.
    """
    return legacy_tensor(cls, *args, **kwargs)


add_members(Tensor, __new__=staticmethod(_new))
