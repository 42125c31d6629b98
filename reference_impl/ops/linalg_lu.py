"""A = P L U: lu, lu_factor, lu_unpack, lu_solve, and the older triangular_solve."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from reference_impl import _backend, return_types
from reference_impl._memory_order import column_major
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import RESULT, record, record_many
from reference_impl.ops import linalg_kernels as kernels
from reference_impl.ops.linalg_checks import check_floating, check_square, raise_on
from reference_impl.ops.linalg_solve import solve_triangular
from reference_impl.ops.padding import constant_pad_nd
from reference_impl.ops.registry import functions, op


def _checked(name: str, A: Tensor, pivot: bool) -> Any:
    """The array of A.

    Raises:
        RuntimeError: not matrices, not floating point, or without pivoting, which torch does not offer on the CPU.
    """
    x = A._array
    if x.ndim < 2:
        raise RuntimeError(f"{name}: Expected tensor with 2 or more dimensions. Got size: {list(x.shape)} instead")
    check_floating("linalg.lu_factor" if "factor" in name else name, x)
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")
    return x


def _singular(name: str) -> Any:
    return lambda info: (
        f"torch.linalg.{name}",
        f"U[{info},{info}] is zero and using it on lu_solve would result in a division by zero. If you still want to perform "
        "the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)",
    )


def _unpacked(lu: Any) -> tuple[Any, Any]:
    """L with ones on its diagonal, and U."""
    k = min(lu.shape[-2:])
    lower = np.tril(lu[..., :, :k], -1) + _backend.to_device_of(np.eye(lu.shape[-2], k, dtype=lu.dtype), lu)
    return _backend.contiguous(lower), _backend.contiguous(np.triu(lu[..., :k, :]))


def lu_backward(g_l: Tensor | None, g_u: Tensor | None, P: Tensor, L: Tensor, U: Tensor) -> Tensor | None:
    """∂A from ∂L and ∂U, with A = P L U of shape (..., m, n) and k = min(m, n).

    With M = L⁻¹ Pᵀ dA U⁻¹ of the leading k by k blocks, L⁻¹ dL is the part of M below the diagonal and dU U⁻¹ the rest; what
    lies beyond the blocks is linear in dA. (Walter and Lehmann, "On evaluating higher-order derivatives of the QR
    decomposition of tall matrices ...", section on LU.)
    """
    if g_l is None and g_u is None:
        return None
    m, n, k = L.shape[-2], U.shape[-1], L.shape[-1]
    g_l = functions["zeros_like"](L) if g_l is None else g_l
    g_u = functions["zeros_like"](U) if g_u is None else g_u
    l1, u1 = L.narrow(-2, 0, k), U.narrow(-1, 0, k)
    below = l1.mT @ g_l.narrow(-2, 0, k)
    above = g_u.narrow(-1, 0, k) @ u1.mT
    if n > k:
        below = below - g_u.narrow(-1, k, n - k) @ U.narrow(-1, k, n - k).mT
    if m > k:
        above = above - L.narrow(-2, k, m - k).mT @ g_l.narrow(-2, k, m - k)
    inner = solve_triangular(u1.mT, below.tril(-1) + above.triu(), upper=False, left=False)
    if n > k:
        inner = functions["cat"]([inner, g_u.narrow(-1, k, n - k)], -1)
    inner = solve_triangular(l1.mT, inner, upper=True, unitriangular=True)
    if m > k:
        beyond = solve_triangular(u1.mT, g_l.narrow(-2, k, m - k), upper=False, left=False)
        inner = functions["cat"]([inner, beyond], -2)
    return P @ inner


class LinalgLuBackward0(Node):
    """(P, L, U): see `lu_backward`."""

    saved_names = ("P", "L", "U")
    pivot: bool

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        return (lu_backward(grads[1], grads[2], self._saved_P, self._saved_L, self._saved_U),)


@op("function", "out_exact", name="linalg.lu")
def linalg_lu(A: Tensor, *, pivot: bool = True) -> Any:
    """The named tuple (P, L, U) with A = P L U: a permutation, a lower triangle with ones, an upper triangle.

    Raises:
        RuntimeError: not matrices of floating-point numbers.
    """
    x = _checked("linalg.lu", A, pivot)
    packed, pivots, _ = kernels.lu(x)
    arrays = (kernels.permutation_matrix(pivots, x.shape[-2], x.dtype), *_unpacked(packed))
    saved = [(RESULT, i) for i in range(3)]
    return return_types.linalg_lu(record_many(LinalgLuBackward0, arrays, (A,), saved, (False, True, True), pivot=pivot))


class LinalgLuFactorExBackward0(Node):
    """LU holds L below its diagonal and U: see `lu_backward`."""

    saved_names = ("LU", "pivots")
    pivot: bool

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        g, packed = grads[0], self._saved_LU
        if g is None:
            return (None,)
        P, L, U = lu_unpack(packed, self._saved_pivots)
        k = L.shape[-1]
        return (lu_backward(g.narrow(-1, 0, k).tril(-1), g.narrow(-2, 0, k).triu(), P, L, U),)


@op("function", "out_exact", name="linalg.lu_factor_ex")
def lu_factor_ex(A: Tensor, *, pivot: bool = True, check_errors: bool = False) -> Any:
    """The named tuple (LU, pivots, info): L and U in one matrix, the row (from 1) that each row was exchanged with, and the
    number of the first pivot that is 0.

    Raises:
        RuntimeError: not matrices; with `check_errors` a pivot that is 0.
    """
    return _factored(A, pivot, "lu_factor_ex" if check_errors else None)


def _factored(A: Tensor, pivot: bool, checked_as: str | None) -> Any:
    packed, pivots, info = kernels.lu(_checked("torch.lu_factor", A, pivot))
    if checked_as is not None:
        raise_on(info, _singular(checked_as))
    arrays = (column_major(packed), pivots, info)
    saved = [(RESULT, 0), (RESULT, 1)]
    return return_types.linalg_lu_factor_ex(
        record_many(LinalgLuFactorExBackward0, arrays, (A,), saved, (True, False, False), pivot=pivot)
    )


@op("function", "out_exact", name="linalg.lu_factor")
def lu_factor(A: Tensor, *, pivot: bool = True) -> Any:
    """The named tuple (LU, pivots) for `lu_solve`.

    Raises:
        RuntimeError: not matrices, or a pivot is 0.
    """
    return return_types.linalg_lu_factor(_factored(A, pivot, "lu_factor")[:2])


class LuUnpackBackward0(Node):
    """L and U are parts of LU: ∂LU has ∂L below its diagonal and ∂U in the rest."""

    shape: tuple[int, ...]

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        m, n = self.shape[-2:]
        _, g_l, g_u = grads
        parts = []
        if g_l is not None and g_l.ndim > 1:
            parts.append(constant_pad_nd(g_l.tril(-1), (0, n - g_l.shape[-1])))
        if g_u is not None and g_u.ndim > 1:
            parts.append(constant_pad_nd(g_u.triu(), (0, 0, 0, m - g_u.shape[-2])))
        return (sum(parts[1:], parts[0]) if parts else None,)


@op("function", "out_exact")
def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """The named tuple (P, L, U) from what `linalg.lu_factor` returns; a part that is not wanted is empty.

    Raises:
        RuntimeError: pivots of another dtype or out of range.
    """
    x, pivots = LU_data._array, LU_pivots._array
    if pivots.dtype != np.int32:
        raise RuntimeError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n"
            "Note: this function is intended to be used with the output produced by torch.linalg.lu_factor"
        )
    m, empty = x.shape[-2], np.zeros_like(x, shape=(0,))
    if unpack_pivots and pivots.size and (pivots.min() < 1 or pivots.max() > m):
        raise RuntimeError(
            "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive."
            "Did you properly pass the result of lu_factor?"
        )
    order = kernels.permutation_matrix(pivots, m, x.dtype) if unpack_pivots else empty
    arrays = (order, *(_unpacked(x) if unpack_data else (empty, empty.copy())))
    return return_types.lu_unpack(
        record_many(LuUnpackBackward0, arrays, (LU_data,), (), (False, True, True), shape=x.shape)
    )


@op("function")
def lu(A: Tensor, pivot: bool = True, get_infos: bool = False, out: Any = None) -> Any:
    """(LU, pivots) as `linalg.lu_factor`, or with the infos as `linalg.lu_factor_ex`. Deprecated in torch."""
    warnings.warn(
        "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and will be removed in a future "
        "PyTorch release.\nLU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\n"
        "LU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\n"
        "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\nshould be replaced with\n"
        "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots) (Triggered internally at "
        "/__w/pytorch/pytorch/aten/src/ATen/native/BatchLinearAlgebra.cpp:2073.)",
        UserWarning,
        stacklevel=3,
    )
    factors = _factored(A, pivot, None if get_infos else "lu_factor_ex")
    return factors if get_infos else tuple(factors[:2])


setattr(Tensor, "lu", lu)  # noqa: B010


# -- solving with the factors


class LinalgLuSolveBackward0(Node):
    """A X = B with A = P L U:  ∂B = A⁻ᵀ g;  ∂L = -Pᵀ ∂B (U X)ᵀ below the diagonal, ∂U = -Lᵀ Pᵀ ∂B Xᵀ on and above it.

    With Aᵀ in the place of A, X and ∂B change places. X A = B is Aᵀ Xᵀ = Bᵀ.
    """

    saved_names = ("LU", "pivots", "result")
    left: bool
    adjoint: bool

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        (g,) = grads
        if g is None:
            return None, None, None
        packed, pivots, x = self._saved_LU, self._saved_pivots, self._saved_result
        to_b = lu_solve_with(packed, pivots, g, left=self.left, adjoint=not self.adjoint)
        to_lu = None
        if self.needs_grad(0):
            P, L, U = lu_unpack(packed, pivots)
            outer, inner = (to_b, x) if self.left else (to_b.mT, x.mT)
            if self.adjoint == self.left:
                outer, inner = inner, outer
            outer = P.mT @ outer
            to_lu = -((outer @ (U @ inner).mT).tril(-1) + (L.mT @ outer @ inner.mT).triu())
        return to_lu, None, to_b if self.needs_grad(2) else None


@op("function", "out", name="linalg.lu_solve")
def lu_solve_with(LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False) -> Tensor:
    """X with A X = B, from the factors of A.

    Args:
        left: otherwise X A = B.
        adjoint: Aᵀ in the place of A.

    Raises:
        RuntimeError: dtypes or sizes don't fit.
    """
    a, p, b = LU._array, pivots._array, B._array
    _check_solve(LU, pivots, B, left)
    lower, upper = _unpacked(a)
    order = kernels.permutation_matrix(p, a.shape[-1], a.dtype)
    rows = b if left else np.swapaxes(b, -2, -1)
    if adjoint == left:  # Aᵀ X = Uᵀ Lᵀ Pᵀ X
        y = kernels.substitute(np.swapaxes(upper, -2, -1), rows, upper=False)
        x = np.matmul(order, kernels.substitute(np.swapaxes(lower, -2, -1), y, upper=True, unit=True))
    else:
        y = kernels.substitute(lower, np.matmul(np.swapaxes(order, -2, -1), rows), upper=False, unit=True)
        x = kernels.substitute(upper, y, upper=True)
    result = column_major(x) if left else _backend.contiguous(np.swapaxes(x, -2, -1))
    return record(LinalgLuSolveBackward0, result, (LU, None, B), (LU, pivots, RESULT), left=left, adjoint=adjoint)


def _check_solve(LU: Tensor, pivots: Tensor, B: Tensor, left: bool) -> None:
    a, p, b = LU._array, pivots._array, B._array
    check_floating("torch.linalg.lu_solve", a)
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"linalg.lu_solve: Expected LU and B to have the same dtype, but found LU of type {LU.dtype.tensor_type} and B of "
            f"type {B.dtype.tensor_type} instead"
        )
    if p.dtype != np.int32:
        raise RuntimeError("linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32")
    check_square("torch.linalg.lu_solve", a)
    if b.ndim < 2:
        raise RuntimeError("linalg.lu_solve: The input tensor B must have at least 2 dimensions.")
    if a.shape[-1] != b.shape[-2 if left else -1]:
        raise RuntimeError(
            f"linalg.lu_solve: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} "
            f"({a.shape[-2]}x{a.shape[-1]} and {b.shape[-2]}x{b.shape[-1]})"
        )
    if p.shape[-1:] != a.shape[-1:]:
        raise RuntimeError("linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix")
    if p.shape[:-1] != a.shape[:-2]:
        raise RuntimeError(
            f"linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots with shape {list(p.shape)} "
            f"instead"
        )


@op("function", "method", "out")
def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """`linalg.lu_solve` with its arguments in the older order. Deprecated in torch."""
    warnings.warn(
        "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a future PyTorch release.\nNote "
        "that torch.linalg.lu_solve has its arguments reversed.\nX = torch.lu_solve(B, LU, pivots)\nshould be replaced with\n"
        "X = torch.linalg.lu_solve(LU, pivots, B) (Triggered internally at "
        "/__w/pytorch/pytorch/aten/src/ATen/native/BatchLinearAlgebra.cpp:2230.)",
        UserWarning,
        stacklevel=4,
    )
    return lu_solve_with(LU_data, LU_pivots, input)


class TriangularSolveBackward0(Node):
    """out = A⁻¹ b, A triangular:  ∂b = A⁻ᵀ g,  ∂A = the triangle of -∂b · outᵀ; and the g of the copy of A."""

    saved_names = ("self", "A", "solution")
    upper: bool
    transpose: bool
    unitriangular: bool

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        g, g_copy = grads
        to_b, to_a = None, g_copy
        self.check_saved()  # also b, of which only the shape is needed
        if g is not None:
            a, x = self._saved_A, self._saved_solution
            upper = self.upper != self.transpose
            used = a.mT if self.transpose else a
            to_b = solve_triangular(used.mT, g, upper=not upper, unitriangular=self.unitriangular)
            full = -(x @ to_b.mT) if self.transpose else -(to_b @ x.mT)
            offset = 1 if self.unitriangular else 0
            part = full.triu(offset) if self.upper else full.tril(-offset)
            to_a = part if g_copy is None else part + g_copy
        return to_b, to_a


@op("function", "method", "out_exact")
def triangular_solve(
    b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> Any:
    """The named tuple (solution, cloned_coefficient) of A X = b for triangular A. Deprecated in torch.

    Raises:
        RuntimeError: shapes that don't fit.
    """
    warnings.warn(
        "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand will be removed in a future PyTorch "
        "release.\ntorch.linalg.solve_triangular has its arguments reversed and does not return a copy of one of the inputs.\n"
        "X = torch.triangular_solve(B, A).solution\nshould be replaced with\nX = torch.linalg.solve_triangular(A, B). "
        "(Triggered internally at /__w/pytorch/pytorch/aten/src/ATen/native/BatchLinearAlgebra.cpp:2273.)",
        UserWarning,
        stacklevel=4,
    )
    x, y = A._array, b._array
    for name, array in (("b", y), ("A", x)):
        if array.ndim < 2:
            raise RuntimeError(
                f"torch.triangular_solve: Expected {name} to have at least 2 dimensions, but it has {array.ndim} dimensions "
                "instead"
            )
    check_square("triangular_solve", x)
    used = np.swapaxes(x, -2, -1) if transpose else x
    solution = column_major(kernels.substitute(used, y, upper != transpose, unitriangular))
    copy = column_major(np.broadcast_to(x, (*solution.shape[:-2], *x.shape[-2:])).copy())
    return return_types.triangular_solve(
        record_many(
            TriangularSolveBackward0, (solution, copy), (b, A), (b, A, (RESULT, 0)),
            upper=upper, transpose=transpose, unitriangular=unitriangular,
        )
    )  # fmt: skip
