"""Losses under the name of `torch`, as functions of C++: the reduction is a number (1 mean, 2 sum, any other none), not a word.

torch/nn/functional.py calls these; see aten/src/ATen/native/Loss.cpp. Their default reduction is none: torch means 1, but its
argument parser cannot read that default and takes 0.
"""

from __future__ import annotations

from operator import index  # a word instead of a number is refused

from reference_impl._tensor import Tensor
from reference_impl.nn import functional
from reference_impl.ops import ctc_loss as _ctc_loss
from reference_impl.ops.losses import reduced
from reference_impl.ops.margin_losses import native_margin_ranking_loss, native_triplet_margin_loss
from reference_impl.ops.probability_losses import native_binary_cross_entropy_with_logits
from reference_impl.ops.registry import builtin, builtins

ctc_loss = builtins["ctc_loss"] = _ctc_loss.native


@builtin
def kl_div(input: Tensor, target: Tensor, reduction: int = 0, *, log_target: bool = False) -> Tensor:
    """See `functional.kl_div`."""
    return reduced(functional.kl_div(input, target, reduction="none", log_target=log_target), index(reduction))


@builtin
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, reduction: int = 0) -> Tensor:
    """See `functional.hinge_embedding_loss`."""
    return reduced(functional.hinge_embedding_loss(input, target, margin, reduction="none"), index(reduction))


@builtin
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Tensor:
    """See `functional.margin_ranking_loss`."""
    return native_margin_ranking_loss(input1, input2, target, margin, index(reduction))


@builtin
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Tensor:
    """See `functional.cosine_embedding_loss`."""
    return reduced(functional.cosine_embedding_loss(input1, input2, target, margin, reduction="none"), index(reduction))


@builtin
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6,
    swap: bool = False, reduction: int = 0,
) -> Tensor:  # fmt: skip
    """See `functional.triplet_margin_loss`; here the margin may be negative."""
    return native_triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, index(reduction))


@builtin
def poisson_nll_loss(input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: int) -> Tensor:
    """See `functional.poisson_nll_loss`."""
    return reduced(
        functional.poisson_nll_loss(input, target, log_input, full, None, eps, None, "none"), index(reduction)
    )


@builtin
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: int = 0
) -> Tensor:
    """See `functional.binary_cross_entropy_with_logits`; here `input` may broadcast to `target`."""
    return native_binary_cross_entropy_with_logits(input, target, weight, pos_weight, index(reduction))
