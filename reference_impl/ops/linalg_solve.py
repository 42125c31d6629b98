"""Inverses and systems of linear equations: inv, solve, solve_triangular, det, slogdet, tensorsolve, ...

The pseudo-inverse and least squares are in `linalg_least_squares`."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from reference_impl import _backend, return_types
from reference_impl._memory_order import column_major
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import RESULT, record, record_many
from reference_impl.ops import linalg_kernels as kernels
from reference_impl.ops.linalg_checks import check_floating, check_square, raise_on
from reference_impl.ops.registry import functions, op


def _singular(name: str, what: str) -> Any:
    return lambda info: (
        name,
        f"The diagonal element {info} is zero, the {what} could not be completed because the input matrix is singular.",
    )


class LinalgInvExBackward0(Node):
    """out = self⁻¹:  ∂self = -outᵀ · g · outᵀ."""

    saved_names = ("inverse",)

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        g = grads[0]
        if g is None:
            return (None,)
        inverse = self._saved_inverse
        return (-(inverse.mT @ (g @ inverse.mT)),)


@op("function", "out", name="linalg.inv_ex")
def inv_ex(A: Tensor, *, check_errors: bool = False) -> Any:
    """The inverses and, per matrix, 0 or the number of the pivot that is 0.

    Raises:
        RuntimeError: not square matrices of floating point; with `check_errors` also for a singular one.
    """
    x = A._array
    check_square("linalg.inv", x)
    check_floating("linalg.inv", x)
    inverse, info = _inverse(x)
    if check_errors:
        raise_on(info, _singular("linalg.inv_ex", "inversion"))
    return return_types.linalg_inv_ex(record_many(LinalgInvExBackward0, (inverse, info), (A,), ((RESULT, 0),)))


def _inverse(x: Any) -> tuple[Any, Any]:
    try:
        with _backend.linalg_errors(x):
            return column_major(np.linalg.inv(x)), np.zeros_like(x, dtype=np.int32, shape=x.shape[:-2])
    except np.linalg.LinAlgError:
        factors, _, info = kernels.lu(x)
        return factors, info


@op("function", "out", name="linalg.inv")
def inv(A: Tensor) -> Tensor:
    """The inverses.

    Raises:
        LinAlgError: a matrix is singular.
        RuntimeError: not square matrices of floating point.
    """
    result, info = inv_ex(A)
    raise_on(info._array, _singular("linalg.inv", "inversion"))
    return result


op("function", "method", "out", name="inverse")(inv)


# -- systems of equations


def is_vector_case(a: Any, b: Any) -> bool:
    """Whether `b` holds vectors rather than matrices: torch's `linalg_solve_is_vector_rhs`."""
    return b.ndim == 1 or (a.ndim - 1 == b.ndim and b.shape == a.shape[:-1])


class LinalgSolveExBackward0(Node):
    """out = A⁻¹ B:  ∂B = A⁻ᵀ g,  ∂A = -∂B · outᵀ."""

    saved_names = ("A", "result")
    left: bool
    vector: bool

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        g = grads[0]
        if g is None:
            return None, None
        a, x = self._saved_A, self._saved_result
        if self.vector:
            g, x = g.unsqueeze(-1), x.unsqueeze(-1)
        to_b = solve_ex(a.mT, g, left=self.left)[0]
        to_a = None
        if self.needs_grad(0):
            to_a = -(to_b @ x.mT) if self.left else -(x.mT @ to_b)
        return to_a, to_b.squeeze(-1) if self.vector else to_b


@op("function", "out", name="linalg.solve_ex")
def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False) -> Any:
    """X with A X = B (X A = B where `left` is False) and, per matrix, 0 or the number of the pivot that is 0.

    Raises:
        RuntimeError: shapes that don't fit, or not floating point; with `check_errors` also for a singular matrix.
    """
    a, b = A._array, B._array
    check_floating("linalg.solve", a)
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"linalg.solve: Expected A and B to have the same dtype, but found A of type {A.dtype.tensor_type} and B of type "
            f"{B.dtype.tensor_type} instead"
        )
    vector = is_vector_case(a, b)
    columns = b[..., None] if vector else b
    check_square("linalg.solve", a)
    if columns.ndim < 2:
        raise RuntimeError("linalg.solve: The input tensor B must have at least 2 dimensions.")
    if not left and vector:
        raise RuntimeError("linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. In this case "
                           "linalg.solve is equivalent to B / A.squeeze(-1)")  # fmt: skip
    if a.shape[-1] != columns.shape[-2 if left else -1]:
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} "
            f"({a.shape[-2]}x{a.shape[-1]} and {columns.shape[-2]}x{columns.shape[-1]})"
        )
    _check_batch("linalg.solve", a, columns)
    x, info = _solved(a, columns, left)
    if check_errors:
        raise_on(info, lambda _: ("torch.linalg.solve_ex", "The solver failed because the input matrix is singular."))
    result = x[..., 0] if vector else x
    if left:
        result = column_major(result)
    outs = record_many(LinalgSolveExBackward0, (result, info), (A, B), (A, (RESULT, 0)), left=left, vector=vector)
    return return_types.linalg_solve_ex(outs)


def _check_batch(name: str, a: Any, b: Any) -> None:
    try:
        np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        pairs = zip(reversed(a.shape[:-2]), reversed(b.shape[:-2]), strict=False)
        offset, (n, m) = next((k, p) for k, p in enumerate(pairs) if p[0] != p[1] and 1 not in p)
        dim = max(a.ndim, b.ndim) - 3 - offset
        raise RuntimeError(
            f"The size of tensor a ({n}) must match the size of tensor b ({m}) at non-singleton dimension {dim}"
        ) from None


def _solved(a: Any, b: Any, left: bool) -> tuple[Any, Any]:
    try:
        with _backend.linalg_errors(a):
            x = (
                np.linalg.solve(a, b)
                if left
                else np.swapaxes(np.linalg.solve(np.swapaxes(a, -2, -1), np.swapaxes(b, -2, -1)), -2, -1)
            )
        return x, np.zeros_like(a, dtype=np.int32, shape=a.shape[:-2])
    except np.linalg.LinAlgError:
        _, _, info = kernels.lu(a)
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        return np.full_like(b, np.nan, shape=(*batch, *b.shape[-2:])), info


@op("function", "out", name="linalg.solve")
def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """X with A X = B, or X A = B where `left` is False.

    Raises:
        LinAlgError: a matrix is singular.
        RuntimeError: shapes that don't fit, or not floating point.
    """
    result, info = solve_ex(A, B, left=left)
    raise_on(info._array, lambda _: ("torch.linalg.solve", "The solver failed because the input matrix is singular."))
    return result


class LinalgSolveTriangularBackward0(Node):
    """out = A⁻¹ B, A triangular:  ∂B = A⁻ᵀ g,  ∂A = the triangle of -∂B · outᵀ."""

    saved_names = ("self", "result")
    upper: bool
    left: bool
    unitriangular: bool

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        (g,) = grads
        if g is None:
            return None, None
        a, x = self._saved_self, self._saved_result
        to_b = solve_triangular(a.mT, g, upper=not self.upper, left=self.left, unitriangular=self.unitriangular)
        to_a = None
        if self.needs_grad(0):
            full = -(to_b @ x.mT) if self.left else -(x.mT @ to_b)
            offset = 1 if self.unitriangular else 0
            to_a = full.triu(offset) if self.upper else full.tril(-offset)
        return to_a, to_b if self.needs_grad(1) else None


@op("function", "out", name="linalg.solve_triangular")
def solve_triangular(A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Tensor:
    """X with A X = B (X A = B where `left` is False) for triangular A, of which only that triangle is read.

    Args:
        unitriangular: take the diagonal of A as 1.

    Raises:
        RuntimeError: shapes that don't fit.
    """
    a, b = A._array, B._array
    check_square("linalg.solve_triangular", a)
    if b.ndim < 2:
        raise RuntimeError("linalg.solve_triangular: The input tensor B must have at least 2 dimensions.")
    if a.shape[-1] != b.shape[-2 if left else -1]:
        raise RuntimeError(
            f"linalg.solve_triangular: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} "
            f"({a.shape[-2]}x{a.shape[-1]} and {b.shape[-2]}x{b.shape[-1]})"
        )
    if left:
        x = kernels.substitute(a, b, upper, unitriangular)
    else:
        x = np.swapaxes(
            kernels.substitute(np.swapaxes(a, -2, -1), np.swapaxes(b, -2, -1), not upper, unitriangular), -2, -1
        )
    return record(
        LinalgSolveTriangularBackward0,
        column_major(x),
        (A, B),
        (A, RESULT),
        upper=upper,
        left=left,
        unitriangular=unitriangular,
    )


# -- determinants


def _diagonal_matrix(g: Tensor, n: int) -> Tensor:
    """g on the diagonal of n x n matrices."""
    return g.unsqueeze(-1).expand(*g.shape, n).diag_embed()


class LinalgDetBackward0(Node):
    """out = det A:  ∂A = g · out · A⁻ᵀ; for a singular matrix, where that does not exist, g · adj(A)ᵀ."""

    saved_names = ("A", "result")

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        g = grads[0]
        if g is None:
            return (None,)
        a, det = self._saved_A, self._saved_result
        n = a.shape[-1]
        if not n or not det.numel():
            return (functions["zeros_like"](a),)
        singular = np.abs(det._array) < 100 * np.finfo(a._array.dtype).eps
        if not singular.any():
            return (solve_ex(a.mT, _diagonal_matrix(g * det, n))[0],)
        if singular.all():
            return (_adjugate(a, g),)
        mask = Tensor._wrap(singular)
        safe = functions["where"](mask[..., None, None], functions["eye"](n, dtype=a.dtype, device=a.device), a)
        regular = solve_ex(safe.mT, _diagonal_matrix(g * det, n))[0]
        return (functions["where"](mask[..., None, None], _adjugate(a, g), regular),)


def _adjugate(a: Tensor, g: Tensor) -> Tensor:
    """g · adj(A)ᵀ by the singular values (Higham, "What is the adjugate of a matrix?"): U γ Vᵀ · det U · det V, γ the products
    of all singular values but one."""
    from reference_impl.ops.linalg_decompositions import svd

    u, s, vh = svd(a)
    n = s.shape[-1]
    sign = det(u) * det(vh)
    others = functions["stack"]([functions["cat"]([s[..., :i], s[..., i + 1 :]], -1).prod(-1) for i in range(n)], -1)
    gamma = (sign * g).unsqueeze(-1) * others
    return (u * gamma.unsqueeze(-2)) @ vh


@op("function", "out", name="linalg.det")
def det(A: Tensor) -> Tensor:
    """The determinants.

    Raises:
        RuntimeError: not square matrices of floating point.
    """
    x = A._array
    check_square("linalg.det", x)
    check_floating("linalg.det", x)
    return record(LinalgDetBackward0, np.linalg.det(x).astype(x.dtype), (A,), (A, RESULT))


op("function", "method", name="det")(det)


class LinalgSlogdetBackward0(Node):
    """out = log |det A|:  ∂A = g · A⁻ᵀ (the sign is a staircase)."""

    saved_names = ("A", "sign")

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        g = grads[1]
        self.check_saved()  # also the sign, which only complex numbers need
        if g is None:
            return (None,)
        a = self._saved_A
        return (solve_ex(a.mT, _diagonal_matrix(g, a.shape[-1]))[0],)


def _slogdet(A: Tensor, name: str, kind: Any) -> Any:
    x = A._array
    check_square(name, x)
    check_floating(name, x)
    sign, logabsdet = np.linalg.slogdet(x)
    arrays = [v.astype(x.dtype) for v in (sign, logabsdet)]
    return kind(record_many(LinalgSlogdetBackward0, arrays, (A,), (A, (RESULT, 0)), differentiable=(True, True)))


@op("function", "out", name="linalg.slogdet")
def linalg_slogdet(A: Tensor) -> Any:
    """The signs of the determinants and the logarithms of their absolute values."""
    return _slogdet(A, "linalg.slogdet", return_types.linalg_slogdet)


@op("function", "method", "out")
def slogdet(input: Tensor) -> Any:
    """As `linalg.slogdet`."""
    return _slogdet(input, "linalg.slogdet", return_types.slogdet)


@op("function", "method")
def logdet(input: Tensor) -> Tensor:
    """The logarithms of the determinants; nan where one is negative."""
    check_square("logdet", input._array)
    sign, logabsdet = _slogdet(input, "logdet", return_types.slogdet)
    return functions["where"](sign == -1.0, float("nan"), logabsdet)


# -- tensors as matrices


@op("function", "out", name="linalg.tensorinv")
def tensorinv(A: Tensor, ind: int = 2) -> Tensor:
    """The inverse of A as a matrix of its first `ind` dimensions by the others."""
    if ind <= 0:
        raise RuntimeError("Expected a strictly positive integer for 'ind'")
    front, back = A.shape[:ind], A.shape[ind:]
    if prod(front) != prod(back):
        raise RuntimeError(
            f"Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got {prod(back)} != "
            f"{prod(front)}"
        )
    return inv(A.reshape(prod(back), prod(front))).reshape(*back, *front)


@op("function", "out", name="linalg.tensorsolve")
def tensorsolve(A: Tensor, B: Tensor, dims: Any = None) -> Tensor:
    """X with tensordot(A, X, X.ndim) = B; `dims` of A are moved to the end first."""
    if dims is not None:
        A = A.movedim(tuple(dims), tuple(range(A.ndim - len(dims), A.ndim)))
    shape = A.shape[B.ndim :]
    if prod(shape) != prod(A.shape[: B.ndim]):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but got "
            f"{prod(shape)} != {prod(A.shape[: B.ndim])}"
        )
    matrix = A.reshape(prod(shape), prod(A.shape[: B.ndim])) if shape else A.reshape(1, 1)
    return solve(matrix, B.flatten()).reshape(shape)
