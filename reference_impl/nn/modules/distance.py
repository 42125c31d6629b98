"""Distance layers."""

from __future__ import annotations

from reference_impl._tensor import Tensor
from reference_impl.nn import functional as F
from reference_impl.nn.modules.module import Module


class PairwiseDistance(Module):
    """The p-norm of x1 - x2 + eps over the last dimension: (*, n) and (*, n) -> (*), or (*, 1) with `keepdim`."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Return the p-norm of x1 - x2 + eps over the last dimension."""
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class CosineSimilarity(Module):
    """The cosine of the angle between x1 and x2 along `dim`, in their shape without `dim`. A norm below `eps` is replaced by `eps`."""

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Return the cosine of the angle between x1 and x2 along `dim`."""
        return F.cosine_similarity(x1, x2, self.dim, self.eps)
