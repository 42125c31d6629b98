"""The functions of `torch.nn.functional`. Most are defined in `reference_impl.ops`."""

from __future__ import annotations

from inspect import isfunction as _isfunction
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.arguments import missing_names
from reference_impl.ops.activation import relu as _relu
from reference_impl.ops.activation import sigmoid
from reference_impl.ops.adaptive_pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from reference_impl.ops.attention import scaled_dot_product_attention
from reference_impl.ops.average_pooling import avg_pool1d, avg_pool2d, avg_pool3d
from reference_impl.ops.batch_normalization import batch_norm, instance_norm
from reference_impl.ops.classification_losses import cross_entropy, nll_loss
from reference_impl.ops.columns import unfold
from reference_impl.ops.convolution import conv1d, conv2d, conv3d, conv_transpose1d, conv_transpose2d, conv_transpose3d
from reference_impl.ops.distance import cosine_similarity, normalize, pairwise_distance
from reference_impl.ops.distance_losses import cosine_embedding_loss, triplet_margin_loss
from reference_impl.ops.dropout import alpha_dropout, dropout, dropout1d, dropout2d, dropout3d, feature_alpha_dropout
from reference_impl.ops.elementwise import tanh
from reference_impl.ops.embedding import embedding
from reference_impl.ops.exponential_linear import celu, celu_, elu, elu_, selu, selu_
from reference_impl.ops.grid_sample import affine_grid, grid_sample
from reference_impl.ops.interpolation import interpolate
from reference_impl.ops.linear import linear
from reference_impl.ops.losses import gaussian_nll_loss, huber_loss, l1_loss, mse_loss, smooth_l1_loss
from reference_impl.ops.normalization import group_norm, layer_norm, rms_norm
from reference_impl.ops.one_hot import one_hot
from reference_impl.ops.padding import pad
from reference_impl.ops.pooling import max_pool1d, max_pool2d, max_pool3d
from reference_impl.ops.probability_losses import binary_cross_entropy, binary_cross_entropy_with_logits, kl_div
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
from reference_impl.ops.registry import as_torch_function as _as_torch_function
from reference_impl.ops.registry import builtins as _builtins
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


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return `input` where it is positive, otherwise 0. With `inplace`, overwrite `input` with the result."""
    return input.relu_() if inplace else _relu(input)


def relu_(input: Tensor) -> Tensor:
    """Apply `relu` in place, and return `input`."""
    return input.relu_()


__all__ = sorted(name for name, value in globals().items() if _isfunction(value) and not name.startswith("_"))

for _name in __all__:
    if _name not in _builtins:
        globals()[_name] = _as_torch_function(_name, globals()[_name], ("python",))


def __getattr__(name: str) -> Any:
    raise missing_names.absent("torch.nn.functional", name)
