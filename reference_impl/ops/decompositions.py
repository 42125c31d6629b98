"""Inverses, determinants and decompositions of matrices, or of stacks of them: (..., m, n)."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import return_types
from reference_impl._backend import as_array, contiguous
from reference_impl.core.declare import check_broadcast, operation
from reference_impl.core.node import Node
from reference_impl.core.record import record_many
from reference_impl.core.saving import Result
from reference_impl.core.tensor import Tensor
from reference_impl.ops.joining import cat
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import op
from reference_impl.ops.where import where


class LinAlgError(RuntimeError):
    """The error for a matrix that is singular."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"
LinAlgError.__module__ = "torch._C"


def check_matrices(name: str, input: Tensor, kernel: str = "", allows_half: bool = False) -> None:
    """Raise RuntimeError unless `input` is a matrix or a stack of matrices, floating point and not float16.

    Args:
        name: the function, for errors.
        kernel: torch's name of the kernel that refuses float16; without one, the function refuses it.
        allows_half: whether float16 is accepted.
    """
    if input._array.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if input._array.dtype.kind != "f":
        kind = input.dtype.tensor_type
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {kind}")
    if input._array.dtype == np.float16 and not allows_half:
        if kernel:
            refuse_dtype(kernel, input._array.dtype)
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got Half")


def _check_square(name: str, input: Tensor, kernel: str = "") -> None:
    """Raise RuntimeError unless `input` is a square matrix or a stack of them, and passes `check_matrices`."""
    _check_sides(name, input)
    check_matrices(name, input, kernel)


def _check_sides(name: str, input: Tensor) -> None:
    """Raise RuntimeError if `input` is a matrix or a stack of matrices, and these are not square."""
    if input._array.ndim >= 2 and input._array.shape[-1] != input._array.shape[-2]:
        m, n = input._array.shape[-2:]
        raise RuntimeError(f"{name}: A must be batches of square matrices, but they are {m} by {n} matrices")


def _singular(message: str, name: str, matrices: Any) -> LinAlgError:
    """Return torch's error for the first of `matrices` that is singular.

    Args:
        message: its text. `{}` stands for the number of the first column that depends on the columns before it.
        name: the function.
    """
    size = matrices.shape[-1]
    for i, matrix in enumerate(matrices.reshape(-1, size, size)):
        batch = f"(Batch element {i}): " if matrices.ndim > 2 else ""
        for k in range(1, size + 1):
            if np.linalg.matrix_rank(matrix[:, :k]) < k:
                return LinAlgError(f"{name}: {batch}{message.format(k)} because the input matrix is singular.")
    return LinAlgError(f"{name}: the input matrix is singular.")


def _by_columns(a: Any) -> Any:
    """Return the matrices `a` in column-major order, as LAPACK stores them."""
    return np.swapaxes(contiguous(np.swapaxes(a, -2, -1)), -2, -1)


# -- the inverse and linear systems


@operation("LinalgInvExBackward0", self=lambda g, result: -(result.mT @ g @ result.mT))
def _inverse(self: Any) -> Any:
    try:
        return _by_columns(np.linalg.inv(self))
    except np.linalg.LinAlgError:
        message = "The diagonal element {} is zero, the inversion could not be completed"
        raise _singular(message, "linalg.inv", self) from None


@op("function", "out_exact", name="linalg.inv")
def linalg_inv(A: Tensor) -> Tensor:
    """Return the inverse of square matrices: (..., n, n).

    Raises:
        RuntimeError: `A` is not of float32 or float64, its matrices are not square, or one is singular.
    """
    _check_square("linalg.inv", A)
    return _inverse(A)


@op("function", "method", "out_exact")
def inverse(input: Tensor) -> Tensor:
    """Return the inverse of square matrices, as `linalg.inv` does."""
    return linalg_inv(input)


def _is_vector(A: Any, B: Any) -> bool:
    """Return whether B in A · X = B is a vector, or a vector per matrix of A."""
    return B.ndim == 1 or B.shape == A.shape[:-1]


@operation("LinalgSolveExBackward0", A=lambda g, A, result, left: _solve_grad_a(g, A, result, left),
           B=lambda g, A, left: _solve_grad_b(g, A, left))  # fmt: skip
def _solve(A: Any, B: Any, left: bool) -> Any:
    """`A⁻¹ · B`, or `B · A⁻¹` if `left` is False

    B may also be a vector, or a vector per matrix.
    """
    try:
        if _is_vector(A, B):
            result = np.linalg.solve(A, B[..., None])[..., 0]
            return _by_columns(result) if result.ndim > 1 else result
        if left:
            return _by_columns(np.linalg.solve(A, B))
        return contiguous(np.swapaxes(np.linalg.solve(np.swapaxes(A, -2, -1), np.swapaxes(B, -2, -1)), -2, -1))
    except np.linalg.LinAlgError:
        raise _singular("The solver failed", "torch.linalg.solve", A) from None


def _solve_grad_b(g: Tensor, A: Tensor, left: bool) -> Tensor:
    """`A⁻ᵀ · g`, or `g · A⁻ᵀ` if `left` is False"""
    if _is_vector(A, g):
        return _solve(A.mT, g.unsqueeze(-1), left).squeeze(-1)
    return _solve(A.mT, g, left)


def _solve_grad_a(g: Tensor, A: Tensor, result: Tensor, left: bool) -> Tensor:
    """`-A⁻ᵀ · g · resultᵀ`, or `-resultᵀ · g · A⁻ᵀ` if `left` is False"""
    if _is_vector(A, g):
        g, result = g.unsqueeze(-1), result.unsqueeze(-1)
    to_b = _solve(A.mT, g, left)
    return -(to_b @ result.mT) if left else -(result.mT @ to_b)


@op("function", "out_exact", name="linalg.solve")
def linalg_solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """Return X with A · X = B: (..., n, n) and (..., n, k) -> (..., n, k). `B` may also be a vector, (n), or one per matrix, (..., n).

    Args:
        left: whether A is on the left; otherwise, X · A = B.

    Raises:
        RuntimeError: the operands are not of float32 or float64, dtypes or shapes don't fit, or a matrix is singular.
    """
    check_matrices("linalg.solve", A)
    a, b = A._array, B._array
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"linalg.solve: Expected A and B to have the same dtype, but found A of type {A.dtype.tensor_type} and B of type "
            f"{B.dtype.tensor_type} instead"
        )
    _check_sides("linalg.solve", A)
    if b.ndim == 0:
        raise RuntimeError("linalg.solve: The input tensor B must have at least 2 dimensions.")
    shape = (*b.shape, 1) if _is_vector(a, b) else b.shape
    if shape[-2 if left else -1] != a.shape[-1]:
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} "
            f"({a.shape[-2]}x{a.shape[-1]} and {shape[-2]}x{shape[-1]})"
        )
    check_broadcast(shape[:-2], a.shape[:-2])
    return _solve(A, B, left)


# -- the determinant


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
    return linalg_det(input)


@op("function", "out_exact", name="linalg.det")
def linalg_det(A: Tensor) -> Tensor:
    """Return the determinant of square matrices, as `det` does."""
    _check_square("linalg.det", A, "lu_cpu")
    return _det(A)


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


def _svd(A: Tensor, full_matrices: bool, driver: str | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Return U, S and Vh with A = U · diag(S) · Vh."""
    if driver is not None:
        message = "keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend."
        raise RuntimeError(f"torch.linalg.svd: {message}")
    check_matrices("linalg.svd", A, "linalg_svd_cpu")
    u, s, vh = np.linalg.svd(A._array, full_matrices=full_matrices)
    saved = (Result(0), Result(1), Result(2))
    return record_many(LinalgSvdBackward0, (_by_columns(u), s, _by_columns(vh)), (A,), saved)  # type: ignore[return-value]


@op("function", name="linalg.svd")
def linalg_svd(A: Tensor, full_matrices: bool = True, *, driver: str | None = None) -> Any:
    """Return the named tuple (U, S, Vh) with A = U · diag(S) · Vh, for (..., m, n). S, (..., k), is in descending order.

    Args:
        full_matrices: whether U and Vh are square; otherwise U is (..., m, k) and Vh is (..., k, n) with k = min(m, n).

    Raises:
        RuntimeError: `A` is not of float32 or float64, or has fewer than two dimensions.
    """
    return return_types.linalg_svd(_svd(A, full_matrices, driver))


@op("function", "out_exact", name="linalg.svdvals")
def linalg_svdvals(A: Tensor, *, driver: str | None = None) -> Tensor:
    """Return the singular values of matrices, in descending order: (..., m, n) -> (..., min(m, n))."""
    return _svd(A, False, driver)[1]


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
    if ndim < 2:
        raise RuntimeError(f"linalg.svd: input should have at least 2 dimensions, but has {ndim} dimensions instead")
    results = _svd(input, not some)
    if not compute_uv:
        m, n = input._array.shape[-2:]
        s = results[1]._array
        squares = [np.zeros_like(s, shape=(*s.shape[:-1], size, size)) for size in (m, n)]
        return return_types.svd((Tensor._wrap(squares[0]), results[1], Tensor._wrap(squares[1])))
    return return_types.svd((results[0], results[1], results[2].mT))


# -- the decomposition into an orthogonal and a triangular matrix


class LinalgQrBackward0(Node):
    """A = Q · R: the gradient of A is computed from the gradients of Q and R together, see `apply`."""

    saved_names = ("Q", "R")
    mode: str

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradient of A from the gradients gQ and gR. Each may be None; if both are, return None.

            gA = (Q · sym(triu(gR · Rᵀ - Qᵀ · gQ)) + gQ) · R⁻ᵀ

        sym(X) = X + Xᵀ with the diagonal of X. If A has more columns than rows, this is the gradient of the first, square part of A; the
        columns A₂ = Q · R₂ of the rest receive Q · gR₂ and add A₂ · gR₂ᵀ to gQ.

        Raises:
            RuntimeError: Q is not computed (mode "r"), or not unique.
        """
        g_q, g_r = grads
        if g_q is None and g_r is None:
            return (None,)
        if self.mode == "r":
            raise RuntimeError(
                "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. "
                "Please use linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr."
            )
        q, r = self._saved_Q, self._saved_R
        m, n = q.shape[-2], r.shape[-1]
        if self.mode == "complete" and m > n:
            raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")
        rest = None
        if m < n and g_r is not None:
            r_rest, g_rest = r[..., m:], g_r[..., m:]
            rest = q @ g_rest
            from_rest = q @ (r_rest @ g_rest.mT)
            g_q, g_r = from_rest if g_q is None else g_q + from_rest, g_r[..., :m]
        r = r[..., :m]
        inner: Any = 0 if g_r is None else g_r @ r.mT
        if g_q is not None:
            inner = inner - q.mT @ g_q
        inner = inner.triu()
        total = q @ (inner + inner.triu(1).mT)
        to_first = _solve(r.mT, total if g_q is None else total + g_q, False)
        if m >= n:
            return (to_first,)
        return (cat([to_first, to_first.new_zeros(*to_first.shape[:-1], n - m) if rest is None else rest], -1),)


@op("function", name="linalg.qr")
def linalg_qr(A: Tensor, mode: str = "reduced") -> Any:
    """Return the named tuple (Q, R) with A = Q · R, for (..., m, n). The columns of Q are orthonormal, R is upper triangular.

    Args:
        mode: "reduced" for Q of shape (..., m, k) with k = min(m, n), "complete" for square Q, "r" for an empty Q.

    Raises:
        RuntimeError: `A` is not of float32 or float64 or has fewer than two dimensions, or `mode` is unknown.
    """
    check_matrices("linalg.qr", A)
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    if mode == "r":
        q, r = np.empty_like(A._array, shape=0), np.linalg.qr(A._array, "r")
    else:
        q, r = np.linalg.qr(A._array, mode)  # type: ignore[call-overload]
        q = _by_columns(q)
    return return_types.linalg_qr(
        record_many(LinalgQrBackward0, (q, _by_columns(r)), (A,), (Result(0), Result(1)), mode=mode)
    )


# -- eigenvalues of symmetric matrices


class LinalgEighBackward0(Node):
    """A = V · diag(L) · Vᵀ: the gradient of A is computed from the gradients of L and V together, see `apply`."""

    saved_names = ("eigenvalues", "eigenvectors")

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradient of A from the gradients gL and gV. Each may be None; if both are, return None.

            gA = V · (diag(gL) + sk(Vᵀ · gV) / E) · Vᵀ

        sk(X) = (X - Xᵀ) / 2. The division by E is elementwise: E_ij = L_j - L_i for i ≠ j, and 1 on the diagonal.
        """
        g_l, g_v = grads
        values, vectors = self._saved_eigenvalues, self._saved_eigenvectors
        if g_v is None:
            return (None if g_l is None else (vectors * g_l.unsqueeze(-2)) @ vectors.mT,)
        unit = Tensor._wrap(np.eye(values.shape[-1], dtype=values._array.dtype, like=values._array))
        x = vectors.mT @ g_v
        inner = (x - x.mT) * 0.5 / (values.unsqueeze(-2) - values.unsqueeze(-1) + unit)
        return (vectors @ (inner if g_l is None else inner + g_l.diag_embed()) @ vectors.mT,)


@op("function", name="linalg.eigh")
def linalg_eigh(A: Tensor, UPLO: str = "L") -> Any:
    """Return the named tuple (eigenvalues, eigenvectors) of symmetric matrices: (..., n, n) -> (..., n) and (..., n, n).

    The eigenvalues are in ascending order. The columns of the second tensor are the eigenvectors.

    Args:
        UPLO: the triangle of `A` that is read: "L", the lower one, or "U".

    Raises:
        RuntimeError: `A` is not of float32 or float64, its matrices are not square, or `UPLO` is unknown.
    """
    _check_square("linalg.eigh", A, "linalg_eigh_cpu")
    if UPLO.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    values, vectors = np.linalg.eigh(A._array, UPLO)  # type: ignore[call-overload]
    saved = (Result(0), Result(1))
    return return_types.linalg_eigh(record_many(LinalgEighBackward0, (values, _by_columns(vectors)), (A,), saved))


@op("function", "out_exact", name="linalg.eigvalsh")
def linalg_eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    """Return the eigenvalues of symmetric matrices in ascending order, see `linalg.eigh`."""
    return linalg_eigh(A, UPLO)[0]  # type: ignore[no-any-return]
