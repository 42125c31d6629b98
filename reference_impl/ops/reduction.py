"""Reductions: sum, mean, prod, logsumexp, and their forms that ignore NaN."""

from __future__ import annotations

import math
from operator import index
from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl._backend import contiguous
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation
from reference_impl.core.operations import reductions as core
from reference_impl.core.operations.reductions import restore_dims
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.precision import exp, log
from reference_impl.ops.creation import ones_like
from reference_impl.ops.joining import cat
from reference_impl.ops.registry import op


def dims_of(dim: Any, ndim: int) -> tuple[int, ...]:
    """Return `dim` as a tuple of dimensions counted from the front: (2, 0) for (-1, 0) and 3 dimensions; all for None or ().

    Raises:
        IndexError: a dimension does not exist.
        RuntimeError: a dimension occurs twice.
    """
    if dim is None or (isinstance(dim, (tuple, list)) and not dim):
        return tuple(range(ndim))
    dims = tuple(checked_dim(index(d), ndim) for d in (dim if isinstance(dim, (tuple, list)) else (dim,)))
    for d in dims:
        if dims.count(d) > 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return dims if ndim else ()


@op("function", "method", "out_computed")
def sum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Return the sum over `dim`, a dimension or several; over all dimensions if `dim` is None or an empty list.

    Without `dtype`, integers and booleans are summed in int64.

    Raises:
        IndexError: a dimension does not exist.
        RuntimeError: a dimension is named twice.
    """
    x = input._array if dtype is None else input._array.astype(dtype.numpy)
    out_dtype = np.int64 if dtype is None and x.dtype.kind != "f" else x.dtype
    if dim is None and not keepdim:
        return record(core.sum_all.node, np.sum(x, dtype=out_dtype), (input,), self_sym_sizes=x.shape)
    dims = dims_of(dim, x.ndim)
    total = contiguous(np.sum(x, axis=dims, keepdims=keepdim, dtype=out_dtype))
    return record(core.sum_dim.node, total, (input,), self_sym_sizes=x.shape, dim=dims, keepdim=keepdim)


@op("function", "method", "out")
def mean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Return the mean over `dim`, a dimension or several; over all dimensions if `dim` is None or an empty list.

    The mean of no elements is nan.

    Raises:
        RuntimeError: `dtype` or, without `dtype`, the dtype of `input` is not floating point; or a dimension is named twice.
        IndexError: a dimension does not exist.
    """
    x = input._array if dtype is None else input._array.astype(dtype.numpy)
    if x.dtype.kind != "f":
        raise RuntimeError(
            f"mean(): could not infer output dtype. {'Input' if dtype is None else 'Optional'} dtype must be either a floating point or complex dtype. "
            f"Got: {_dtype.from_numpy(x.dtype).tensor_type}"
        )
    if dim is None and not keepdim:
        return record(core.mean_all.node, mean_of(x), (input,), self_sym_sizes=x.shape, self_sym_numel=x.size)
    dims = dims_of(dim, x.ndim)
    average = contiguous(mean_of(x, dims, keepdim))
    return record(core.mean_dim.node, average, (input,), self_sym_sizes=x.shape, dim=dims, keepdim=keepdim)


def mean_of(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return `np.mean(x, axis, keepdims=keepdims)`. The mean of no elements is nan, without NumPy's warning."""
    if x.size:
        return np.mean(x, axis=axis, keepdims=keepdims)
    total = np.sum(x, axis=axis, keepdims=keepdims)
    taken = x.shape if axis is None else [x.shape[d] for d in np.atleast_1d(axis)]
    return total if math.prod(taken) else np.full_like(total, np.nan)


@operation("NansumBackward0", self=lambda g, self, dim, keepdim:
           restore_dims(g, self.shape, dim, keepdim) * (self == self))  # fmt: skip
def _nansum(self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    return contiguous(np.nansum(self, axis=dim, keepdims=keepdim, dtype=None if dtype is None else dtype.numpy))


@op("function", "method", "out")
def nansum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Return the sum over `dim` without the elements that are NaN; over all dimensions if None."""
    if input._array.dtype.kind != "f":
        return sum(input, dim, keepdim, dtype=dtype)
    return _nansum(input, dims_of(dim, input._array.ndim), keepdim, dtype)


@op("function", "method", "out")
def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Return the mean over `dim` of the elements that are not NaN; over all dimensions if None.

    Raises:
        RuntimeError: `input` is not floating point.
        IndexError: a dimension does not exist.
    """
    x = input._array
    if x.dtype.kind != "f":
        raise RuntimeError(
            f"nanmean(): expected input to have floating point or complex dtype but got {input.dtype.tensor_type}"
        )
    present = contiguous(np.sum(~np.isnan(x), axis=dims_of(dim, x.ndim), keepdims=keepdim))
    return nansum(input, dim, keepdim, dtype=dtype) / Tensor._wrap(present)


@op("function", "method")
def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """Return the number of elements that are not 0 or False, as int64: along `dim` or, if `dim` is None, in the whole tensor."""
    x = input._array
    return Tensor._wrap(contiguous(np.add(np.count_nonzero(x, axis=dims_of(dim, x.ndim)), 0, dtype=np.int64)))


def _prod_dim_backward(g: Tensor, x: Tensor, out: Tensor, dim: int, keepdim: bool) -> Tensor:
    """`g · out / x`; if `x` has zeros, `g` times the product of all elements along `dim` but this one"""
    if x.ndim == 0:
        return g
    if not keepdim:
        g, out = g.unsqueeze(dim), out.unsqueeze(dim)
    return g * (out / x) if np.all(x._array) else g * _product_of_others(x, dim)


def _product_of_others(x: Tensor, dim: int) -> Tensor:
    """Return for each element the product of all other elements along `dim`, without a division: [2, 3, 0] -> [0, 0, 6]."""
    n = x.shape[dim]
    if n == 1:
        return ones_like(x)
    ones = ones_like(x.narrow(dim, 0, 1))
    before = cat([ones, x.narrow(dim, 0, n - 1)], dim).cumprod(dim)
    after = cat([ones, x.narrow(dim, 1, n - 1).flip(dim)], dim).cumprod(dim).flip(dim)
    return before * after


def _accumulation_dtype(x: Any) -> Any:
    """Return the dtype in which `x` is summed or multiplied: int64 for integers and booleans, else that of `x`."""
    return x.dtype if x.dtype.kind == "f" else np.int64


def _prod_backward(g: Tensor, x: Tensor, out: Tensor) -> Tensor:
    """`g · out / x`; if `x` has zeros, `g` times the product of all elements but this one"""
    if x.ndim == 0:
        return g
    return g * (out / x) if np.all(x._array) else (g * _product_of_others(x.reshape(-1), 0)).view_as(x)


@operation("ProdBackward0", self=lambda g, self, result: _prod_backward(g, self, result))
def _prod_all(self: Any, dtype: Any) -> Any:
    return np.prod(self, dtype=dtype)


@operation(
    "ProdBackward1", self=lambda g, self, result, dim, keepdim: _prod_dim_backward(g, self, result, dim, keepdim)
)
def _prod_dim(self: Any, dim: int, keepdim: bool, dtype: Any) -> Any:
    return contiguous(np.prod(self, axis=dim, keepdims=keepdim, dtype=dtype)) if self.ndim else self.astype(dtype)


@op("function", "method", "out_computed")
def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Return the product over the dimension `dim`, or of all elements if it is None.

    Without `dtype`, integers and booleans are multiplied in int64.

    Raises:
        IndexError: the dimension does not exist.
    """
    out_dtype = _accumulation_dtype(input._array) if dtype is None else dtype.numpy
    if dim is None:
        return _prod_all(input, out_dtype)
    return _prod_dim(input, checked_dim(dim, input._array.ndim), keepdim, out_dtype)


def _logsumexp_backward(g: Tensor, self: Tensor, result: Tensor, dim: tuple[int, ...], keepdim: bool) -> Tensor:
    """g · exp(self - result)."""
    return restore_dims(g, self.shape, dim, keepdim) * (self - restore_dims(result, self.shape, dim, keepdim)).exp()


@operation("LogsumexpBackward0", self=_logsumexp_backward)
def _logsumexp(self: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
    largest = np.max(self, axis=dim, keepdims=True) if self.size else self.dtype.type(0)
    largest = np.where(np.isinf(largest), self.dtype.type(0), largest)
    total = log(np.sum(exp(self - largest), axis=dim, keepdims=True)) + largest
    return contiguous(total if keepdim else np.squeeze(total, dim))


@op("function", "method", "out")
def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """Return log(Σ exp(input)), summed over `dim`, a dimension or several, and computed without overflow.

    Integers are converted to the default dtype.
    """
    if input._array.dtype.kind != "f":
        input = input.to(_dtype.get_default_dtype())
    return _logsumexp(input, dims_of(dim, input._array.ndim), keepdim)


@op("method")
def sum_to_size(input: Tensor, *size: Any) -> Tensor:
    """Sum over the dimensions that are missing or of size 1 in `size`, the reverse of broadcasting: (4, 3) -> (3,) or (4, 1).

    Raises:
        RuntimeError: `size` cannot be broadcast to the shape of `input`.
    """
    shape = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else tuple(size)
    if not shape:
        return sum(input)
    x = input._array
    lead = x.ndim - len(shape)
    fits = lead >= 0 and all(n in (1, m) for n, m in zip(shape, x.shape[lead:], strict=True))
    if not fits:
        raise RuntimeError(f"size {{{list(shape)}}} is not expandable to size {{{list(x.shape)}}}.")
    dims = (*range(lead), *(lead + d for d, n in enumerate(shape) if n == 1 and x.shape[lead + d] != 1))
    if dims:
        input = sum(input, dims, keepdim=True)
    return input if tuple(input._array.shape) == shape else input.view(shape)
