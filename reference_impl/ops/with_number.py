"""Operations with a number of C++ inside an operation or a formula that torch builds of others: their nodes have names of their own.

A number of Python becomes a tensor first: `x * 2` gives MulBackward0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.promotion import as_float, operands


class MulBackward1(Node):
    """out = self · other, a number:  ∂self = g · other."""

    other: Any

    def grad_self(self, g: Tensor) -> Tensor:
        return mul_number(g, self.other)


class DivBackward1(Node):
    """out = self / other, a number:  ∂self = g / other."""

    other: Any

    def grad_self(self, g: Tensor) -> Tensor:
        return div_number(g, self.other)


def mul_number(input: Tensor, number: Any) -> Tensor:
    """`input * number` as torch's C++ multiplies by a number."""
    return record(MulBackward1, np.multiply(*operands(input, number)), (input,), other=number)


def scaled(input: Tensor, factor: Any) -> Tensor:
    """`mul_number`, or `input` itself where the factor is 1."""
    return input if factor == 1 else mul_number(input, factor)


def div_number(input: Tensor, number: Any) -> Tensor:
    """`input / number` as torch's C++ divides by a number."""
    return record(DivBackward1, np.divide(*as_float(*operands(input, number))), (input,), other=number)
