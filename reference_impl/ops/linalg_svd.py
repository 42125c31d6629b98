"""The singular value decomposition, with the gradient of torch's FunctionsManual.cpp for real matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import return_types
from reference_impl._dtype import from_numpy
from reference_impl._memory_order import column_major
from reference_impl.core.node import Node
from reference_impl.core.record import record_many
from reference_impl.core.saving import RESULT
from reference_impl.core.tensor import Tensor
from reference_impl.ops.creation import eye
from reference_impl.ops.registry import op

# -- singular values


def check_matrix(name: str, x: Any, letter: str = "A") -> None:
    """Raises:
    RuntimeError: fewer than two dimensions."""
    if x.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor {letter} must have at least 2 dimensions.")


def check_floating(name: str, x: Any, low_precision: bool = False) -> None:
    """Raises:
    RuntimeError: not floating point, or float16."""
    if x.dtype.kind != "f":
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {from_numpy(x.dtype).tensor_type}"
        )
    if x.dtype == np.float16 and not low_precision:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {from_numpy(x.dtype).tensor_type}")


class LinalgSvdBackward0(Node):
    """A = U diag(S) Vᵀ: the gradients of U, S and V make that of A, see `svd_backward`."""

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
    gaps = gaps + eye(s.shape[-1], dtype=s.dtype, device=s.device)

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
