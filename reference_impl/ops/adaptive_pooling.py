"""Pooling to a given number of outputs: output o of n covers the inputs from ⌊o · size / n⌋ to ⌈(o + 1) · size / n⌉."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record
from reference_impl.ops.kernel_positions import Numbers, repeated


def _bounds(size: int, count: int) -> list[slice]:
    return [slice(o * size // count, -(-(o + 1) * size // count)) for o in range(count)]


def _regions(sizes: Numbers, out: Numbers) -> list[tuple[Any, Any]]:
    """(index of the output, index of its inputs), for every output."""
    per_dim = [list(enumerate(_bounds(size, n))) for size, n in zip(sizes, out, strict=True)]
    return [((..., *[o for o, _ in choice]), (..., *[s for _, s in choice])) for choice in product(*per_dim)]


# -- average


class AdaptiveAvgPoolBackward(Node):
    """out = the mean of each region:  ∂self = g / (size of the region) at each of its elements."""

    _out: Numbers
    _sizes: Numbers

    def grad_self(self, g: Tensor) -> Tensor:
        return _spread(g, self._sizes)


class AdaptiveAvgPool2DBackward0(AdaptiveAvgPoolBackward):
    """Over two dimensions, or one."""


class AdaptiveAvgPool3DBackward0(AdaptiveAvgPoolBackward):
    """Over three dimensions."""


class AdaptiveAvgPool2DBackwardBackward0(Node):
    """Spreading over regions is linear: its gradient is averaged over them."""

    _out: Numbers

    def grad_grad_output(self, g: Tensor) -> Tensor:
        return _average(g, self._out)


class AdaptiveAvgPool3DBackwardBackward0(AdaptiveAvgPool2DBackwardBackward0):
    """See AdaptiveAvgPool2DBackwardBackward0."""


def _average(input: Tensor, out: Numbers) -> Tensor:
    x = input._array
    n = len(out)
    sizes = x.shape[x.ndim - n :]
    y = np.zeros_like(x, shape=(*x.shape[: x.ndim - n], *out))
    axes = tuple(range(-n, 0))
    for target, source in _regions(sizes, out):
        y[target] = np.mean(x[source], axis=axes)
    node = AdaptiveAvgPool3DBackward0 if n == 3 else AdaptiveAvgPool2DBackward0
    return record(node, y, (input,), _out=out, _sizes=sizes)


def _spread(grad: Tensor, sizes: Numbers) -> Tensor:
    g = grad._array
    n = len(sizes)
    out = g.shape[g.ndim - n :]
    gx = np.zeros_like(g, shape=(*g.shape[: g.ndim - n], *sizes))
    for source, target in _regions(sizes, out):
        region = gx[target]
        region += (g[source] / prod(region.shape[region.ndim - n :])).reshape(*g.shape[: g.ndim - n], *(1,) * n)
    node = AdaptiveAvgPool3DBackwardBackward0 if n == 3 else AdaptiveAvgPool2DBackwardBackward0
    return record(node, gx, (grad,), _out=out)


def _wanted(output_size: Any, sizes: Numbers) -> Numbers:
    """The numbers of outputs; None keeps the size."""
    if not isinstance(output_size, (tuple, list)):
        return tuple([n if output_size is None else int(output_size) for n in sizes])
    if len(output_size) == 1 and len(sizes) != 1:
        return tuple([int(output_size[0])] * len(sizes))
    if len(output_size) != len(sizes):
        raise ValueError(f"output_size must be {len(sizes)}")
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


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The means of `output_size` regions: (*, h, w) -> (*, h', w')."""
    _check("adaptive_avg_pool2d", input, 2)
    out = _wanted(output_size, input._array.shape[-2:])
    if out == (1, 1):
        return input.mean((-1, -2), keepdim=True)
    return _average(input, out)


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The means of `output_size` regions: (*, d, h, w) -> (*, d', h', w')."""
    _check("adaptive_avg_pool3d", input, 3)
    out = _wanted(output_size, input._array.shape[-3:])
    if out == (1, 1, 1):
        return input.mean((-1, -2, -3), keepdim=True)
    return _average(input, out)


def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """The means of `output_size` regions: (*, l) -> (*, l'), computed with a height of 1."""
    if input.ndim not in (2, 3):
        raise RuntimeError(f"adaptive_avg_pool1d(): Expected 2D or 3D tensor, but got {list(input.shape)}")
    (out,) = repeated(output_size, 1, "output_size", "adaptive_avg_pool1d")
    return adaptive_avg_pool2d(input.unsqueeze(-2), (1, out)).squeeze(-2)


# -- max


class AdaptiveMaxPoolBackward(Node):
    """out = the largest of each region:  ∂self = g at its place."""

    saved_names = ("self", "result1")
    _sizes: Numbers

    def grad_self(self, g: Tensor) -> Tensor:
        return unpooled(g, self._saved_result1, self._sizes)


class AdaptiveMaxPool2DBackward0(AdaptiveMaxPoolBackward):
    """Over two dimensions, or one."""


class AdaptiveMaxPool3DBackward0(AdaptiveMaxPoolBackward):
    """Over three dimensions."""


class UnpooledBackward0(Node):
    """out = self placed at flat `indices`, summed where they meet:  ∂self = g picked up there."""

    saved_names = ("indices",)
    _spatial: int

    def grad_self(self, g: Tensor) -> Tensor:
        indices, n = self._saved_indices, self._spatial
        flat = g.reshape(*g.shape[: g.ndim - n], -1)
        picked = flat.gather(-1, indices.reshape(*indices.shape[: indices.ndim - n], -1))
        return picked.reshape(indices.shape)


def unpooled(grad: Tensor, indices: Tensor, sizes: Numbers) -> Tensor:
    """`grad` added up at `indices`, which count through the spatial `sizes`."""
    g, i = grad._array, indices._array
    n = len(sizes)
    lead = g.shape[: g.ndim - n]
    rows = prod(lead)
    out = np.zeros_like(g, shape=(rows, prod(sizes)))
    row = _backend.to_device(np.arange(rows)[:, None], _backend.device_type_of(g))
    np.add.at(out, (row, i.reshape(rows, -1)), g.reshape(rows, -1))
    return record(UnpooledBackward0, out.reshape(*lead, *sizes), (grad,), (indices,), _spatial=n)


def _largest(input: Tensor, out: Numbers) -> tuple[Tensor, Tensor]:
    x = input._array
    n = len(out)
    sizes, lead = x.shape[x.ndim - n :], x.shape[: x.ndim - n]
    y = np.zeros_like(x, shape=(*lead, *out))
    places = np.zeros_like(x, dtype=np.int64, shape=(*lead, *out))
    numbers = np.arange(prod(sizes)).reshape(sizes)
    for target, source in _regions(sizes, out):
        region = x[source].reshape(*lead, -1)
        at = np.argmax(region, axis=-1)
        y[target] = np.max(region, axis=-1)
        places[target] = _backend.to_device(numbers[source].reshape(-1).copy(), _backend.device_type_of(x))[at]
    indices = Tensor._wrap(places)
    node = AdaptiveMaxPool3DBackward0 if n == 3 else AdaptiveMaxPool2DBackward0
    return record(node, y, (input,), (input, indices), _sizes=sizes), indices


def _adaptive_max(name: str, input: Tensor, output_size: Any, return_indices: bool, spatial: int) -> Any:
    _check(name, input, spatial)
    out, indices = _largest(input, _wanted(output_size, input._array.shape[-spatial:]))
    return (out, indices) if return_indices else out


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of `output_size` regions: (*, h, w) -> (*, h', w')."""
    return _adaptive_max("adaptive_max_pool2d", input, output_size, return_indices, 2)


def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of `output_size` regions: (*, d, h, w) -> (*, d', h', w')."""
    return _adaptive_max("adaptive_max_pool3d", input, output_size, return_indices, 3)


def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of `output_size` regions: (*, l) -> (*, l'), computed with a height of 1."""
    if input.ndim not in (2, 3):
        raise RuntimeError(f"adaptive_max_pool1d(): Expected 2D or 3D tensor, but got {list(input.shape)}")
    (out,) = repeated(output_size, 1, "output_size", "adaptive_max_pool1d")
    result = adaptive_max_pool2d(input.unsqueeze(-2), (1, out), return_indices)
    return tuple([r.squeeze(-2) for r in result]) if return_indices else result.squeeze(-2)
