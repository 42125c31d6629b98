"""`torch.nn.init`: fill parameters with initial values, without recording. The same seed gives the same values as in torch.

Random numbers come from the argument `generator`, or from the default generator if it is None.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl._dtype import float16
from reference_impl._tensor import Tensor
from reference_impl.arguments.missing_names import absent
from reference_impl.autograd.grad_mode import no_grad
from reference_impl.ops.creation import empty_like
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.where import where

_LINEAR = ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d")


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """Return the factor by which weights are scaled so that values keep their variance through the nonlinearity.

    Args:
        nonlinearity: "linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu", or the name of a convolution such as "conv2d".
        param: the `negative_slope` of "leaky_relu", by default 0.01.

    Raises:
        ValueError: the nonlinearity is unknown, or the slope `param` of "leaky_relu" is not a number.
    """
    if nonlinearity in _LINEAR or nonlinearity == "sigmoid":
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fill `tensor` with uniform numbers in [a, b), and return it."""
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill `tensor` with normal numbers of this mean and standard deviation, and return it."""
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill `tensor` with `val`, and return it."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Fill `tensor` with 1, and return it."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill `tensor` with 0, and return it."""
    with no_grad():
        return tensor.zero_()


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """Return fan_in, the number of inputs that each output depends on, and fan_out, the number of outputs that depend on each input.

    Raises:
        ValueError: `tensor` has fewer than two dimensions.
    """
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    receptive_field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * receptive_field, tensor.shape[0] * receptive_field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill `tensor` with uniform numbers of mean 0 and variance gain² · 2 / (fan_in + fan_out) (Glorot and Bengio 2010).

    fan_in is the number of inputs that each output depends on, fan_out the number of outputs that depend on each input. Return `tensor`.

    Raises:
        ValueError: `tensor` has fewer than two dimensions.
    """
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(fan_in + fan_out)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill `tensor` with normal numbers of mean 0 and variance gain² · 2 / (fan_in + fan_out) (Glorot and Bengio 2010).

    fan_in and fan_out are as in `xavier_uniform_`. Return `tensor`.

    Raises:
        ValueError: `tensor` has fewer than two dimensions.
    """
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Fill `tensor` with uniform numbers of mean 0 and variance gain² / fan (He et al. 2015).

    gain is `calculate_gain(nonlinearity, a)`; fan is fan_in or fan_out, see `xavier_uniform_`. Return `tensor`. If it has no elements,
    warn.

    Args:
        a: the negative slope, if `nonlinearity` is "leaky_relu".
        mode: "fan_in" divides by fan_in and keeps the variance in the forward pass, "fan_out" in the backward pass.

    Raises:
        ValueError: `tensor` has fewer than two dimensions, or `mode` or `nonlinearity` is unknown.
    """
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Fill `tensor` with normal numbers of mean 0 and variance gain² / fan (He et al. 2015), and return it. See `kaiming_uniform_`."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    return normal_(tensor, 0, std, generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Fill `tensor` with `gain` times a random matrix of orthonormal rows, or columns if these are fewer (Saxe et al. 2013).

    The dimensions after the first count as one. Return `tensor`; if it has no elements, do nothing.

    Raises:
        ValueError: `tensor` has fewer than two dimensions.
        NotImplementedError: the dtype is float16.
    """
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.shape[0]
    columns = tensor.numel() // rows
    with no_grad():
        drawn = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
        if drawn.dtype is float16:
            refuse_dtype("geqrf_cpu", drawn._array.dtype)
        q, r = np.linalg.qr((drawn.t() if rows < columns else drawn)._array)
        q = q * np.sign(np.diagonal(r))  # makes the distribution uniform (Mezzadri 2007)
        tensor.view(rows, columns).copy_(Tensor._wrap(q.T if rows < columns else q))
        return tensor.mul_(gain)


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Tensor:
    """Fill `tensor` with normal numbers in [a, b], and return it. Warn if `mean` is more than two standard deviations outside.

    Numbers outside [a, b] are drawn again. If [a, b] has less than 30 % of the probability, uniform numbers in [a, b] are drawn, each
    accepted with the probability that its density has in proportion to the highest density, until all are accepted.
    """
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.",
            stacklevel=1,
        )
    with no_grad():
        if _normal_cdf((b - mean) / std) - _normal_cdf((a - mean) / std) > 0.3:
            low, high = tensor.new_tensor(a).item(), tensor.new_tensor(b).item()
            result = tensor.normal_(mean, std, generator=generator)
            while (outside := (result < low) | (result > high)).any():
                result = where(outside, empty_like(result).normal_(mean, std, generator=generator), result)
            return tensor if result is tensor else tensor.copy_(result)
        log_peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2

        def rejected(drawn: Tensor) -> Tensor:
            log_chance = empty_like(drawn).uniform_(generator=generator).log_()
            return log_chance.gt(drawn.sub(mean).div_(std).pow_(2).mul_(-0.5).sub_(log_peak))

        result = tensor.uniform_(a, b, generator=generator)
        pending = rejected(result)
        while pending.any():
            drawn = empty_like(tensor).uniform_(a, b, generator=generator)
            result = where(pending, drawn, result)
            pending = pending & rejected(drawn)
        return tensor if result is tensor else tensor.copy_(result)


def _normal_cdf(x: float) -> float:
    return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0


def _deprecate(function: Callable[..., Tensor]) -> None:
    new = function.__name__
    old = new.removesuffix("_")

    def deprecated(*args: Any, **kwargs: Any) -> Tensor:
        warnings.warn(f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    deprecated.__name__ = deprecated.__qualname__ = old
    deprecated.__doc__ = f"Call `{new}`, with a warning that this is its old name."
    globals()[old] = deprecated


for _function in (
    uniform_,
    normal_,
    constant_,
    xavier_uniform_,
    xavier_normal_,
    kaiming_uniform_,
    kaiming_normal_,
    orthogonal_,
):
    _deprecate(_function)


def __getattr__(name: str) -> Any:
    raise absent("torch.nn.init", name)
