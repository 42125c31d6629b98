"""Reductions: sum, mean and what follows from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl._tensor import Tensor, _checked_dim
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record
from reference_impl.ops.registry import op


def dims_of(dim: Any, ndim: int) -> tuple[int, ...]:
    """`dim` (None, a number, several) as dimensions counted from the front.

    Raises:
        IndexError: out of range.
        RuntimeError: one is named twice.
    """
    if dim is None or (isinstance(dim, (tuple, list)) and not dim):
        return tuple(range(ndim))
    dims = tuple(_checked_dim(int(d), ndim) for d in (dim if isinstance(dim, (tuple, list)) else (dim,)))
    for d in dims:
        if dims.count(d) > 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return dims if ndim else ()


def restored(g: Tensor, shape: tuple[int, ...], dims: tuple[int, ...], keepdim: bool) -> Tensor:
    """A reduced tensor with its reduced dimensions put back and spread over `shape`."""
    if not keepdim:
        kept = [1 if d in dims else n for d, n in enumerate(shape)]
        g = g.reshape(kept)
    return g.expand(shape)


class SumBackward0(Node):
    """out = Σ self over everything: every element receives g."""

    self_sym_sizes: tuple[int, ...]

    def grad_self(self, g: Tensor) -> Tensor:
        return g.expand(self.self_sym_sizes)


class SumBackward1(Node):
    """out = Σ self over `dim`: every element receives the g of its sum."""

    self_sym_sizes: tuple[int, ...]
    dim: tuple[int, ...]
    keepdim: bool

    def grad_self(self, g: Tensor) -> Tensor:
        return restored(g, self.self_sym_sizes, dims_of(self.dim, len(self.self_sym_sizes)), self.keepdim)


@op("function", "method", "out")
def sum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum over `dim` (all dimensions if None). Integers and booleans are summed in int64."""
    x = input._array if dtype is None else input._array.astype(dtype.numpy)
    out_dtype = np.int64 if dtype is None and x.dtype.kind != "f" else x.dtype
    if dim is None and not keepdim:
        return record(SumBackward0, np.sum(x, dtype=out_dtype), (input,), self_sym_sizes=x.shape)
    dims = dims_of(dim, x.ndim)
    total = np.sum(x, axis=dims, keepdims=keepdim, dtype=out_dtype)
    return record(SumBackward1, total, (input,), self_sym_sizes=x.shape, dim=dims, keepdim=keepdim)


class MeanBackward0(Node):
    """out = mean of self over everything: every element receives g / n."""

    self_sym_sizes: tuple[int, ...]
    self_sym_numel: int

    def grad_self(self, g: Tensor) -> Tensor:
        return (g / self.self_sym_numel).expand(self.self_sym_sizes)


class MeanBackward1(Node):
    """out = mean of self over `dim`: every element receives the g of its mean, divided by the number averaged."""

    self_sym_sizes: tuple[int, ...]
    dim: tuple[int, ...]
    keepdim: bool

    def grad_self(self, g: Tensor) -> Tensor:
        shape = self.self_sym_sizes
        dims = dims_of(self.dim, len(shape))
        n = int(np.prod([shape[d] for d in dims], dtype=np.int64))
        return restored(g, shape, dims, self.keepdim) / n


@op("function", "method", "out")
def mean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Mean over `dim` (all dimensions if None).

    Raises:
        RuntimeError: `input` is not floating point and no dtype is given.
    """
    x = input._array if dtype is None else input._array.astype(dtype.numpy)
    if x.dtype.kind != "f":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {_dtype.from_numpy(x.dtype).tensor_type}"
        )
    if dim is None and not keepdim:
        return record(MeanBackward0, np.mean(x), (input,), self_sym_sizes=x.shape, self_sym_numel=x.size)
    dims = dims_of(dim, x.ndim)
    average = np.mean(x, axis=dims, keepdims=keepdim)
    return record(MeanBackward1, average, (input,), self_sym_sizes=x.shape, dim=dims, keepdim=keepdim)


@op("method")
def sum_to_size(input: Tensor, *size: Any) -> Tensor:
    """Sum `input` down to `size`, from which it was broadcast: the gradient of broadcasting.

    Raises:
        RuntimeError: `size` cannot be broadcast to the shape of `input`.
    """
    shape = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else tuple(size)
    x = input._array
    lead = x.ndim - len(shape)
    fits = lead >= 0 and all(n in (1, m) for n, m in zip(shape, x.shape[lead:], strict=True))
    if not fits:
        raise RuntimeError(f"size {{{list(shape)}}} is not expandable to size {{{list(x.shape)}}}.")
    dims = (*range(lead), *(lead + d for d, n in enumerate(shape) if n == 1 and x.shape[lead + d] != 1))
    if dims:
        input = sum(input, dims, keepdim=True)
    return input if tuple(input._array.shape) == shape else input.view(shape)
