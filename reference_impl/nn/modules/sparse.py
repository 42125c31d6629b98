"""Embedding layers."""

from __future__ import annotations

from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.autograd.grad_mode import no_grad
from reference_impl.nn import functional as F
from reference_impl.nn import init
from reference_impl.nn.modules.module import Module
from reference_impl.nn.parameter import Parameter
from reference_impl.ops.creation import empty


class Embedding(Module):
    """A table of vectors, looked up by index: (*) -> (*, embedding_dim).

    The vectors start as normal random numbers, except the vector at `padding_idx`, which starts as 0 and is not trained.

    Args:
        max_norm: before `forward` looks up vectors, it scales them in place, so that the norm of each is at most `max_norm`.
        norm_type: the p of this norm.
        scale_grad_by_freq: whether the gradient of a vector is divided by the number of times that its index occurs in the input.
        sparse: must be False: `forward` raises NotImplementedError otherwise.

    Raises:
        AssertionError: `padding_idx` is out of range, or `_weight` has the wrong shape.
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None, max_norm: float | None = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False, _weight: Tensor | None = None,
        _freeze: bool = False, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError("Padding_idx must be within num_embeddings")
            padding_idx += num_embeddings if padding_idx < 0 else 0
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        if _weight is None:
            weight = empty((num_embeddings, embedding_dim), device=device, dtype=dtype)
            self.weight = Parameter(weight, requires_grad=not _freeze)
            self.reset_parameters()
        else:
            if list(_weight.shape) != [num_embeddings, embedding_dim]:
                raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
            self.weight = Parameter(_weight, requires_grad=not _freeze)
        self.sparse = sparse

    def reset_parameters(self) -> None:
        """Draw new random vectors, and set the vector at `padding_idx` to 0."""
        init.normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self) -> None:
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        """Return the vectors at the indices `input`: (*) -> (*, embedding_dim)."""
        return F.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        )

    def extra_repr(self) -> str:
        """Return the options as text, for `repr`."""
        parts = [f"{self.num_embeddings}, {self.embedding_dim}"]
        parts += [
            f"{name}={getattr(self, name)}" for name in ("padding_idx", "max_norm") if getattr(self, name) is not None
        ]
        parts += [f"norm_type={self.norm_type}"] if self.norm_type != 2 else []
        parts += [f"scale_grad_by_freq={self.scale_grad_by_freq}"] if self.scale_grad_by_freq is not False else []
        parts += ["sparse=True"] if self.sparse is not False else []
        return ", ".join(parts)

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None, max_norm: float | None = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False,
    ) -> Embedding:  # fmt: skip
        """Return a layer whose weight is the matrix `embeddings`, on the same memory. The vector at `padding_idx` keeps its values.

        Args:
            freeze: if True, the weight does not require grad.

        Raises:
            AssertionError: `embeddings` does not have two dimensions, or `padding_idx` is not the index of a row.
        """
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        return cls(
            num_embeddings=rows, embedding_dim=columns, _weight=embeddings, _freeze=freeze, padding_idx=padding_idx,
            max_norm=max_norm, norm_type=norm_type, scale_grad_by_freq=scale_grad_by_freq, sparse=sparse,
        )  # fmt: skip
