"""A convolution or linear layer and the batch normalisation after it as one layer, for evaluation.

With s = γ / √(σ² + eps):  s (W x + b - μ) + β = (s W) x + (s (b - μ) + β).
"""

from __future__ import annotations

import copy
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn.parameter import Parameter
from reference_impl.ops.registry import functions

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def _check(layer: Any, bn: Any) -> None:
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")


def _check_statistics(bn: Any) -> None:
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """A convolution that computes what `bn` makes of the result of `conv`.

    Args:
        transpose: whether `conv` is a transposed one.

    Raises:
        AssertionError: one of them is in training mode, or `bn` keeps no statistics.
    """
    _check(conv, bn)
    fused = copy.deepcopy(conv)
    _check_statistics(bn)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, transpose
    )
    return fused


def fuse_conv_bn_weights(
    conv_w: Tensor, conv_b: Tensor | None, bn_rm: Tensor, bn_rv: Tensor, bn_eps: float, bn_w: Tensor | None,
    bn_b: Tensor | None, transpose: bool = False,
) -> tuple[Parameter, Parameter]:  # fmt: skip
    """Weight and bias of that convolution, from mean, variance, eps, weight and bias of the normalisation."""
    zeros = functions["zeros_like"](bn_rm)
    bias = zeros if conv_b is None else conv_b
    gamma = functions["ones_like"](bn_rm) if bn_w is None else bn_w
    beta = zeros if bn_b is None else bn_b
    scale = (bn_rv + bn_eps).rsqrt()
    shape = [1] * conv_w.ndim
    shape[1 if transpose else 0] = -1
    fused_w = (conv_w * (gamma * scale).reshape(shape)).to(conv_w.dtype)
    fused_b = ((bias - bn_rm) * scale * gamma + beta).to(conv_w.dtype if conv_b is None else conv_b.dtype)
    return Parameter(fused_w, conv_w.requires_grad), Parameter(fused_b, bias.requires_grad)


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """A linear layer that computes what `bn` makes of the result of `linear`.

    Raises:
        AssertionError: one of them is in training mode, `bn` keeps no statistics, or has another number of features (1 is allowed).
    """
    _check(linear, bn)
    fused = copy.deepcopy(linear)
    if linear.out_features != bn.num_features and bn.num_features != 1:
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    _check_statistics(bn)
    fused.weight, fused.bias = fuse_linear_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
    )
    return fused


def fuse_linear_bn_weights(
    linear_w: Tensor, linear_b: Tensor | None, bn_rm: Tensor, bn_rv: Tensor, bn_eps: float, bn_w: Tensor, bn_b: Tensor
) -> tuple[Parameter, Parameter]:
    """Weight and bias of that layer, from mean, variance, eps, weight and bias of the normalisation."""
    bias = functions["zeros_like"](bn_rm) if linear_b is None else linear_b
    scale = bn_w * (bn_rv + bn_eps).rsqrt()
    fused_w = linear_w * scale.unsqueeze(-1).to(linear_w.dtype)
    fused_b = ((bias - bn_rm) * scale + bn_b).to(linear_w.dtype if linear_b is None else linear_b.dtype)
    return Parameter(fused_w, linear_w.requires_grad), Parameter(fused_b, bias.requires_grad)
