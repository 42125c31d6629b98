"""`tensordot`: a product of tensors, summed over several dimensions by a single matrix product."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from reference_impl.arguments import parser
from reference_impl.core.tensor import Tensor
from reference_impl.ops.linalg import dot, mm
from reference_impl.ops.out_argument import resize_output
from reference_impl.ops.reduction import dims_of
from reference_impl.ops.registry import functions


def tensordot(a: Any, b: Any, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """Return the sum of products over dimensions of `a` and of `b`: the other dimensions of `a`, then those of `b`, remain.

    Args:
        dims: a number n, for the last n dimensions of `a` and the first n of `b`; or two lists of dimensions.
        out: tensor to write the result into.

    Raises:
        RuntimeError: `dims` is of another type or does not fit the tensors, or tensors differ in dtype or in a summed size.
        TypeError: `a` or `b` is not a tensor, or an entry of `dims` is not a list of integers.
    """
    dims_a, dims_b = _two_lists(a, b, dims)
    problem = parser.rejection("tensordot", False, (a, b, dims_a, dims_b), {} if out is None else {"out": out})
    if problem is not None:
        raise TypeError(problem)
    if len(dims_a) != len(dims_b):
        raise RuntimeError("both dimension lists should have same length")
    if a.dtype != b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    summed = 1
    for i, j in zip(dims_a, dims_b, strict=True):
        n, m = a.size(i), b.size(j)
        if m == 1:
            a = a.sum(i, True, dtype=a.dtype)
        elif n == 1:
            b = b.sum(j, True, dtype=b.dtype)
        elif n != m:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {n} in dim {i} and second has size {m} in dim {j}"
            )
        else:
            summed *= n
    result = _contract(a, b, dims_a, dims_b, summed)
    if out is None:
        return result
    if out.dtype != result.dtype:
        raise RuntimeError(
            f"tensordot: Expected the output tensor to have dtype {result.dtype.tensor_type}, but got an output tensor with dtype "
            f"{out.dtype.tensor_type}"
        )
    if out.shape != result.shape:
        resize_output(out, result.shape)
    return out.copy_(result)


def _two_lists(a: Any, b: Any, dims: Any) -> tuple[Any, Any]:
    """Return the dimensions to be summed, of `a` and of `b`."""
    if not isinstance(dims, (tuple, list, Tensor, int)):
        raise RuntimeError(
            "tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] containing two lists, but got "
            f"dims={dims}"
        )
    if isinstance(dims, Tensor) and dims.numel() > 1:
        if dims.size(0) != 2:
            raise AssertionError(f"dims tensor must have size 2 in first dimension, got {dims.size(0)}")
        dims = dims.tolist()
    if isinstance(dims, (tuple, list)):
        of_a, of_b = dims
        return of_a, of_b
    count = int(dims)
    if count < 0:
        raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
    if not isinstance(dims, Tensor) and count > min(a.dim(), b.dim()):
        raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
    return list(range(-count, 0)), list(range(count))


def _contract(a: Tensor, b: Tensor, dims_a: Sequence[int], dims_b: Sequence[int], summed: int) -> Tensor:
    """Return the product, summed over these dimensions. `summed` is the product of their sizes."""
    dims_a, dims_b = ([*dims_of(dims, t.ndim)] if dims else [] for dims, t in ((dims_a, a), (dims_b, b)))
    kept_a, kept_b = ([d for d in range(t.ndim) if d not in dims] for dims, t in ((dims_a, a), (dims_b, b)))
    shape_a, shape_b = [a.size(d) for d in kept_a], [b.size(d) for d in kept_b]
    left, right = a.permute(kept_a + dims_a), b.permute(dims_b + kept_b)
    if prod(shape_a) == prod(shape_b) == 1:
        if left.is_contiguous() and right.is_contiguous():
            return dot(left.reshape(summed), right.reshape(summed)).view(shape_a + shape_b)
        return (left.squeeze() * right.squeeze()).sum().view(shape_a + shape_b)
    product = mm(left.reshape(prod(shape_a), summed), right.reshape(summed, prod(shape_b)))
    return product.reshape(shape_a + shape_b)


functions["tensordot"] = tensordot  # not by `op`: torch writes it in Python, so its first lines check the arguments
