"""`interpolate`: change the size of an image. Every element of the result is a weighted sum of a few elements along each dimension.

`Taps` lists these elements and their weights for one dimension: the mode "nearest" reads a single element, "linear" two and "bicubic" four.
The sum is linear, so the gradient flows back to the same elements with the same weights.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from reference_impl import _backend
from reference_impl.core.declare import operation
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import suggested_format, to_format
from reference_impl.ops.adaptive_pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from reference_impl.ops.grid_sample import cubic_weights
from reference_impl.ops.kernel_positions import n_times
from reference_impl.ops.promotion import refuse_dtype

Sizes = tuple[int, ...]


class Taps(NamedTuple):
    """The elements that each output reads along one dimension.

    Attributes:
        size: the number of elements of the input.
        elements: their indices, an array (outputs, elements per output).
        weights: their weights, an array of the same shape.
    """

    size: int
    elements: np.ndarray
    weights: np.ndarray


def _columns(taps: Taps, like: Any, axis: int) -> list[tuple[Any, Any]]:
    """Return a pair (indices, weights) for each element that an output reads: the first elements of all outputs, the second, ...

    The weights have the shape that multiplies the array `like` along `axis`.
    """
    weights = _backend.to_device_of(taps.weights.astype(like.dtype), like)
    shape = (-1, *(1,) * (like.ndim - axis - 1))
    indices = _backend.to_device_of(taps.elements, like)
    return [(indices[:, k], weights[:, k].reshape(shape)) for k in range(taps.elements.shape[1])]


def _weighted_sums(self: Any, taps: tuple[Taps, ...]) -> Any:
    y = self
    for axis, along in enumerate(taps, self.ndim - len(taps)):
        terms = [np.take(y, elements, axis=axis) * weights for elements, weights in _columns(along, y, axis)]
        y = sum(terms[1:], terms[0])
    return to_format(y, suggested_format(self))


def _spread(grad_output: Any, taps: tuple[Taps, ...]) -> Any:
    """Return the gradient of the input of `_weighted_sums`: each element adds up what it gave to the outputs."""
    g = grad_output
    for axis, along in enumerate(taps, g.ndim - len(taps)):
        total = np.zeros_like(g, shape=(*g.shape[:axis], along.size, *g.shape[axis + 1 :]), order="C")
        for elements, weights in _columns(along, g, axis):
            _backend.add_at(np.moveaxis(total, axis, 0), elements, np.moveaxis(g * weights, axis, 0))
        g = total
    return to_format(g, suggested_format(grad_output))


def _declare(name: str) -> Any:
    """Declare `_weighted_sums` and its gradient `_spread` as operations whose nodes are called after `name`. Return `_weighted_sums`."""

    def grad_self(g: Tensor, taps: tuple[Taps, ...]) -> Tensor:
        """g added up at the elements that were read, times their weights"""
        return spread(g, taps)

    def grad_grad_output(g: Tensor, taps: tuple[Taps, ...]) -> Tensor:
        """the same weighted sums of g"""
        return interpolation(g, taps)

    spread = operation(f"{name}BackwardBackward0", grad_output=grad_grad_output)(_spread)
    interpolation = operation(f"{name}Backward0", self=grad_self)(_weighted_sums)
    return interpolation


# -- the elements and weights of each mode


def _scale(size: int, new: int, factor: float | None, align_corners: bool, real: Any) -> Any:
    """Return the distance between neighboring outputs, in elements of the input. `real` is the type in which positions are computed."""
    if align_corners:
        return real(size - 1) / real(new - 1) if new > 1 else real(0)
    return real(1 / factor) if factor else real(size) / real(new)


def _positions(size: int, new: int, factor: float | None, align_corners: bool, real: Any) -> Any:
    """Return the position of each output among the elements of the input. Position i is the center of element i."""
    scale = _scale(size, new, factor, align_corners, real)
    outputs = np.arange(new).astype(real)
    return outputs * scale if align_corners else (outputs + real(0.5)) * scale - real(0.5)


def _nearest(
    size: int, new: int, factor: float | None, align_corners: bool, real: Any, part: float = 0.0
) -> Taps:  # fmt: skip
    """Return Taps of the element that contains the left edge of the output or, for a `part` of 0.5, the center of the output."""
    positions = (np.arange(new).astype(real) + real(part)) * _scale(size, new, factor, False, real)
    elements = np.minimum(np.floor(positions).astype(np.int64), size - 1)[:, None]
    return Taps(size, elements, np.ones(elements.shape))


def _linear(size: int, new: int, factor: float | None, align_corners: bool, real: Any) -> Taps:
    """Return Taps of the two elements around the output, weighted by distance. In place of elements outside the image, take the outermost one."""
    if new == size:
        factor = None  # torch ignores it
    position = np.maximum(_positions(size, new, factor, align_corners, real), 0)
    low = np.minimum(np.floor(position).astype(np.int64), size - 1)
    upper = np.clip(position - low, 0, 1)
    return Taps(size, np.stack([low, np.minimum(low + 1, size - 1)], 1), np.stack([1 - upper, upper], 1))


def _cubic(size: int, new: int, factor: float | None, align_corners: bool, real: Any) -> Taps:
    """Return Taps of the four elements around the output, weighted by Keys' cubic convolution. See `_linear` for elements outside."""
    position = _positions(size, new, factor, align_corners, real)
    low = np.floor(position)
    elements = np.clip(low.astype(np.int64)[:, None] + np.arange(-1, 3), 0, size - 1)
    return Taps(size, elements, np.stack(cubic_weights(position - low), 1))


class _Mode(NamedTuple):
    """A mode of `interpolate`.

    Attributes:
        taps: function that computes the elements and weights along one dimension.
        kernel: the end of the name of torch's kernel, for errors.
        operations: the operation for each number of dimensions of the input.
    """

    taps: Any
    kernel: str
    operations: dict[int, Any]


_MODES = {
    "nearest": _Mode(_nearest, "nearest", {n + 2: _declare(f"UpsampleNearest{n}D") for n in (1, 2, 3)}),
    "nearest-exact": _Mode(
        partial(_nearest, part=0.5), "nearest", {n + 2: _declare(f"UpsampleNearestExact{n}D") for n in (1, 2, 3)}
    ),
    "linear": _Mode(_linear, "linear", {3: _declare("UpsampleLinear1D")}),
    "bilinear": _Mode(_linear, "linear", {4: _declare("UpsampleBilinear2D")}),
    "trilinear": _Mode(_linear, "linear", {5: _declare("UpsampleTrilinear3D")}),
    "bicubic": _Mode(_cubic, "cubic", {4: _declare("UpsampleBicubic2D")}),
}
_AREA = {3: adaptive_avg_pool1d, 4: adaptive_avg_pool2d, 5: adaptive_avg_pool3d}


# -- the function


def interpolate(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None, antialias: bool = False,
) -> Tensor:  # fmt: skip
    """Return `input` in another size: (n, c, l), (n, c, h, w) or (n, c, d, h, w) with other sizes after the channels.

    Args:
        size: the new sizes, or a number for all of them.
        scale_factor: instead of `size`: the factor for each size, or a number for all. New sizes are rounded down.
        mode: "nearest", "nearest-exact", "linear" (three dimensions), "bilinear" or "bicubic" (four), "trilinear" (five), or "area", the
            mean of a region.
        align_corners: whether the centers of the outermost elements keep their positions, instead of their outer edges.
        recompute_scale_factor: whether to compute positions from the sizes alone, without `scale_factor`.
        antialias: must be False.

    Raises:
        ValueError, TypeError: arguments contradict each other or have wrong types.
        RuntimeError: a size is not positive.
        NotImplementedError: the mode does not fit the number of dimensions or the dtype, or `antialias` is True.
    """
    if mode in ("nearest", "area", "nearest-exact") and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )
    sizes, factors = _output_sizes(input, size, scale_factor, recompute_scale_factor)
    ndim = input._array.ndim
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and ndim == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        )
    if antialias:
        raise NotImplementedError(
            "PyTorch takes `antialias=True`; reference_impl, which runs here, does not: average with `mode='area'` instead"
        )
    if mode == "area" and ndim in _AREA:
        return _AREA[ndim](input, sizes)
    if mode not in _MODES or ndim not in _MODES[mode].operations:
        raise NotImplementedError(_wrong_mode(mode, ndim))
    _check(input, sizes, mode)
    x = input._array
    # torch computes positions in the dtype of the input, at least in float32; those of the nearest element of an integer in float32.
    real = np.float64 if x.dtype == np.float64 else np.float32
    along = list(zip(x.shape[2:], sizes, factors, strict=True))
    if mode == "nearest" and ndim == 4:  # torch ignores the factor if a size stays the same or doubles
        along = [(n, new, None if new in (n, 2 * n) else factor) for n, new, factor in along]
    taps = tuple([_MODES[mode].taps(n, new, factor, bool(align_corners), real) for n, new, factor in along])
    return _MODES[mode].operations[ndim](input, taps)


def _output_sizes(input: Tensor, size: Any, scale_factor: Any, recompute: bool | None) -> tuple[Sizes, list[Any]]:
    """Return the new sizes, and for each the scale factor from which positions are computed, or None.

    Raises:
        ValueError: not exactly one of `size` and `scale_factor` is given, its length is wrong, or `recompute` is set with a `size`.
        TypeError: a size is not an integer.
    """
    spatial = list(input._array.shape[2:])
    ndim = input._array.ndim - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    requested = scale_factor if size is None else size
    is_list = isinstance(requested, (list, tuple))
    if is_list and len(requested) != ndim:
        name, article, letter = ("output", "output size of", "o") if size is not None else ("scale_factor", "", "s")
        lengths = f"{article} {size}" if size is not None else f"scale_factor of shape {scale_factor}"
        end = "output size" if size is not None else "scale_factor"
        raise ValueError(
            f"Input and {name} must have the same number of spatial dimensions, but got input with spatial dimensions of "
            f"{spatial} and {lengths}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and {end} in "
            f"({letter}1, {letter}2, ...,{letter}K) format."
        )
    if size is None:
        factors = list(n_times(scale_factor, len(spatial)))
        sizes = tuple([int(n * factor) for n, factor in zip(spatial, factors, strict=True)])
        return sizes, [None] * len(sizes) if recompute else factors
    sizes = tuple(size) if is_list else (size,) * len(spatial)
    if not all([_is_integer(n) for n in sizes]):
        raise TypeError(
            "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got size with types "
            f"{[type(n) for n in sizes]}"
        )
    if recompute:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    return tuple([int(n) for n in sizes]), [None] * len(sizes)


def _is_integer(n: Any) -> bool:
    return isinstance(n, (int, np.integer)) or (isinstance(n, Tensor) and not n.is_floating_point())


def _wrong_mode(mode: str, ndim: int) -> str:
    """Return torch's message for a mode that does not exist or does not fit the number of dimensions."""
    if ndim in _AREA and mode in ("linear", "bilinear", "trilinear"):
        return f"Got {ndim}D input, but {mode} mode needs {next(iter(_MODES[mode].operations))}D input"
    return (
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {ndim}D) for the modes: nearest | linear | bilinear | "
        f"bicubic | trilinear | lanczos | area | nearest-exact (got {mode})"
    )


def _check(input: Tensor, sizes: Sizes, mode: str) -> None:
    """Raise torch's error if a size is not positive, or if the mode is not implemented for the dtype of `input`."""
    x = input._array
    if min(*x.shape[2:], *sizes) <= 0:
        old, new = [
            ", ".join([f"{axis}: {n}" for axis, n in zip("DHW"[-len(sizes) :], numbers, strict=True)])
            for numbers in (x.shape[2:], sizes)
        ]
        conjunction = " and" if len(sizes) == 1 else ""
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input ({old}){conjunction} output ({new})"
        )
    if 0 in x.shape[1:]:
        raise RuntimeError(f"Non-empty {x.ndim}D data tensor expected but got a tensor with sizes {list(x.shape)}")
    kernel = f"compute_indices_weights_{_MODES[mode].kernel}"
    if x.dtype == np.uint8 and mode in ("bilinear", "bicubic"):
        raise NotImplementedError(
            f"PyTorch takes a uint8 tensor for the mode {mode!r}; reference_impl, which runs here, does not: convert it by `x.float()`"
        )
    if x.dtype.kind != "f" and not (x.dtype == np.uint8 and _MODES[mode].kernel == "nearest"):
        if x.ndim == 4 and mode != "bicubic":
            kernel = f"upsample_{'nearest' if mode != 'bilinear' else mode}2d_channels_last"
        refuse_dtype(kernel, x.dtype)
