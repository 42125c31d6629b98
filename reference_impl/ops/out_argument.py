"""`out=`: write the result of a function into an existing tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference_impl import _backend
from reference_impl._layout import preserve_format
from reference_impl._settings import warn_user
from reference_impl.core.inplace import SHAPE_MISMATCH, check_writable, overwrite
from reference_impl.core.modes import mode
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import empty_as
from reference_impl.ops.overlap import check_memory, check_no_common_memory

CHECKED_BEFORE_RESIZING = ("index_select", "outer", "take", "masked_select")
"""Functions that refuse an `out` that overlaps itself or an input even if it is resized. Others check it afterwards."""

APART = frozenset(
    (*CHECKED_BEFORE_RESIZING, "cat", "stack", "hstack", "vstack", "dstack", "column_stack", "gather", "take_along_dim")
)
"""Functions that refuse an `out` that shares memory with an input."""

_NOT_ELEMENTWISE = APART | frozenset("all any cumprod cumsum logsumexp mean nanmean nansum std var".split())


def is_elementwise(name: str, variants: tuple[str, ...]) -> bool:
    """Return whether the function `name`, registered in these forms (see `registry.op`), combines its tensors element by element."""
    return "out" in variants and name not in _NOT_ELEMENTWISE


def check_elementwise(out: Tensor, sources: list[Tensor], shape: tuple[int, ...]) -> None:
    """Check, as torch does before it resizes `out`, that an elementwise function of the tensors `sources` may be written into `out`.

    Args:
        shape: shape of the result.

    Raises:
        RuntimeError: `out` overlaps itself or, in other elements, a source; or `out` is a source and has another shape than the result.
    """
    check_memory(out, sources)
    if out._array.shape != shape and any([source is out for source in sources]):
        raise RuntimeError(SHAPE_MISMATCH.format(list(out._array.shape), list(shape)))


def write_out(result: Any, out: Any, name: str, same_dtype: bool = False, sources: Any = ()) -> Any:
    """Write `result` into `out`, and return `out`. If the shapes differ, `out` is resized, with a warning if it has elements.

    Args:
        result, out: tensors, or tuples of tensors for a function with several results.
        name: the function, for messages.
        same_dtype: require that `out` has the dtype of the result; otherwise the result is cast, but not from float to integer or from
            integer to bool.
        sources: tensors with which `out` must not share memory.

    Raises:
        RuntimeError: `result` or `out` requires grad while autograd records, the dtype of `result` cannot be written into `out`,
            elements of `out` overlap, or `out` shares memory with a source.
    """
    if isinstance(result, tuple):
        written = [write_out(r, o, name, same_dtype) for r, o in zip(result, out, strict=True)]
        return tuple.__new__(type(result), written)
    check_no_gradient(name, result, out)
    if same_dtype and result._array.dtype != out._array.dtype:
        raise RuntimeError(
            f"Expected out tensor to have dtype {result.dtype.c_name}, but got {out.dtype.c_name} instead"
        )
    given, sources = Tensor._wrap(out._array), [Tensor._wrap(source._array) for source in sources]  # before resizing
    if name in CHECKED_BEFORE_RESIZING:
        check_memory(out)
        _check_apart(given, sources)
    if out._array.shape != result._array.shape:
        check_writable(Tensor._wrap(_backend.full_like(out._array, 0, result._array.shape)), result._array)
        resize_output(out, result._array.shape)
        if not result._array.flags.c_contiguous:
            out._array = empty_as(result._array, preserve_format, out._array.dtype)
    check_memory(out)
    _check_apart(given, sources)
    check_writable(out, result._array)
    return overwrite(out, result._array)


def _check_apart(out: Tensor, sources: Any) -> None:
    """Raise RuntimeError if `out` shares memory with one of `sources`."""
    for source in sources:
        check_no_common_memory(out, source)


def check_no_gradient(name: str, *tensors: Any) -> None:
    """Raise RuntimeError if one of `tensors`, the arguments of the function `name` with `out=`, requires grad.

    While autograd records nothing, raise no error.
    """
    if mode.enabled and any([isinstance(t, Tensor) and t.requires_grad for t in tensors]):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
            "requires grad."
        )


def resize_output(out: Tensor, shape: tuple[int, ...]) -> None:
    """Give `out` new memory of this shape, filled with 0. Emit torch's warning if `out` has elements."""
    if out._array.size:
        warn_user(
            f"An output with one or more elements was resized since it had shape {list(out._array.shape)}, which does not match "
            f"the required output shape {list(shape)}. This behavior is deprecated, and in a future PyTorch release outputs "
            "will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, "
            "inplace, to zero elements with t.resize_(0).",
        )
    out._array = _backend.full_like(out._array, 0, shape)


def create_into(out: Tensor, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
    """Call `function`, which creates a tensor, with the dtype of `out`. Write the values into `out` and return it.

    If the shapes differ, `out` is resized, without a warning.

    Raises:
        RuntimeError: `kwargs` has a dtype other than that of `out`.
    """
    dtype = kwargs.pop("dtype", None)
    if dtype is not None and dtype is not out.dtype:
        raise RuntimeError(f"dtype {dtype.tensor_type} does not match dtype of out parameter ({out.dtype.tensor_type})")
    array = function(*args, dtype=out.dtype, **kwargs)._array
    if out._array.shape != array.shape:
        out._array = _backend.full_like(out._array, 0, array.shape)
    return overwrite(out, array)
