"""Activation layers."""

from __future__ import annotations

import warnings
from typing import Any

from reference_impl._fields import InitOnly
from reference_impl._tensor import Tensor
from reference_impl.nn import functional as F
from reference_impl.nn import init
from reference_impl.nn.modules.layer import Layer
from reference_impl.nn.modules.module import Module
from reference_impl.nn.parameter import Parameter
from reference_impl.ops.creation import empty


class ReLU(Layer):
    """max(0, input)."""

    inplace: bool = False
    function = F.relu


class SiLU(Layer):
    """input · sigmoid(input)."""

    inplace: bool = False
    function = F.silu


class Mish(Layer):
    """input · tanh(softplus(input))."""

    inplace: bool = False
    function = F.mish


class SELU(Layer):
    """A scaled ELU whose result has mean 0 and variance 1 for a standard normal input."""

    inplace: bool = False
    function = F.selu


class Hardsigmoid(Layer):
    """input / 6 + 1/2, clamped to [0, 1]."""

    inplace: bool = False
    function = F.hardsigmoid
    repr_options = ""


class Hardswish(Layer):
    """input · hardsigmoid(input)."""

    inplace: bool = False
    function = F.hardswish
    repr_options = ""


class Threshold(Layer):
    """`input` where it is above `threshold`, otherwise `value`."""

    threshold: float
    value: float
    inplace: bool = False
    function = F.threshold


class RReLU(Layer):
    """A leaky ReLU. In training, each element has a random slope in [lower, upper]; in evaluation, the slope is (lower + upper) / 2."""

    lower: float = 1.0 / 8
    upper: float = 1.0 / 3
    inplace: bool = False
    function = F.rrelu
    function_options = "lower upper training inplace"


class Hardtanh(Layer):
    """`input` clamped to [min_val, max_val].

    Raises:
        AssertionError: `max_val` is not greater than `min_val`.

    Warns:
        FutureWarning: an argument has its old name, `min_value` or `max_value`.
    """

    min_val: float = -1.0
    max_val: float = 1.0
    inplace: bool = False
    min_value: InitOnly = None
    max_value: InitOnly = None
    function = F.hardtanh

    def complete(self, min_value: float | None, max_value: float | None) -> None:
        """Use the bounds that were passed under their old names, with a warning. Check that `min_val` is below `max_val`.

        Raises:
            AssertionError: `min_val` is not below `max_val`.
        """
        for bound, value in (("min", min_value), ("max", max_value)):
            if value is not None:
                text = f"keyword argument `{bound}_value` is deprecated and renamed to `{bound}_val`"
                warnings.warn(text, FutureWarning, stacklevel=4)
                setattr(self, f"{bound}_val", value)
        if self.max_val <= self.min_val:
            raise AssertionError(f"max_val ({self.max_val}) must be greater than min_val ({self.min_val})")


class ReLU6(Hardtanh):
    """`input` clamped to [0, 6]."""

    repr_options = "inplace"

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)


class Sigmoid(Layer):
    """1 / (1 + exp(-input))."""

    function = F.sigmoid


class Tanh(Layer):
    """tanh(input)."""

    function = F.tanh


class ELU(Layer):
    """`input` where it is positive, otherwise alpha (exp(input) - 1)."""

    alpha: float = 1.0
    inplace: bool = False
    function = F.elu


class CELU(Layer):
    """`input` where it is positive, otherwise alpha (exp(input / alpha) - 1)."""

    alpha: float = 1.0
    inplace: bool = False
    function = F.celu


class GLU(Layer):
    """The first half of the input along `dim` times the sigmoid of the second half."""

    dim: int = -1
    function = F.glu


class GELU(Layer):
    """input · Φ(input), where Φ is the cumulative distribution function of the standard normal distribution.

    With approximate="tanh", Φ is approximated by a formula with tanh.
    """

    approximate: str = "none"
    function = F.gelu

    def extra_repr(self) -> str:
        """Return the options as text, for `repr`."""
        return f"approximate={self.approximate!r}"


class Hardshrink(Layer):
    """`input` where its absolute value is above `lambd`, otherwise 0."""

    lambd: float = 0.5
    function = F.hardshrink

    def extra_repr(self) -> str:
        """Return the options as text, for `repr`."""
        return f"{self.lambd}"


class Softshrink(Layer):
    """`input` moved towards 0 by `lambd`; 0 where |input| <= lambd."""

    lambd: float = 0.5
    function = F.softshrink

    def extra_repr(self) -> str:
        """Return the options as text, for `repr`."""
        return f"{self.lambd}"


class LeakyReLU(Layer):
    """`input` where it is positive, otherwise negative_slope · input."""

    negative_slope: float = 0.01
    inplace: bool = False
    function = F.leaky_relu


class LogSigmoid(Layer):
    """log sigmoid(input)."""

    function = F.logsigmoid


class Softplus(Layer):
    """log(1 + exp(beta · input)) / beta, but `input` where beta · input > threshold."""

    beta: float = 1.0
    threshold: float = 20.0
    function = F.softplus


class PReLU(Module):
    """A leaky ReLU whose slope is a parameter. There is one slope, or one for each of `num_parameters` channels."""

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the slopes to their initial value, `init`."""
        init.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        """Return `input` where it is positive, otherwise slope · input. The channels are dimension 1.

        Raises:
            RuntimeError: there are several slopes, and their number is not that of the channels.
        """
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """Return the options as text, for `repr`."""
        return f"num_parameters={self.num_parameters}"


class Softsign(Layer):
    """input / (1 + |input|)."""

    function = F.softsign


class Tanhshrink(Layer):
    """input - tanh(input)."""

    function = F.tanhshrink


class _OverDim(Layer):
    dim: int | None = None


class Softmax(_OverDim):
    """exp(input) divided by its sum over `dim`.

    A `dim` of None stands for 0 if the input has 0, 1 or 3 dimensions, otherwise for 1, with a warning.
    """

    def forward(self, input: Tensor) -> Tensor:
        """Return `softmax` over `dim`."""
        return F.softmax(input, self.dim, _stacklevel=4)


class Softmin(_OverDim):
    """Softmax of -input. See `Softmax` for a `dim` of None."""

    def forward(self, input: Tensor) -> Tensor:
        """Return `softmin` over `dim`."""
        return F.softmin(input, self.dim, _stacklevel=4)


class LogSoftmax(_OverDim):
    """The logarithm of softmax. See `Softmax` for a `dim` of None."""

    def forward(self, input: Tensor) -> Tensor:
        """Return `log_softmax` over `dim`."""
        return F.log_softmax(input, self.dim, _stacklevel=4)


class Softmax2d(Module):
    """Softmax over the channels of an image.

    Raises:
        ValueError: the input does not have three or four dimensions.
    """

    def forward(self, input: Tensor) -> Tensor:
        """Return `softmax` over the channels of (n, c, h, w) or (c, h, w).

        Raises:
            ValueError: `input` does not have three or four dimensions.
        """
        if input.ndim not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead")
        return F.softmax(input, -3, _stacklevel=4)
