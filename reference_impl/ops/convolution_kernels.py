"""Convolution on arrays: the inputs that each output sees are copied into columns, and one matrix product does the rest."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_impl import _backend
from reference_impl._layout import contiguous_format
from reference_impl._memory_order import in_format, suggested_format
from reference_impl.ops.kernel_positions import Numbers, output_size, positions

if TYPE_CHECKING:
    from reference_impl.ops.convolution import Geometry


def padded(x: Any, padding: Numbers) -> Any:
    """`x` with zeros around its spatial dimensions; itself where there is no padding."""
    if not any(padding):
        return x
    lead = x.ndim - len(padding)
    shape = (*x.shape[:lead], *[n + 2 * p for n, p in zip(x.shape[lead:], padding, strict=True)])
    out = np.zeros_like(x, shape=shape)
    out[(..., *[slice(p, n - p) for n, p in zip(shape[lead:], padding, strict=True)])] = x
    return out


def columns(x: Any, kernel: Numbers, out: Numbers, geometry: Geometry) -> Any:
    """(n, c, *sizes) -> (n, groups, c / groups · kernel, outputs): per output a column with the inputs it sees."""
    xp = padded(x, geometry.padding)
    n, c, groups = x.shape[0], x.shape[1], geometry.groups
    steps = xp.strides
    inner = [s * d for s, d in zip(steps[2:], geometry.dilation, strict=True)]
    outer = [s * d for s, d in zip(steps[2:], geometry.stride, strict=True)]
    view = _backend.window(xp, (n, c, *kernel, *out), (steps[0], steps[1], *inner, *outer))
    return np.ascontiguousarray(view).reshape(n, groups, c // groups * prod(kernel), prod(out))


def sizes_of_output(x: Any, kernel: Numbers, geometry: Geometry) -> Numbers:
    numbers = zip(x.shape[2:], kernel, geometry.stride, geometry.padding, geometry.dilation, strict=True)
    return tuple([output_size(*along) for along in numbers])


def grouped_weight(w: Any, groups: int) -> Any:
    """(k, c / groups, *kernel) -> (groups, k / groups, c / groups · kernel)."""
    return w.reshape(groups, w.shape[0] // groups, prod(w.shape[1:]))


def with_bias(y: Any, b: Any) -> Any:
    if b is not None:
        y += b.reshape(-1, *(1,) * (y.ndim - 2))
    return y


def forward(x: Any, w: Any, b: Any, geometry: Geometry, out: Numbers | None = None) -> Any:
    """conv(x, w) + b. The output has as many places as the kernel, or `out` of them."""
    kernel = w.shape[2:]
    if out is None:
        out = sizes_of_output(x, kernel, geometry)
    y = np.matmul(grouped_weight(w, geometry.groups), columns(x, kernel, out, geometry))
    return in_format(with_bias(y.reshape(x.shape[0], w.shape[0], *out), b), format_of_result(x, w))


def input_gradient(g: Any, w: Any, sizes: Numbers, geometry: Geometry) -> Any:
    """The gradient of conv's input, of spatial `sizes`, from that of its output: (n, k, *out) -> (n, c, *sizes)."""
    n, groups, kernel, out = g.shape[0], geometry.groups, w.shape[2:], g.shape[2:]
    per_group = w.shape[1]
    flat = g.reshape(n, groups, g.shape[1] // groups, prod(out))
    cols = np.matmul(np.swapaxes(grouped_weight(w, groups), 1, 2), flat)
    cols = cols.reshape(n, groups * per_group, *kernel, *out)
    gx = np.zeros_like(g, shape=(n, groups * per_group, *sizes))
    for position, outs, ins in positions(sizes, out, kernel, geometry.stride, geometry.padding, geometry.dilation):
        gx[ins] += cols[(slice(None), slice(None), *position)][outs]
    return gx


def weight_gradient(x: Any, g: Any, kernel: Numbers, geometry: Geometry) -> Any:
    """The gradient of conv's weight: (n, c, *sizes) and (n, k, *out) -> (k, c / groups, *kernel)."""
    n, groups, out = x.shape[0], geometry.groups, g.shape[2:]
    flat = g.reshape(n, groups, g.shape[1] // groups, prod(out))
    cols = columns(x, kernel, out, geometry)
    products = np.matmul(flat, np.swapaxes(cols, 2, 3))
    return np.sum(products, axis=0).reshape(g.shape[1], x.shape[1] // groups, *kernel)


def transposed(x: Any, w: Any, b: Any, geometry: Geometry) -> Any:
    """The input gradient as an operation of its own: x is what conv would have as output."""
    sizes = tuple(
        [
            (n - 1) * s - 2 * p + d * (k - 1) + extra + 1
            for n, s, p, d, k, extra in zip(
                x.shape[2:], geometry.stride, geometry.padding, geometry.dilation, w.shape[2:], geometry.output_padding,
                strict=True,
            )
        ]
    )  # fmt: skip
    return in_format(with_bias(input_gradient(x, w, sizes, geometry), b), format_of_result(x, w))


def format_of_result(x: Any, w: Any) -> Any:
    """Channels last where one of the operands lies so."""
    found = suggested_format(x)
    return found if found is not contiguous_format else suggested_format(w)


def gradients(g: Any, x: Any, w: Any, geometry: Geometry, wants_input: bool, wants_weight: bool) -> tuple[Any, Any]:
    """The gradients of the operands of `forward` or, for a transposed convolution, of `transposed`."""
    to_input = to_weight = None
    if geometry.transposed:
        if wants_input:
            to_input = forward(g, w, None, geometry, x.shape[2:])
        if wants_weight:
            to_weight = weight_gradient(g, x, w.shape[2:], geometry)
        return to_input, to_weight
    if wants_input:
        to_input = input_gradient(g, w, x.shape[2:], geometry)
    if wants_weight:
        to_weight = weight_gradient(x, g, w.shape[2:], geometry)
    return to_input, to_weight


def bias_gradient(g: Any) -> Any:
    return np.sum(g, axis=(0, *range(2, g.ndim)))
