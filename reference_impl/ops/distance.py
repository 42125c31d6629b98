"""Distances and similarities between vectors."""

from __future__ import annotations

import math
from typing import Any

from reference_impl import _dtype
from reference_impl._backend import contiguous
from reference_impl.core.declare import operation
from reference_impl.core.modes import no_grad
from reference_impl.core.record import record
from reference_impl.core.saving import RESULT
from reference_impl.core.tensor import Tensor
from reference_impl.ops.norm import LinalgVectorNormBackward0, check_identity, p_norm
from reference_impl.ops.out_argument import write_out
from reference_impl.ops.promotion import require_tensor
from reference_impl.ops.registry import builtin, op
from reference_impl.ops.views import broadcast_tensors
from reference_impl.ops.with_number import add_number


class NormBackward1(LinalgVectorNormBackward0):
    """out = (Σ |self|^p)^(1/p) over dimension `dim`. torch names the node after its older function `norm`."""

    p: float

    @property
    def ord(self) -> float:  # type: ignore[override]
        """Return the order of the norm."""
        return self.p


@builtin
def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """Return the p-norm of x1 - x2 + eps over the last dimension: (*, k) and (*, k) -> (*), or (*, 1) with `keepdim`.

    `x1` and `x2` are broadcast.

    Raises:
        RuntimeError: `p` is inf or negative, and k is 0.
    """
    require_tensor(x2)
    dim = max(x1.ndim, x2.ndim) - 1
    difference = add_number(x1 - x2, eps)
    check_identity(difference._array, float(p), (dim,))
    length = p_norm(difference._array, float(p), (dim,), keepdim)
    return record(NormBackward1, length, (difference,), (difference, RESULT), p=float(p), dim=(dim,), keepdim=keepdim)


@builtin
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Return x1 · x2 / (|x1| |x2|) over `dim`, without this dimension. A norm below `eps` is replaced by `eps`.

    `x1` and `x2` are broadcast.

    Raises:
        RuntimeError: no operand is floating point, or the shapes don't broadcast.
        IndexError: the dimension does not exist.
    """
    common = _dtype.from_numpy(_dtype.result_type_of((x1._array, x2._array)))
    if not common.is_floating_point:
        raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {common.tensor_type}")
    a, b = [t if t.is_floating_point() else t.to(common) for t in (x1, x2)]
    if a.shape != b.shape:
        shape = broadcast_tensors(a.detach(), b.detach())[0].shape
        a, b = a.expand(shape), b.expand(shape)
    norms = [t.norm(2, dim, keepdim=True).clone() for t in (a, b)]
    with no_grad():  # as in torch, the gradient of a norm is not changed by the limit `eps`
        for norm in norms:
            norm.clamp_min_(eps)
    right = b / norms[1]  # before `a / norms[0]`, as in torch, since hooks on saved tensors are called in this order
    return (a / norms[0] * right).sum(dim)


def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    """Return `input` divided by its p-norm over `dim`, or by `eps` where the norm is smaller. Write the result into `out`, if passed."""
    scale = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return input / scale if out is None else write_out(input / scale, out, "div")


def _cdist_backward(g: Tensor, x1: Tensor, x2: Tensor, p: float, result: Tensor) -> Tensor:
    """Return the gradient with respect to the differences x1[..., i, :] - x2[..., j, :], of shape (..., n, m, k).

    It is 0 where a distance is 0 and, for p < 2, where a difference is 0.
    """
    difference, g, distance = x1.unsqueeze(-2) - x2.unsqueeze(-3), g.unsqueeze(-1), result.unsqueeze(-1)
    if p == 0:
        return difference * 0
    if p == 1:
        return g * difference.sign()
    if p == math.inf:
        return g * difference.sign() * (difference.abs() == distance)
    size = difference if p == 2 else difference.sign() * difference.abs().pow(p - 1)
    slope = g * size / (distance if p == 2 else distance.pow(p - 1))
    return slope.masked_fill((distance == 0) | (difference == 0) if p < 2 else distance == 0, 0)


@operation("CdistBackward0", x1=lambda g, x1, x2, p, result: _cdist_backward(g, x1, x2, p, result).sum(-2),
           x2=lambda g, x1, x2, p, result: -_cdist_backward(g, x1, x2, p, result).sum(-3))  # fmt: skip
def _cdist(x1: Any, x2: Any, p: float) -> Any:
    return contiguous(p_norm(x1[..., :, None, :] - x2[..., None, :, :], p, (-1,), False))


@operation("EuclideanDistBackward0", x1=lambda g, x1, x2, result: _cdist_backward(g, x1, x2, 2, result).sum(-2),
           x2=lambda g, x1, x2, result: -_cdist_backward(g, x1, x2, 2, result).sum(-3))  # fmt: skip
def _euclidean_dist(x1: Any, x2: Any) -> Any:
    return p_norm(x1[..., :, None, :] - x2[..., None, :, :], 2.0, (-1,), False)


@op("function")
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Tensor:
    """Return the p-norm of the difference of each row of `x1` and each row of `x2`: (..., n, k) and (..., m, k) -> (..., n, m).

    Args:
        compute_mode: as in torch, it determines the name of the node for p = 2; in this engine it has no other effect.

    Raises:
        RuntimeError: sizes or dtypes don't fit, or `p` is negative.
    """
    for name, t in (("X1", x1), ("X2", x2)):
        if t._array.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {t._array.ndim}D")
    k, m = x1._array.shape[-1], x2._array.shape[-1]
    if k != m:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {k} X2: {m}")
    for name, t in (("X1", x1), ("X2", x2)):
        if not t.is_floating_point():
            raise RuntimeError(f"cdist only supports floating-point dtypes, {name} got: {t.dtype.tensor_type}")
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    is_large = compute_mode == "use_mm_for_euclid_dist_if_necessary" and max(x1.shape[-2], x2.shape[-2]) > 25
    if p == 2 and x1._array.size and x2._array.size and (is_large or compute_mode == "use_mm_for_euclid_dist"):
        result = _euclidean_dist(x1, x2)
        return result.view(result.shape)
    return _cdist(x1, x2, float(p))
