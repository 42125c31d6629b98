"""Factorisations of matrices with their gradients: Cholesky, QR, SVD, eigenvalues of symmetric matrices, LU.

The formulas are those of torch's FunctionsManual.cpp for real matrices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend, return_types
from reference_impl._memory_order import column_major
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import RESULT, record, record_many
from reference_impl.ops import linalg_kernels as kernels
from reference_impl.ops.linalg_checks import check_floating, check_matrix, check_square, raise_on
from reference_impl.ops.linalg_solve import solve_triangular
from reference_impl.ops.registry import functions, op


def _halved_diagonal(x: Tensor) -> Tensor:
    """x with its diagonal halved."""
    return x - x.diagonal(0, -2, -1).diag_embed() * 0.5


# -- Cholesky


def cholesky_backward(g: Tensor, upper: bool, factor: Tensor) -> Tensor:
    """∂A = the symmetric part of L⁻ᵀ · φ(Lᵀ g) · L⁻¹, φ the lower triangle with its diagonal halved (Murray, 2016)."""
    lower = factor.mT if upper else factor
    g = g.mT if upper else g
    phi = _halved_diagonal((lower.mT @ g).tril())
    a = solve_triangular(lower.mT, phi, upper=True)
    a = solve_triangular(lower, a, upper=False, left=False)
    return (a + a.mT) * 0.5


class LinalgCholeskyExBackward0(Node):
    """A = L Lᵀ; see `cholesky_backward`."""

    saved_names = ("L",)
    upper: bool

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        return (None if grads[0] is None else cholesky_backward(grads[0], self.upper, self._saved_L),)


class CholeskyBackward0(Node):
    """As LinalgCholeskyExBackward0, for `torch.cholesky`."""

    saved_names = ("result",)
    upper: bool

    def grad_self(self, g: Tensor) -> Tensor:
        return cholesky_backward(g, self.upper, self._saved_result)


def _not_positive(name: str) -> Any:
    return lambda info: (
        name,
        "The factorization could not be completed because the input is not positive-definite "
        f"(the leading minor of order {info} is not positive-definite).",
    )


def _cholesky_arrays(x: Any, upper: bool) -> tuple[Any, Any]:
    lower, info = kernels.cholesky(np.swapaxes(x, -2, -1) if upper else x)
    return column_major(np.swapaxes(lower, -2, -1) if upper else lower), info


@op("function", "out", name="linalg.cholesky_ex")
def cholesky_ex(A: Tensor, *, upper: bool = False, check_errors: bool = False) -> Any:
    """The Cholesky factors and, per matrix, 0 or the order of the first leading minor that is not positive."""
    x = A._array
    check_square("linalg.cholesky", x)
    check_floating("linalg.cholesky", x)
    factor, info = _cholesky_arrays(x, upper)
    if check_errors:
        raise_on(info, _not_positive("linalg.cholesky_ex"))
    outs = record_many(LinalgCholeskyExBackward0, (factor, info), (A,), ((RESULT, 0),), upper=upper)
    return return_types.linalg_cholesky_ex(outs)


@op("function", "out", name="linalg.cholesky")
def linalg_cholesky(A: Tensor, *, upper: bool = False) -> Tensor:
    """The lower (or upper) Cholesky factors; one triangle of A is read.

    Raises:
        LinAlgError: a matrix is not positive definite.
    """
    factor, info = cholesky_ex(A, upper=upper)
    raise_on(info._array, _not_positive("linalg.cholesky"))
    return factor


@op("function", "method", "out")
def cholesky(input: Tensor, upper: bool = False) -> Tensor:
    """As `linalg.cholesky`, from before there was `torch.linalg`."""
    x = input._array
    if not x.size:
        return record(CholeskyBackward0, x.copy(), (input,), (RESULT,), upper=upper)
    check_square("cholesky", x)
    factor, info = _cholesky_arrays(x, upper)
    raise_on(info, _not_positive("cholesky"))
    return record(CholeskyBackward0, factor, (input,), (RESULT,), upper=upper)


class CholeskySolveBackward0(Node):
    """out = (L Lᵀ)⁻¹ B:  ∂B = (L Lᵀ)⁻¹ g,  ∂L from -(∂B outᵀ + out ∂Bᵀ) L."""

    saved_names = ("self", "input2", "result")
    upper: bool

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        (g,) = grads
        if g is None:
            return None, None
        self.check_saved()  # also B, of which only the shape is needed
        factor, x = self._saved_input2, self._saved_result
        to_b = cholesky_solve(g, factor, upper=self.upper)
        to_l = None
        if self.needs_grad(1):
            both = to_b @ x.mT
            both = both + both.mT
            to_l = -(factor @ both) if self.upper else -(both @ factor)
        return to_b, to_l


@op("function", "method", "out")
def cholesky_solve(B: Tensor, L: Tensor, upper: bool = False) -> Tensor:
    """X with A X = B, from the Cholesky factor of A."""
    b, factor = B._array, L._array
    if b.ndim < 2:
        raise RuntimeError(f"b should have at least 2 dimensions, but has {b.ndim} dimensions instead")
    if factor.ndim < 2:
        raise RuntimeError(f"u should have at least 2 dimensions, but has {factor.ndim} dimensions instead")
    if b.dtype != factor.dtype:
        raise RuntimeError(
            f"Expected b and A to have the same dtype, but found b of type {B.dtype.tensor_type} and A of type "
            f"{L.dtype.tensor_type} instead."
        )
    lower = np.swapaxes(factor, -2, -1) if upper else factor
    y = kernels.substitute(lower, b, upper=False)
    x = kernels.substitute(np.swapaxes(lower, -2, -1), y, upper=True)
    return record(CholeskySolveBackward0, column_major(x), (B, L), (B, L, RESULT), upper=upper)


class CholeskyInverseBackward0(Node):
    """out = (L Lᵀ)⁻¹:  ∂L = -(out (g + gᵀ) out) L."""

    saved_names = ("self", "result")
    upper: bool

    def grad_self(self, g: Tensor) -> Tensor:
        factor, inverse = self._saved_self, self._saved_result
        middle = inverse @ ((g + g.mT) @ inverse)
        return -(factor @ middle) if self.upper else -(middle @ factor)


@op("function", "method", "out")
def cholesky_inverse(input: Tensor, upper: bool = False) -> Tensor:
    """The inverse of A, from its Cholesky factor."""
    factor = input._array
    if factor.ndim < 2:
        raise RuntimeError("cholesky_inverse: The input tensor A must have at least 2 dimensions.")
    check_square("cholesky_inverse", factor)
    lower = np.tril(np.swapaxes(factor, -2, -1)) if upper else np.tril(factor)
    eye = _backend.to_device_of(np.eye(factor.shape[-1], dtype=factor.dtype), factor)
    half = kernels.substitute(lower, np.broadcast_to(eye, factor.shape), upper=False)
    return record(
        CholeskyInverseBackward0, column_major(np.swapaxes(half, -2, -1) @ half), (input,), (input, RESULT), upper=upper
    )


# -- QR


class LinalgQrBackward0(Node):
    """A = Q R. For square R: ∂A = [g_Q + Q · sym(triu(g_R Rᵀ - Qᵀ g_Q))] R⁻ᵀ; a wide A adds the columns after the square ones."""

    saved_names = ("Q", "R")
    mode: str

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        g_q, g_r = grads
        if g_q is None and g_r is None:
            return (None,)
        if self.mode == "r":
            raise RuntimeError(
                "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
                "linalg.qr(A, mode='reduced') if you are going to require gradients."
            )
        q, r = self._saved_Q, self._saved_R
        m, n = q.shape[-2], r.shape[-1]
        if self.mode == "complete" and m > n:
            raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")
        zeros = functions["zeros_like"]
        g_q = zeros(q) if g_q is None else g_q
        g_r = zeros(r) if g_r is None else g_r
        if m >= n:
            return (self._square(q, r, g_q, g_r),)
        wide, g_wide = r[..., m:], g_r[..., m:]
        square = self._square(q, r[..., :m], g_q + q @ wide @ g_wide.mT, g_r[..., :m])
        return (functions["cat"]([square, q @ g_wide], -1),)

    @staticmethod
    def _square(q: Tensor, r: Tensor, g_q: Tensor, g_r: Tensor) -> Tensor:
        m = (g_r @ r.mT - q.mT @ g_q).triu()
        symmetric = _halved_diagonal(m + m.mT)
        return solve_triangular(r.mT, g_q + q @ symmetric, upper=False, left=False)


def _qr(A: Tensor, mode: str, kind: Any) -> Any:
    x = A._array
    check_matrix("linalg.qr", x)
    check_floating("linalg.qr", x)
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    if mode == "r":
        q, r = np.zeros_like(x, shape=(0,)), np.linalg.qr(x, "r")
    else:
        q, r = np.linalg.qr(x, mode)  # type: ignore[call-overload]
    return kind(
        record_many(LinalgQrBackward0, (column_major(q), column_major(r)), (A,), ((RESULT, 0), (RESULT, 1)), mode=mode)
    )


@op("function", "out", name="linalg.qr")
def linalg_qr(A: Tensor, mode: str = "reduced") -> Any:
    """A = Q R, Q orthogonal and R upper triangular: (..., m, k) and (..., k, n), k = min(m, n) or m ("complete").

    Raises:
        RuntimeError: not matrices of floating point, or an unknown mode.
    """
    return _qr(A, mode, return_types.linalg_qr)


@op("function", "method", "out")
def qr(input: Tensor, some: bool = True) -> Any:
    """As `linalg.qr`, "reduced" where `some` is set and "complete" otherwise."""
    return _qr(input, "reduced" if some else "complete", return_types.qr)


# -- singular values


class LinalgSvdBackward0(Node):
    """A = U diag(S) Vᵀ; see `svd_backward`."""

    saved_names = ("U", "S", "Vh")

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        g_u, g_s, g_vh = grads
        if g_u is None and g_s is None and g_vh is None:
            return (None,)
        u, s, vh = self._saved_U, self._saved_S, self._saved_Vh
        k = s.shape[-1]
        if g_u is not None:
            g_u = g_u.narrow(-1, 0, k)
        if g_vh is not None:
            g_vh = g_vh.narrow(-2, 0, k)
        return (svd_backward(g_u, g_s, g_vh, u.narrow(-1, 0, k), s, vh.narrow(-2, 0, k)),)


def svd_backward(
    g_u: Tensor | None, g_s: Tensor | None, g_vh: Tensor | None, u: Tensor, s: Tensor, vh: Tensor
) -> Tensor:
    """U [(skew(Uᵀ g_U) S + S skew(Vᵀ g_V)) / E + diag(g_S)] Vᵀ, E_ij = S_j² - S_i², and what lies outside the spans of U and V."""
    m, n = u.shape[-2], vh.shape[-1]
    if g_u is None and g_vh is None:
        assert g_s is not None
        return u @ (g_s.unsqueeze(-1) * vh) if m >= n else (u * g_s.unsqueeze(-2)) @ vh
    squares = s * s
    gaps = squares.unsqueeze(-2) - squares.unsqueeze(-1)
    gaps = gaps + functions["eye"](s.shape[-1], dtype=s.dtype, device=s.device)

    def skew(x: Tensor) -> Tensor:
        return x - x.mT

    inner: Any = None
    if g_u is not None:
        inner = skew(u.mT @ g_u) / gaps * s.unsqueeze(-2)
    if g_vh is not None:
        part = s.unsqueeze(-1) * (skew(vh @ g_vh.mT) / gaps)
        inner = part if inner is None else inner + part
    if g_s is not None:
        inner = inner + g_s.diag_embed()
    if m > n and g_u is not None:
        beside = g_u / s.unsqueeze(-2)
        return (u @ inner + beside - u @ (u.mT @ beside)) @ vh
    if m < n and g_vh is not None:
        beside = g_vh / s.unsqueeze(-1)
        return u @ (inner @ vh + beside - (beside @ vh.mT) @ vh)
    return u @ (inner @ vh) if m >= n else (u @ inner) @ vh


def _svd_arrays(x: Any, full_matrices: bool) -> tuple[Any, Any, Any]:
    u, s, vh = np.linalg.svd(x, full_matrices=full_matrices)
    return column_major(u), s, column_major(vh)


@op("function", "out", name="linalg.svd")
def svd(A: Tensor, full_matrices: bool = True, *, driver: Any = None) -> Any:
    """A = U diag(S) Vᵀ, singular values falling: U (..., m, m), S (..., k), Vh (..., n, n), k = min(m, n); without
    `full_matrices` U (..., m, k) and Vh (..., k, n)."""
    x = A._array
    check_matrix("linalg.svd", x)
    check_floating("linalg.svd", x)
    arrays = _svd_arrays(x, full_matrices)
    saved = ((RESULT, 0), (RESULT, 1), (RESULT, 2))
    return return_types.linalg_svd(record_many(LinalgSvdBackward0, arrays, (A,), saved))


@op("function", "out", name="linalg.svdvals")
def svdvals(A: Tensor, *, driver: Any = None) -> Tensor:
    """The singular values, falling."""
    check_matrix("linalg.svdvals", A._array)
    check_floating("linalg.svdvals", A._array)
    if A.requires_grad:
        return svd(A, full_matrices=False)[1]
    return Tensor._wrap(np.linalg.svd(A._array, compute_uv=False))


def _old_svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    """U, S, V with V not transposed; zeros for U and V without `compute_uv`."""
    check_matrix("linalg.svd", input._array)
    if not compute_uv:
        s = svdvals(input)
        m, n = input.shape[-2:]
        zeros = input._array
        u, v = (Tensor._wrap(np.zeros_like(zeros, shape=(*zeros.shape[:-2], k, k))) for k in (m, n))
        return return_types.svd((u, s, v))
    u, s, vh = svd(input, full_matrices=not some)
    return return_types.svd((u, s, vh.mT))


op("function", "method", "out", name="svd")(_old_svd)


# -- eigenvalues of symmetric matrices


class LinalgEighBackward0(Node):
    """A = V diag(L) Vᵀ:  ∂A = V [diag(g_L) + ½ skew(Vᵀ g_V) / E] Vᵀ, E_ij = L_j - L_i."""

    saved_names = ("eigenvalues", "eigenvectors")

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        g_l, g_v = grads
        values, v = self._saved_eigenvalues, self._saved_eigenvectors
        if g_v is None:
            return (None if g_l is None else v @ (g_l.unsqueeze(-1) * v.mT),)
        gaps = values.unsqueeze(-2) - values.unsqueeze(-1)
        eye = functions["eye"](values.shape[-1], dtype=values.dtype, device=values.device)
        turned = v.mT @ g_v
        inner = (turned - turned.mT) * 0.5 / (gaps + eye)
        if g_l is not None:
            inner = inner + g_l.diag_embed()
        return (v @ (inner @ v.mT),)


@op("function", "out", name="linalg.eigh")
def eigh(A: Tensor, UPLO: str = "L") -> Any:
    """The eigenvalues, rising, and eigenvectors of symmetric matrices, of which one triangle is read.

    Raises:
        RuntimeError: not square matrices of floating point, or UPLO is neither "L" nor "U".
    """
    x = A._array
    _check_eigh("linalg.eigh", x, UPLO)
    values, vectors = np.linalg.eigh(x, UPLO.upper())  # type: ignore[call-overload]
    outs = record_many(LinalgEighBackward0, (values, column_major(vectors)), (A,), ((RESULT, 0), (RESULT, 1)))
    return return_types.linalg_eigh(outs)


def _check_eigh(name: str, x: Any, uplo: str) -> None:
    check_square(name, x)
    check_floating(name, x)
    if uplo.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {uplo}")


@op("function", "out", name="linalg.eigvalsh")
def eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    """The eigenvalues of symmetric matrices, rising."""
    _check_eigh("linalg.eigvalsh", A._array, UPLO)
    return eigh(A, UPLO)[0]
