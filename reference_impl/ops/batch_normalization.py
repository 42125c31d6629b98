"""Normalization of each channel: over the batch (`batch_norm`), or within each sample (`instance_norm`).

`normalization` has the functions on arrays, and the gradient of the input.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from reference_impl.autograd.output_mask import output_mask
from reference_impl.autograd.recomputation import recomputed
from reference_impl.core.arrays import checked_dim
from reference_impl.core.inplace import overwrite
from reference_impl.core.modes import mode
from reference_impl.core.node import Node
from reference_impl.core.record import record_many
from reference_impl.core.saving import Result
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import suggested_format, to_format
from reference_impl.ops.normalization import (
    check_mixed_types,
    check_same_types,
    differentiable_moments,
    moments,
    normalization_backward,
    normalize_by,
    verify_batch_size,
)
from reference_impl.ops.not_implemented import refuse_gradients
from reference_impl.ops.promotion import refuse_dtype


class NativeBatchNormBackward0(Node):
    """out = (input - mean) · invstd · weight + bias, per channel: the gradient flows through the statistics too.

    In training the statistics are computed from the batch:  ∂input = weight · invstd · (g - mean(g) - x̂ · mean(g · x̂)).
    In evaluation they are constants:  ∂input = weight · invstd · g.
    ∂weight = Σ g · x̂,  ∂bias = Σ g.
    """

    saved_names = ("input", "weight", "running_mean", "running_var", "result1", "result2")
    training: bool
    eps: float

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients of input, weight and bias. A gradient that is not needed is None; without a gradient of the output, all are None."""
        g = grads[0]
        if g is None:
            self.check_saved()
            return (None, None, None)
        self.check_saved()  # all saved values, even those that are used only in the other mode
        x, weight = self._saved_input, self._saved_weight
        if mode.enabled:
            statistics = (self._saved_running_mean, self._saved_running_var, self._saved_result1, self._saved_result2)
            operands = (g, x, weight, *statistics)
            return batch_norm_backward(
                *operands, inputs=operands[:5], train=self.training, eps=self.eps, _output_mask=output_mask(self)
            )
        shape, axes = _channels_and_axes(x)
        if self.training:
            mean, invstd = self._saved_result1.view(shape), self._saved_result2.view(shape)
        else:
            mean, invstd = _running_moments(self._saved_running_mean, self._saved_running_var, self.eps, shape)
        return self._fast(g, x, mean, invstd, weight, axes)

    def _fast(
        self, g: Tensor, x: Tensor, mean: Tensor, invstd: Tensor, weight: Tensor | None, axes: tuple[int, ...]
    ) -> tuple[Tensor | None, ...]:
        """Return the gradients of input, weight and bias, None where not needed. They are computed on arrays and not recorded."""
        hat = x._array - mean._array
        hat *= invstd._array
        needs_input, needs_weight, needs_bias = output_mask(self)
        sum_g = np.sum(g._array, axis=axes, keepdims=True)
        sum_g_hat = np.sum(g._array * hat, axis=axes, keepdims=True)
        to_input = None
        if needs_input:
            scale = invstd._array if weight is None else invstd._array * weight._array.reshape(invstd._array.shape)
            if self.training:
                n = g._array.size // sum_g.size
                hat *= -sum_g_hat / n
                hat += g._array
                hat -= sum_g / n
                hat *= scale
            else:
                np.multiply(g._array, scale, out=hat)
            to_input = Tensor._wrap(hat)
        to_weight = Tensor._wrap(sum_g_hat.reshape(-1)) if needs_weight else None
        to_bias = Tensor._wrap(sum_g.reshape(-1)) if needs_bias else None
        return to_input, to_weight, to_bias


def _channels_and_axes(x: Tensor) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the shape (1, -1, 1, ...), in which a vector of channels broadcasts to `x`, and all dimensions of `x` except dimension 1."""
    ndim = x._array.ndim
    return (1, -1, *(1,) * (ndim - 2)), (0, *range(2, ndim))


def _running_moments(
    running_mean: Tensor, running_var: Tensor, eps: float, shape: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    return running_mean.view(shape), (running_var + eps).rsqrt().view(shape)


@recomputed(
    "NativeBatchNormBackwardBackward0",
    "grad_out", "input", "weight", "running_mean", "running_var", "save_mean", "save_invstd",
)  # fmt: skip
def batch_norm_backward(
    grad: Tensor, input: Tensor, weight: Tensor | None, running_mean: Any, running_var: Any, save_mean: Any, save_invstd: Any,
    *, train: bool, eps: float, _output_mask: tuple[bool, ...],
) -> tuple[Tensor | None, ...]:  # fmt: skip
    """The gradients of input, weight and bias. In training, mean and variance are computed again, so that they depend on the input.

    A gradient is None where `_output_mask` is False. `save_mean` and `save_invstd` are not used.

    When torch differentiates its own node, it treats the saved statistics as constants. So third derivatives are wrong in torch, and
    right here; see tests/engine/test_third_derivatives.py.
    """
    shape, axes = _channels_and_axes(input)
    mean, invstd = (
        differentiable_moments(input, axes, eps) if train else _running_moments(running_mean, running_var, eps, shape)
    )
    spread = None if weight is None else weight.view(shape)
    to_input = normalization_backward(grad, input, mean, invstd, spread, axes, not train) if _output_mask[0] else None
    to_weight = (grad * ((input - mean) * invstd)).sum(axes) if _output_mask[1] else None
    return to_input, to_weight, grad.sum(axes) if _output_mask[2] else None


def _check_lengths(
    channels: int, training: bool, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None,
    bias: Tensor | None,
) -> None:  # fmt: skip
    for name, t in (("running_mean", running_mean), ("running_var", running_var), ("weight", weight), ("bias", bias)):
        if t is None and not training and name.startswith("running"):
            raise RuntimeError(f"{name} must be defined in evaluation mode")
        if t is not None and t._array.size != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {t._array.size}")


def batch_norm(
    input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None,
    bias: Tensor | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """Normalize each channel of (n, c, *) over the batch and all other dimensions, multiply by `weight` and add `bias`, both (c).

    With `training`, use the mean and variance of the batch, and update the running statistics in place:
    running = (1 - momentum) · running + momentum · batch, with the unbiased variance. The running statistics may be None. Without
    `training`, use them instead of those of the batch.

    Raises:
        ValueError: `eps` is negative; or `training` is set, and `eps` is 0, there is only one value per channel, or one of the running
            statistics is None and the other is not.
        RuntimeError: a vector does not have one element per channel, dtypes don't fit, a running statistic requires grad, or a running
            statistic is None without `training`.
        IndexError: `input` has only one dimension.
        NotImplementedError: `input` is not floating point.
    """
    if training:
        verify_batch_size(input.shape)
        if eps <= 0.0:
            raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    elif eps < 0.0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")
    channels = input._array.shape[1] if input.ndim > 1 else 0
    _check_lengths(channels, training, running_mean, running_var, weight, bias)
    if input._array.size:
        checked_dim(1, input._array.ndim)
    return native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]


def native_batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    training: bool, momentum: float, eps: float,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Return the result of `batch_norm`, and the mean and 1 / √(variance + eps) of each channel of the batch.

    With `training`, the running statistics are updated in place. Without it, mean and 1 / √(variance + eps) are empty tensors. The sizes
    of arguments are not checked. For an `input` of fewer than two dimensions, the only result is a copy of it.

    Raises:
        ValueError: one of the running statistics is None and the other is not.
        NotImplementedError: `input` is not floating point.
        RuntimeError: dtypes don't fit, or a running statistic requires grad.
    """
    x = input._array
    if (running_mean is None) != (running_var is None):
        raise ValueError("running_mean and running_var must either both be None or neither be None")
    if x.ndim < 2:
        return (input.clone(),)  # torch accepts a vector without elements
    shape = (1, x.shape[1], *(1,) * (x.ndim - 2))
    axes = (0, *range(2, x.ndim))
    if x.dtype.kind != "f":
        refuse_dtype("batch_norm", x.dtype)
    check_mixed_types(input, weight, bias, running_mean, running_var)
    check_same_types(weight, bias, running_mean, running_var)
    refuse_gradients("native_batch_norm", running_mean=running_mean, running_var=running_var)
    if training:
        mean, variance, invstd = moments(x, axes, eps)
        n = x.size // max(x.shape[1], 1)
        if running_mean is not None and running_var is not None and n > 0:
            _move_towards(running_mean, mean.reshape(-1), momentum)
            correction = n / (n - 1) if n > 1 else np.nan  # as in torch, the unbiased variance of one value is nan
            _move_towards(running_var, variance.reshape(-1) * mean.dtype.type(correction), momentum)
    else:
        assert running_mean is not None and running_var is not None
        mean = running_mean._array.reshape(shape)
        invstd = (1 / np.sqrt(running_var._array + running_var._array.dtype.type(eps))).reshape(shape)
    w = None if weight is None else weight._array.reshape(shape)
    b = None if bias is None else bias._array.reshape(shape)
    y = to_format(normalize_by(x, mean, invstd, w, b), suggested_format(x))
    results = (mean.reshape(-1), invstd.reshape(-1)) if training else (mean.reshape(-1)[:0], invstd.reshape(-1)[:0])
    return record_many(
        NativeBatchNormBackward0,
        (y, *results),
        (input, weight, bias),
        (input, weight, running_mean, running_var, Result(1), Result(2)),
        (True, False, False),
        training=training,
        eps=eps,
    )


def _move_towards(running: Tensor, new: Any, momentum: float) -> None:
    """Set `running` to (1 - momentum) · running + momentum · new in place, without recording.

    As in torch, the version of the tensor does not rise. So a layer can be called twice before the backward passes of these calls.
    """
    array = running._array
    array *= array.dtype.type(1 - momentum)
    array += (new * new.dtype.type(momentum)).astype(array.dtype, copy=False)


def instance_norm(
    input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None,
    bias: Tensor | None = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """Normalize each channel of each sample of (n, c, *), as a `batch_norm` of (1, n · c, *) does.

    Args:
        running_mean, running_var, weight, bias: (c), or None.
        use_input_stats: whether to normalize with the statistics of the input, and to update the running statistics in place towards
            their mean over the samples; otherwise normalize with the running statistics.

    Raises:
        ValueError: `use_input_stats` is set and a channel of a sample has only one element, or only one of the running statistics is
            None.
        RuntimeError: a vector does not have one element per channel, dtypes don't fit, or a running statistic requires grad; or
            `use_input_stats` is not set and a running statistic is None.
        NotImplementedError: `input` is not floating point.
    """
    if use_input_stats and prod(input.shape[2:]) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.shape}")
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
    n, c, *rest = input.shape
    repeated = [None if t is None else t.repeat(n) for t in (weight, bias, running_mean, running_var)]
    _check_lengths(n * c, use_input_stats, *repeated[2:], *repeated[:2])
    batch = input.contiguous().view(1, n * c, *rest)
    out = native_batch_norm(batch, *repeated, use_input_stats, momentum, eps)[0]  # type: ignore[arg-type, call-arg]
    for running, repeated_stats in ((running_mean, repeated[2]), (running_var, repeated[3])):
        if running is not None and repeated_stats is not None and use_input_stats:
            overwrite(running, np.mean(repeated_stats._array.reshape(n, c), axis=0))
    return out.view(n, c, *rest)
