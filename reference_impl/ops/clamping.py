"""Limit elements to a range: clamp, clamp_min, clamp_max."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl.core.declare import operation
from reference_impl.core.tensor import Tensor
from reference_impl.ops.extremes import grad_where_condition
from reference_impl.ops.promotion import operands, refuse_dtype, require_tensor
from reference_impl.ops.registry import op


def _clamp_array(kernel: str, x: Any, low: Any, high: Any) -> Any:
    """Return the array `x`, limited to the range from `low` to `high`: numbers, arrays, or None for no limit.

    Args:
        kernel: torch's name of the kernel in the error for booleans; empty if torch accepts them.

    Raises:
        NotImplementedError: the result is boolean, and `kernel` is not empty.
        RuntimeError: a number is outside the range of the dtype.
        TypeError: a limit is neither a number nor an array.
    """
    result = x
    for function, bound in ((np.maximum, low), (np.minimum, high)):
        if bound is not None:
            is_array = hasattr(bound, "dtype")
            if not is_array and not isinstance(bound, (int, float)):
                raise TypeError(f"bound of clamp must be a number or a tensor, got {type(bound).__name__}")
            a, b = operands(Tensor._wrap(result), Tensor._wrap(bound) if is_array else bound)
            if not is_array:
                _check_fits(bound, a.dtype)
            result = function(a, b)
    if result.dtype.kind == "b" and kernel:
        refuse_dtype(kernel, result.dtype)
    return result


def _check_fits(number: Any, dtype: np.dtype) -> None:
    if dtype.kind == "b" or number != number or number in (np.inf, -np.inf):
        return
    limits: Any = np.iinfo(dtype) if dtype.kind in "iu" else np.finfo(dtype)
    if not (-float(limits.max) - (dtype.kind in "iu") <= number <= limits.max):
        name = "uint8_t" if dtype == np.uint8 else _dtype.from_numpy(dtype).c_name
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")


def _as_number(bound: Any) -> Any:
    """Return `bound`, or its number if it is a tensor. `clamp` calls this if one bound is a tensor and the other a number.

    Raises:
        TypeError: the tensor has dimensions or requires grad, which torch refuses.
    """
    if not isinstance(bound, Tensor):
        return bound
    if bound._array.ndim or bound.requires_grad:
        raise TypeError("clamp() takes two numbers or two tensors")
    return bound._array.item()


def _in_place(function: Any) -> Any:
    """Wrap a clamp function for its in-place form, which raises RuntimeError if bounds that are numbers would change the dtype."""

    def call(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        result = function(input, *args, **kwargs)
        numbers = not any(isinstance(bound, Tensor) for bound in (*args, *kwargs.values()))
        if numbers and result._array.dtype != input._array.dtype:
            raise RuntimeError(
                f"result type {result.dtype.tensor_type} can't be cast to the desired output type {input.dtype.c_name}"
            )
        return result

    call.__name__ = call.__qualname__ = function.__name__
    return call


def _below(x: Tensor, low: Any, high: Any) -> Any:
    """`x < low < high`

    Return the mask of the elements of `x` that `clamp` replaces by `low`. If `high` is None, the mask is `x < low`.
    """
    return x < low if high is None else (x < low) & (low < high)


def _above(x: Tensor, low: Any, high: Any) -> Any:
    """`x > high` or `high < low`

    Return the mask of the elements of `x` that `clamp` replaces by `high`. If `low` is None, return only `x > high`.
    """
    return x > high if low is None else (x > high) | (high < low)


def _inside(x: Tensor, low: Any, high: Any) -> Any:
    """`low <= x <= high`

    Return the mask of the elements of `x` that `clamp` leaves unchanged. A bound that is None is not compared; if `low` and `high` are
    None, return None.
    """
    above = None if low is None else x >= low
    below = None if high is None else x <= high
    return above if below is None else below if above is None else above & below


@operation("ClampBackward0", self=lambda g, self, min, max: grad_where_condition(_inside(self, min, max), g),
           min=lambda g, self, min, max: grad_where_condition(_below(self, min, max), g),
           max=lambda g, self, min, max: grad_where_condition(_above(self, min, max), g))  # fmt: skip
def _clamp_by_tensors(self: Any, min: Any, max: Any) -> Any:
    return _clamp_array("" if min is None or max is None else "clamp_cpu", self, min, max)


@operation("ClampBackward1", self=lambda g, self, min, max: grad_where_condition(_inside(self, min, max), g))
def _clamp_by_numbers(self: Any, min: Any, max: Any) -> Any:
    kernel = "clamp_max_scalar_cpu" if min is None else "clamp_min_scalar_cpu" if max is None else "clamp_scalar_cpu"
    return _clamp_array(kernel, self, min, max)


@operation("ClampMinBackward0", self=lambda g, self, min: grad_where_condition(self >= min, g))
def _at_least_number(self: Any, min: Any) -> Any:
    return _clamp_array("clamp_min_scalar_cpu", self, min, None)


@operation("ClampMinBackward1", self=lambda g, self, min: grad_where_condition(self >= min, g),
           min=lambda g, self, min: grad_where_condition(self < min, g))  # fmt: skip
def _at_least(self: Any, min: Any) -> Any:
    return _clamp_array("", self, min, None)


@operation("ClampMaxBackward0", self=lambda g, self, max: grad_where_condition(self <= max, g))
def _at_most_number(self: Any, max: Any) -> Any:
    return _clamp_array("clamp_max_scalar_cpu", self, None, max)


@operation("ClampMaxBackward1", self=lambda g, self, max: grad_where_condition(self <= max, g),
           max=lambda g, self, max: grad_where_condition(self > max, g))  # fmt: skip
def _at_most(self: Any, max: Any) -> Any:
    return _clamp_array("", self, None, max)


@op("function", "method", "out", aliases=("clip",))
def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Limit each element to the range from `min` to `max`: two numbers or two tensors. Where min > max, the result is `max`.

    One bound may be None, for no limit. A number and a tensor are accepted together only if the
    tensor is 0-d and does not require grad.

    Raises:
        RuntimeError: both bounds are None, or a number is outside the range of the dtype.
        NotImplementedError: the result is boolean, unless the only bound is a tensor.
        TypeError: one bound is a number and the other a tensor that has dimensions or requires grad.
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    min, max = _dtype.python_number(min), _dtype.python_number(max)
    tensors = [isinstance(bound, Tensor) for bound in (min, max) if bound is not None]
    if any(tensors) and not all(tensors):
        min, max = _as_number(min), _as_number(max)
    elif any(tensors):
        return _clamp_by_tensors(input, min, max)
    return _clamp_by_numbers(input, min, max)


def _checked_bound(bound: Any) -> Any:
    """Return a bound, with a NumPy scalar as a Python number.

    Raises:
        TypeError: the bound is None. `registry.as_torch_function` replaces the message by torch's.
    """
    if bound is None:
        raise TypeError("the bound must be a number or a tensor, got None")
    return _dtype.python_number(bound)


@op("function", "method", "out")
def clamp_min(input: Tensor, min: Any) -> Tensor:
    """Return the larger of each element and `min`, a number or a tensor; NaN if one of the two is NaN.

    Raises:
        RuntimeError: `min` is a number outside the range of the dtype.
        NotImplementedError: `min` is a number, and the result is boolean.
    """
    require_tensor(input)
    min = _checked_bound(min)
    return (_at_least if isinstance(min, Tensor) else _at_least_number)(input, min)


@op("function", "method", "out")
def clamp_max(input: Tensor, max: Any) -> Tensor:
    """Return the smaller of each element and `max`, a number or a tensor; NaN if one of the two is NaN.

    Raises:
        RuntimeError: `max` is a number outside the range of the dtype.
        NotImplementedError: `max` is a number, and the result is boolean.
    """
    require_tensor(input)
    max = _checked_bound(max)
    return (_at_most if isinstance(max, Tensor) else _at_most_number)(input, max)


op("inplace", "function_inplace", name="clamp", aliases=("clip",))(_in_place(clamp))
op("inplace", "function_inplace", name="clamp_min")(_in_place(clamp_min))
op("inplace", "function_inplace", name="clamp_max")(_in_place(clamp_max))
