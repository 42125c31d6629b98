"""Determinants and singular values of matrices, or of stacks of them: (..., m, n)."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import return_types
from reference_impl._backend import as_array, contiguous
from reference_impl.core.declare import operation
from reference_impl.core.node import Node
from reference_impl.core.record import record_many
from reference_impl.core.saving import Result
from reference_impl.core.tensor import Tensor
from reference_impl.ops.registry import op
from reference_impl.ops.where import where


def _check(name: str, input: Tensor, few_dimensions: str) -> None:
    """Raise RuntimeError unless `input` is floating point and a matrix or a stack of matrices.

    Args:
        name: the function, for errors.
        few_dimensions: message for fewer than two dimensions.
    """
    if input._array.ndim < 2:
        raise RuntimeError(f"{name}: {few_dimensions}")
    if input._array.dtype.kind != "f":
        kind = input.dtype.tensor_type
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {kind}")


# -- the determinant


@operation("LinalgInvExBackward0", self=lambda g, result: -(result.mT @ g @ result.mT))
def _inverse(self: Any) -> Any:
    return np.linalg.inv(self)


def _det_backward(g: Tensor, A: Tensor, result: Tensor) -> Tensor:
    """g · result · A⁻ᵀ, and 0 for a matrix with determinant 0, as in torch"""
    scale = (g * result).unsqueeze(-1).unsqueeze(-1)
    singular = result._array == 0
    if bool(np.any(singular)):
        unit = Tensor._wrap(np.eye(A.shape[-1], dtype=A._array.dtype, like=A._array))
        A = where(Tensor._wrap(singular[..., None, None]), unit, A)
    return scale * _inverse(A).mT


@operation("LinalgDetBackward0", A=_det_backward)
def _det(A: Any) -> Any:
    return as_array(np.linalg.det(A))


@op("function", "method")
def det(input: Tensor) -> Tensor:
    """Return the determinant of square matrices: (..., n, n) -> (...).

    Raises:
        RuntimeError: `input` is not floating point, or its matrices are not square.
    """
    if input._array.ndim >= 2 and input._array.shape[-1] != input._array.shape[-2]:
        m, n = input._array.shape[-2:]
        raise RuntimeError(f"linalg.det: A must be batches of square matrices, but they are {m} by {n} matrices")
    _check("linalg.det", input, "The input tensor A must have at least 2 dimensions.")
    return _det(input)


# -- singular values


class LinalgSvdBackward0(Node):
    """A = U · diag(S) · Vh: the gradient of A is computed from the gradients of U, S and Vh together, see `apply`."""

    saved_names = ("U", "S", "Vh")

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradient of A from the gradients gU, gS and gVh. Each may be None; if all are, return None.

            gA = U · ((sk(Uᵀ · gU) / E) · diag(S) + diag(S) · (sk(Vᵀ · gV) / E) + diag(gS)) · Vh

        V is Vhᵀ, gV is gVhᵀ, and sk(X) = X - Xᵀ. The division by E is elementwise: E_ij = S_j² - S_i² for i ≠ j, and 1 on the diagonal.
        Terms for the components of gU and gV that are orthogonal to the columns of U and V are added if U or V is not square.
        """
        g_u, g_s, g_vh = grads
        u, s, vh = self._saved_U, self._saved_S, self._saved_Vh
        k = s.shape[-1]  # with some=False, U and V have further columns; these are not unique, so they are ignored
        u, g_u = u.narrow(-1, 0, k), None if g_u is None else g_u.narrow(-1, 0, k)
        vh, g_vh = vh.narrow(-2, 0, k), None if g_vh is None else g_vh.narrow(-2, 0, k)
        if g_u is None and g_vh is None:
            return (None if g_s is None else (u * g_s.unsqueeze(-2)) @ vh,)
        row, column = s.unsqueeze(-2), s.unsqueeze(-1)
        gaps = row * row - column * column + Tensor._wrap(np.eye(k, dtype=s._array.dtype, like=s._array))
        inner: Any = 0 if g_s is None else g_s.diag_embed()
        if g_u is not None:
            x = u.mT @ g_u
            inner = inner + (x - x.mT) / gaps * row
        if g_vh is not None:
            x = vh @ g_vh.mT
            inner = inner + column * ((x - x.mT) / gaps)
        total = u @ inner @ vh
        if g_u is not None and u.shape[-2] > k:
            part = g_u / row
            total = total + (part - u @ (u.mT @ part)) @ vh
        if g_vh is not None and vh.shape[-1] > k:
            part = g_vh / column
            total = total + u @ (part - (part @ vh.mT) @ vh)
        return (total,)


def _by_columns(a: Any) -> Any:
    """Return the matrices `a` in column-major order, as LAPACK stores them."""
    return np.swapaxes(contiguous(np.swapaxes(a, -2, -1)), -2, -1)


@op("function", "method")
def svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    """Return the named tuple (U, S, V) with input = U · diag(S) · Vᵀ, for (..., m, n). S, (..., k), is in descending order.

    Args:
        some: whether U is (..., m, k) and V is (..., n, k) with k = min(m, n); otherwise both are square.
        compute_uv: whether to return U and V; otherwise they are square matrices of zeros.

    Raises:
        RuntimeError: `input` is not floating point, or has fewer than two dimensions.
    """
    ndim = input._array.ndim
    _check("linalg.svd", input, f"input should have at least 2 dimensions, but has {ndim} dimensions instead")
    u, s, vh = np.linalg.svd(input._array, full_matrices=not some)
    u, vh = _by_columns(u), _by_columns(vh)
    results = record_many(LinalgSvdBackward0, (u, s, vh), (input,), (Result(0), Result(1), Result(2)))
    if not compute_uv:
        m, n = input._array.shape[-2:]
        squares = [np.zeros_like(s, shape=(*s.shape[:-1], size, size)) for size in (m, n)]
        return return_types.svd((Tensor._wrap(squares[0]), results[1], Tensor._wrap(squares[1])))
    return return_types.svd((results[0], results[1], results[2].mT))
