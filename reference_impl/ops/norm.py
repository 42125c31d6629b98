"""Norms of vectors and matrices: `norm`, `dist`, and those of `linalg`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl._backend import contiguous
from reference_impl.autograd.output_mask import output_mask
from reference_impl.core.arrays import checked_dim
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.saving import RESULT
from reference_impl.core.tensor import Tensor
from reference_impl.ops.decompositions import check_matrices, linalg_svdvals
from reference_impl.ops.extremes import amax, amin
from reference_impl.ops.out_argument import check_no_gradient, write_out
from reference_impl.ops.reduction import dims_of
from reference_impl.ops.reduction import sum as total
from reference_impl.ops.registry import op
from reference_impl.ops.where import where


def norm_backward(x: Tensor, g: Tensor, p: float, norm: Tensor, dims: tuple[int, ...]) -> Any:
    """Return the gradient of `x` from `g`, the gradient of its p-norm `norm` over `dims`; `g` and `norm` broadcast to `x`.

    Where the norm is 0, the gradient is 0, the smallest subgradient. For p = 0 the result is None. See FunctionsManual.cpp,
    `norm_backward`.
    """
    if p == 0:
        return None  # the number of nonzero elements is a step function: torch leaves its gradient undefined
    if p == 1:
        return x.sgn() * g
    if p == 2:
        return g * where(norm == 0, 0.0, x / norm)
    if math.isinf(p):
        largest = (x.abs() == norm) | (x.abs() != x.abs())
        return x.sgn() * ((g / largest.sum(dims, keepdim=True)) * largest)
    if p < 1:
        scaled = x.sgn() * where(x == 0, 0.0, x.abs().pow(p - 1))
        return scaled * g * norm.pow(1 - p)
    scaled = x.sgn() * x.abs().pow(p - 1) if p < 2 else x * x.abs().pow(p - 2)
    return scaled * where(norm == 0, 0.0, g / norm.pow(p - 1))


class LinalgVectorNormBackward0(Node):
    """out = (Σ |self|^ord)^(1/ord) over dimension `dim`:  ∂self = g · sign(self) · (|self| / out)^(ord - 1), and 0 where out is 0."""

    saved_names = ("self", "result")
    ord: float
    dim: tuple[int, ...] | None
    keepdim: bool

    def grad_self(self, g: Tensor) -> Tensor:
        """Return the gradient of the input of the norm; None for the order 0, see `norm_backward`."""
        x = self._saved_self
        dims = dims_of(self.dim, x.ndim)
        norm = self._saved_result
        if norm.dtype != x.dtype:
            x = x.to(norm.dtype)
        if not self.keepdim:
            kept_shape = [1 if d in dims else n for d, n in enumerate(x.shape)]
            g, norm = g.reshape(kept_shape), norm.reshape(kept_shape)
        return norm_backward(x, g, self.ord, norm, dims)


@op("function", "out_exact", name="linalg.vector_norm")
def linalg_vector_norm(x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Return the `ord`-norm over `dim`: (Σ |x|^ord)^(1/ord). If `dim` is None, return the norm of all elements.

    Args:
        ord: a number. For inf and -inf, the norm is the largest and the smallest |x|; for 0, the number of nonzero elements.
        dim: a dimension or several.
        dtype: floating-point dtype to which `x` is converted first.

    Raises:
        RuntimeError: `x` is not floating point; a dimension is named twice; or `ord` is inf or negative, and there are no elements.
        IndexError: a dimension does not exist.
    """
    if x._array.dtype.kind != "f":
        raise RuntimeError(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {x.dtype.tensor_type}"
        )
    _check_result_dtype("linalg.vector_norm", x, dtype)
    a = x._array if dtype is None else x._array.astype(dtype.numpy)
    dims = dims_of(dim, a.ndim)
    check_identity(a, float(ord), dim)
    result = contiguous(p_norm(a, float(ord), dims, keepdim))
    return record(LinalgVectorNormBackward0, result, (x,), (x, RESULT), ord=float(ord), dim=dim, keepdim=keepdim)


def _check_result_dtype(name: str, x: Tensor, dtype: Any) -> None:
    """Raise RuntimeError unless `dtype` is None, or a floating-point dtype that is no narrower than that of `x`."""
    if dtype is None:
        return
    if dtype.numpy.kind != "f":
        raise RuntimeError(f"{name}: dtype should be floating point or complex, but got {dtype.tensor_type}")
    if dtype.itemsize < x.dtype.itemsize:
        raise RuntimeError(
            f"{name}: the dtype of the input ({x.dtype.tensor_type}) should be convertible without narrowing to the specified dtype "
            f"({dtype.tensor_type})"
        )


def check_identity(a: Any, p: float, dim: Any) -> None:
    """Raise torch's RuntimeError for a p-norm of no elements, unless it is 0: that of inf or a negative p is undefined.

    Args:
        dim: a dimension or several; None or an empty list for all.
    """
    if a.size or not (p < 0 or p == math.inf):
        return
    if dim is None or dim in ((), []):
        raise RuntimeError(
            f"linalg.vector_norm cannot compute the {p:g} norm on an empty tensor because the operation does not have an identity"
        )
    for d in dim if isinstance(dim, (tuple, list)) else (dim,):
        if not a.shape[d]:
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {p:g} norm on the dimension {d}because this dimension is empty and the "
                "operation does not have an identity"
            )


def p_norm(a: Any, p: float, dims: tuple[int, ...], keepdim: bool) -> Any:
    """Return the p-norm of an array over `dims`, in its dtype. Not for a p-norm that `check_identity` refuses."""
    if a.dtype == np.float16:  # torch computes powers and sums of float16 in float32
        return p_norm(a.astype(np.float32), p, dims, keepdim).astype(np.float16)
    p = float(a.dtype.type(p))  # as in torch: 1e40 counts as infinity in float32
    if p == 2:
        return np.sqrt(np.sum(a * a, axis=dims, keepdims=keepdim))
    if p == 0:
        return np.sum(np.not_equal(a, 0), axis=dims, keepdims=keepdim).astype(a.dtype)
    absolute = np.abs(a)
    if p == 1:
        return np.sum(absolute, axis=dims, keepdims=keepdim)
    if p == math.inf:
        return _backend.largest(absolute, dims, keepdim, 0)
    if p == -math.inf:
        return np.min(absolute, axis=dims, keepdims=keepdim)
    total = np.sum(np.power(absolute, a.dtype.type(p)), axis=dims, keepdims=keepdim)
    return np.power(total, a.dtype.type(1 / p))


def _singular_values(A: Tensor, dims: list[int], dtype: Any, keepdim: bool, reduce: Any) -> Tensor:
    """Return `reduce` of the singular values of the matrices in the dimensions `dims` of `A`."""
    rest = [d for d in range(A.ndim) if d not in dims]
    order = [*rest, *dims]
    result: Tensor = reduce(linalg_svdvals((A if dtype is None else A.to(dtype)).permute(order)))
    if keepdim:
        result = result.unsqueeze(-1).unsqueeze(-1).permute([order.index(d) for d in range(A.ndim)])
    return result


@op("function", "out_exact", name="linalg.matrix_norm")
def linalg_matrix_norm(
    A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Return a norm of the matrices in the dimensions `dim`.

    Args:
        ord: "fro" is the root of the sum of squares. "nuc", 2 and -2 are sum, maximum and minimum of the singular values. 1 and -1 are
            maximum and minimum of the sums of absolute values over columns, inf and -inf those over rows.
        dtype: floating-point dtype to which `A` is converted first.

    Raises:
        RuntimeError: `A` is not floating point or has fewer than two dimensions, `dim` is not two dimensions, or `ord` is unknown.
        IndexError: a dimension does not exist.
    """
    name = "linalg.matrix_norm"
    check_matrices(name, A, allows_half=ord not in ("nuc", 2, -2))
    if ord not in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    if len(dim) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, dim))}")
    dims = [checked_dim(d, A._array.ndim) for d in dim]
    if dims[0] == dims[1]:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got ({dim[0]}, {dim[1]})")
    _check_result_dtype(name, A, dtype)
    if ord == "fro":
        return linalg_vector_norm(A, 2, dims, keepdim, dtype=dtype)
    if ord == "nuc":
        return _singular_values(A, dims, dtype, keepdim, lambda s: s.sum(-1))
    if abs(ord) == 2:
        return _singular_values(A, dims, dtype, keepdim, lambda s: _extreme(s, -1, False, ord))
    first, second = dims if abs(ord) == 1 else dims[::-1]
    sums = linalg_vector_norm(A, 1, [first], keepdim, dtype=dtype)
    return _extreme(sums, second if keepdim or first > second else second - 1, keepdim, ord)


def _extreme(x: Tensor, dim: int, keepdim: bool, ord: float) -> Tensor:
    """Return the minimum over `dim` if `ord` is negative, otherwise the maximum, which is 0 for no elements."""
    if ord < 0:
        return amin(x, dim, keepdim)
    return amax(x, dim, keepdim) if x.shape[dim] else total(x, dim, keepdim)


@op("function", "out_exact", name="linalg.norm")
def linalg_norm(input: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Return `linalg.matrix_norm` if `dim` is two dimensions, or `input` has two and `dim` is None; otherwise `linalg.vector_norm`.

    Args:
        ord: by default, the 2-norm of all elements over `dim`.

    Raises:
        RuntimeError: `dim` is more than two dimensions; or `dim` is None, `ord` is not, and `input` has not one or two dimensions.
    """
    dims = (dim,) if isinstance(dim, int) else dim
    if dims is not None and len(dims) not in (1, 2):
        raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dims)}")
    if ord is None:
        return linalg_vector_norm(input, 2.0, dims, keepdim, dtype=dtype)
    if dims is None and input._array.ndim not in (1, 2):
        raise RuntimeError(
            f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {input._array.ndim}D."
        )
    if isinstance(ord, str) or (input._array.ndim if dims is None else len(dims)) == 2:
        return linalg_matrix_norm(input, ord, (0, 1) if dims is None else dims, keepdim, dtype=dtype)
    return linalg_vector_norm(input, ord, dims, keepdim, dtype=dtype)


@op("function", "method")
def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Any = None, dtype: Any = None
) -> Tensor:
    """Return the p-norm over `dim`, by default of all elements. "fro" and None are the 2-norm, "nuc" is the sum of singular values.

    Args:
        out: a tensor that receives the result, of the same dtype.

    Raises:
        RuntimeError: `input` is not floating point, `p` is an unknown string, or `out` has another dtype or requires grad; or `p` is inf or
            negative, and there are no elements.
    """
    if p == "nuc":
        return linalg_matrix_norm(
            input,
            p,
            tuple(range(input.ndim)) if dim is None else (dim,) if isinstance(dim, int) else dim,
            keepdim,
            dtype=dtype,
        )
    if p == "fro" or p is None:
        p = 2.0
    elif isinstance(p, str):
        raise RuntimeError(f"only valid string values are 'fro' and 'nuc', found {p}")
    if out is None:
        return linalg_vector_norm(input, p, dim, keepdim, dtype=dtype)
    check_no_gradient("linalg_vector_norm", out)
    return write_out(
        linalg_vector_norm(input, p, dim, keepdim, dtype=dtype), out, "linalg_vector_norm", same_dtype=True
    )


class DistBackward0(Node):
    """out = the p-norm of self - other:  ∂self is the gradient of the norm at self - other, times g;  ∂other = -∂self."""

    saved_names = ("self", "other", "result")
    p: float

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients of both inputs: None for one that is not used, for p = 0, and if the result receives none."""
        needs_self, needs_other = output_mask(self)
        difference = self._saved_self - self._saved_other
        norm, (g,) = self._saved_result, grads
        if g is None:
            return None, None
        dims = tuple(range(difference.ndim))
        to_self = norm_backward(difference, g, self.p, norm, dims)
        if to_self is None:
            return None, None
        return to_self if needs_self else None, -to_self if needs_other else None


@op("function", "method")
def dist(input: Tensor, other: Tensor, p: Any = 2) -> Tensor:
    """Return the p-norm of `input - other`, a 0-d tensor. The operands are broadcast.

    Raises:
        RuntimeError: the common dtype is not floating point, the shapes don't broadcast, or `p` is inf or negative and there are no
            elements.
    """
    difference = (input.detach() - other.detach())._array
    if difference.dtype.kind != "f":
        raise RuntimeError(
            "norm(): input dtype should be either floating point or complex. Got "
            f"{_dtype.from_numpy(difference.dtype).tensor_type} instead."
        )
    check_identity(difference, float(p), None)
    result = p_norm(difference, float(p), tuple(range(difference.ndim)), False)
    return record(DistBackward0, result, (input, other), (input, other, RESULT), p=float(p))
