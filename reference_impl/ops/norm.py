"""Norms of vectors: `norm`, `linalg.vector_norm`, `dist`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl._backend import contiguous
from reference_impl._tensor import Tensor, _checked_dim
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import RESULT, record
from reference_impl.ops.reduction import dims_of
from reference_impl.ops.registry import functions, namespaces, op


def norm_backward(x: Tensor, g: Tensor, p: float, norm: Tensor, dims: tuple[int, ...]) -> Any:
    """The gradient of the p-norm `norm` of `x`; `g` and `norm` broadcast with `x`. Where the norm
    is 0 it is 0, the smallest of the subgradients. See FunctionsManual.cpp, `norm_backward`."""
    where = functions["where"]
    if p == 0:
        return None  # a staircase: torch leaves the gradient undefined
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
    """out = (Σ |self|^p)^(1/p) over `dim`; for the formulas see `norm_backward`."""

    saved_names = ("self", "result")
    ord: float
    dim: tuple[int, ...] | None
    keepdim: bool

    def grad_self(self, g: Tensor) -> Tensor:
        x = self._saved_self
        dims = dims_of(self.dim, x.ndim)
        norm = self._saved_result
        if norm.dtype != x.dtype:
            x = x.to(norm.dtype)
        if not self.keepdim:
            kept = [1 if d in dims else n for d, n in enumerate(x.shape)]
            g, norm = g.reshape(kept), norm.reshape(kept)
        return norm_backward(x, g, self.ord, norm, dims)


def vector_norm(x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The `ord`-norm of the elements over `dim` (of all elements if None).

    Raises:
        RuntimeError: `x` is not floating point.
    """
    if x._array.dtype.kind != "f":
        raise RuntimeError(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {x.dtype.tensor_type}"
        )
    a = x._array if dtype is None else x._array.astype(dtype.numpy)
    dims = dims_of(dim, a.ndim)
    result = contiguous(_p_norm(a, float(ord), dims, keepdim))
    return record(LinalgVectorNormBackward0, result, (x,), (x, RESULT), ord=float(ord), dim=dim, keepdim=keepdim)


def _p_norm(a: Any, p: float, dims: tuple[int, ...], keepdim: bool) -> Any:
    if a.dtype == np.float16:  # its powers and sums are computed in float32
        return _p_norm(a.astype(np.float32), p, dims, keepdim).astype(np.float16)
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


@op("function", "method")
def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Any = None, dtype: Any = None
) -> Tensor:
    """The p-norm of the elements over `dim`; "fro" is the 2-norm.

    Raises:
        RuntimeError: `input` is not floating point.
    """
    if p == "nuc":
        return namespaces["linalg"]["matrix_norm"](input, "nuc", (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    if p == "fro" or p is None:
        p = 2.0
    elif isinstance(p, str):
        raise RuntimeError(f"only valid string values are 'fro' and 'nuc', found {p}")
    return vector_norm(input, p, dim, keepdim, dtype=dtype)


class DistBackward0(Node):
    """out = the p-norm of self - other."""

    saved_names = ("self", "other", "result")
    p: float

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        difference = self._saved_self - self._saved_other
        norm, (g,) = self._saved_result, grads
        if g is None:
            return None, None
        dims = tuple(range(difference.ndim))
        to_self = norm_backward(difference, g, self.p, norm, dims)
        return (None, None) if to_self is None else (to_self, -to_self)


@op("function", "method")
def dist(input: Tensor, other: Tensor, p: Any = 2) -> Tensor:
    """The p-norm of `input - other`."""
    difference = (input.detach() - other.detach())._array
    if difference.dtype.kind != "f":
        raise RuntimeError(
            "norm(): input dtype should be either floating point or complex. Got "
            f"{_dtype.from_numpy(difference.dtype).tensor_type} instead."
        )
    result = _p_norm(difference, float(p), tuple(range(difference.ndim)), False)
    return record(DistBackward0, result, (input, other), (input, other, RESULT), p=float(p))


class RenormBackward0(Node):
    """out = self, its slices along `dim` scaled down to a p-norm of at most maxnorm."""

    saved_names = ("self",)
    p: float
    dim: int
    maxnorm: float

    def grad_self(self, g: Tensor) -> Tensor:
        x, where = self._saved_self, functions["where"]
        dims = tuple([d for d in range(x.ndim) if d != self.dim])
        norm = vector_norm(x, self.p, dims, True)
        inverse = (norm + 1e-7).reciprocal()
        through_norm = norm_backward(x, (x * g).sum(dims, keepdim=True), self.p, norm, dims)
        return where(norm > self.maxnorm, self.maxnorm * inverse * (g - inverse * through_norm), g)


@op("function", "method", "inplace", "out")
def renorm(input: Tensor, p: Any, dim: int, maxnorm: Any) -> Tensor:
    """`input`, its slices along `dim` scaled down to a p-norm of at most `maxnorm`.

    Raises:
        RuntimeError: `p` is not positive, `maxnorm` negative, or there are fewer than two dimensions.
    """
    x = input._array
    if p <= 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    if x.ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {x.ndim} dimensions")
    d = _checked_dim(dim, x.ndim)
    dims = tuple([i for i in range(x.ndim) if i != d])
    norm = vector_norm(input.detach(), p, dims, True)._array
    factor = np.where(norm > maxnorm, maxnorm / (norm + 1e-7), 1).astype(x.dtype)
    return record(RenormBackward0, contiguous(x * factor), (input,), (input,), p=float(p), dim=d, maxnorm=maxnorm)


class CdistBackward0(Node):
    """out_ij = the p-norm of x1_i - x2_j."""

    saved_names = ("x1", "x2", "result")
    p: float

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        (g,) = grads
        if g is None:
            return None, None
        difference = self._saved_x1.unsqueeze(-2) - self._saved_x2.unsqueeze(-3)
        norm = self._saved_result.unsqueeze(-1)
        each = norm_backward(difference, g.unsqueeze(-1), self.p, norm, (difference.ndim - 1,))
        if each is None:  # the 0-norm counts
            return functions["zeros_like"](self._saved_x1), functions["zeros_like"](self._saved_x2)
        return each.sum(-2), -each.sum(-3)


class EuclideanDistBackward0(Node):
    """out_ij = |x1_i - x2_j|:  ∂x1_i = Σ_j ratio_ij (x1_i - x2_j) with ratio = g / out, 0 where out is."""

    saved_names = ("x1", "x2", "result")

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        (g,) = grads
        if g is None:
            return None, None
        x1, x2, out = self._saved_x1, self._saved_x2, self._saved_result
        ratio = functions["where"](out == 0, 0.0, g / out)
        to_x1 = x1 * ratio.sum(-1, keepdim=True) - ratio.matmul(x2)
        return to_x1, x2 * ratio.sum(-2).unsqueeze(-1) - ratio.transpose(-1, -2).matmul(x1)


@op("function")
def cdist(
    x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str | None = "use_mm_for_euclid_dist_if_necessary"
) -> Tensor:
    """The p-norm of the difference of each row of `x1` (..., P, M) and each of `x2` (..., R, M): (..., P, R).

    Args:
        compute_mode: whether the 2-norm is computed by a matrix product: for more than 25 rows, never or always.

    Raises:
        RuntimeError: the operands are not matrices with equally many columns, or not floating point.
        ValueError: another mode.
    """
    modes = {"use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist", None}
    if compute_mode not in modes:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    a, b = x1._array, x2._array
    _check_cdist(x1, x2, p)
    if a.dtype != b.dtype:
        raise RuntimeError(f"expected scalar type {x1.dtype.tensor_type} but found {x2.dtype.tensor_type}")
    if (
        p == 2
        and a.size
        and b.size
        and (
            compute_mode == "use_mm_for_euclid_dist"
            or (compute_mode != "donot_use_mm_for_euclid_dist" and max(a.shape[-2], b.shape[-2]) > 25)
        )
    ):
        squares = np.sum(a * a, axis=-1)[..., :, None] + np.sum(b * b, axis=-1)[..., None, :]
        result = np.sqrt(np.maximum(squares - 2 * np.matmul(a, np.swapaxes(b, -1, -2)), 0))
        return record(EuclideanDistBackward0, result, (x1, x2), (x1, x2, RESULT)).view(result.shape)
    result = _p_norm(a[..., :, None, :] - b[..., None, :, :], float(p), (-1,), False)
    return record(CdistBackward0, result, (x1, x2), (x1, x2, RESULT), p=float(p))


def _check_cdist(x1: Tensor, x2: Tensor, p: float) -> None:
    for t, name in ((x1, "X1"), (x2, "X2")):
        if t._array.dtype.kind != "f":
            raise RuntimeError(f"cdist only supports floating-point dtypes, {name} got: {t.dtype.tensor_type}")
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    for t, name in ((x1, "X1"), (x2, "X2")):
        if t.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {t.ndim}D")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}")
