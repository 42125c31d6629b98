"""Adaptive average pooling, for which the caller chooses the output size.

Along a dimension of `size` elements, output o of n is the mean of a region of elements: from ⌊o · size / n⌋ up to, but not
including, ⌈(o + 1) · size / n⌉. Regions may overlap.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy as np

from reference_impl.core.declare import operation
from reference_impl.core.tensor import Tensor
from reference_impl.ops.arithmetic import zeros_like
from reference_impl.ops.kernel_positions import Numbers, as_integer
from reference_impl.ops.pooling_window import format_of_mean, refuse_pooling, room_for
from reference_impl.ops.rectifier import floating_only
from reference_impl.ops.registry import builtin


def _bounds(size: int, count: int) -> list[slice]:
    return [slice(o * size // count, -(-(o + 1) * size // count)) for o in range(count)]


def _regions(sizes: Numbers, out: Numbers) -> list[tuple[Any, Any]]:
    """Return a pair of indices for every output element: the index of the element, and the index of its region of the input.

    Args:
        sizes: spatial sizes of the input.
        out: spatial sizes of the output.
    """
    per_dim = [list(enumerate(_bounds(size, n))) for size, n in zip(sizes, out, strict=True)]
    return [((..., *[o for o, _ in choice]), (..., *[s for _, s in choice])) for choice in product(*per_dim)]


# -- average


def _region_means(self: Any, out: Numbers) -> Any:
    """Return the mean of each region of `self`: (*, *spatial sizes) -> (*, *out)."""
    n = len(out)
    y = room_for(self, out, format_of_mean(self, n))
    for target, source in _regions(self.shape[self.ndim - n :], out):
        y[target] = np.mean(self[source], axis=tuple(range(-n, 0)))
    return y


def _spread(grad_output: Any, self: Any, out: Numbers) -> Any:
    """Return the gradient of `self` in `_region_means`. Only the shape of `self` is used.

    The gradient of each mean is divided equally among the elements of its region. Regions that overlap add up.

    Raises:
        RuntimeError: `grad_output` has a size of 0 in a spatial dimension.
    """
    g, n = grad_output, len(out)
    _check_sizes(f"adaptive_avg_pool{n}d_backward", "grad_output", g.shape, n)
    gx = np.zeros_like(g, shape=self.shape)
    for source, target in _regions(gx.shape[gx.ndim - n :], out):
        region = gx[target]
        region += (g[source] / prod(region.shape[region.ndim - n :])).reshape(*g.shape[: g.ndim - n], *(1,) * n)
    return gx


def _declare_average(spatial: int) -> Any:
    """Declare `_region_means` and its gradient `_spread` as operations, and return `_region_means`.

    `_spread` is linear in `grad_output`, and its gradient with respect to `grad_output` is `_region_means`.
    """

    node_name = f"AdaptiveAvgPool{spatial}DBackward"
    spread = operation(
        f"{node_name}Backward0", grad_output=lambda g, out: average(g, out), self=lambda g: zeros_like(g)
    )(_spread)
    average = operation(f"{node_name}0", self=lambda g, self, out: spread(g, self, out))(_region_means)
    return average


_AVERAGES = {spatial: _declare_average(spatial) for spatial in (2, 3)}


def _output_sizes(output_size: Any, input: Tensor, spatial: int) -> Numbers:
    """Return the requested output size as one number per spatial dimension.

    A single number applies to every dimension, None stands for the input's size. A list of another length is returned unchecked.

    Raises:
        ValueError: `output_size` is a list, and `input` does not have more dimensions than the list has elements.
    """
    if isinstance(output_size, (tuple, list)) and input.ndim <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    sizes = input._array.shape[-spatial:]
    if isinstance(output_size, (tuple, list)) and len(output_size) != spatial:
        return tuple(output_size)
    if not isinstance(output_size, (tuple, list)):
        return tuple([n if output_size is None else as_integer(output_size) for n in sizes])
    return tuple(
        [n if requested is None else as_integer(requested) for requested, n in zip(output_size, sizes, strict=True)]
    )


def _check(name: str, input: Tensor, spatial: int) -> None:
    x = input._array
    if x.ndim not in (spatial + 1, spatial + 2):
        raise RuntimeError(f"{name}(): Expected {spatial + 1}D or {spatial + 2}D tensor, but got {list(x.shape)}")
    _check_sizes(name, "input", x.shape, spatial)


def _check_sizes(name: str, argument: str, shape: tuple[int, ...], spatial: int) -> None:
    for d in range(len(shape) - spatial, len(shape)):
        if shape[d] == 0:
            raise RuntimeError(
                f"{name}(): Expected {argument} to have non-zero size for non-batch dimensions, but {argument} has sizes "
                f"{list(shape)} with dimension {d} being empty"
            )


def _check_average(name: str, input: Tensor, out: Numbers, spatial: int) -> None:
    if len(out) != spatial:
        raise RuntimeError(f"{name}: output_size must be {spatial}")
    if any(n < 0 for n in out):
        *first, last = [str(n) for n in out]
        # torch's message has no space before the third number.
        text = ", ".join(first) + (", " if spatial == 2 else ",") + last
        raise RuntimeError(
            f"{name}: elements of output_size must be greater than or equal to 0 but received {{{text}}}"
        )
    _check(name, input, spatial)


def _average(input: Tensor, output_size: Any, spatial: int) -> Tensor:
    name, x = f"adaptive_avg_pool{spatial}d", input._array
    out = _output_sizes(output_size, input, spatial)
    _check_average(name, input, out, spatial)
    if out == (1,) * spatial:
        return input.mean(tuple(range(-1, -spatial - 1, -1)), keepdim=True)
    if spatial == 3:
        floating_only(x, f"{name}_cpu")
    if x.dtype.kind != "f" and x.size:
        refuse_pooling(name, x)
    return _AVERAGES[spatial](input, out)


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Divide height and width into h' · w' regions, and return the mean of each: (n, c, h, w) -> (n, c, h', w').

    The batch dimension n may be missing. Regions may overlap.

    Args:
        output_size: (h', w'), or a number for both. None keeps the size of the input.

    Raises:
        ValueError, RuntimeError: `input` has a wrong number of dimensions or a size 0 besides n, or `output_size` has a wrong number of
            values or a negative one.
        NotImplementedError: `input` is not floating point.
    """
    return _average(input, output_size, 2)


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Divide depth, height and width into d' · h' · w' regions, and return the mean of each: (n, c, d, h, w) -> (n, c, d', h', w').

    `output_size` is (d', h', w'), or a number for all three. See `adaptive_avg_pool2d`.
    """
    return _average(input, output_size, 3)


def _one_size(name: str, output_size: Any) -> int:
    if isinstance(output_size, (tuple, list)):
        if len(output_size) != 1:
            raise RuntimeError(f"{name}() argument 'output_size' should contain one int (got {len(output_size)})")
        return as_integer(output_size[0])
    return as_integer(output_size)


@builtin
def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """Divide the last dimension into `output_size` regions, and return the mean of each: (n, c, l) -> (n, c, l').

    The batch dimension n may be missing. The input is treated as an image of height 1.

    Raises:
        RuntimeError: `input` has neither two nor three dimensions or a size 0 besides n, or `output_size` is negative or has several
            numbers.
    """
    if input.ndim not in (2, 3):
        raise RuntimeError(f"adaptive_avg_pool1d(): Expected 2D or 3D tensor, but got {list(input.shape)}")
    out = _one_size("adaptive_avg_pool1d", output_size)
    return adaptive_avg_pool2d(input.unsqueeze(-2), (1, out)).squeeze(-2)
