"""Dropout: set elements, or whole channels, to zero at random."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.core.tensor import Tensor
from reference_impl.ops.promotion import require_tensor
from reference_impl.rng import distributions


def _check_probability(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _noise(input: Tensor, feature: bool, keep: float) -> Any:
    """Return an array whose elements are 1 with probability `keep`, otherwise 0: one per element or, if `feature` is set, per channel."""
    x = input._array
    shape = (*x.shape[:2], *(1,) * (x.ndim - 2)) if feature else x.shape
    room = np.empty_like(_backend.to_numpy(x), shape=shape, order="C" if feature else "K")
    noise = distributions.bernoulli_(room, keep)
    return _backend.to_device_of(noise, x)


def _dropout(input: Tensor, p: float, train: bool, inplace: bool, feature: bool, alpha: bool) -> Tensor:
    """Apply dropout in the same steps as torch (ATen/native/Dropout.cpp).

    If `p` is 0, `train` is False or `input` has no elements, return `input`.

    Args:
        feature: whether to drop whole channels instead of elements.
        alpha: whether to keep mean and variance of outputs of SELU, as `alpha_dropout` does.

    Raises:
        RuntimeError: `train` is True, `p` is neither 0 nor 1, and `input` is not floating point or has no channels.
    """
    require_tensor(input)
    if p == 0 or not train or input._array.size == 0:
        return input
    if p == 1:
        zeros = Tensor._wrap(_backend.full_like(input._array, 0, ()))
        return input.mul_(zeros) if inplace else input.mul(zeros)
    if input._array.dtype.kind != "f":
        kind = input.dtype.tensor_type
        raise RuntimeError(f"result type Float can't be cast to the desired output type {kind}")
    if feature and input._array.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    noise = _noise(input, feature, 1 - p)
    if not alpha:
        noise /= noise.dtype.type(1 - p)
        scale = Tensor._wrap(noise)
        return input.mul_(scale) if inplace else input.mul(scale)
    limit = 1.7580993408473766  # SELU(x) approaches -limit for x -> -∞
    a = 1.0 / math.sqrt((limit * limit * p + 1) * (1 - p))
    shift = (Tensor._wrap(noise) - 1).mul_(limit * a).add_(limit * a * p)
    scale = Tensor._wrap(noise).mul_(a)
    return input.mul_(scale).add_(shift) if inplace else input.mul(scale).add(shift)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set each element to 0 with probability p, and divide the others by 1 - p.

    With `inplace`, write the result into `input`. If `training` is False, p is 0 or `input` has no elements, return `input` itself.

    Raises:
        ValueError: p is not in [0, 1].
        RuntimeError: in training, `input` is not floating point, and p is neither 0 nor 1.
    """
    _check_probability(p)
    return _dropout(input, p, training, inplace, feature=False, alpha=False)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Apply dropout to outputs of `selu`: drop elements with probability p, then scale and shift to keep mean 0 and variance 1.

    If `training` is False, the default, return `input`. Errors and `inplace` are as in `dropout`.
    """
    _check_probability(p)
    return _dropout(input, p, training, inplace, feature=False, alpha=True)


def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Apply `alpha_dropout` to whole channels of (n, c, *): all elements of a channel are dropped together.

    If `training` is False, the default, return `input`. Errors and `inplace` are as in `dropout`.
    """
    _check_probability(p)
    return _dropout(input, p, training, inplace, feature=True, alpha=True)


def _by_channel(input: Tensor, p: float, training: bool, inplace: bool, batched: bool) -> Tensor:
    """Apply dropout to whole channels: set each to 0 with probability p, and divide the others by 1 - p.

    Args:
        batched: whether dimension 0 of `input` is the batch; otherwise it is the channels.
    """
    if batched:
        return _dropout(input, p, training, inplace, feature=True, alpha=False)
    batch = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    out = _dropout(batch, p, training, inplace, feature=True, alpha=False)
    return out.squeeze_(0) if inplace else out.squeeze(0)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set whole channels of (n, c, l) or (c, l) to 0 with probability p, and divide the others by 1 - p.

    With `inplace`, write the result into `input`. If `training` is False, return the values of `input` unchanged.

    Raises:
        RuntimeError: `input` has another number of dimensions; or, in training, `input` is not floating point, and p is neither 0 nor 1.
        ValueError: p is not in [0, 1].
    """
    _check_probability(p)
    ndim = input._array.ndim
    if ndim not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {ndim}D input. Note that dropout1d exists to provide "
            "channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension "
            "(i.e. 2D or 3D inputs)."
        )
    return _by_channel(input, p, training, inplace, ndim == 3)


def _warn_of_dimensions(input: Tensor, n: int) -> None:
    ndim = input._array.ndim
    if ndim not in (n + 1, n + 2):
        warnings.warn(
            f"dropout{n}d: Received a {ndim}-D input to dropout{n}d, which is deprecated and will result in an error in a future "
            f"release. To retain the behavior and silence this warning, please use dropout instead. Note that dropout{n}d exists "
            f"to provide channel-wise dropout on inputs with {n} spatial dimensions, a channel dimension, and an optional batch "
            f"dimension (i.e. {n + 1}D or {n + 2}D inputs).",
            stacklevel=4,
        )


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set whole channels of (n, c, h, w) to 0 with probability p, and divide the others by 1 - p. See `dropout1d`.

    An input of three dimensions is taken as (n, c, l), with a warning. The function also warns for any number of dimensions except 4.
    """
    _check_probability(p)
    _warn_of_dimensions(input, 2)
    if input._array.ndim == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - input "
            "is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future release to "
            "interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise "
            "dropout behavior, please switch to using dropout1d instead.",
            stacklevel=3,
        )
    return _dropout(input, p, training, inplace, feature=True, alpha=False)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set whole channels of (n, c, d, h, w) or (c, d, h, w) to 0 with probability p, and divide the others by 1 - p.

    See `dropout1d`. For any other number of dimensions, the function warns, and takes dimension 0 as the channels.
    """
    _check_probability(p)
    _warn_of_dimensions(input, 3)
    return _by_channel(input, p, training, inplace, input._array.ndim == 5)
