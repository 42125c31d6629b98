"""Pooling to a given number of outputs: output o of n covers the inputs from ⌊o · size / n⌋ to ⌈(o + 1) · size / n⌉."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy as np

from reference_impl._memory_order import empty, suggested_format
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.elementwise import zeros_like
from reference_impl.ops.kernel_positions import Numbers
from reference_impl.ops.registry import builtin


def _bounds(size: int, count: int) -> list[slice]:
    return [slice(o * size // count, -(-(o + 1) * size // count)) for o in range(count)]


def _regions(sizes: Numbers, out: Numbers) -> list[tuple[Any, Any]]:
    """(index of the output, index of its inputs), for every output."""
    per_dim = [list(enumerate(_bounds(size, n))) for size, n in zip(sizes, out, strict=True)]
    return [((..., *[o for o, _ in choice]), (..., *[s for _, s in choice])) for choice in product(*per_dim)]


# -- average


class AdaptiveAvgPoolBackward(Node):
    """out = the mean of each region:  ∂self = g / (size of the region) at each of its elements."""

    saved_names = ("self",)
    _out: Numbers

    def grad_self(self, g: Tensor) -> Tensor:
        return _spread(g, self._saved_self, len(self._out))


class AdaptiveAvgPool2DBackward0(AdaptiveAvgPoolBackward):
    """Over two dimensions, or one."""


class AdaptiveAvgPool3DBackward0(AdaptiveAvgPoolBackward):
    """Over three dimensions."""


class AdaptiveAvgPool2DBackwardBackward0(Node):
    """Spreading over regions is linear: its gradient is averaged over them. The input counts nothing."""

    _out: Numbers

    def grad_grad_output(self, g: Tensor) -> Tensor:
        return _average(g, self._out)

    def grad_self(self, g: Tensor) -> Tensor:
        return zeros_like(g)


class AdaptiveAvgPool3DBackwardBackward0(AdaptiveAvgPool2DBackwardBackward0):
    """See AdaptiveAvgPool2DBackwardBackward0."""


def _average(input: Tensor, out: Numbers) -> Tensor:
    x = input._array
    n = len(out)
    sizes = x.shape[x.ndim - n :]
    y = empty((*x.shape[: x.ndim - n], *out), suggested_format(x), x.dtype, x)
    axes = tuple(range(-n, 0))
    for target, source in _regions(sizes, out):
        y[target] = np.mean(x[source], axis=axes)
    node = AdaptiveAvgPool3DBackward0 if n == 3 else AdaptiveAvgPool2DBackward0
    return record(node, y, (input,), (input,), _out=out)


def _spread(grad: Tensor, input: Tensor, n: int) -> Tensor:
    g = grad._array
    out = g.shape[g.ndim - n :]
    gx = np.zeros_like(g, shape=input._array.shape)
    for source, target in _regions(gx.shape[gx.ndim - n :], out):
        region = gx[target]
        region += (g[source] / prod(region.shape[region.ndim - n :])).reshape(*g.shape[: g.ndim - n], *(1,) * n)
    node = AdaptiveAvgPool3DBackwardBackward0 if n == 3 else AdaptiveAvgPool2DBackwardBackward0
    return record(node, gx, (grad, input), _out=out)


def _wanted(output_size: Any, input: Tensor, spatial: int) -> Numbers:
    """The numbers of outputs; None keeps the size.

    Raises:
        ValueError: the input has too few dimensions.
    """
    if isinstance(output_size, (tuple, list)) and input.ndim <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    sizes = input._array.shape[-spatial:]
    if isinstance(output_size, (tuple, list)) and len(output_size) != spatial:
        return tuple(output_size)
    if not isinstance(output_size, (tuple, list)):
        return tuple([n if output_size is None else int(output_size) for n in sizes])
    return tuple([n if wanted is None else int(wanted) for wanted, n in zip(output_size, sizes, strict=True)])


def _check(name: str, input: Tensor, spatial: int) -> None:
    x = input._array
    if x.ndim not in (spatial + 1, spatial + 2):
        raise RuntimeError(f"{name}(): Expected {spatial + 1}D or {spatial + 2}D tensor, but got {list(x.shape)}")
    for d in range(-spatial, 0):
        if x.shape[d] == 0:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes "
                f"{list(x.shape)} with dimension {x.ndim + d} being empty"
            )


def _check_average(name: str, input: Tensor, out: Numbers, spatial: int) -> None:
    if len(out) != spatial:
        raise RuntimeError(f"{name}: output_size must be {spatial}")
    if any(n < 0 for n in out):
        *first, last = [str(n) for n in out]
        # torch leaves out the blank before the third number.
        shown = ", ".join(first) + (", " if spatial == 2 else ",") + last
        raise RuntimeError(
            f"{name}: elements of output_size must be greater than or equal to 0 but received {{{shown}}}"
        )
    _check(name, input, spatial)


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The means of `output_size` regions: (*, h, w) -> (*, h', w')."""
    out = _wanted(output_size, input, 2)
    _check_average("adaptive_avg_pool2d", input, out, 2)
    if out == (1, 1):
        return input.mean((-1, -2), keepdim=True)
    return _average(input, out)


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The means of `output_size` regions: (*, d, h, w) -> (*, d', h', w')."""
    out = _wanted(output_size, input, 3)
    _check_average("adaptive_avg_pool3d", input, out, 3)
    if out == (1, 1, 1):
        return input.mean((-1, -2, -3), keepdim=True)
    return _average(input, out)


def _one_size(name: str, output_size: Any) -> int:
    if isinstance(output_size, (tuple, list)):
        if len(output_size) != 1:
            raise RuntimeError(f"{name}() argument 'output_size' should contain one int (got {len(output_size)})")
        return int(output_size[0])
    return int(output_size)


@builtin
def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """The means of `output_size` regions: (*, l) -> (*, l'), computed with a height of 1."""
    if input.ndim not in (2, 3):
        raise RuntimeError(f"adaptive_avg_pool1d(): Expected 2D or 3D tensor, but got {list(input.shape)}")
    out = _one_size("adaptive_avg_pool1d", output_size)
    return adaptive_avg_pool2d(input.unsqueeze(-2), (1, out)).squeeze(-2)
