"""Distances and similarities between vectors."""

from __future__ import annotations

from typing import Any

from reference_impl.core.record import record
from reference_impl.core.saving import RESULT
from reference_impl.core.tensor import Tensor
from reference_impl.ops.norm import LinalgVectorNormBackward0
from reference_impl.ops.norm import _p_norm as p_norm
from reference_impl.ops.out_argument import write_out
from reference_impl.ops.promotion import require_tensor
from reference_impl.ops.registry import builtin
from reference_impl.ops.views import broadcast_tensors


class NormBackward1(LinalgVectorNormBackward0):
    """out = (Σ |self|^p)^(1/p) over dimension `dim`, under the name of torch's older function."""

    p: float

    @property
    def ord(self) -> float:  # type: ignore[override]
        return self.p


@builtin
def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """The p-norm of x1 - x2 + eps over the last dimension."""
    require_tensor(x2)
    dim = max(x1.ndim, x2.ndim) - 1
    difference = x1 - x2 + eps
    length = p_norm(difference._array, float(p), (dim,), keepdim)
    return record(NormBackward1, length, (difference,), (difference, RESULT), p=float(p), dim=(dim,), keepdim=keepdim)


@builtin
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """x1 · x2 / (|x1| |x2|) over `dim`, the norms not below `eps`."""
    a, b = broadcast_tensors(x1, x2)
    if a.dtype != b.dtype:
        common = (a._array.dtype, b._array.dtype)
        raise RuntimeError(f"expected both inputs to have the same dtype, but got {common[0]} and {common[1]}")
    norm_a = a.norm(2, dim, keepdim=True).clamp_min(eps)
    norm_b = b.norm(2, dim, keepdim=True).clamp_min(eps)
    return ((a / norm_a) * (b / norm_b)).sum(dim)


def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    """`input` divided by its p-norm over `dim`, the norm not below `eps`."""
    scale = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return input / scale if out is None else write_out(input / scale, out, "div")
