"""Norms, ranks, powers and other numbers of matrices."""

from __future__ import annotations

import math
from typing import Any

from reference_impl.core.arrays import checked_dim
from reference_impl.core.tensor import Tensor
from reference_impl.ops.linalg import matmul
from reference_impl.ops.linalg_svd import check_floating, check_matrix, svdvals
from reference_impl.ops.norm import vector_norm
from reference_impl.ops.registry import op
from reference_impl.ops.slicing import diagonal

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
    rows, columns = (checked_dim(d, x.ndim) for d in dim)
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


@op("function", name="linalg.diagonal")
def linalg_diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """`torch.diagonal`, of the last two dimensions."""
    return diagonal(A, offset, dim1, dim2)


op("function", "out", name="linalg.matmul")(matmul)
