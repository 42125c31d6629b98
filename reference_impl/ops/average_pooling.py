"""Average pooling with a sliding kernel, in one, two and three dimensions. Max pooling is in `pooling`."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.arithmetic import zeros_like
from reference_impl.ops.kernel_positions import Numbers, check_dims
from reference_impl.ops.out_argument import write_out
from reference_impl.ops.pooling_window import (
    SHOWN,
    Window,
    format_of_mean,
    of_window,
    one_dimensional,
    parts,
    refuse_pooling,
    room_for,
    window_of,
)
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import builtin


class AvgPoolBackward(Node):
    """out = Σ window / count:  ∂self = g / count at every element of the window."""

    saved_names = ("self",)
    kernel_size: Numbers
    stride: Numbers
    padding: Numbers
    ceil_mode: bool
    count_include_pad: bool
    divisor_override: int | None
    _window: Window

    def grad_self(self, g: Tensor) -> Tensor:
        """Return the gradient of the input of the pooling."""
        return avg_pool_backward(g, self._saved_self, self._window, self.count_include_pad, self.divisor_override)

    def __getattr__(self, name: str) -> Any:
        return of_window(self, name) if name in SHOWN else object.__getattribute__(self, name)


class AvgPool2DBackward0(AvgPoolBackward):
    """Average pooling over two dimensions, or one: each element of a window receives g divided by the window's divisor."""


class AvgPool3DBackward0(AvgPoolBackward):
    """Average pooling over three dimensions: each element of a window receives g divided by the window's divisor."""


class AvgPool2DBackwardBackward0(Node):
    """The gradient of average pooling is linear in grad_output, which receives the average of g over each window. self receives 0."""

    _window: Window
    count_include_pad: bool
    divisor_override: int | None

    def grad_grad_output(self, g: Tensor) -> Tensor:
        """Return the average of `g` over each window."""
        return _avg_pool(g, self._window, self.count_include_pad, self.divisor_override)

    def grad_self(self, g: Tensor) -> Tensor:
        """Return zeros, because the first derivative does not depend on the input of the pooling."""
        return zeros_like(g)


class AvgPool3DBackwardBackward0(AvgPool2DBackwardBackward0):
    """See AvgPool2DBackwardBackward0."""


def divisors(window: Window, count_include_pad: bool, divisor_override: int | None) -> Any:
    """Return the divisor of each window's sum: a number if all windows have the same divisor, otherwise an array of shape `window.out`.

    Unless `divisor_override` replaces it, the divisor is the number of the window's elements inside the input or, with
    `count_include_pad`, inside the padded input.
    """
    if divisor_override is not None:
        return divisor_override
    per_dim = []
    for size, n, k, s, p in zip(window.sizes, window.out, window.kernel, window.stride, window.padding, strict=True):
        start = np.arange(n) * s - p
        end = np.minimum(start + k, size + p)
        if not count_include_pad:
            start, end = np.maximum(start, 0), np.minimum(end, size)
        per_dim.append(end - start)
    if all((counts == counts[0]).all() for counts in per_dim):
        return prod(int(counts[0]) for counts in per_dim)
    total = per_dim[0]
    for counts in per_dim[1:]:
        total = total[..., None] * counts
    return total


def _divide(sums: Any, divisor: Any, out: Any) -> Any:
    """Write `sums / divisor` into `out`, and return it.

    For a `divisor` that is a power of two, multiply by its reciprocal: this gives the same result and is faster.
    """
    if isinstance(divisor, int):
        if sums.dtype.kind == "f" and divisor > 0 and divisor & (divisor - 1) == 0:
            return np.multiply(sums, sums.dtype.type(1 / divisor), out=out)
        return np.divide(sums, divisor, out=out, casting="unsafe")
    divisor = _backend.to_device_of(divisor.astype(sums.dtype), sums)
    return np.divide(sums, divisor, out=out, casting="unsafe")


def _avg_pool(input: Tensor, window: Window, count_include_pad: bool, divisor_override: int | None) -> Tensor:
    x = input._array
    y = room_for(x, window.out, format_of_mean(x, len(window.out)))
    divisor = divisors(window, count_include_pad, divisor_override)
    for x_part, y_part in parts(x, y):
        _write_sums(window, x_part, y_part)
        _divide(y_part, divisor, out=y_part)
    node = AvgPool3DBackward0 if len(window.sizes) == 3 else AvgPool2DBackward0
    return record(
        node, y, (input,), (input,),
        _window=window, count_include_pad=count_include_pad, divisor_override=divisor_override,
    )  # fmt: skip


def _write_sums(window: Window, x: Any, y: Any) -> None:
    """Write the sum of each window of `x` into `y`. The elements of a window are added in row-major order."""
    first, *remaining = window.places
    if remaining and x[first[2]].shape == y.shape and x[remaining[0][2]].shape == y.shape:
        np.add(x[first[2]], x[remaining[0][2]], out=y)
        remaining = remaining[1:]
    else:
        y.fill(0)
        remaining = list(window.places)
    for _, outs, ins in remaining:
        y[outs] += x[ins]


def avg_pool_backward(
    grad: Tensor, input: Tensor, window: Window, count_include_pad: bool, divisor_override: int | None
) -> Tensor:
    """Return the gradient of `input`: for each element, the sum of `grad / divisor` over the windows that contain it."""
    g = grad._array
    shape = (*g.shape[: g.ndim - len(window.sizes)], *window.sizes)
    gx = np.empty_like(g, shape=shape, order="C")
    divisor = divisors(window, count_include_pad, divisor_override)
    for gx_part, g_part in parts(gx, g):
        share = _divide(g_part, divisor, out=np.empty_like(g_part))
        if window.disjoint:
            first_row = (*window.places[0][2][:-1], slice(None))
            for position, outs, ins in window.places:
                if not any(position[:-1]):
                    gx_part[ins] = share[outs]
                elif position[-1] == 0:
                    # Each such row equals the first row of its window. Copying rows is faster than writing from `share` with a stride.
                    gx_part[(*ins[:-1], slice(None))] = gx_part[first_row]
        else:
            gx_part.fill(0)
            for _, outs, ins in window.places:
                gx_part[ins] += share[outs]
    node = AvgPool3DBackwardBackward0 if len(window.sizes) == 3 else AvgPool2DBackwardBackward0
    return record(
        node, gx, (grad, input), _window=window, count_include_pad=count_include_pad, divisor_override=divisor_override
    )


def _avg_pool_nd(
    spatial: int, input: Tensor, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool, count_include_pad: bool,
    divisor_override: int | None,
) -> Tensor:  # fmt: skip
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    name = f"avg_pool{spatial}d"
    window = window_of(name, input, kernel_size, stride, padding, 1, ceil_mode, spatial)
    x = input._array
    if x.dtype.kind != "f" and x.dtype != np.int64:
        if spatial == 3:
            refuse_dtype("avg_pool3d_out_frame", x.dtype)
        refuse_pooling(name, x)
    return _avg_pool(input, window, count_include_pad, divisor_override)


@builtin
def avg_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None, *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Return the mean of each window: (n, c, h, w) -> (n, c, h', w'). The batch dimension n may be missing.

    Args:
        kernel_size, stride, padding, ceil_mode: see `max_pool2d`; elements of the padding are 0.
        count_include_pad: whether the divisor counts elements of the padding.
        divisor_override: divisor of each window's sum, instead of the number of the window's elements.

    Raises:
        IndexError: `input` has fewer than three dimensions.
        RuntimeError: an argument is invalid, or `input` has more than four dimensions.
    """
    check_dims(input, -3, -2, -1)
    arguments = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    result = _avg_pool_nd(2, input, *arguments)
    return result if out is None else write_out(result, out, "avg_pool2d")


@builtin
def avg_pool3d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None, *, out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Return the mean of each window: (n, c, d, h, w) -> (n, c, d', h', w'). The batch dimension n may be missing.

    The arguments are those of `avg_pool2d`.

    Raises:
        RuntimeError: an argument is invalid, or `input` has neither four nor five dimensions.
    """
    arguments = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    result = _avg_pool_nd(3, input, *arguments)
    return result if out is None else write_out(result, out, "avg_pool3d")


@builtin
def avg_pool1d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:  # fmt: skip
    """Return the mean of each window: (n, c, l) -> (n, c, l'). The batch dimension n may be missing.

    The input is treated as an image of height 1. The arguments are those of `avg_pool2d`.

    Raises:
        RuntimeError: an argument is invalid, or `input` has neither two nor three dimensions.
    """
    if input._array.ndim not in (2, 3):
        raise RuntimeError(f"Expected 2D or 3D (batch mode) tensor for input, but got: {list(input._array.shape)}")
    k, s, p, _ = one_dimensional("avg_pool1d", kernel_size, stride, padding)
    return avg_pool2d(input.unsqueeze(-2), (1, k), (1, s), (0, p), ceil_mode, count_include_pad).squeeze(-2)
