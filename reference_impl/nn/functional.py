"""The functions of `torch.nn.functional`, by family. Each is defined in `reference_impl.ops`."""

from __future__ import annotations

from reference_impl._tensor import Tensor
from reference_impl.nn import _tensor_arguments
from reference_impl.ops.activation import relu as _relu
from reference_impl.ops.activation import sigmoid
from reference_impl.ops.adaptive_pooling import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
)
from reference_impl.ops.attention import scaled_dot_product_attention
from reference_impl.ops.average_pooling import (
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    lp_pool1d,
    lp_pool2d,
    lp_pool3d,
)
from reference_impl.ops.batch_normalization import (
    batch_norm,
    instance_norm,
)
from reference_impl.ops.class_margin_losses import (
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
)
from reference_impl.ops.classification_losses import cross_entropy, linear_cross_entropy, nll_loss
from reference_impl.ops.columns import fold, unfold
from reference_impl.ops.convolution import (
    conv1d,
    conv2d,
    conv3d,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
)
from reference_impl.ops.ctc_loss import ctc_loss
from reference_impl.ops.distance import cosine_similarity, normalize, pairwise_distance, pdist
from reference_impl.ops.dropout import (
    alpha_dropout,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    feature_alpha_dropout,
)
from reference_impl.ops.elementwise import tanh
from reference_impl.ops.embedding import embedding, one_hot
from reference_impl.ops.embedding_bag import embedding_bag
from reference_impl.ops.exponential_linear import celu, celu_, elu, elu_, selu, selu_
from reference_impl.ops.interpolation import interpolate, upsample, upsample_bilinear, upsample_nearest
from reference_impl.ops.linear import bilinear, linear
from reference_impl.ops.losses import (
    huber_loss,
    l1_loss,
    mse_loss,
    smooth_l1_loss,
)
from reference_impl.ops.margin_losses import (
    cosine_embedding_loss,
    hinge_embedding_loss,
    margin_ranking_loss,
    soft_margin_loss,
    triplet_margin_loss,
    triplet_margin_with_distance_loss,
)
from reference_impl.ops.multi_head_attention import multi_head_attention_forward
from reference_impl.ops.normalization import (
    group_norm,
    layer_norm,
    local_response_norm,
    rms_norm,
)
from reference_impl.ops.padding import pad
from reference_impl.ops.pooling import max_pool1d, max_pool2d, max_pool3d
from reference_impl.ops.pooling_with_indices import (
    adaptive_max_pool1d_with_indices,
    adaptive_max_pool2d_with_indices,
    adaptive_max_pool3d_with_indices,
    max_pool1d_with_indices,
    max_pool2d_with_indices,
    max_pool3d_with_indices,
)
from reference_impl.ops.probability_losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    gaussian_nll_loss,
    kl_div,
    poisson_nll_loss,
)
from reference_impl.ops.rectifier import (
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    hardtanh_,
    leaky_relu,
    leaky_relu_,
    prelu,
    relu6,
    rrelu,
    rrelu_,
    softshrink,
    threshold,
    threshold_,
)
from reference_impl.ops.sampling import affine_grid, grid_sample
from reference_impl.ops.shuffle import channel_shuffle, pixel_shuffle, pixel_unshuffle
from reference_impl.ops.smooth_activation import (
    gelu,
    glu,
    gumbel_softmax,
    log_softmax,
    logsigmoid,
    mish,
    silu,
    softmax,
    softmin,
    softplus,
    softsign,
    tanhshrink,
)
from reference_impl.ops.unpooling import (
    fractional_max_pool2d,
    fractional_max_pool2d_with_indices,
    fractional_max_pool3d,
    fractional_max_pool3d_with_indices,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """`input` where it is positive, otherwise 0."""
    return input.relu_() if inplace else _relu(input)


def relu_(input: Tensor) -> Tensor:
    """In-place version of `relu`."""
    return input.relu_()


__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d",
    "adaptive_max_pool1d_with_indices", "adaptive_max_pool2d", "adaptive_max_pool2d_with_indices", "adaptive_max_pool3d",
    "adaptive_max_pool3d_with_indices", "affine_grid", "alpha_dropout", "avg_pool1d", "avg_pool2d", "avg_pool3d",
    "batch_norm", "bilinear", "binary_cross_entropy", "binary_cross_entropy_with_logits", "celu", "celu_", "channel_shuffle",
    "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_embedding_loss",
    "cosine_similarity", "cross_entropy", "ctc_loss", "dropout", "dropout1d", "dropout2d", "dropout3d", "elu", "elu_",
    "embedding", "embedding_bag", "feature_alpha_dropout", "fold", "fractional_max_pool2d",
    "fractional_max_pool2d_with_indices", "fractional_max_pool3d", "fractional_max_pool3d_with_indices", "gaussian_nll_loss",
    "gelu", "glu", "grid_sample", "group_norm", "gumbel_softmax", "hardshrink", "hardsigmoid", "hardswish", "hardtanh",
    "hardtanh_", "hinge_embedding_loss", "huber_loss", "instance_norm", "interpolate", "kl_div", "l1_loss", "layer_norm",
    "leaky_relu", "leaky_relu_", "linear", "linear_cross_entropy", "local_response_norm", "log_softmax", "logsigmoid",
    "lp_pool1d", "lp_pool2d", "lp_pool3d", "margin_ranking_loss", "max_pool1d", "max_pool1d_with_indices", "max_pool2d",
    "max_pool2d_with_indices", "max_pool3d", "max_pool3d_with_indices", "max_unpool1d", "max_unpool2d", "max_unpool3d",
    "mish", "mse_loss", "multi_head_attention_forward", "multi_margin_loss", "multilabel_margin_loss",
    "multilabel_soft_margin_loss", "nll_loss", "normalize", "one_hot", "pad", "pairwise_distance", "pdist", "pixel_shuffle",
    "pixel_unshuffle", "poisson_nll_loss", "prelu", "relu", "relu6", "relu_", "rms_norm", "rrelu", "rrelu_",
    "scaled_dot_product_attention", "selu", "selu_", "sigmoid", "silu", "smooth_l1_loss", "soft_margin_loss", "softmax",
    "softmin", "softplus", "softshrink", "softsign", "tanh", "tanhshrink", "threshold", "threshold_", "triplet_margin_loss",
    "triplet_margin_with_distance_loss", "unfold", "upsample", "upsample_bilinear", "upsample_nearest",
]  # fmt: skip

for _name, _treatments in _tensor_arguments.rows().items():
    globals()[_name] = _tensor_arguments.checked_tensors(globals()[_name], _treatments)
