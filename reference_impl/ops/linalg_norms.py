"""Norms, ranks, powers and other numbers of matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_impl._tensor import Tensor, _checked_dim
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record
from reference_impl.ops import linalg_kernels as kernels
from reference_impl.ops.linalg import matmul
from reference_impl.ops.linalg_checks import check_floating, check_matrix, check_square
from reference_impl.ops.linalg_decompositions import eigvalsh, svdvals
from reference_impl.ops.linalg_least_squares import cutoff
from reference_impl.ops.linalg_solve import inv, inv_ex
from reference_impl.ops.norm import vector_norm
from reference_impl.ops.promotion import operands
from reference_impl.ops.registry import functions, op

op("function", "out", name="linalg.vector_norm")(vector_norm)


@op("function", "out", name="linalg.matrix_norm")
def matrix_norm(
    A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """A norm of the matrices in dimensions `dim`: "fro", "nuc" (the sum of the singular values), 2 and -2 (the largest and the
    smallest), 1 and -1 (of columns' sums), inf and -inf (of rows' sums).

    Raises:
        RuntimeError: not matrices of floating point, or an unknown norm.
    """
    x = A if dtype is None else A.to(dtype)
    check_matrix("linalg.matrix_norm", x._array)
    check_floating("linalg.matrix_norm", x._array, low_precision=True)
    if len(dim) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, dim))}")
    rows, columns = (_checked_dim(d, x.ndim) for d in dim)
    if rows == columns:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got ({dim[0]}, {dim[1]})")
    if ord == "fro":
        return vector_norm(x, 2, (rows, columns), keepdim)
    if isinstance(ord, str) and ord != "nuc":
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    if ord == "nuc" or abs(ord) == 2:
        order = [d for d in range(x.ndim) if d not in (rows, columns)] + [rows, columns]
        values = svdvals(x.permute(order))
        if ord == "nuc":
            result = values.sum(-1, keepdim)
        else:
            result = values.amax(-1, keepdim) if ord > 0 else values.amin(-1, keepdim)
        return result.unsqueeze(-1).permute([order.index(d) for d in range(x.ndim)]) if keepdim else result
    if abs(ord) not in (1, math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    summed, over = (rows, columns) if abs(ord) == 1 else (columns, rows)
    if not keepdim and summed < over:
        over -= 1
    sums = vector_norm(x, 1, summed, keepdim)
    return sums.amax(over, keepdim) if ord > 0 else sums.amin(over, keepdim)


@op("function", "out", name="linalg.norm")
def linalg_norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """`vector_norm` for one dimension (and for all, without `ord`), `matrix_norm` for two."""
    if dim is not None:
        dims = (dim,) if isinstance(dim, int) else tuple(dim)
        if len(dims) not in (1, 2):
            raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dims)}")
    elif ord is not None:
        if A.ndim not in (1, 2):
            raise RuntimeError("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. "
                               f"Got {A.ndim}D.")  # fmt: skip
        dims = (0,) if A.ndim == 1 else (0, 1)
    else:
        return vector_norm(A, 2, None, keepdim, dtype=dtype)
    if ord is not None and len(dims) == 2:
        return matrix_norm(A, ord, dims, keepdim, dtype=dtype)
    if isinstance(ord, str):
        raise RuntimeError(f"linalg.norm: Order {ord} not supported for vectors")
    return vector_norm(A, 2 if ord is None else ord, dims, keepdim, dtype=dtype)


@op("function", "out", name="linalg.cond")
def cond(A: Tensor, p: Any = None) -> Tensor:
    """The condition numbers ‖A‖ ‖A⁻¹‖ in the norm `p`; by default the largest singular value by the smallest."""
    check_matrix("linalg.cond", A._array)
    if p is None or p in (2, -2):
        values = svdvals(A)
        largest, smallest = values.narrow(-1, 0, 1), values.narrow(-1, -1, 1)
        return (smallest / largest if p == -2 else largest / smallest).squeeze(-1)
    if A._array.ndim < 2 or A.shape[-1] != A.shape[-2]:
        check_square("linalg.cond", A._array)
    if isinstance(p, str) and p not in ("fro", "nuc"):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {p}")
    if not A.numel():
        return Tensor._wrap(np.zeros_like(A._array, shape=A._array.shape[:-2]))
    inverse, info = inv_ex(A)
    norms = matrix_norm(A, p) * matrix_norm(inverse, p)
    return norms.masked_fill(info > 0, math.inf) if bool((info._array > 0).any()) else norms


@op("function", "out", name="linalg.matrix_rank")
def matrix_rank(A: Tensor, *, atol: Any = None, rtol: Any = None, hermitian: bool = False, tol: Any = None) -> Tensor:
    """How many singular values lie above max(atol, rtol · the largest)."""
    x = A._array
    check_matrix("linalg.matrix_rank", x)
    atol, rtol = (tol, 0.0) if tol is not None else (atol, rtol)
    if not x.size:
        return Tensor._wrap(np.zeros_like(x, dtype=np.int64, shape=x.shape[:-2]))
    with functions_without_grad():
        values = np.abs(eigvalsh(A)._array) if hermitian else svdvals(A)._array
    limit = cutoff(x, np.max(values, axis=-1), atol, rtol)
    limit = limit[..., None] if getattr(limit, "ndim", 0) else limit
    return Tensor._wrap(np.sum(values > limit, axis=-1, dtype=np.int64))


def functions_without_grad() -> Any:
    from reference_impl.autograd.grad_mode import no_grad

    return no_grad()


@op("function", "out", name="linalg.matrix_power")
def matrix_power(A: Tensor, n: int) -> Tensor:
    """The matrices to the power n; of the inverse for a negative n.

    Raises:
        RuntimeError: not square matrices.
    """
    check_square("linalg.matrix_power", A._array)
    if n == 0:
        eye = functions["eye"](A.shape[-1], dtype=A.dtype, device=A.device)
        return A.clone().copy_(eye)
    base = inv(A) if n < 0 else A
    n = abs(n)
    if n == 1:
        return A.clone() if base is A else base
    if n == 2:
        return matmul(base, base)
    if n == 3:
        return matmul(matmul(base, base), base)
    square = result = None
    while n:
        square = base if square is None else matmul(square, square)
        if n % 2:
            result = square if result is None else matmul(result, square)
        n //= 2
    assert result is not None
    return result


op("function", "method", "out", name="matrix_power")(matrix_power)


class LinalgMatrixExpBackward0(Node):
    """out = exp(A):  ∂A is the upper right block of exp([[Aᵀ, g], [0, Aᵀ]])."""

    saved_names = ("self",)

    def grad_self(self, g: Tensor) -> Tensor:
        a = self._saved_self.mT
        n = a.shape[-1]
        cat, zeros = functions["cat"], functions["zeros_like"](a)
        block = cat([cat([a, g], -1), cat([zeros, a], -1)], -2)
        return matrix_exp(block)[..., :n, n:]


@op("function", "method", name="matrix_exp")
def matrix_exp(A: Tensor) -> Tensor:
    """exp of the matrices: 1 + A + A²/2 + ...

    Raises:
        RuntimeError: not square matrices of floating point.
    """
    check_square("linalg.matrix_exp", A._array)
    check_floating("linalg.matrix_exp", A._array)
    return record(LinalgMatrixExpBackward0, kernels.matrix_exp(A._array), (A,), (A,))


op("function", name="linalg.matrix_exp")(matrix_exp)


@op("function", "out", name="linalg.multi_dot")
def multi_dot(tensors: Sequence[Tensor]) -> Tensor:
    """The product of several matrices (the first and the last may be vectors), in the order with the fewest multiplications.

    Raises:
        RuntimeError: fewer than two, or dimensions that don't fit.
    """
    given = list(tensors)
    n = len(given)
    if n < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {n}")
    first, last = given[0], given[-1]
    for name, t in (("first", first), ("last", last)):
        if t.ndim not in (1, 2):
            raise RuntimeError(f"multi_dot(): the {name} tensor must be 1D or 2D but got {t.ndim}D")
    for i, t in enumerate(given[1:-1], 1):
        if t.ndim != 2:
            raise RuntimeError(f"multi_dot(): tensor {i} must be 2D but got {t.ndim}D")
    for i, t in enumerate(given[1:], 1):
        if t.dtype != first.dtype:
            raise RuntimeError(
                "multi_dot(): all tensors must have be the same dtype but tensor 0 is "
                f"{first.dtype.c_name} and tensor {i} {t.dtype.c_name}"
            )
    shape = (() if first.ndim == 1 else first.shape[:1]) + (() if last.ndim == 1 else last.shape[1:])
    chain = list(given)
    chain[0] = first.unsqueeze(0) if first.ndim == 1 else first
    chain[-1] = last.unsqueeze(-1) if last.ndim == 1 else last
    for i in range(n - 1):
        if chain[i].shape[1] != chain[i + 1].shape[0]:
            a, b = (list(chain[j].shape) for j in (i, i + 1))
            raise RuntimeError(f"multi_dot(): tensors {i} and {i + 1} with shapes {a} and {b} cannot be multiplied")
    return _in_best_order(chain).view(shape)


def _in_best_order(chain: list[Tensor]) -> Tensor:
    """Dynamic programming over where the last multiplication is (Cormen et al., "Introduction to Algorithms", 15.2)."""
    if len(chain) == 2:
        return matmul(chain[0], chain[1])
    n = len(chain)
    sizes = [chain[0].shape[0], *(m.shape[1] for m in chain)]
    cost = [[0] * n for _ in range(n)]
    cut = [[0] * n for _ in range(n)]
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            best = [cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1] for k in range(i, j)]
            cost[i][j] = min(best)
            cut[i][j] = i + best.index(cost[i][j])

    def product(i: int, j: int) -> Tensor:
        return chain[i] if i == j else matmul(product(i, cut[i][j]), product(cut[i][j] + 1, j))

    return product(0, n - 1)


class LinalgCrossBackward0(Node):
    """out = self × other:  ∂self = other × g,  ∂other = g × self."""

    saved_names = ("self", "other")
    dim: int

    def grad_self(self, g: Tensor) -> Tensor:
        return linalg_cross(self._saved_other, g, dim=self.dim)

    def grad_other(self, g: Tensor) -> Tensor:
        return linalg_cross(g, self._saved_self, dim=self.dim)


@op("function", "out", name="linalg.cross")
def linalg_cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    """The vector product of vectors of three in dimension `dim`, broadcast.

    Raises:
        RuntimeError: numbers of dimensions differ, or `dim` is not of size 3.
    """
    n, m = input.ndim, other.ndim
    if n != m:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    d = _checked_dim(dim, n)
    if input.shape[d] != 3 or other.shape[d] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {input.shape[d]} and {other.shape[d]}"
        )
    if input.dtype != other.dtype:
        raise RuntimeError(f"expected scalar type {input.dtype.tensor_type} but found {other.dtype.tensor_type}")
    x, y = operands(input, other)
    a, b = (np.moveaxis(v, d, -1) for v in np.broadcast_arrays(x, y))
    parts = [a[..., i - 2] * b[..., i - 1] - a[..., i - 1] * b[..., i - 2] for i in range(3)]
    return record(LinalgCrossBackward0, np.stack(parts, axis=d), (input, other), (input, other), dim=d)


@op("function", "method", "out")
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """As `linalg.cross`, by default in the first dimension of size 3."""
    if dim is None:
        if 3 not in input.shape:
            raise RuntimeError("no dimension of size 3 in input")
        dim = list(input.shape).index(3)
    return linalg_cross(input, other, dim=dim)


@op("function", "out", name="linalg.vecdot")
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """Products summed over dimension `dim`, broadcast.

    Raises:
        RuntimeError: the dtypes differ.
    """
    if x.dtype != y.dtype:
        raise RuntimeError(
            f"linalg.vecdot: Expected x and y to have the same dtype, but found x of type {x.dtype.tensor_type} and y of type "
            f"{y.dtype.tensor_type} instead"
        )
    if x.ndim == 1 and y.ndim == 1:
        return functions["vdot"](x, y)
    return (x * y).sum(dim)


@op("function", name="linalg.diagonal")
def linalg_diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """`torch.diagonal`, of the last two dimensions."""
    return functions["diagonal"](A, offset, dim1, dim2)


@op("function", name="linalg.vander")
def linalg_vander(x: Tensor, *, N: int | None = None) -> Tensor:
    """The powers 1, x, x², ... of the elements of the last dimension, a row each."""
    if x.ndim < 1:
        x = x.unsqueeze(-1)
    n = x.shape[-1] if N is None else N
    if n <= 1:
        raise RuntimeError("N must be greater than 1.")
    wide = x.unsqueeze(-1).expand(*x.shape, n - 1)
    ones = functions["ones_like"](x.unsqueeze(-1))
    return functions["cat"]([ones, wide.cumprod(-1)], -1)


op("function", "out", name="linalg.matmul")(matmul)
