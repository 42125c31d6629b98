"""Operations with a number that torch's C++ formulas use. Their nodes have other names than those of the same operations in Python.

In Python, `x * 2` is recorded as MulBackward0. In a formula of C++, the same product is recorded as MulBackward1.
"""

from __future__ import annotations

from typing import Any

from reference_impl.core.declare import operation
from reference_impl.core.operations.arithmetic import mul_number
from reference_impl.core.tensor import Tensor


def scale(input: Tensor, factor: Any) -> Tensor:
    """`factor · input`"""
    return input if factor == 1 else mul_number(input, factor)


@operation("AddBackward1", promotes=True, self=lambda g: g)
def add_number(self: Any, number: Any) -> Any:
    """`self + number`"""
    return self + number


@operation("SubBackward1", promotes=True, self=lambda g: g)
def sub_number(self: Any, number: Any) -> Any:
    """`self - number`"""
    return self - number
