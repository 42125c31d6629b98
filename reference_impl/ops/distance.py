"""Distances and similarities between vectors."""

from __future__ import annotations

from typing import Any

from reference_impl import _dtype
from reference_impl.core.modes import no_grad
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
    """x1 · x2 / (|x1| |x2|) over `dim`, the norms not below `eps`.

    Raises:
        RuntimeError: neither is floating point.
    """
    common = _dtype.from_numpy(_dtype.result_type_of((x1._array, x2._array)))
    if not common.is_floating_point:
        raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {common.tensor_type}")
    a, b = [t if t.is_floating_point() else t.to(common) for t in (x1, x2)]
    if a.shape != b.shape:
        shape = broadcast_tensors(a.detach(), b.detach())[0].shape
        a, b = a.expand(shape), b.expand(shape)
    norms = [t.norm(2, dim, keepdim=True).clone() for t in (a, b)]
    with no_grad():  # as in torch the gradient flows where a norm is below `eps`, too
        for norm in norms:
            norm.clamp_min_(eps)
    right = b / norms[1]  # first, as in torch: hooks on saved tensors see the order
    return (a / norms[0] * right).sum(dim)


def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    """`input` divided by its p-norm over `dim`, the norm not below `eps`."""
    scale = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return input / scale if out is None else write_out(input / scale, out, "div")
