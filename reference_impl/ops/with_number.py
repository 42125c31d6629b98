"""Operations with a C++ number inside an operation or a formula that torch composes: their nodes have different names.

A number of Python becomes a tensor first: `x * 2` gives MulBackward0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl.core.declare import operation
from reference_impl.core.tensor import Tensor


@operation("MulBackward1", promotes=True, self=lambda g, other: mul_number(g, other))
def mul_number(self: Any, other: Any) -> Any:
    """`self · other`"""
    return np.multiply(self, other)


def scaled(input: Tensor, factor: Any) -> Tensor:
    """`factor · input`"""
    return input if factor == 1 else mul_number(input, factor)
