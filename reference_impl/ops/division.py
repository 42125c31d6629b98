"""Division with remainder: floor_divide, remainder, fmod."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl.core.declare import operation
from reference_impl.core.tensor import Tensor
from reference_impl.ops.arithmetic import check_divisor, div
from reference_impl.ops.not_implemented import record_not_implemented
from reference_impl.ops.promotion import operands, require_tensor
from reference_impl.ops.registry import add_operator, op


def _remainder_by(kernel: str, function: Any, x: Any, y: Any) -> Any:
    """Check the operands with `check_divisor`, and return `function(x, y)`."""
    check_divisor(kernel, x, y)
    return function(x, y)


@op("function", "method", "out")
def floor_divide(input: Any, other: Any) -> Tensor:
    """Return the quotient rounded down, in the common dtype of the operands. As in torch, its backward pass raises an error.

    Raises:
        RuntimeError: an integer is divided by 0.
        NotImplementedError: the operands are boolean.
    """
    return _floor_divide(input, other, "floor_divide")


def _floor_divide(input: Any, other: Any, operation: str) -> Tensor:
    x, y = operands(input, other)
    check_divisor("div_floor_cpu", x, y)
    return record_not_implemented(operation, (np.floor_divide(x, y),), (input, other))[0]


def _floor_divide_in_place(input: Tensor, other: Any) -> Tensor:
    return _floor_divide(input, other, "floor_divide_")


op("inplace", name="floor_divide")(_floor_divide_in_place)


def _floored_remainder(x: Any, y: Any) -> Any:
    """Return x - y · floor(x / y). As in torch, a remainder of 0.0 has the sign of `x`; in NumPy it has that of `y`."""
    rest = np.fmod(x, y)
    if rest.dtype.kind != "f":
        return np.remainder(x, y)
    return np.where((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)


def _remainder(self: Any, other: Any) -> Any:
    return _remainder_by("remainder_cpu", _floored_remainder, self, other)


_remainder_of_number = operation("RemainderBackward0", promotes=True, self=lambda g: g)(_remainder)
_remainder_of_tensors = operation("RemainderBackward1", promotes=True, self=lambda g: g,
    other=lambda g, self, other: -g * div(self, other, rounding_mode="floor"))(_remainder)  # fmt: skip


@op("function", "method", "inplace", "out")
def remainder(input: Any, other: Any) -> Tensor:
    """Return the remainder with the sign of `other`, like Python's `%`.

    If `input` is a number, the backward pass raises an error, as in torch.

    Raises:
        RuntimeError: an integer is divided by 0.
        NotImplementedError: the operands are boolean.
    """
    if not isinstance(input, Tensor):
        rest = _remainder(*operands(input, other))
        return record_not_implemented("remainder", (rest,), (other,))[0]
    return (_remainder_of_tensors if isinstance(other, Tensor) else _remainder_of_number)(input, other)


def _fmod(self: Any, other: Any) -> Any:
    return _remainder_by("fmod_cpu", np.fmod, self, other)


_fmod_of_number = operation("FmodBackward0", promotes=True, self=lambda g: g)(_fmod)
_fmod_of_tensors = operation("FmodBackward1", promotes=True, self=lambda g: g,
    other=lambda g, self, other: -g * div(self, other, rounding_mode="trunc"))(_fmod)  # fmt: skip


@op("function", "method", "inplace", "out")
def fmod(input: Any, other: Any) -> Tensor:
    """Return the remainder with the sign of `input`, like C's `fmod`.

    Raises:
        RuntimeError: an integer is divided by 0.
        NotImplementedError: the operands are boolean.
    """
    require_tensor(input)
    return (_fmod_of_tensors if isinstance(other, Tensor) else _fmod_of_number)(input, other)


add_operator("floordiv", floor_divide, "floor_divide_")
add_operator("mod", remainder, "remainder_")
