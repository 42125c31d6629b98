"""Operations with a number as torch's formulas call them in C++: their nodes have other names.

A Python number becomes a tensor first: `x * 2` gives MulBackward0.
"""

from __future__ import annotations

from typing import Any

from reference_impl.core.declare import operation
from reference_impl.core.operations.arithmetic import mul_number
from reference_impl.core.tensor import Tensor


def scaled(input: Tensor, factor: Any) -> Tensor:
    """`factor · input`"""
    return input if factor == 1 else mul_number(input, factor)


@operation("AddBackward1", promotes=True, self=lambda g: g)
def add_number(self: Any, number: Any) -> Any:
    """`self + number`"""
    return self + number
