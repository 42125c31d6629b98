"""Running sums and products along a dimension, and the differences of neighbors: cumsum, cumprod, diff."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation
from reference_impl.core.tensor import Tensor
from reference_impl.ops.creation import zeros_like
from reference_impl.ops.joining import cat
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import op
from reference_impl.ops.slicing import narrow


def _summable(x: Any, dtype: Any) -> Any:
    """Return `x` in C order and in `dtype`. If `dtype` is None, convert integers and booleans to int64."""
    x = _backend.contiguous(x)
    if dtype is not None:
        return x.astype(dtype.numpy)
    return x if x.dtype.kind == "f" else x.astype(np.int64)


def reversed_cumsum(g: Tensor, dim: int) -> Tensor:
    """`g` summed from the end along dimension `dim`

    For example, [1, 2, 3] -> [6, 5, 3].
    """
    if g.ndim == 0 or g.shape[dim] <= 1:
        return g
    return g.flip(dim).cumsum(dim).flip(dim)


@operation("CumsumBackward0", self=lambda g, dim: reversed_cumsum(g, dim))
def _cumsum(self: Any, dim: int, dtype: Any) -> Any:
    x = _summable(self, dtype)
    return np.cumsum(x, axis=dim, dtype=x.dtype) if x.ndim else x.copy()


@op("function", "method", "out_computed")
def cumsum(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Return the running sum along `dim`. Without `dtype`, integers and booleans are summed in int64.

    Raises:
        IndexError: the dimension does not exist.
    """
    return _cumsum(input, checked_dim(dim, input._array.ndim), dtype)


def _in_place(function: Callable[..., Tensor]) -> None:
    """Define and register the in-place form of cumsum or cumprod, which computes in the dtype of the tensor.

    The in-place form raises RuntimeError for another `dtype`, and NotImplementedError for a boolean tensor with dimensions.
    """

    def call(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
        x = input._array
        checked_dim(dim, x.ndim)
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


def _cumprod_backward(g: Tensor, x: Tensor, out: Tensor, dim: int) -> Tensor:
    """`Σ g_i · result_i / self_k` over i >= k; if self has zeros, computed without a division

    This is element k, along `dim`, of the gradient of the operand.
    """
    if x.ndim == 0 or x.shape[dim] <= 1:
        return g
    if np.all(x._array):
        return reversed_cumsum(g * out, dim) / x
    n, parts = x.shape[dim], []
    before = x.narrow(dim, 0, 1) * 0 + 1  # Π self_j, j < k
    for k in range(n):
        products = before
        if k + 1 < n:
            products = cat([before, before * cumprod(x.narrow(dim, k + 1, n - k - 1), dim)], dim)
        parts.append((products * g.narrow(dim, k, n - k)).sum(dim, keepdim=True))
        before = before * x.narrow(dim, k, 1)
    return cat(parts, dim)


@operation("CumprodBackward0", self=lambda g, self, result, dim: _cumprod_backward(g, self, result, dim))
def _cumprod(self: Any, dim: int, dtype: Any) -> Any:
    x = _summable(self, dtype)
    return np.cumprod(x, axis=dim, dtype=x.dtype) if x.ndim else x.copy()


@op("function", "method", "out_computed")
def cumprod(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Return the running product along `dim`. Without `dtype`, integers and booleans are multiplied in int64.

    Raises:
        IndexError: the dimension does not exist.
    """
    return _cumprod(input, checked_dim(dim, input._array.ndim), dtype)


_in_place(cumprod)


@op("function", "method", "out")
def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """Return the differences of neighbors along a dimension, `n` times: [1, 4, 9] -> [3, 5]. For booleans, whether neighbors differ.

    `prepend` and `append` are joined to `input` before.

    Raises:
        RuntimeError: the tensor has no dimensions, `n` is negative, or the shapes of the joined tensors don't fit.
        IndexError: the dimension does not exist.
    """
    if not input._array.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    d = checked_dim(dim, input._array.ndim)
    if n == 0:
        return zeros_like(input).copy_(input)
    parts = [part for part in (prepend, input, append) if part is not None]
    x = cat(parts, d) if len(parts) > 1 else input
    for _ in range(min(n, x.shape[d])):
        later, earlier = narrow(x, d, 1, x.shape[d] - 1), narrow(x, d, 0, x.shape[d] - 1)
        x = later ^ earlier if x._array.dtype.kind == "b" else later - earlier
    return x
