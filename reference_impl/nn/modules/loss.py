"""Loss functions as modules."""

from __future__ import annotations

from reference_impl._fields import KW_ONLY, InitOnly
from reference_impl._tensor import Tensor
from reference_impl.nn import functional as F
from reference_impl.nn.modules.layer import Layer
from reference_impl.ops.losses import reduction_of_older_arguments


class _Loss(Layer):
    """Base of losses. `reduction` is "none", "mean" or "sum".

    The older options `size_average` and `reduce` determine `reduction` if one of them is passed, with a warning.
    """

    reduction: str
    inputs = "input target"
    repr_options = ""

    def complete(self, size_average: bool | None = None, reduce: bool | None = None) -> None:
        if size_average is not None or reduce is not None:
            self.reduction = reduction_of_older_arguments(size_average, reduce)


class L1Loss(_Loss):
    """|input - target| for each element; then their mean or sum, depending on `reduction`."""

    size_average: InitOnly = None
    reduce: InitOnly = None
    reduction: str = "mean"
    function = F.l1_loss


class MSELoss(_Loss):
    """(input - target)² for each element; then their mean or sum, depending on `reduction`."""

    size_average: InitOnly = None
    reduce: InitOnly = None
    reduction: str = "mean"
    function = F.mse_loss


class NLLLoss(_Loss):
    """The negative log-likelihood: -input[i, target[i]] for log-probabilities (n, classes) and class indices (n,).

    Further dimensions may follow: (n, classes, *) and (n, *). `weight` has a factor for each class; the mean divides by the sum of the
    factors. Targets equal to `ignore_index` do not count.
    """

    weight: Tensor | None = None
    size_average: InitOnly = None
    ignore_index: int = -100
    reduce: InitOnly = None
    reduction: str = "mean"
    function = F.nll_loss


class CrossEntropyLoss(_Loss):
    """NLLLoss of the log-softmax of the input over the classes, or, for probabilities as `target`, -Σ target · weight · log-softmax.

    `target` has class indices, or probabilities in the shape of the input.

    `label_smoothing` is the fraction of each target that is distributed evenly over all classes.
    """

    weight: Tensor | None = None
    size_average: InitOnly = None
    ignore_index: int = -100
    reduce: InitOnly = None
    reduction: str = "mean"
    label_smoothing: float = 0.0
    function = F.cross_entropy


class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence: target · (log target - input), where `input` is a log-probability.

    The formula applies to each element; then follows the mean or sum, depending on `reduction`. It may also be "batchmean", the sum divided
    by the size of the batch. With `log_target`, `target` is a log-probability too.
    """

    size_average: InitOnly = None
    reduce: InitOnly = None
    reduction: str = "mean"
    log_target: bool = False
    function = F.kl_div


class BCELoss(_Loss):
    """The binary cross-entropy: -(target · log input + (1 - target) · log(1 - input)), times `weight` if set.

    The formula applies to each element; then follows the mean or sum, depending on `reduction`. Logarithms below -100 count as -100.
    """

    weight: Tensor | None = None
    size_average: InitOnly = None
    reduce: InitOnly = None
    reduction: str = "mean"
    function = F.binary_cross_entropy


class BCEWithLogitsLoss(_Loss):
    """BCELoss of sigmoid(input), without loss of digits. `pos_weight` is a factor of the term with `target`."""

    weight: Tensor | None = None
    size_average: InitOnly = None
    reduce: InitOnly = None
    reduction: str = "mean"
    pos_weight: Tensor | None = None
    function = F.binary_cross_entropy_with_logits


class SmoothL1Loss(_Loss):
    """d² / (2 beta) where d = |input - target| is below `beta`, otherwise d - beta / 2; then the mean or sum, depending on `reduction`."""

    size_average: InitOnly = None
    reduce: InitOnly = None
    reduction: str = "mean"
    beta: float = 1.0
    function = F.smooth_l1_loss


class HuberLoss(_Loss):
    """SmoothL1Loss with beta = delta, times delta.

    Raises:
        TypeError: `delta` is not a number.
    """

    reduction: str = "mean"
    delta: float = 1.0
    function = F.huber_loss

    def complete(self) -> None:  # type: ignore[override]
        """Raise TypeError unless `delta` is a number."""
        if not isinstance(self.delta, (float, int)):
            raise TypeError(f"delta must be a float or int, got: {type(self.delta)}")


class GaussianNLLLoss(_Loss):
    """(log(var) + (input - target)² / var) / 2 for means `input` and variances `var`; then the mean or sum, depending on `reduction`.

    Args:
        full: whether to add log(2 π) / 2.
        eps: smaller variances count as `eps`.
    """

    inputs = "input target var"
    _: KW_ONLY
    full: bool = False
    eps: float = 1e-6
    reduction: str = "mean"
    function = F.gaussian_nll_loss


class TripletMarginLoss(_Loss):
    """max(0, margin + |anchor - positive| - |anchor - negative|) for each row; then the mean or sum, depending on `reduction`.

    The distance is a p-norm. With `swap`, |positive - negative| counts if it is less than |anchor - negative|.

    Raises:
        ValueError: `margin` is not positive.
    """

    inputs = "anchor positive negative"
    function_options = "margin p eps swap reduction"
    margin: float = 1.0
    p: float = 2.0
    eps: float = 1e-6
    swap: bool = False
    size_average: InitOnly = None
    reduce: InitOnly = None
    reduction: str = "mean"
    function = F.triplet_margin_loss

    def complete(self, size_average: bool | None = None, reduce: bool | None = None) -> None:
        super().complete(size_average, reduce)
        if self.margin <= 0:
            raise ValueError(f"TripletMarginLoss: expected margin to be greater than 0, got {self.margin} instead")


class CosineEmbeddingLoss(_Loss):
    """1 - cos for pairs of vectors with the target 1, max(0, cos - margin) for -1; then the mean or sum, depending on `reduction`."""

    inputs = "input1 input2 target"
    function_options = "margin reduction"
    margin: float = 0.0
    size_average: InitOnly = None
    reduce: InitOnly = None
    reduction: str = "mean"
    function = F.cosine_embedding_loss
