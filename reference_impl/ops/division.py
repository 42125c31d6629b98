"""Division with remainder: floor_divide, remainder, fmod."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl.core.node import Node
from reference_impl.core.record import needs_grad, record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.arithmetic import div
from reference_impl.ops.not_implemented import NotImplementedBackward
from reference_impl.ops.promotion import operands, refuse_dtype, require_tensor
from reference_impl.ops.registry import op


def _refuse_zero(x: Any, y: Any) -> None:
    """Whole numbers have no infinity to return.

    Raises:
        RuntimeError: a whole number is divided by 0.
    """
    kind = (x if hasattr(x, "dtype") else y).dtype.kind
    if kind != "f" and np.any(np.equal(y, 0)):
        raise RuntimeError("ZeroDivisionError")


def _refuse_bool(kernel: str, x: Any, y: Any) -> None:
    dtype = (x if hasattr(x, "dtype") else y).dtype
    if dtype.kind == "b":
        refuse_dtype(kernel, dtype)


@op("function", "method", "out")
def floor_divide(input: Any, other: Any) -> Tensor:
    """The quotient rounded down, in the promoted dtype. It is a staircase: no gradient.

    Raises:
        RuntimeError: whole numbers are divided by 0.
    """
    return _floor_divide(input, other, "floor_divide")


def _floor_divide(input: Any, other: Any, operation: str) -> Tensor:
    x, y = operands(input, other)
    _refuse_zero(x, y)
    return record(NotImplementedBackward, np.floor_divide(x, y), (input, other), operation=operation)


def _floor_divide_in_place(input: Tensor, other: Any) -> Tensor:
    return _floor_divide(input, other, "floor_divide_")


op("inplace", name="floor_divide")(_floor_divide_in_place)


class RemainderBackward0(Node):
    """out = self mod number:  ∂self = g."""

    def grad_self(self, g: Tensor) -> Tensor:
        return g


class RemainderBackward1(Node):
    """out = self - other · floor(self / other):  ∂self = g,  ∂other = -g · floor(self / other)."""

    saved_names = ("self", "other")

    def grad_self(self, g: Tensor) -> Tensor:
        return g

    def grad_other(self, g: Tensor) -> Tensor:
        return -g * div(self._saved_self, self._saved_other, rounding_mode="floor")


@op("function", "method", "inplace", "out")
def remainder(input: Any, other: Any) -> Tensor:
    """The remainder with the sign of `other`, Python's `%`.

    Raises:
        RuntimeError: whole numbers are divided by 0.
    """
    x, y = operands(input, other)
    _refuse_bool("remainder_cpu", x, y)
    _refuse_zero(x, y)
    rest = np.remainder(x, y)
    if not isinstance(input, Tensor):
        return record(NotImplementedBackward, rest, (other,), operation="remainder")
    if not isinstance(other, Tensor):
        return record(RemainderBackward0, rest, (input,))
    wanted = needs_grad(other)
    return record(RemainderBackward1, rest, (input, other), (input, other) if wanted else (None, None))


class FmodBackward0(Node):
    """out = self fmod number:  ∂self = g."""

    def grad_self(self, g: Tensor) -> Tensor:
        return g


class FmodBackward1(Node):
    """out = self - other · trunc(self / other):  ∂self = g,  ∂other = -g · trunc(self / other)."""

    saved_names = ("self", "other")

    def grad_self(self, g: Tensor) -> Tensor:
        return g

    def grad_other(self, g: Tensor) -> Tensor:
        return -g * div(self._saved_self, self._saved_other, rounding_mode="trunc")


@op("function", "method", "inplace", "out")
def fmod(input: Any, other: Any) -> Tensor:
    """The remainder with the sign of `input`, C's `fmod`.

    Raises:
        RuntimeError: whole numbers are divided by 0.
    """
    require_tensor(input)
    x, y = operands(input, other)
    _refuse_bool("fmod_cpu", x, y)
    _refuse_zero(x, y)
    rest = np.fmod(x, y)
    if not isinstance(other, Tensor):
        return record(FmodBackward0, rest, (input,))
    wanted = needs_grad(other)
    return record(FmodBackward1, rest, (input, other), (input, other) if wanted else (None, None))


def _bind_operators() -> None:
    def checked(function: Any, swapped: bool = False) -> Any:
        def operator(self: Tensor, other: Any) -> Any:
            if not isinstance(other, (Tensor, int, float, np.generic)):
                return NotImplemented
            return function(other, self) if swapped else function(self, other)

        return operator

    for name, function in (("floordiv", floor_divide), ("mod", remainder)):
        setattr(Tensor, f"__{name}__", checked(function))
        setattr(Tensor, f"__r{name}__", checked(function, swapped=True))
        setattr(Tensor, f"__i{name}__", lambda self, other, form=function.__name__ + "_": getattr(self, form)(other))


_bind_operators()
