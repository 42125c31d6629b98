"""Running sums, products, maxima and minima along a dimension."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.core.arrays import checked_dim
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.saving import RESULT
from reference_impl.core.tensor import Tensor
from reference_impl.ops.joining import cat
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import op


def _summable(input: Tensor, dtype: Any) -> Any:
    """The array in `dtype`; integers and booleans in int64 where none is given."""
    x = _backend.contiguous(input._array)
    if dtype is not None:
        return x.astype(dtype.numpy)
    return x if x.dtype.kind == "f" else x.astype(np.int64)


def reversed_cumsum(g: Tensor, dim: int) -> Tensor:
    """At each place the sum from there to the end."""
    if g.ndim == 0 or g.shape[dim] <= 1:
        return g
    return g.flip(dim).cumsum(dim).flip(dim)


class CumsumBackward0(Node):
    """out_i = Σ self_j, j <= i:  ∂self_j = Σ g_i, i >= j."""

    dim: int

    def grad_self(self, g: Tensor) -> Tensor:
        return reversed_cumsum(g, self.dim)


@op("function", "method", "out")
def cumsum(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The sum of the elements so far along `dim`. Integers and booleans are summed in int64."""
    x = _summable(input, dtype)
    d = checked_dim(dim, x.ndim)
    return record(CumsumBackward0, np.cumsum(x, axis=d, dtype=x.dtype) if x.ndim else x.copy(), (input,), dim=d)


def _in_place(function: Callable[..., Tensor]) -> None:
    """The in-place form: summed in the tensor's own dtype."""

    def call(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
        x = input._array
        if x.dtype.kind == "b" and x.ndim:
            refuse_dtype(f"{function.__name__}_out_cpu", x.dtype)
        if dtype is not None and dtype is not input.dtype:
            raise RuntimeError(
                f"Bad in-place call: input tensor dtype {input.dtype.c_name} and output tensor dtype {dtype.c_name} should match"
            )
        return function(input, dim, dtype=input.dtype if dtype is None else dtype)

    call.__name__ = call.__qualname__ = function.__name__
    op("inplace", name=function.__name__)(call)


_in_place(cumsum)


class CumprodBackward0(Node):
    """out_i = Π self_j, j <= i:  ∂self_k = Σ_{i >= k} g_i Π_{j <= i, j != k} self_j.

    Without zeros the inner product is out_i / self_k. With zeros it is computed for each k apart.
    """

    saved_names = ("self", "result")
    dim: int

    def grad_self(self, g: Tensor) -> Tensor:
        x, out, dim = self._saved_self, self._saved_result, self.dim
        if x.ndim == 0 or x.shape[dim] <= 1:
            return g
        if np.all(x._array):
            return reversed_cumsum(g * out, dim) / x
        return self._without_division(g, x, dim)

    @staticmethod
    def _without_division(g: Tensor, x: Tensor, dim: int) -> Tensor:
        n = x.shape[dim]
        parts = []
        before = x.narrow(dim, 0, 1) * 0 + 1  # Π self_j, j < k
        for k in range(n):
            products = before
            if k + 1 < n:
                products = cat([before, before * cumprod(x.narrow(dim, k + 1, n - k - 1), dim)], dim)
            parts.append((products * g.narrow(dim, k, n - k)).sum(dim, keepdim=True))
            before = before * x.narrow(dim, k, 1)
        return cat(parts, dim)


@op("function", "method", "out")
def cumprod(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The product of the elements so far along `dim`. Integers and booleans are multiplied in int64."""
    x = _summable(input, dtype)
    d = checked_dim(dim, x.ndim)
    return record(
        CumprodBackward0, np.cumprod(x, axis=d, dtype=x.dtype) if x.ndim else x.copy(), (input,), (input, RESULT), dim=d
    )


_in_place(cumprod)
