"""Convolution layers, plain and transposed."""

from __future__ import annotations

import math
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn import functional as F
from reference_impl.nn import init
from reference_impl.nn.modules.lazy import LazyModuleMixin
from reference_impl.nn.modules.module import Module
from reference_impl.nn.parameter import Parameter, UninitializedParameter
from reference_impl.ops.creation import empty
from reference_impl.ops.kernel_positions import n_times


class _ConvNd(Module):
    """Base of all convolution layers. `_spatial` is the number of spatial dimensions.

    Weight and bias start as uniform random numbers in ±1/√(in_channels / groups · number of kernel positions). In transposed layers,
    out_channels replaces in_channels.
    """

    _spatial: int

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: tuple[int, ...], stride: tuple[int, ...], padding: Any,
        dilation: tuple[int, ...], transposed: bool, output_padding: tuple[int, ...], groups: int, bias: bool,
        padding_mode: str, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        _check_arguments(in_channels, out_channels, stride, padding, groups, padding_mode)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = _for_pad(padding, dilation, kernel_size)
        ends = (in_channels, out_channels // groups) if transposed else (out_channels, in_channels // groups)
        self.weight = Parameter(empty((*ends, *kernel_size), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new random values for weight and bias."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * len(self.padding):
            text += f", padding={self.padding}"
        if self.dilation != (1,) * len(self.dilation):
            text += f", dilation={self.dilation}"
        if self.output_padding != (0,) * len(self.output_padding):
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


def _check_arguments(
    in_channels: int, out_channels: int, stride: tuple[int, ...], padding: Any, groups: int, padding_mode: str
) -> None:
    """Check the arguments of a convolution layer.

    Raises:
        ValueError: `groups` does not divide the channels, or stride, padding or padding mode is invalid.
    """
    if groups <= 0:
        raise ValueError("groups must be a positive integer")
    if in_channels % groups != 0:
        raise ValueError("in_channels must be divisible by groups")
    if out_channels % groups != 0:
        raise ValueError("out_channels must be divisible by groups")
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise ValueError(f"Invalid padding string {padding!r}, should be one of { {'same', 'valid'} }")
        if padding == "same" and any(s != 1 for s in stride):
            raise ValueError("padding='same' is not supported for strided convolutions")
    modes = {"zeros", "reflect", "replicate", "circular"}
    if padding_mode not in modes:
        raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode='{padding_mode}'")


def _for_pad(padding: Any, dilation: tuple[int, ...], kernel_size: tuple[int, ...]) -> Any:
    """Return the padding as an argument of `F.pad`: left and right padding of each dimension, from the last dimension to the first."""
    if not isinstance(padding, str):
        return tuple([p for p in reversed(padding) for _ in range(2)])
    if padding == "valid":
        return [0, 0] * len(kernel_size)
    totals = [d * (k - 1) for d, k in zip(dilation, kernel_size, strict=True)]
    return [n for t in reversed(totals) for n in (t // 2, t - t // 2)]


class _PlainConv(_ConvNd):
    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, bias: bool = True, padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        n = self._spatial
        super().__init__(
            in_channels, out_channels, n_times(kernel_size, n), n_times(stride, n),
            padding if isinstance(padding, str) else n_times(padding, n), n_times(dilation, n), False, (0,) * n, groups,
            bias, padding_mode, device, dtype,
        )  # fmt: skip

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        convolve = _FUNCTIONS[self._spatial]
        if self.padding_mode == "zeros":
            return convolve(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        around = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
        return convolve(around, weight, bias, self.stride, 0, self.dilation, self.groups)


_FUNCTIONS = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}


class Conv1d(_PlainConv):
    """Convolution over one dimension: (n, in_channels, l) -> (n, out_channels, l'). The batch dimension may be absent."""

    _spatial = 1


class Conv2d(_PlainConv):
    """Convolution over two dimensions: (n, in_channels, h, w) -> (n, out_channels, h', w'). The batch dimension may be absent."""

    _spatial = 2


class Conv3d(_PlainConv):
    """Convolution over three dimensions: (n, in_channels, d, h, w) -> (n, out_channels, d', h', w'). The batch dimension may be absent."""

    _spatial = 3


class _ConvTransposeNd(_ConvNd):
    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1, padding_mode: str = "zeros",
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        n = self._spatial
        super().__init__(
            in_channels, out_channels, n_times(kernel_size, n), n_times(stride, n), n_times(padding, n),
            n_times(dilation, n), True, n_times(output_padding, n), groups, bias, padding_mode, device, dtype,
        )  # fmt: skip

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        if output_size is not None:
            raise NotImplementedError(
                "PyTorch takes an `output_size`; reference_impl, which runs here, takes only `output_padding`"
            )
        convolve, extra = _TRANSPOSED[self._spatial], self.output_padding
        return convolve(input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation)


_TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}


class ConvTranspose1d(_ConvTransposeNd):
    """Transposed convolution, the operation that computes the gradient of a Conv1d with respect to its input.

    (n, in_channels, l) -> (n, out_channels, l'). The batch dimension may be absent.

    `forward` raises NotImplementedError if `output_size` is passed.
    """

    _spatial = 1


class ConvTranspose2d(_ConvTransposeNd):
    """Transposed convolution over two dimensions: (n, in_channels, h, w) -> (n, out_channels, h', w'). See `ConvTranspose1d`."""

    _spatial = 2


class ConvTranspose3d(_ConvTransposeNd):
    """Transposed convolution over three dimensions: (n, in_channels, d, h, w) -> (n, out_channels, d', h', w'). See `ConvTranspose1d`."""

    _spatial = 3


class _LazyConv(LazyModuleMixin, _PlainConv):
    def __init__(
        self, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
        bias: bool = True, padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        # The parent creates no bias, because the lines below would replace it.
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device, dtype)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Draw new random values for weight and bias, unless their shapes are still unknown."""
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:  # type: ignore[override]
        """Set `in_channels` to the number of channels of `input`, and initialize weight and bias.

        Do nothing if their shapes are known already.

        Raises:
            RuntimeError: `input` has a wrong number of dimensions.
            ValueError: the number of channels is not divisible by `groups`.
        """
        if not self.has_uninitialized_params():
            return
        n = self._spatial
        if input.ndim not in (n + 1, n + 2):
            raise RuntimeError(
                f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to {type(self).__name__}, but got input of size: "
                f"{input.shape}"
            )
        self.in_channels = input.shape[input.ndim - n - 1]
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        self.weight.materialize((self.out_channels, self.in_channels // self.groups, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()


class LazyConv1d(_LazyConv, Conv1d):
    """A Conv1d that takes `in_channels` from its first input."""

    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    """A Conv2d that takes `in_channels` from its first input."""

    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    """A Conv3d that takes `in_channels` from its first input."""

    cls_to_become = Conv3d
