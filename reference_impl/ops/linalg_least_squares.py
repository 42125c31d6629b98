"""The pseudo-inverse and least squares: pinv, pinverse, lstsq."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend, return_types
from reference_impl._dtype import from_numpy
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import RESULT, record, record_many
from reference_impl.ops.linalg_checks import check_floating
from reference_impl.ops.registry import op


def pinv_backward(g: Tensor, pinv: Tensor, a: Tensor) -> Tensor:
    """The gradient of the pseudo-inverse (Golub and Pereyra, SIAM J. Numer. Anal. 10, 1973)."""
    gt, pt = g.mT, pinv.mT
    if a.shape[-2] <= a.shape[-1]:
        k = gt @ pinv
        kp = k @ pt
        return -(pinv @ k).mT + kp - (a @ pinv) @ kp + (pt @ pinv) @ (gt - k @ a)
    k = pinv @ gt
    pk = pt @ k
    return -(k @ pinv).mT + (gt - a @ k) @ pinv @ pt + pk - (pk @ pinv) @ a


class LinalgPinvBackward0(Node):
    """out = the pseudo-inverse; see `pinv_backward`."""

    saved_names = ("self", "result")

    def grad_self(self, g: Tensor) -> Tensor:
        return pinv_backward(g, self._saved_result, self._saved_self)


def _tolerance(value: Any) -> Any:
    return value._array if isinstance(value, Tensor) else value


def cutoff(x: Any, largest: Any, atol: Any, rtol: Any) -> Any:
    """Below which singular values count as 0: max(atol, rtol · largest); `rtol` is eps · max(m, n) unless `atol` is given."""
    absolute = 0.0 if atol is None else _tolerance(atol)
    if rtol is None:
        relative = np.finfo(x.dtype).eps * max(x.shape[-2:])
        if isinstance(absolute, (int, float)):
            relative = 0.0 if absolute > 0 else relative
        else:
            relative = np.where(np.greater(absolute, 0), 0.0, relative)
    else:
        relative = _tolerance(rtol)
    return np.maximum(absolute, relative * largest)


@op("function", "out", name="linalg.pinv")
def pinv(A: Tensor, *, atol: Any = None, rtol: Any = None, hermitian: bool = False, rcond: Any = None) -> Tensor:
    """The pseudo-inverses: singular values up to max(atol, rtol · the largest) count as 0.

    Args:
        hermitian: take A as symmetric and use its lower triangle only.
    """
    x = A._array
    check_floating("linalg.pinv", x)
    if x.ndim < 2:
        raise RuntimeError("linalg.pinv: The input tensor A must have at least 2 dimensions.")
    rtol = rcond if rtol is None else rtol
    if not x.size:
        return record(
            LinalgPinvBackward0, np.zeros_like(x, shape=(*x.shape[:-2], x.shape[-1], x.shape[-2])), (A,), (A, RESULT)
        )
    if hermitian:
        values, vectors = np.linalg.eigh(x, "L")
        largest = np.max(np.abs(values), axis=-1, keepdims=True)
        limit = _against(cutoff(x, largest[..., 0], atol, rtol), values)
        inverted = np.where(np.abs(values) > limit, 1 / values, 0).astype(x.dtype)
        result = (vectors * inverted[..., None, :]) @ np.swapaxes(vectors, -2, -1)
    else:
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        limit = _against(cutoff(x, s[..., 0], atol, rtol), s)
        inverted = np.where(s > limit, 1 / s, 0).astype(x.dtype)
        result = np.swapaxes(vh, -2, -1) @ (inverted[..., :, None] * np.swapaxes(u, -2, -1))
    return record(LinalgPinvBackward0, result.astype(x.dtype), (A,), (A, RESULT))


def _against(limit: Any, values: Any) -> Any:
    """A limit per matrix, to be compared with its values."""
    return limit[..., None] if getattr(limit, "ndim", 0) else limit


@op("function", "method")
def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """`linalg.pinv` with a relative tolerance."""
    return pinv(input, rtol=rcond)


class LinalgLstsqBackward0(Node):
    """solution = pinv(A) B:  ∂A by `pinv_backward`,  ∂B = pinv(A)ᵀ g; residuals = ‖A X - B‖²."""

    saved_names = ("A", "B", "solution")
    vector: bool

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        g, g_residuals = grads[0], grads[1]
        a, b, x = self._saved_A, self._saved_B, self._saved_solution
        if self.vector:
            b, x = b.unsqueeze(-1), x.unsqueeze(-1)
            g = None if g is None else g.unsqueeze(-1)
        to_a = to_b = None
        if g is not None:
            pseudo = pinv(a)
            to_a = pinv_backward(g @ b.mT, pseudo, a)
            to_b = pseudo.mT @ g
        if g_residuals is not None and g_residuals.numel():
            # By the definition of X the gradient with respect to X is 0 there.
            r = 2 * (a @ x - b) * g_residuals.unsqueeze(-2)
            to_a = r @ x.mT if to_a is None else to_a + r @ x.mT
            to_b = -r if to_b is None else to_b - r
        return to_a, to_b.squeeze(-1) if self.vector and to_b is not None else to_b


@op("function", "out", name="linalg.lstsq")
def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None) -> Any:
    """The X of least ‖A X - B‖: solution, residuals (where A is taller than wide and of full rank), rank, singular values.

    Args:
        rcond: singular values up to rcond · the largest count as 0; eps · max(m, n) by default.
        driver: LAPACK's routine: decides in torch which of the results are filled in; "gelsy" by default.

    Raises:
        RuntimeError: shapes that don't fit, or an unknown driver.
    """
    a, b = A._array, B._array
    _check_lstsq(a, b, driver)
    vector = a.ndim - 1 == b.ndim and b.shape == a.shape[:-1]
    columns = b[..., None] if vector else b
    m, n = a.shape[-2:]
    driver = driver or "gelsy"
    limit = np.finfo(a.dtype).eps * max(m, n) if rcond is None else rcond
    x, rank, values = _least_squares(a, columns, limit)
    batch = a.shape[:-2]
    full = m > n and driver != "gelsy" and bool(np.all(rank == n))
    residuals = np.zeros_like(a, shape=(0,))
    if full:
        residuals = np.sum((a @ x - columns) ** 2, axis=-2)
    solution = _in_rows_of(x, max(m, n))
    solution = solution[..., 0] if vector else solution
    no_rank = np.zeros_like(a, dtype=np.int64, shape=(0,))
    arrays = (
        solution,
        residuals,
        no_rank if driver == "gels" else np.reshape(rank, batch).astype(np.int64),
        values if driver in ("gelsd", "gelss") else np.zeros_like(a, shape=(0,)),
    )
    outs = record_many(
        LinalgLstsqBackward0,
        arrays,
        (A, B),
        (A, B, (RESULT, 0)),
        differentiable=(True, True, False, False),
        vector=vector,
    )
    return return_types.linalg_lstsq(outs)


def _in_rows_of(x: Any, rows: int) -> Any:
    """`x` laid out as LAPACK leaves a solution: in the first rows of column-major memory with `rows` rows."""
    memory = np.zeros_like(x, shape=(*x.shape[:-2], x.shape[-1], rows))
    out = np.swapaxes(memory, -2, -1)[..., : x.shape[-2], :]
    out[...] = x
    return out


def _check_lstsq(a: Any, b: Any, driver: str | None) -> None:
    if a.ndim < 2:
        raise RuntimeError("torch.linalg.lstsq: input must have at least 2 dimensions.")
    if b.ndim < 1:
        raise RuntimeError("torch.linalg.lstsq: other must have at least 1 dimension.")
    if not 0 <= a.ndim - b.ndim <= 1:
        raise RuntimeError(
            "torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1"
        )
    vector = a.ndim - 1 == b.ndim
    rows = b.shape[-1] if vector else b.shape[-2]
    if a.shape[-2] != rows:
        which = "other.size(-1)" if vector else "other.size(-2)"
        raise RuntimeError(f"torch.linalg.lstsq: input.size(-2) should match {which}")
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype {from_numpy(a.dtype).tensor_type} and "
            f"other's dtype {from_numpy(b.dtype).tensor_type}"
        )
    if driver not in (None, "gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError("torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")


def _least_squares(a: Any, b: Any, limit: float) -> tuple[Any, Any, Any]:
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    kept = s > limit * _backend.largest(s, -1, True, 0)
    inverted = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(a.dtype)
    x = np.swapaxes(vh, -2, -1) @ (inverted[..., :, None] * (np.swapaxes(u, -2, -1) @ b))
    return np.reshape(x, (*batch, a.shape[-1], b.shape[-1])), np.sum(kept, axis=-1), s
