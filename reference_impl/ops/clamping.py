"""Elements kept in a range: clamp, clamp_min, clamp_max."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.extremes import chosen
from reference_impl.ops.promotion import operands, refuse_dtype, require_tensor
from reference_impl.ops.registry import op


class ClampBackward0(Node):
    """out = max, clipped from self with tensors as bounds; see ClampBackward1."""

    saved_names = ("self", "min", "max")

    def grad_self(self, g: Tensor) -> Tensor:
        x, low, high = self._saved_self, self._saved_min, self._saved_max
        inside = None if low is None else x >= low
        if high is not None:
            inside = (x <= high) if inside is None else inside & (x <= high)
        return g if inside is None else chosen(inside, g)

    def grad_min(self, g: Tensor) -> Tensor:
        x, low, high = self._saved_self, self._saved_min, self._saved_max
        return chosen(x < low if high is None else (x < low) & (low < high), g)

    def grad_max(self, g: Tensor) -> Tensor:
        x, low, high = self._saved_self, self._saved_min, self._saved_max
        return chosen(x > high if low is None else (x > high) | (high < low), g)


class ClampBackward1(Node):
    """out = self, but at least min and at most max, both numbers:  ∂self = g inside the range, its ends included."""

    saved_names = ("self",)
    min: Any
    max: Any

    def grad_self(self, g: Tensor) -> Tensor:
        x = self._saved_self
        if self.min is None:
            return chosen(x <= self.max, g)
        if self.max is None:
            return chosen(x >= self.min, g)
        return chosen((x >= self.min) & (x <= self.max), g)


class ClampMinBackward0(Node):
    """out = self, but at least the number min:  ∂self = g where self >= min."""

    saved_names = ("self",)
    min: Any

    def grad_self(self, g: Tensor) -> Tensor:
        return chosen(self._saved_self >= self.min, g)


class ClampMinBackward1(Node):
    """out = self, but at least min:  ∂self = g where self >= min, ∂min = g elsewhere."""

    saved_names = ("self", "min")

    def grad_self(self, g: Tensor) -> Tensor:
        return chosen(self._saved_self >= self._saved_min, g)

    def grad_min(self, g: Tensor) -> Tensor:
        return chosen(self._saved_self < self._saved_min, g)


class ClampMaxBackward0(Node):
    """out = self, but at most the number max:  ∂self = g where self <= max."""

    saved_names = ("self",)
    max: Any

    def grad_self(self, g: Tensor) -> Tensor:
        return chosen(self._saved_self <= self.max, g)


class ClampMaxBackward1(Node):
    """out = self, but at most max:  ∂self = g where self <= max, ∂max = g elsewhere."""

    saved_names = ("self", "max")

    def grad_self(self, g: Tensor) -> Tensor:
        return chosen(self._saved_self <= self._saved_max, g)

    def grad_max(self, g: Tensor) -> Tensor:
        return chosen(self._saved_self > self._saved_max, g)


def _bounded(kernel: str, x: Any, low: Any, high: Any) -> Any:
    """The array `x`, but at least `low` and at most `high` (numbers, tensors or None).

    Raises:
        RuntimeError: the dtype cannot hold a number.
        NotImplementedError: all is boolean, which torch's `kernel` does not take.
    """
    result = x
    for function, bound in ((np.maximum, low), (np.minimum, high)):
        if bound is not None:
            if not isinstance(bound, (int, float, np.generic, Tensor)):
                raise TypeError(f"not a bound: {type(bound).__name__}")
            a, b = operands(Tensor._wrap(result), bound)
            if not isinstance(bound, Tensor):
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
    """A number, where the other bound is one: torch takes a tensor without dimensions and gradient for it.

    Raises:
        TypeError: another tensor.
    """
    if not isinstance(bound, Tensor):
        return bound
    if bound._array.ndim or bound.requires_grad:
        raise TypeError("clamp() takes two numbers or two tensors")
    return bound._array.item()


def _in_place(function: Any) -> Any:
    """A clamp of which no number may raise the category of the dtype."""

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


@op("function", "method", "out", aliases=("clip",))
def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """`input`, but at least `min` and at most `max` (both numbers or both tensors); where min > max, it is max.

    Raises:
        RuntimeError: neither bound is given, or the dtype cannot hold one.
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    tensors = [isinstance(bound, Tensor) for bound in (min, max) if bound is not None]
    if any(tensors) and not all(tensors):
        min, max = _as_number(min), _as_number(max)
    elif any(tensors):
        kernel = "clamp_cpu" if len(tensors) == 2 else ""
        return record(ClampBackward0, _bounded(kernel, input._array, min, max), (input, min, max), (input, min, max))
    kernel = (
        "clamp_scalar_cpu" if len(tensors) == 2 else "clamp_max_scalar_cpu" if min is None else "clamp_min_scalar_cpu"
    )
    return record(ClampBackward1, _bounded(kernel, input._array, min, max), (input,), (input,), min=min, max=max)


@op("function", "method", "out")
def clamp_min(input: Tensor, min: Any) -> Tensor:
    """`input`, but at least `min`, a number or a tensor."""
    require_tensor(input)
    if isinstance(min, Tensor):
        return record(ClampMinBackward1, _bounded("", input._array, min, None), (input, min), (input, min))
    return record(
        ClampMinBackward0, _bounded("clamp_min_scalar_cpu", input._array, min, None), (input,), (input,), min=min
    )


@op("function", "method", "out")
def clamp_max(input: Tensor, max: Any) -> Tensor:
    """`input`, but at most `max`, a number or a tensor."""
    require_tensor(input)
    if isinstance(max, Tensor):
        return record(ClampMaxBackward1, _bounded("", input._array, None, max), (input, max), (input, max))
    return record(
        ClampMaxBackward0, _bounded("clamp_max_scalar_cpu", input._array, None, max), (input,), (input,), max=max
    )


op("inplace", "function_inplace", name="clamp", aliases=("clip",))(_in_place(clamp))
op("inplace", "function_inplace", name="clamp_min")(_in_place(clamp_min))
op("inplace", "function_inplace", name="clamp_max")(_in_place(clamp_max))
