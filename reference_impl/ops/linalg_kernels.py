"""Factorisations and substitutions that NumPy does not offer, on arrays; batches stand in front."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from reference_impl._backend import linalg_errors, on_host, to_device_of


@on_host
def lu(x: Any) -> tuple[Any, Any, Any]:
    """Gaussian elimination with partial pivoting (LAPACK's getrf).

    Returns:
        L and U in one matrix, the row that each row was exchanged with (from 1, int32), and per matrix the number of the
        first pivot that is 0 (0 if there is none).
    """
    *batch, m, n = x.shape
    a = np.reshape(x, (prod(batch), m, n)).copy()
    k = min(m, n)
    every = np.arange(a.shape[0])
    pivots = np.zeros_like(a, dtype=np.int32, shape=(a.shape[0], k))
    info = np.zeros_like(a, dtype=np.int32, shape=(a.shape[0],))
    for j in range(k):
        row = j + np.argmax(np.abs(a[:, j:, j]), axis=1)
        pivots[:, j] = row + 1
        a[every, j], a[every, row] = a[every, row], a[every, j]
        pivot = a[:, j, j]
        info = np.where((pivot == 0) & (info == 0), j + 1, info).astype(np.int32)
        factors = np.where((pivot == 0)[:, None], a[:, j + 1 :, j], a[:, j + 1 :, j] / pivot[:, None])
        a[:, j + 1 :, j] = factors
        a[:, j + 1 :, j + 1 :] -= factors[:, :, None] * a[:, None, j, j + 1 :]
    shape = tuple(batch)
    return np.reshape(a, x.shape), np.reshape(pivots, (*shape, k)), np.reshape(info, shape)


def permutation(pivots: Any, m: int) -> Any:
    """The order of rows that the exchanges `pivots` lead to: row i of the product L U is row `order[i]` of the matrix."""
    flat = np.reshape(pivots, (prod(pivots.shape[:-1]), pivots.shape[-1]))
    order = np.tile(np.arange(m), (flat.shape[0], 1))
    every = np.arange(flat.shape[0])
    for j in range(flat.shape[1]):
        row = flat[:, j].astype(np.int64) - 1
        order[every, j], order[every, row] = order[every, row], order[every, j]
    return np.reshape(order, (*pivots.shape[:-1], m))


@on_host
def permutation_matrix(pivots: Any, m: int, dtype: Any) -> Any:
    """P with A = P L U."""
    order = permutation(pivots, m)
    out = np.zeros_like(pivots, dtype=dtype, shape=(*order.shape, m))
    np.put_along_axis(out, order[..., None, :], 1, axis=-2)
    return out


def substitute(a: Any, b: Any, upper: bool, unit: bool = False) -> Any:
    """X with A X = B, A triangular (..., n, n), by substitution; a 0 on the diagonal gives inf or nan, as in LAPACK."""
    n = a.shape[-1]
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    x = np.broadcast_to(b, (*batch, *b.shape[-2:])).copy()
    for i in range(n - 1, -1, -1) if upper else range(n):
        known = slice(i + 1, n) if upper else slice(0, i)
        if i != (n - 1 if upper else 0):
            x[..., i, :] -= np.matmul(a[..., i : i + 1, known], x[..., known, :])[..., 0, :]
        if not unit:
            x[..., i, :] /= a[..., i, i, None]
    return x


def cholesky(x: Any) -> tuple[Any, Any]:
    """The lower Cholesky factors, and per matrix the order of the first leading minor that is not positive (0 if none is).

    Only the lower triangle of `x` is read.
    """
    info = np.zeros_like(x, dtype=np.int32, shape=(prod(x.shape[:-2]),))
    try:
        with linalg_errors(x):
            return np.linalg.cholesky(np.tril(x)), np.reshape(info, x.shape[:-2])
    except np.linalg.LinAlgError:
        return _cholesky_one_by_one(x)


@on_host
def _cholesky_one_by_one(x: Any) -> tuple[Any, Any]:
    flat = np.reshape(x, (prod(x.shape[:-2]), *x.shape[-2:]))
    out, info = np.zeros_like(flat), np.zeros_like(x, dtype=np.int32, shape=(flat.shape[0],))
    for number, matrix in enumerate(flat):
        out[number], info[number] = _cholesky_until(matrix)
    return np.reshape(out, x.shape), np.reshape(info, x.shape[:-2])


def _cholesky_until(a: Any) -> tuple[Any, int]:
    """Row by row, until a leading minor is not positive."""
    n = a.shape[-1]
    out = np.zeros_like(a)
    for j in range(n):
        rest = a[j, j] - np.dot(out[j, :j], out[j, :j])
        if not rest > 0:
            out[j:, j:] = np.tril(a)[j:, j:]
            return out, j + 1
        out[j, j] = np.sqrt(rest)
        out[j + 1 :, j] = (a[j + 1 :, j] - out[j + 1 :, :j] @ out[j, :j]) / out[j, j]
    return out, 0


_PADE_13 = (64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
            10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0)  # fmt: skip


def matrix_exp(x: Any) -> Any:
    """exp of matrices: the [13/13] Padé approximant with scaling and squaring (Higham, SIAM J. Matrix Anal. 26, 2005)."""
    if not x.size:
        return x.copy()
    n = x.shape[-1]
    a = x.astype(np.float64)
    largest = np.max(np.sum(np.abs(a), axis=-2), axis=-1) if n else np.zeros_like(a, shape=x.shape[:-2])
    # The approximant is exact to rounding up to a norm of 5.37.
    halvings = np.maximum(np.ceil(np.log2(np.maximum(largest, 1e-300) / 5.371920351148152)), 0)
    halvings = np.where(np.isfinite(halvings), halvings, 0)
    a = a / np.exp2(halvings)[..., None, None]
    b, eye = _PADE_13, to_device_of(np.eye(n), x)
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    u = a @ (a6 @ (b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * eye)
    v = a6 @ (b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * eye
    result = np.linalg.solve(v - u, v + u)
    for step in range(int(np.max(halvings))):
        result = np.where((halvings > step)[..., None, None], result @ result, result)
    return result.astype(x.dtype)
