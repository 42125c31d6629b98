"""Arithmetic on two operands: add, sub, mul, div, pow and functions that use them.

Operands are broadcast. The formula of a gradient may return it in the shape of the result: the backward pass then sums it to the shape
of the operand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._dtype import python_number
from reference_impl.core.declare import wrap_and_record
from reference_impl.core.inplace import apply_inplace, write
from reference_impl.core.modes import mode
from reference_impl.core.node import Node
from reference_impl.core.operations import arithmetic as core
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.creation import number_in
from reference_impl.ops.multiply_add import multiply_add
from reference_impl.ops.overlap import check_memory
from reference_impl.ops.promotion import operands, refuse_dtype, require_tensor
from reference_impl.ops.registry import OPERANDS, add_methods, add_operator, op


def zeros_like(g: Tensor) -> Tensor:
    """`0` for every element.

    Return zeros of the shape and dtype of `g`, without recording.
    """
    return Tensor._wrap(np.zeros_like(g._array))


@op("function", "method", "out")
def add(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Return `input + alpha * other`, with broadcasting and type promotion.

    Raises:
        RuntimeError: `alpha` is a boolean or a float, and the common dtype of the operands does not allow it.
    """
    if alpha == 1 and alpha is not True:
        return core.add(input, other)
    x, y = operands(input, other)
    return record(core.add.node, _plus_scaled(x, y, alpha), (input, other), alpha=alpha)


@op("method")
def add_(input: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    """Add `alpha * other` to `input` in place.

    While autograd records nothing, floating-point tensors of the same shape and dtype are added without a temporary result.

    Raises:
        TypeError: `other` is neither a tensor nor a number.
        RuntimeError: the result does not fit into `input`, or autograd does not allow the change.
    """
    if mode.enabled or not isinstance(other, Tensor) or isinstance(alpha, bool):
        if not isinstance(other, OPERANDS):
            raise TypeError(f"add_(): 'other' must be a tensor or a number, got {type(other).__name__}")
        return apply_inplace(add, input, other, alpha=alpha)
    x, y = input._array, other._array
    if x.shape != y.shape or x.dtype != y.dtype or x.dtype.kind != "f":
        return apply_inplace(add, input, other, alpha=alpha)
    check_memory(input, (other,))
    return write(input, lambda x: np.add(x, y, out=x) if alpha == 1 else multiply_add(x, y, alpha, x.dtype, out=x))


@op("function", "method", "inplace", "out", aliases=("subtract",))
def sub(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Return `input - alpha * other`, with broadcasting and type promotion.

    Raises:
        RuntimeError: an operand is boolean; or `alpha` is a boolean or a float, and the common dtype does not allow it.
    """
    if _is_bool(input) or _is_bool(other):
        _refuse_bool_sub(input, other)
    if alpha == 1 and alpha is not True:
        return core.sub(input, other)
    x, y = operands(input, other)
    return record(core.sub.node, _plus_scaled(x, y, alpha, -1), (input, other), alpha=alpha)


def _is_bool(value: Any) -> bool:
    return value._array.dtype is _BOOL if isinstance(value, Tensor) else value is True or value is False


_BOOL = np.dtype(bool)


def _plus_scaled(x: Any, y: Any, alpha: Any, sign: int = 1) -> Any:
    """Return `x + sign * alpha * y` for operands of a common dtype. At least one is an array, the other may be a number.

    Floating-point results are rounded once if possible, see `multiply_add`. For booleans, the result is `x or (y and alpha)`.

    Raises:
        RuntimeError: `alpha` is a boolean or a float, and the dtype of the operands does not allow it.
    """
    dtype = (x if hasattr(x, "dtype") else y).dtype
    alpha = python_number(alpha)
    if alpha is True or alpha is False:
        if dtype.kind != "b":
            raise RuntimeError("Boolean alpha only supported for Boolean results.")
    elif isinstance(alpha, float) and dtype.kind != "f":
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if dtype.kind == "f":
        return multiply_add(x, y, sign * alpha, dtype)
    combine = np.add if sign == 1 else np.subtract
    return combine(x, np.logical_and(y, alpha) if dtype.kind == "b" else np.multiply(y, number_in(alpha, dtype)))


def _refuse_bool_sub(a: Any, b: Any) -> None:
    if _is_bool(a) and _is_bool(b):
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead."
        )
    raise RuntimeError(
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the "
        "`~` or `logical_not()` operator instead."
    )


mul = op("function", "method", "inplace", "out", aliases=("multiply",))(core.mul)


class DivBackward2(Node):
    """out = rounded(self / other) is a step function: both gradients are 0. (torch saves the operands nevertheless.)"""

    saved_names = ("self", "other")
    rounding_mode: str

    def grad_self(self, g: Tensor) -> Tensor:
        """Return zeros, because the result is a step function of `self`. Check that the saved operands are unchanged."""
        self.check_saved()
        return zeros_like(g)

    def grad_other(self, g: Tensor) -> Tensor:
        """Return zeros, because the result is a step function of `other`."""
        return zeros_like(g)


@op("function", "method", "inplace", "out", aliases=("divide", "true_divide"))
def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """Return `input / other`. Integers give the default floating-point dtype or, with a `rounding_mode`, integers.

    Args:
        rounding_mode: None (the exact quotient), "trunc" (rounded towards 0) or "floor" (rounded down).

    Raises:
        RuntimeError: `rounding_mode` has another value, or an integer is divided by 0 with a `rounding_mode`.
        NotImplementedError: the operands are boolean and `rounding_mode` is not None.
    """
    if rounding_mode is None:
        return core.div(input, other)
    quotient = _rounded_quotient(*operands(input, other), rounding_mode)
    both = isinstance(input, Tensor) and isinstance(other, Tensor)
    saved = (input if other.requires_grad else None, other) if both else ()
    return record(DivBackward2, quotient, (input, other), saved, rounding_mode=rounding_mode)


def _rounded_quotient(x: Any, y: Any, rounding_mode: str) -> Any:
    if rounding_mode not in ("trunc", "floor"):
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
        )
    check_divisor(f"div_{rounding_mode}_cpu", x, y)
    if rounding_mode == "floor":
        return np.floor_divide(x, y)
    if np.result_type(x, y).kind == "f":
        return np.trunc(np.divide(x, y))
    return np.floor_divide(x - np.fmod(x, y), y)  # exact, unlike a quotient of int64 in float64


def check_divisor(kernel: str, x: Any, y: Any) -> None:
    """Check the operands of a division of integers, of which at most one is a number instead of an array.

    Floating-point operands pass, and integers if the result has no elements.

    Args:
        kernel: torch's name of the kernel in the error for booleans.

    Raises:
        ValueError: one of the errors below applies, but the shapes don't broadcast either, which torch reports first.
        NotImplementedError: the operands are boolean.
        RuntimeError: an integer is divided by 0, because no integer represents infinity.
    """
    dtype = (x if hasattr(x, "dtype") else y).dtype
    if dtype.kind == "f" or not (dtype.kind == "b" or np.any(np.equal(y, 0))):
        return
    shape = np.broadcast_shapes(getattr(x, "shape", ()), getattr(y, "shape", ()))
    if dtype.kind == "b":
        refuse_dtype(kernel, dtype)
    if 0 not in shape:
        raise RuntimeError("ZeroDivisionError")


class RsubBackward0(Node):
    """out = other - alpha self:  ∂self = -alpha g,  ∂other = g."""

    alpha: Any = 1

    def grad_self(self, g: Tensor) -> Tensor:
        """Return -alpha · g, the gradient of the subtracted operand."""
        return -g if self.alpha == 1 else -g * self.alpha

    def grad_other(self, g: Tensor) -> Tensor:
        """Return `g`, the gradient of the operand from which the other is subtracted."""
        return g


@op("function")
def rsub(input: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    """Return `other - alpha * input`.

    Raises:
        TypeError: `input` is not a tensor.
        RuntimeError: an operand is boolean; or `alpha` is a boolean or a float, and the common dtype does not allow it.
    """
    require_tensor(input)
    if _is_bool(input) or _is_bool(other):
        _refuse_bool_sub(input, other)
    y, x = operands(other, input)
    difference = np.subtract(y, x) if alpha == 1 else _plus_scaled(y, x, alpha, -1)
    if isinstance(other, Tensor):
        return record(RsubBackward0, difference, (input, other), alpha=alpha)
    return record(core.rsub.node, difference, (input,), alpha=alpha)


def _reflected_div(self: Tensor, other: Any) -> Tensor:
    """Return `other / self` as torch computes it: `reciprocal(self) * other`. With an array of NumPy, NumPy computes the product."""
    return reciprocal(self) * other


@op("function", "method", "inplace", "function_inplace", "out", aliases=("negative",))
def neg(input: Tensor) -> Tensor:
    """Return `-input`.

    Raises:
        RuntimeError: `input` is boolean.
    """
    if input._array.dtype == bool:
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the "
            "`~` or `logical_not()` operator instead."
        )
    return core.neg(input)


reciprocal = op("function", "method", "inplace", "function_inplace", "out")(core.reciprocal)


@op("function", "method", "inplace", "out")
def pow(input: Any, exponent: Any) -> Tensor:
    """Return `input ** exponent`, with broadcasting and type promotion.

    Raises:
        RuntimeError: `input` has integers and `exponent` is a negative Python integer.
        NotImplementedError: `exponent` is a tensor, and the common dtype is boolean.
    """
    if isinstance(exponent, Tensor) and isinstance(input, Tensor):
        declared = core.pow_tensor_tensor
    else:
        declared = core.pow_scalar if isinstance(exponent, Tensor) else core.pow_tensor_scalar
    x, y = operands(input, exponent)
    if declared is not core.pow_tensor_scalar and y.dtype.kind == "b":
        refuse_dtype("pow", y.dtype)
    if declared is core.pow_tensor_scalar and x.dtype.kind in "iu" and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return wrap_and_record(declared.node, _power(x, y), (input, exponent), False)


def _power(x: Any, y: Any) -> Any:
    """Return `x ** y`, where one operand may be a number. Integers other than 1 and -1 to a negative power are 0.

    As in torch, some exponents have a faster computation: `x ** 2` is `x * x`, `x ** 0.5` is `sqrt(x)`.
    """
    if isinstance(y, (int, float)) or (isinstance(y, np.generic)):
        if isinstance(y, (bool, np.bool_)) and x.dtype.kind == "b":
            return x | np.logical_not(y)
        if y == 2:
            return np.multiply(x, x)
        if y == 3:
            return np.multiply(np.multiply(x, x), x)
        if y == 0.5:
            return np.sqrt(x)
        if y == -1 and x.dtype.kind == "f":
            return np.divide(1, x)
        if y == -2 and x.dtype.kind == "f":
            return np.divide(1, np.multiply(x, x))
    if getattr(y, "dtype", np.dtype(float)).kind in "iu" and getattr(x, "dtype", np.dtype(int)).kind in "iu":
        # For integers and a negative exponent, torch returns 0 unless the base is 1 or -1; NumPy raises an error.
        powers = np.power(x, np.maximum(y, 0))
        return np.where(y < 0, np.where(x == 1, 1, np.where(x == -1, 1 - 2 * (y & 1), 0)), powers).astype(powers.dtype)
    return np.power(x, y)


@op("function", "method", "inplace", "function_inplace", "out")
def square(input: Tensor) -> Tensor:
    """Return `input ** 2`."""
    return pow(input, 2)


add_operator("add", core.add, "add_", core.add)
add_operator("sub", sub, "sub_", rsub)
add_operator("mul", mul, "mul_", mul)
add_operator("truediv", div, "div_", _reflected_div, (*OPERANDS, np.ndarray))
add_operator("pow", pow, "pow_")
add_methods(__neg__=neg, __rdiv__=Tensor.__rtruediv__)  # `__rdiv__` is Python 2's name, which torch still has
