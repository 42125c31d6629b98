"""Logical and bitwise operations, and the reductions `all` and `any`. Their results have no `grad_fn`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl._backend import contiguous
from reference_impl.core.tensor import Tensor
from reference_impl.ops.promotion import operands, refuse_dtype, tensor_operands
from reference_impl.ops.reduction import dims_of
from reference_impl.ops.registry import add_methods, add_operator, op

# -- logical operations: every number except 0 counts as true


def logical(name: str, function: Callable[[Any, Any], Any], condition: str) -> Callable[[Tensor, Tensor], Tensor]:
    """Define and register a logical operation of two tensors, and return it.

    Args:
        function: function from two arrays to a boolean array.
        condition: the middle of the docstring "Return for each pair of elements whether ... true, that is, not 0."
    """

    def call(input: Tensor, other: Tensor) -> Tensor:
        x, y = tensor_operands(input, other)
        return Tensor._wrap(function(x, y))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Return for each pair of elements whether {condition} true, that is, not 0."
    return op("function", "method", "inplace", "out")(call)


logical_and = logical("logical_and", np.logical_and, "both are")
logical_or = logical("logical_or", np.logical_or, "at least one is")
logical_xor = logical("logical_xor", np.logical_xor, "exactly one is")


@op("function", "method", "inplace", "out")
def logical_not(input: Tensor) -> Tensor:
    """Return for each element whether it is 0."""
    return Tensor._wrap(np.logical_not(input._array))


# -- bitwise operations on integers and booleans


def bitwise(
    name: str, function: Callable[[Any, Any], Any], torch_kernel: str, doc: str
) -> Callable[[Any, Any], Tensor]:
    """Define and register a bitwise operation of two operands, tensors or numbers, and return it.

    Args:
        function: function of two arrays.
        torch_kernel: torch's name of the kernel in the error for floating-point operands, and for shifts of booleans.
        doc: beginning of the docstring "..., for each pair of integers or booleans."
    """

    def call(input: Any, other: Any) -> Tensor:
        x, y = operands(input, other)
        dtype = (x if hasattr(x, "dtype") else y).dtype
        if dtype.kind == "f" or (dtype.kind == "b" and "shift" in name):
            refuse_dtype(torch_kernel, dtype)
        return Tensor._wrap(function(x, y))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"{doc}, for each pair of integers or booleans."
    return op("function", "method", "inplace", "out")(call)


bitwise_and = bitwise("bitwise_and", np.bitwise_and, "bitwise_and_cpu", "Return the bits that are set in both")
bitwise_or = bitwise("bitwise_or", np.bitwise_or, "bitwise_or_cpu", "Return the bits that are set in at least one")
bitwise_xor = bitwise("bitwise_xor", np.bitwise_xor, "bitwise_xor_cpu", "Return the bits that are set in exactly one")
bitwise_left_shift = bitwise(
    "bitwise_left_shift", np.left_shift, "lshift_cpu", "Shift the bits of `input` to the left by `other`"
)
bitwise_right_shift = bitwise(
    "bitwise_right_shift", np.right_shift, "rshift_cpu", "Shift the bits of `input` to the right by `other`"
)


@op("function", "method", "inplace", "out")
def bitwise_not(input: Tensor) -> Tensor:
    """Invert every bit of an integer; negate a boolean.

    Raises:
        NotImplementedError: `input` is floating point.
    """
    if input._array.dtype.kind == "f":
        refuse_dtype("bitwise_not_cpu", input._array.dtype)
    return Tensor._wrap(np.invert(input._array))


def _invert(self: Tensor) -> Tensor:
    if self._array.dtype.kind == "f":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return bitwise_not(self)


add_operator("and", bitwise_and, "bitwise_and_")
add_operator("or", bitwise_or, "bitwise_or_")
add_operator("xor", bitwise_xor, "bitwise_xor_")
add_operator("lshift", bitwise_left_shift, "bitwise_left_shift_")
add_operator("rshift", bitwise_right_shift, "bitwise_right_shift_")
add_methods(__invert__=_invert)


# -- reductions


def _truth(function: Callable[..., Any], x: Any, dim: Any, keepdim: bool) -> Tensor:
    dims = () if dim == () or dim == [] else None if dim is None else dims_of(dim, x.ndim)
    result = contiguous(function(x, axis=dims, keepdims=keepdim))
    return Tensor._wrap(result.astype(np.uint8) if x.dtype == np.uint8 else result)


@op("function", "method", "out")
def all(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Return whether every element, of the tensor or along `dim`, is true, that is, not 0. For uint8, the result is uint8 instead of bool.

    Args:
        dim: a dimension or several; None for all. An empty list stands for none, so that the result has an element for each of `input`.
    """
    return _truth(np.all, input._array, dim, keepdim)


@op("function", "method", "out")
def any(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Return whether at least one element, of the tensor or along `dim`, is true, that is, not 0. See `all`."""
    return _truth(np.any, input._array, dim, keepdim)
