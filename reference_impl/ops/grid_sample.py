"""Interpolate an image at the points of a grid: `grid_sample`. `affine_grid` computes the grid of an affine transformation.

The coordinates of points are from -1 to 1 across the image. With `align_corners`, -1 and 1 are the centers of the outermost
elements, otherwise their outer edges.
"""

from __future__ import annotations

import warnings
from itertools import product
from math import prod
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.autograd.recomputation import recomputed
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.rectifier import floating_only

MODES = ("bilinear", "nearest", "bicubic")
PADDING_MODES = ("zeros", "border", "reflection")
_CHANGED = (
    "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify "
    "align_corners=True if the old behavior is desired. See the documentation of grid_sample for details."
)


# -- convert coordinates to positions among the elements; each step also returns its derivative


def to_elements(coordinate: Any, size: int, align_corners: bool) -> tuple[Any, float]:
    """Return the position among `size` elements for a coordinate in [-1, 1], and its derivative with respect to the coordinate.

    Position i is the center of element i.
    """
    if align_corners:
        return (coordinate + 1) / 2 * (size - 1), (size - 1) / 2
    return ((coordinate + 1) * size - 1) / 2, size / 2


def reflect(position: Any, low2: int, high2: int) -> tuple[Any, Any]:
    """Reflect `position` at low2 / 2 and high2 / 2 until it lies between them.

    Return the new position, and its derivative with respect to the old one. If low2 = high2, both are 0.
    """
    if low2 == high2:
        return np.zeros_like(position), np.zeros_like(position)
    low, span = low2 / 2, (high2 - low2) / 2
    distance = position - low
    sign = np.where(distance < 0, -1, 1).astype(position.dtype)
    distance = np.abs(distance)
    extra = np.fmod(distance, span)
    turned = np.floor(distance / span) % 2 == 1
    return np.where(turned, span - extra + low, extra + low).astype(position.dtype), np.where(turned, -sign, sign)


def move_into_image(position: Any, size: int, padding_mode: str, align_corners: bool) -> tuple[Any, Any]:
    """Move a position outside the image to the position inside that `padding_mode` substitutes for it.

    Return the new position, and its derivative with respect to the old one. For the mode "zeros", the position is unchanged. For the
    modes "border" and "reflection", the derivative is 0 where the new position is the first or the last element.
    """
    if padding_mode == "zeros":
        return position, np.ones_like(position)
    slope = np.ones_like(position)
    if padding_mode == "reflection":
        bounds = (0, 2 * (size - 1)) if align_corners else (-1, 2 * size - 1)
        position, slope = reflect(position, *bounds)
    slope = np.where((position <= 0) | (position >= size - 1), 0, slope).astype(position.dtype)
    return np.clip(position, 0, size - 1), slope


def _corners(points: list[Any], mode: str) -> list[tuple[list[Any], list[Any]]]:
    """Return the elements that determine the value at each point: one for the mode "nearest", otherwise two along each dimension.

    Args:
        points: positions of the points, an array per dimension.

    Returns:
        For each element, its positions and its weights, an array per dimension. The product of the weights is the element's weight.
    """
    if mode == "nearest":
        return [([np.rint(p) for p in points], [np.ones_like(p) for p in points])]
    low = [np.floor(p) for p in points]
    corners = []
    for corner in product((0, 1), repeat=len(points)):
        weights = [p - b if c else b + 1 - p for p, b, c in zip(points, low, corner, strict=True)]
        corners.append(([b + c for b, c in zip(low, corner, strict=True)], weights))
    return corners


def _points(grid: Any, sizes: Any, padding_mode: str, align_corners: bool) -> tuple[list[Any], list[Any]]:
    """Return the positions of the points, and their derivatives with respect to the grid, an array per dimension of the image.

    The coordinates in the last axis of `grid`, (x, y) or (x, y, z), are in the reverse order of the dimensions of the image.
    """
    points, slopes = [], []
    for d, size in enumerate(sizes):
        position, stretch = to_elements(grid[..., len(sizes) - 1 - d], size, align_corners)
        position, slope = move_into_image(position, size, padding_mode, align_corners)
        points.append(position)
        slopes.append(slope * position.dtype.type(stretch))
    return points, slopes


# -- bicubic: sixteen elements around each point


def cubic_weights(t: Any, a: float = -0.75) -> list[Any]:
    """Return the weights of the elements at -1, 0, 1 and 2 for a point at t in [0, 1), by Keys' cubic convolution.

    Args:
        a: parameter of the convolution's kernel; -0.75 is torch's.
    """

    def near(x: Any) -> Any:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x: Any) -> Any:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return [far(t + 1), near(t), near(1 - t), far(2 - t)]


def _bicubic_points(x: Any, grid: Any, padding_mode: str, align_corners: bool) -> tuple[Any, ...]:
    """Return the positions of the points for bicubic interpolation, as lists with an array for dimension y and one for x.

    Returns:
        The integer parts of the positions, their fractions, their derivatives with respect to the grid, and a function
        `move_inside(position, d)`, which moves integer positions in dimension d into the image.
    """
    coordinates = [to_elements(grid[..., 1 - d], size, align_corners) for d, size in enumerate(x.shape[2:])]
    low = [np.floor(p) for p, _ in coordinates]
    fractions = [p - b for (p, _), b in zip(coordinates, low, strict=True)]

    def move_inside(position: Any, d: int) -> Any:
        return move_into_image(position, x.shape[2 + d], padding_mode, align_corners)[0]

    return low, fractions, [stretch for _, stretch in coordinates], move_inside


def _sum_samples(x: Tensor, grid: Tensor, mode: str, padding_mode: str, align_corners: bool) -> Tensor:
    """Return `x` at the points of `grid` as a weighted sum of elements, computed with differentiable operations.

    The gradient of `grid` flows only through the weights, not through the choice of the elements.
    """
    sizes = x._array.shape[2:]
    if mode == "bicubic":
        low, fractions, slopes, move_inside = _bicubic_points(x._array, grid._array, padding_mode, align_corners)
        inner = [
            _differentiable_position(t, slope, grid, 1 - d)
            for d, (t, slope) in enumerate(zip(fractions, slopes, strict=True))
        ]
        rows, cols = cubic_weights(inner[0]), cubic_weights(inner[1])
        parts = [
            ([move_inside(low[0] + (i - 1), 0), move_inside(low[1] + (j - 1), 1)], rows[i] * cols[j])
            for i, j in product(range(4), range(4))
        ]
    else:
        points, slopes = _points(grid._array, sizes, padding_mode, align_corners)
        n = len(sizes)
        moving = [
            _differentiable_position(p, s, grid, n - 1 - d) for d, (p, s) in enumerate(zip(points, slopes, strict=True))
        ]
        parts = []
        for positions, _ in _corners(points, mode):
            weight: Any = 1
            for d, (position, low) in enumerate(zip(positions, [np.floor(p) for p in points], strict=True)):
                if mode != "nearest":
                    fraction = moving[d] - Tensor._wrap(low)
                    weight = weight * (fraction if bool(np.all(position == low + 1)) else 1 - fraction)
            parts.append((positions, weight))
    total: Any = 0
    for positions, weight in parts:
        read = _read(x, positions)
        total = total + (read if mode == "nearest" else read * weight.unsqueeze(1))
    return total


def _differentiable_position(position: Any, slope: Any, grid: Tensor, column: int) -> Tensor:
    """Return `position` as a tensor whose derivative with respect to `grid[..., column]` is `slope`."""
    if not grid.requires_grad:
        return Tensor._wrap(position)
    coordinate = grid.select(-1, column)
    return Tensor._wrap(position) + (coordinate - coordinate.detach()) * Tensor._wrap(np.add(slope, 0.0))


def _read(x: Tensor, positions: list[Any]) -> Tensor:
    """Return the elements of `x` at integer positions, and 0 outside the image: (n, c, *sizes) -> (n, c, *out).

    Args:
        positions: an array (n, *out) per dimension of the image.
    """
    n, c = x._array.shape[:2]
    flat: Any = 0
    valid = np.ones_like(positions[0], dtype=bool)
    for position, size in zip(positions, x._array.shape[2:], strict=True):
        valid &= (position >= 0) & (position < size)
        flat = flat * size + position
    index = np.where(valid, flat, 0).astype(np.int64).reshape(n, 1, prod(valid.shape[1:]))
    read = x.flatten(2).gather(2, Tensor._wrap(np.broadcast_to(index, (n, c, index.shape[2]))))
    return read.view(n, c, *valid.shape[1:]) * Tensor._wrap(valid[:, None].astype(x._array.dtype))


@recomputed("GridSampler2DBackward0", "input", "grid", materialize_grads=True)
def grid_sampler_2d(
    input: Tensor, grid: Tensor, *, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """out = input at the points of grid, a weighted sum:  ∂input = g times these weights,  ∂grid = g times their derivatives."""
    return _sum_samples(input, grid, MODES[interpolation_mode], PADDING_MODES[padding_mode], align_corners)


@recomputed("GridSampler3DBackward0", "input", "grid", materialize_grads=True)
def grid_sampler_3d(
    input: Tensor, grid: Tensor, *, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """out = input at the points of grid, a weighted sum:  ∂input = g times these weights,  ∂grid = g times their derivatives."""
    return _sum_samples(input, grid, MODES[interpolation_mode], PADDING_MODES[padding_mode], align_corners)


def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Tensor:
    """Return `input` at the points of `grid`: (n, c, h, w) and (n, h', w', 2) -> (n, c, h', w').

    With depth: (n, c, d, h, w) and (n, d', h', w', 3) -> (n, c, d', h', w').

    Args:
        grid: points (x, y) or (x, y, z), -1 to 1 across the image.
        mode: method of interpolation: "bilinear", "nearest" or, only without depth, "bicubic".
        padding_mode: the values outside the image: "zeros", the "border" elements, or a "reflection" of the image.
        align_corners: whether -1 and 1 are the centers of the outermost elements, instead of their outer edges. None means False, with a
            warning.

    Raises:
        ValueError: a mode is unknown.
        RuntimeError: sizes or dtypes don't fit.
    """
    if mode not in MODES:
        raise ValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in PADDING_MODES:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
            f"'{padding_mode}'"
        )
    if align_corners is None:
        warnings.warn(_CHANGED, stacklevel=3)
        align_corners = False
    return grid_sampler(input, grid, MODES.index(mode), PADDING_MODES.index(padding_mode), align_corners)


def grid_sampler(
    input: Tensor,
    grid: Tensor,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
    spatial: int | None = None,
) -> Tensor:
    """Run `grid_sample`. The modes are indices into MODES and PADDING_MODES.

    Args:
        spatial: required number of spatial dimensions; None allows two and three.

    Raises:
        RuntimeError: an index is out of range, or sizes or dtypes don't fit.
    """
    if interpolation_mode not in range(len(MODES)) or padding_mode not in range(len(PADDING_MODES)):
        raise RuntimeError(
            f"grid_sampler(): interpolation_mode and padding_mode must be 0, 1 or 2, got {interpolation_mode} and {padding_mode}"
        )
    x, points = input._array, grid._array
    _check_sampler(x, points, MODES[interpolation_mode], spatial)
    if x.size:
        floating_only(x, "grid_sampler_2d_cpu_kernel_impl" if x.ndim == 4 else "grid_sampler3d_cpu")
    if x.dtype != points.dtype:
        raise RuntimeError(f"expected scalar type {input.dtype.tensor_type} but found {grid.dtype.tensor_type}")
    sampler = grid_sampler_2d if x.ndim == 4 else grid_sampler_3d
    numbers: dict[str, Any] = {"interpolation_mode": interpolation_mode, "padding_mode": padding_mode}
    return sampler(input, grid, align_corners=align_corners, **numbers)


def _check_sampler(x: Any, grid: Any, mode: str, spatial: int | None) -> None:
    sizes = f"input with sizes {list(x.shape)} and grid with sizes {list(grid.shape)}"
    if x.shape[0] != grid.shape[0]:
        raise RuntimeError(f"grid_sampler(): expected grid and input to have same batch size, but got {sizes}")
    if grid.shape[-1] != x.ndim - 2:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {x.ndim - 2} in last dimension, but got grid with sizes "
            f"{list(grid.shape)}"
        )
    for d, n in enumerate(x.shape[2:], 2):
        if n == 0:
            raise RuntimeError(
                f"grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes {list(x.shape)} with "
                f"dimension {d} being empty"
            )
    if x.ndim not in (4, 5) or x.ndim != grid.ndim or spatial not in (None, x.ndim - 2):
        dims = "4D or 5D" if spatial is None else f"{spatial + 2}D"
        raise RuntimeError(
            f"grid_sampler(): expected {dims} input and grid with same number of dimensions, but got {sizes}"
        )
    if x.ndim == 5 and mode == "bicubic":
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")


# -- affine transformations


class AffineGridGeneratorBackward0(Node):
    """out = base points · thetaᵀ:  ∂theta = gᵀ · base points."""

    size: tuple[int, ...]
    align_corners: bool
    _base: Any

    def grad_theta(self, g: Tensor) -> Tensor:
        """Return the gradient of `theta`, (n, 2, 3) or (n, 3, 4), from the gradient `g` of the grid."""
        flat = g.reshape(g.shape[0], -1, g.shape[-1])
        return flat.transpose(1, 2) @ Tensor._wrap(self._base).expand(g.shape[0], *self._base.shape)


def _steps(n: int, dtype: Any, align_corners: bool) -> Any:
    """Return the coordinates, in [-1, 1], of the centers of n elements; 0 for a single element."""
    if n <= 1:
        return np.zeros(n, dtype)
    steps = np.linspace(-1, 1, n, dtype=dtype)
    return steps if align_corners else steps * dtype.type((n - 1) / n)


def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Tensor:
    """Return the grid with which `grid_sample` applies the affine map `theta` to an image.

    (n, 2, 3) -> (n, h, w, 2), (n, 3, 4) -> (n, d, h, w, 3).

    Args:
        size: size of the image, (n, c, h, w) or (n, c, d, h, w).
        align_corners: see `grid_sample`. If it is True, a height, width or depth of 1 causes a warning.

    Raises:
        ValueError: the matrices in `theta` have another shape or are not floating point, or a size is not positive.
        RuntimeError: the number of matrices is not n.
        NotImplementedError: `size` does not have four or five elements.
    """
    if align_corners is None:
        warnings.warn(_CHANGED, stacklevel=3)
        align_corners = False
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    spatial = _check_affine(theta, size)
    if align_corners and min(spatial) == 1:
        warnings.warn(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This is not an "
            "intended use case of affine_grid. See the documentation of affine_grid for details.",
            stacklevel=3,
        )
    elif min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return affine_grid_generator(theta, size, align_corners)


def affine_grid_generator(theta: Tensor, size: Any, align_corners: bool) -> Tensor:
    """Run `affine_grid` without its warnings, and without its checks that `theta` is floating point and sizes are positive.

    Raises:
        RuntimeError: `size` does not have four or five elements, or `theta` has another shape.
    """
    if len(size) not in (4, 5):
        raise RuntimeError("AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.")
    spatial = tuple(size[2:])
    if theta.shape[0] != size[0] or theta.shape[-1] != len(spatial) + 1:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{size[0]}, {len(spatial) + 1}] but got: "
            f"[{theta.shape[0]}, {theta.shape[-1]}]."
        )
    dtype = theta._array.dtype
    axes = [_steps(n, dtype, align_corners) for n in spatial]
    points = np.stack([*reversed(np.meshgrid(*axes, indexing="ij")), np.ones(spatial, dtype)], axis=-1)
    base = _backend.to_device_of(points.reshape(-1, len(spatial) + 1), theta._array)
    out = np.matmul(base, np.swapaxes(theta._array, 1, 2)).reshape(size[0], *spatial, len(spatial))
    return record(
        AffineGridGeneratorBackward0, out, (theta,), size=tuple(size), align_corners=align_corners, _base=base
    )


def _check_affine(theta: Tensor, size: Any) -> tuple[int, ...]:
    if len(size) not in (4, 5):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size "
            f"{size}."
        )
    n = len(size) - 2
    if theta.ndim != 3 or tuple(theta.shape[-2:]) != (n, n + 1):
        raise ValueError(
            f"Expected a batch of {n}D affine matrices of shape Nx{n}x{n + 1} for size {size}. Got {theta.shape}."
        )
    return tuple(size[2:])
