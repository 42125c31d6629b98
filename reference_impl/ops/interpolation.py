"""Resizing images: every element of the result is a weighted sum of a few elements along each dimension.

Per dimension two arrays (new size, k) say which k elements an output sees and how much each weighs. `nearest` has k = 1,
linear 2, cubic 4, and the antialiased modes as many as a widened kernel covers. The gradient goes back by the same arrays.
"""

from __future__ import annotations

import math
import warnings
from typing import Any, NamedTuple

import numpy as np

from reference_impl import _backend
from reference_impl._memory_order import in_format, suggested_format
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record
from reference_impl.ops.sampling import cubic_weights


class Taps(NamedTuple):
    """Along one dimension: which elements each output sees, and their weights; both (new size, k). None: each the element itself."""

    size: int
    elements: Any
    weights: Any


def _applied(x: Any, taps: tuple[Taps, ...]) -> Any:
    for d, tap in enumerate(reversed(taps), 1):
        axis = x.ndim - d
        spread = (-1, *(1,) * (d - 1))
        elements, weights = (
            _backend.to_device_of(tap.elements, x),
            None if tap.weights is None else _backend.to_device_of(tap.weights, x),
        )
        out = None
        for k in range(elements.shape[1]):
            part = np.take(x, elements[:, k], axis=axis)
            if weights is not None:
                part *= weights[:, k].reshape(spread)
            out = part if out is None else np.add(out, part, out=out)
        x = out
    return x


def _spread_back(g: Any, taps: tuple[Taps, ...]) -> Any:
    """The transpose of `_applied`."""
    n = len(taps)
    for d, tap in enumerate(taps):
        axis = g.ndim - n + d
        shape = (*g.shape[:axis], tap.size, *g.shape[axis + 1 :])
        elements = _backend.to_device_of(tap.elements, g)
        out = np.zeros_like(g, shape=shape)
        for k in range(elements.shape[1]):
            part = (
                g
                if tap.weights is None
                else g * _backend.to_device_of(tap.weights, g)[:, k].reshape(-1, *(1,) * (g.ndim - axis - 1))
            )
            np.add.at(out, (*(slice(None),) * axis, elements[:, k]), part)
        g = out
    return g


class UpsampleNode(Node):
    """out = weighted sums of self:  ∂self = g, spread back with the same weights."""

    output_size: Any
    _taps: tuple[Taps, ...]
    _back: Any

    def grad_self(self, g: Tensor) -> Tensor:
        return record(self._back, _spread_back(g._array, self._taps), (g,), _taps=self._taps, _forward=type(self))


class UpsampleBackwardNode(Node):
    """Spreading back is linear: its gradient is summed up as in the forward pass."""

    _taps: tuple[Taps, ...]
    _forward: Any

    def grad_grad_output(self, g: Tensor) -> Tensor:
        return record(self._forward, _applied(g._array, self._taps), (g,), _taps=self._taps, _back=type(self))


def _node_pair(name: str) -> tuple[type[Node], type[Node]]:
    return (
        type(f"Upsample{name}Backward0", (UpsampleNode,), {"__doc__": UpsampleNode.__doc__}),
        type(f"Upsample{name}BackwardBackward0", (UpsampleBackwardNode,), {"__doc__": UpsampleBackwardNode.__doc__}),
    )


_NODES = {
    name: _node_pair(name)
    for name in ("Nearest1D", "Nearest2D", "Nearest3D", "NearestExact1D", "NearestExact2D", "NearestExact3D", "Linear1D",
                 "Bilinear2D", "Trilinear3D", "Bicubic2D", "Bilinear2DAa", "Bicubic2DAa")
}  # fmt: skip


# -- which elements, and how much of each


def _scale(size: int, new: int, factor: float | None, align_corners: bool, real: Any) -> Any:
    """How many elements of the input lie between two of the output."""
    if align_corners:
        return real((size - 1) / (new - 1)) if new > 1 else real(0)
    return real(1 / factor) if factor else real(real(size) / real(new))


def nearest_taps(size: int, new: int, factor: float | None, exact: bool, dtype: Any) -> Taps:
    """The element whose place contains the output's: its first edge (`nearest`) or its centre (`nearest-exact`)."""
    real = np.float32
    scale = _scale(size, new, factor, False, real)
    i = np.arange(new).astype(real)
    elements = np.floor((i + real(0.5)) * scale if exact else i * scale).astype(np.int64)
    return Taps(size, np.minimum(elements, size - 1)[:, None], None)


def linear_taps(size: int, new: int, factor: float | None, align_corners: bool, dtype: Any) -> Taps:
    """The two elements around each output, by distance."""
    real = dtype.type if dtype.itemsize > 2 else np.float32
    scale = _scale(size, new, factor, align_corners, real)
    i = np.arange(new).astype(real)
    position = i * scale if align_corners else np.maximum((i + real(0.5)) * scale - real(0.5), 0)
    low = np.minimum(np.floor(position).astype(np.int64), size - 1)
    high = np.minimum(low + 1, size - 1)
    upper = np.clip(position - low, 0, 1)
    return Taps(size, np.stack([low, high], 1), np.stack([1 - upper, upper], 1).astype(dtype))


def cubic_taps(size: int, new: int, factor: float | None, align_corners: bool, dtype: Any) -> Taps:
    """The four elements around each output, by Keys' cubic convolution; at the border the last one counts repeatedly."""
    real = dtype.type if dtype.itemsize > 2 else np.float32
    scale = _scale(size, new, factor, align_corners, real)
    i = np.arange(new).astype(real)
    position = i * scale if align_corners else (i + real(0.5)) * scale - real(0.5)
    low = np.floor(position)
    weights = np.stack(cubic_weights(position - low), 1).astype(dtype)
    elements = np.clip(low.astype(np.int64)[:, None] + np.arange(-1, 3), 0, size - 1)
    return Taps(size, elements, weights)


def antialiased_taps(size: int, new: int, factor: float | None, align_corners: bool, dtype: Any, cubic: bool) -> Taps:
    """A triangle or cubic kernel, widened by the scale where the image becomes smaller, normalised to sum 1."""
    scale = float(_scale(size, new, factor, align_corners, np.float64))
    width = 4 if cubic else 2
    stretch = max(scale, 1.0)
    support = width / 2 * stretch
    centre = scale * (np.arange(new) + 0.5)
    first = np.maximum((centre - support + 0.5).astype(np.int64), 0)
    count = np.minimum((centre + support + 0.5).astype(np.int64), size) - first
    k = np.arange(int(count.max()))
    distance = np.abs((k + first[:, None] - centre[:, None] + 0.5) / stretch)
    if cubic:
        a = -0.5
        near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
        far = (((distance - 5) * distance + 8) * distance - 4) * a
        weights = np.where(distance < 1, near, np.where(distance < 2, far, 0))
    else:
        weights = np.maximum(1 - distance, 0)
    weights = np.where(k < count[:, None], weights, 0)
    weights /= weights.sum(1, keepdims=True)
    return Taps(size, np.minimum(first[:, None] + k, size - 1), weights.astype(dtype))


def _upsample(
    input: Tensor, sizes: tuple[int, ...], factors: Any, mode: str, align_corners: bool | None, antialias: bool
) -> Tensor:
    x = input._array
    taps = []
    for d, new in enumerate(sizes):
        size, factor = x.shape[2 + d], None if factors is None else factors[d]
        if mode in ("nearest", "nearest-exact"):
            taps.append(nearest_taps(size, new, factor, mode == "nearest-exact", x.dtype))
        elif antialias:
            taps.append(antialiased_taps(size, new, factor, bool(align_corners), x.dtype, mode == "bicubic"))
        elif mode == "bicubic":
            taps.append(cubic_taps(size, new, factor, bool(align_corners), x.dtype))
        else:
            taps.append(linear_taps(size, new, factor, bool(align_corners), x.dtype))
    word = {"nearest-exact": "NearestExact"}.get(mode, mode.title())
    forward, back = _NODES[f"{word}{len(sizes)}D{'Aa' if antialias else ''}"]
    out = in_format(_applied(x, tuple(taps)), suggested_format(x))
    return record(forward, out, (input,), output_size=sizes, _taps=tuple(taps), _back=back)


# -- the public functions

_DIMENSION = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}


def interpolate(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None, antialias: bool = False,
) -> Tensor:  # fmt: skip
    """`input` (n, c, *sizes) resized to `size`, or by `scale_factor`.

    Args:
        mode: "nearest", "nearest-exact", "linear" (3D input), "bilinear" and "bicubic" (4D), "trilinear" (5D) or "area"
            (averages).
        align_corners: whether the centres of the outermost elements stay where they are, or their outer edges.
        recompute_scale_factor: compute the scale from the two sizes, not from `scale_factor`.
        antialias: widen the kernel where the image becomes smaller.

    Raises:
        ValueError, NotImplementedError: arguments that don't fit each other or the input.
    """
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
            )
    elif align_corners is None:
        align_corners = False
    sizes, factors = _new_sizes(
        input,
        size,
        scale_factor,
        mode == "area" or bool(recompute_scale_factor),
        size is not None and bool(recompute_scale_factor),
    )
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and input.ndim == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        )
    ndim = input.ndim
    if ndim in (3, 4, 5) and mode == "area":
        from reference_impl.ops import adaptive_pooling

        pool = getattr(adaptive_pooling, f"adaptive_avg_pool{ndim - 2}d")
        return pool(input, sizes)
    if ndim in (3, 4, 5) and (mode in ("nearest", "nearest-exact") or _DIMENSION.get(mode) == ndim):
        _check_sizes(input, sizes, mode)
        return _upsample(input, sizes, factors, mode, align_corners, antialias)
    if ndim in (3, 4, 5) and mode in ("linear", "bilinear", "trilinear"):
        raise NotImplementedError(f"Got {ndim}D input, but {mode} mode needs {_DIMENSION[mode]}D input")
    raise NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {ndim}D) for the modes: nearest | linear | bilinear | "
        f"bicubic | trilinear | lanczos | area | nearest-exact (got {mode})"
    )


def _check_sizes(input: Tensor, sizes: tuple[int, ...], mode: str) -> None:
    x = input._array
    if x.size == 0 and 0 in x.shape[1:] or 0 in x.shape[2:]:
        raise RuntimeError(f"Non-empty {x.ndim}D data tensor expected but got a tensor with sizes {list(x.shape)}")
    if min(*x.shape[2:], *sizes) <= 0:
        axes = "DHW"[-len(sizes) :]
        given = ", ".join(f"{a}: {n}" for a, n in zip(axes, x.shape[2:], strict=True))
        wanted = ", ".join(f"{a}: {n}" for a, n in zip(axes, sizes, strict=True))
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input ({given}) output ({wanted})"
        )


def _new_sizes(
    input: Tensor, size: Any, scale_factor: Any, recompute: bool, meaningless: bool
) -> tuple[tuple[int, ...], Any]:
    """The sizes to reach, and the scale factors where they were given (and are not to be recomputed)."""
    spatial = list(input._array.shape[2:])
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        if isinstance(size, (list, tuple)) and len(size) != len(spatial):
            raise ValueError(
                f"Input and output must have the same number of spatial dimensions, but got input with spatial dimensions of "
                f"{spatial} and output size of {size}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and output "
                "size in (o1, o2, ...,oK) format."
            )
        if meaningless:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        sizes = size if isinstance(size, (list, tuple)) else [size] * len(spatial)
        if not all(_is_integer(n) for n in sizes):
            raise TypeError(
                "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got size with "
                f"types {[type(n) for n in sizes]}"
            )
        return tuple([int(n) for n in sizes]), None
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if isinstance(scale_factor, (list, tuple)):
        if len(scale_factor) != len(spatial):
            raise ValueError(
                f"Input and scale_factor must have the same number of spatial dimensions, but got input with spatial dimensions "
                f"of {spatial} and scale_factor of shape {scale_factor}. Please provide input tensor in (N, C, d1, d2, ...,dK) "
                "format and scale_factor in (s1, s2, ...,sK) format."
            )
        factors = list(scale_factor)
    else:
        factors = [scale_factor] * len(spatial)
    sizes = tuple([math.floor(float(n) * f) for n, f in zip(spatial, factors, strict=True)])
    return sizes, None if recompute else factors


def _is_integer(n: Any) -> bool:
    return isinstance(n, (int, np.integer)) or (isinstance(n, Tensor) and not n.is_floating_point())


def upsample(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
) -> Tensor:
    """The older name of `interpolate`."""
    warnings.warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=3)
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """The older name of `interpolate(mode="nearest")`."""
    warnings.warn(
        "`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=3
    )
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """The older name of `interpolate(mode="bilinear", align_corners=True)`."""
    warnings.warn(
        "`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=3
    )
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)
