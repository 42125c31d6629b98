"""Convolve arrays by matrix products, after copying the elements under the kernel at each position into a column (im2col).

    forward           y = weight · columns:  y[k, position] = Σ weight[k, element] · columns[element, position]
    weight gradient   gy · columnsᵀ
    input gradient    weightᵀ · gy is the gradient of the columns, which is added up to an image (col2im); for large columns and
                      stride 1, a convolution of gy with the flipped kernel is faster

The columns of a whole batch do not fit into the processor's cache. So they are created in chunks (`Chunk`), in memory that is reused.
There are three methods, each of which is the fastest for some sizes:

- For small columns, several images are multiplied at once. The batch is the last dimension, so that long runs of elements are copied.
  With few channels, several rows of the output share columns (`SharedColumns`).
- For large columns, images are multiplied one by one, and the products are written directly into the result. With many channels,
  each row of the kernel has its own product, and these products are added up.
- For several groups, all groups of several images are multiplied as a batch of products.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_impl import _backend
from reference_impl._layout import contiguous_format
from reference_impl.numerics import openblas
from reference_impl.numerics.memory_order import suggested_format, to_format
from reference_impl.ops.convolution_columns import MANY_CHANNELS, Chunk, SharedColumns, sum_of_products
from reference_impl.ops.kernel_positions import Numbers, output_size, positions

if TYPE_CHECKING:
    from reference_impl.ops.convolution import Geometry

SMALL_COLUMNS = 1 << 17  # bytes per image up to which several images are combined
CHUNK = 5 << 19  # bytes of columns that are filled at a time


def _several_images(x: Any, kernel: Numbers, out: Numbers, channels_out: int) -> bool:
    """Return whether it is faster to process several images at once than one by one.

    Several at once are faster if the columns of an image are small, and copying them takes longer than transposing the output.
    """
    size = x.shape[1] * prod(kernel) * prod(out) * x.itemsize
    return size <= SMALL_COLUMNS and 2 * channels_out * prod(out) * x.itemsize <= size


def _chunks(
    x: Any, kernel: Numbers, out: Numbers, geometry: Geometry, several_images: bool, rows: bool = True
) -> Iterator[tuple[int, Chunk]]:
    """Split the batch into chunks, and yield pairs (index of the chunk's first image, Chunk). The caller calls `fill`.

    All chunks of the same size are the same object.

    Args:
        several_images: whether a chunk has several images.
        rows: whether a chunk may have a matrix per row of the kernel.
    """
    n, c = x.shape[:2]
    size = c * prod(kernel) * prod(out) * x.itemsize
    count = -(-n // -(-n * size // CHUNK)) if several_images else 1  # chunks of about the same size
    by_rows = rows and count == 1 and _by_rows(c, kernel, geometry)
    chunk = None
    for first in range(0, n - count + 1, count):
        chunk = chunk or Chunk(x, kernel, out, geometry, count, by_rows)
        yield first, chunk
    rest = n % count
    if rest:
        yield n - rest, Chunk(x, kernel, out, geometry, rest, False)


def _by_rows(c: int, kernel: Numbers, geometry: Geometry) -> bool:
    """Return whether one product per row of the kernel is faster than a single product."""
    return geometry.stride[0] == 1 and len(kernel) > 1 and c * prod(kernel[1:]) >= MANY_CHANNELS


def forward(x: Any, w: Any, b: Any, geometry: Geometry, out: Numbers | None = None, share: bool = True) -> Any:
    """Return conv(x, w) + b: (n, c, *sizes) and (k, c / groups, *kernel) -> (n, k, *out). `geometry.transposed` is ignored.

    Args:
        b: array (k,), or None for 0.
        out: spatial sizes of the output; by default, one element per position of the kernel.
        share: whether rows of the output may share columns, see `SharedColumns`.
    """
    kernel = w.shape[2:]
    if out is None:
        out = sizes_of_output(x, kernel, geometry)
    if geometry.groups > 1 or x.size == 0 or w.size == 0:
        y = _grouped_forward(x, w, out, geometry)
    else:
        y = np.empty_like(x, shape=(x.shape[0], w.shape[0], *out), order="C")
        batched = _several_images(x, kernel, out, w.shape[0])
        shared = SharedColumns(w.shape[0], kernel, out, geometry, batched and share)
        weight, images, weights = shared.weight(w), shared.split(y), None
        for first, chunk in _chunks(x, shared.kernel, shared.out, shared.geometry, batched):
            chunk.fill(first)
            weights = weights or chunk.weights(weight)
            chunk.multiply(weights, b, images, first)
        if shared.rows > 1 and not _is_finite(y):
            return forward(x, w, b, geometry, out, share=False)
        b = None
    if b is not None:
        y += b.reshape(-1, *(1,) * len(kernel))
    return to_format(y, _format_of_result(x, w))


def _is_finite(x: Any) -> bool:
    """Return whether `x`, an array in C order, has no inf or nan. Also return False if the sum of the squares overflows."""
    flat = x.reshape(-1)
    return bool(np.isfinite(np.dot(flat, flat)))


def sizes_of_output(x: Any, kernel: Numbers, geometry: Geometry) -> Numbers:
    """Return the spatial sizes of the output."""
    along = zip(x.shape[2:], kernel, geometry.stride, geometry.padding, geometry.dilation, strict=True)
    return tuple([output_size(*numbers) for numbers in along])


def _format_of_result(x: Any, w: Any) -> Any:
    """Return the memory format of a result: channels last if `x` or `w` has it, otherwise contiguous."""
    memory_format = suggested_format(x)
    return memory_format if memory_format is not contiguous_format else suggested_format(w)


def _gradients_by_columns(
    g: Any, x: Any, w: Any, sizes: Numbers, geometry: Geometry, needs_grad: tuple[bool, bool], share: bool = True
) -> Any:
    """Return the gradients of input and weight, None where `needs_grad` is False.

    Args:
        x: the input; only its shape is used if the weight needs no gradient.
        w: the weight; only its shape is used if the input needs no gradient.
        sizes: spatial sizes of the input.
        share: whether rows of the output may share columns, see `SharedColumns`.
    """
    (k, c), kernel, out = w.shape[:2], w.shape[2:], g.shape[2:]
    gx = np.empty_like(g, shape=(g.shape[0], c, *sizes), order="C") if needs_grad[0] else None
    batched = _several_images(x, kernel, out, 0 if needs_grad[0] else k)
    shared = SharedColumns(k, kernel, out, geometry, batched and share)
    weight = shared.weight(w).reshape(k * shared.rows, -1) if needs_grad[0] else None
    images = shared.split(g)
    sums: list[Any] = []
    for first, chunk in _chunks(x, shared.kernel, shared.out, shared.geometry, batched, rows=not needs_grad[0]):
        g_matrix = chunk.as_matrix(images, first)
        if needs_grad[1]:
            chunk.fill(first)
            _add_products(sums, g_matrix, chunk.matrices)
        if weight is not None:
            gradient = chunk.matrices[0]  # the memory of the columns is used for their gradient, too
            openblas.matmul(weight.T, g_matrix, gradient)
            _add_up(chunk, gradient, shared.kernel, first, gx, shared.geometry)
    if gx is not None and shared.rows > 1 and not _is_finite(gx):
        return _gradients_by_columns(g, x, w, sizes, geometry, needs_grad, share=False)
    return gx, shared.weight_gradient(_join_rows(sums, (k * shared.rows, c, *shared.kernel))) if needs_grad[1] else None


def _as_convolution_of_g(g: Any, w: Any, geometry: Geometry) -> bool:
    """Return whether the input gradient is computed as a convolution of g with the flipped kernel."""
    size = prod(w.shape[1:]) * prod(g.shape[2:]) * g.itemsize
    fits = all(d * (k - 1) >= p for d, k, p in zip(geometry.dilation, w.shape[2:], geometry.padding, strict=True))
    return (
        geometry.groups == 1 and size > SMALL_COLUMNS and fits and all(s == 1 for s in geometry.stride) and w.size > 0
    )


def _by_flipped_kernel(g: Any, x: Any, w: Any, sizes: Numbers, geometry: Geometry) -> tuple[Any, Any]:
    """Return the gradients of the input and (unless `x` is None) of the weight, from the columns of `g`.

    gx[c, position] = Σ flipped[c, element] · columns[element, position];  the gradient of the flipped weight is x · columnsᵀ.
    """
    n, (k, c), kernel = g.shape[0], w.shape[:2], w.shape[2:]
    turned = [d * (size - 1) - p for d, size, p in zip(geometry.dilation, kernel, geometry.padding, strict=True)]
    geometry = geometry._replace(padding=tuple(turned))
    last_first = tuple(range(2, w.ndim))
    flipped = _backend.contiguous(np.swapaxes(np.flip(w, last_first), 0, 1))
    gx = np.empty_like(g, shape=(n, c, *sizes), order="C")
    sums: list[Any] = []
    chunk = Chunk(g, kernel, sizes, geometry, 1, _by_rows(k, kernel, geometry))
    weights = chunk.weights(flipped)
    for first in range(n):
        chunk.fill(first)
        sum_of_products(weights, chunk.matrices, gx[first].reshape(c, -1))
        if x is not None:
            _add_products(sums, x[first].reshape(c, -1), chunk.matrices)
    if x is None:
        return gx, None
    to_flipped = _join_rows(sums, (c, k, *kernel))
    return gx, _backend.contiguous(np.swapaxes(np.flip(to_flipped, last_first), 0, 1))


def _add_products(sums: list[Any], factor: Any, matrices: list[Any]) -> None:
    """Add matrices[i] · factorᵀ to sums[i] for each i. If the list `sums` is empty, fill it with zeros first.

    OpenBLAS computes this product faster than its transpose, factor · matrixᵀ.
    """
    if not sums:
        sums.extend([np.zeros_like(factor, shape=(len(matrix), len(factor)), order="C") for matrix in matrices])
    for total, matrix in zip(sums, matrices, strict=True):
        openblas.add_matmul(matrix, factor.T, total)


def _join_rows(sums: list[Any], shape: Numbers) -> Any:
    """Transpose the sums over all chunks into the gradient of the weight, whose `shape` is (k, c, *kernel).

    Args:
        sums: a single matrix (c · kernel elements, k), or for each row of the kernel a matrix (c · elements of the row, k).
    """
    if len(sums) == 1:
        return _backend.contiguous(sums[0].T).reshape(shape)
    return _backend.contiguous(np.stack([total.T.reshape(*shape[:2], *shape[3:]) for total in sums], axis=2))


def _add_up(chunk: Chunk, gradient: Any, kernel: Numbers, first: int, gx: Any, geometry: Geometry) -> None:
    """Add up the gradient of the columns of a chunk to the gradient of its images (col2im), and write it into `gx`.

    Args:
        first: index in `gx` of the first image of the chunk.
    """
    columns = gradient.reshape(chunk.columns.shape)
    out = chunk.columns.shape[1 + len(kernel) : 1 + 2 * len(kernel)]
    images = gx[first] if chunk.padded is None else chunk.padded
    images.fill(0)
    sizes, none = tuple(images.shape[1 : 1 + len(kernel)]), (0,) * len(kernel)
    for position, outs, ins in positions(sizes, out, kernel, geometry.stride, none, geometry.dilation):
        images[(slice(None), *ins[1:])] += columns[(slice(None), *position, *outs[1:])]
    if chunk.count > 1:
        np.copyto(gx[first : first + chunk.count], np.moveaxis(images[chunk.interior], -1, 0))
    elif chunk.padded is not None:
        np.copyto(gx[first], images[chunk.interior])
    chunk.has_zero_padding = False


# -- groups: here the columns have the shape (n, groups, elements, positions)


def _grouped_columns(x: Any, kernel: Numbers, out: Numbers, geometry: Geometry) -> Any:
    n, c, groups = x.shape[0], x.shape[1], geometry.groups
    columns: Any = np.zeros_like(x, shape=(n, c, *kernel, *out), order="C")
    for position, outs, ins in positions(
        x.shape[2:], out, kernel, geometry.stride, geometry.padding, geometry.dilation
    ):
        columns[(slice(None), slice(None), *position)][outs] = x[ins]
    return columns.reshape(n, groups, c // groups * prod(kernel), prod(out))


def _grouped_weight(w: Any, groups: int) -> Any:
    """Reshape (k, c / groups, *kernel) -> (groups, k / groups, elements)."""
    return w.reshape(groups, w.shape[0] // groups, prod(w.shape[1:]))


def _parts(n: int, bytes_per_image: int) -> list[slice]:
    """Return slices that split n images into parts, so that the columns of a part take about 4 · CHUNK bytes."""
    count = max(1, 4 * CHUNK // max(bytes_per_image, 1))
    return [slice(first, min(first + count, n)) for first in range(0, n, count)]


def _grouped_forward(x: Any, w: Any, out: Numbers, geometry: Geometry) -> Any:
    n, kernel = x.shape[0], w.shape[2:]
    y = np.zeros_like(x, shape=(n, geometry.groups, w.shape[0] // geometry.groups, prod(out)), order="C")
    for part in _parts(n, x.shape[1] * prod(kernel) * prod(out) * x.itemsize):
        columns = _grouped_columns(x[part], kernel, out, geometry)
        np.matmul(_grouped_weight(w, geometry.groups), columns, out=y[part])
    return y.reshape(n, w.shape[0], *out)


def _grouped_weight_gradient(x: Any, g: Any, kernel: Numbers, geometry: Geometry) -> Any:
    n, groups, out = x.shape[0], geometry.groups, g.shape[2:]
    per_group = x.shape[1] // groups
    total = np.zeros_like(g, shape=(groups, g.shape[1] // groups, per_group * prod(kernel)), order="C")
    for part in _parts(n, x.shape[1] * prod(kernel) * prod(out) * x.itemsize):
        g_matrices = g[part].reshape(-1, groups, g.shape[1] // groups, prod(out))
        columns = _grouped_columns(x[part], kernel, out, geometry)
        total += np.sum(np.matmul(g_matrices, np.swapaxes(columns, 2, 3)), axis=0)
    return total.reshape(g.shape[1], per_group, *kernel)


def _grouped_input_gradient(g: Any, w: Any, sizes: Numbers, geometry: Geometry) -> Any:
    n, groups, kernel, out = g.shape[0], geometry.groups, w.shape[2:], g.shape[2:]
    c = groups * w.shape[1]
    gx = np.zeros_like(g, shape=(n, c, *sizes), order="C")
    transposed_weight = np.swapaxes(_grouped_weight(w, groups), 1, 2)
    for part in _parts(n, c * prod(kernel) * prod(out) * g.itemsize):
        images = gx[part]
        g_matrices = g[part].reshape(images.shape[0], groups, g.shape[1] // groups, prod(out))
        gradient = np.matmul(transposed_weight, g_matrices).reshape(images.shape[0], c, *kernel, *out)
        for position, outs, ins in positions(sizes, out, kernel, geometry.stride, geometry.padding, geometry.dilation):
            images[ins] += gradient[(slice(None), slice(None), *position)][outs]
    return gx


# -- the functions that `convolution` calls


def gradients(g: Any, x: Any, w: Any, geometry: Geometry, wants_input: bool, wants_weight: bool) -> tuple[Any, Any]:
    """Return the gradients of input and weight of `forward` or, with `geometry.transposed`, of `forward_transposed`.

    A gradient that is not wanted is None.
    """
    memory_format, g = _format_of_result(x, w), _backend.contiguous(g)
    if geometry.transposed:
        to_input = forward(g, w, None, geometry, x.shape[2:]) if wants_input else None
        x = _backend.contiguous(x)
        to_weight = _gradients(x, g, w, g.shape[2:], geometry, (False, True))[1] if wants_weight else None
    else:
        to_input, to_weight = _gradients(g, x, w, x.shape[2:], geometry, (wants_input, wants_weight))
    return tuple([None if a is None else to_format(a, memory_format) for a in (to_input, to_weight)])  # type: ignore[return-value]


def transposed_sizes(sizes: Numbers, kernel: Numbers, geometry: Geometry) -> Numbers:
    """Return the spatial sizes of the output of a transposed convolution."""
    numbers = zip(
        sizes, kernel, geometry.stride, geometry.padding, geometry.dilation, geometry.output_padding, strict=True
    )
    return tuple([(n - 1) * s - 2 * p + d * (k - 1) + extra + 1 for n, k, s, p, d, extra in numbers])


def forward_transposed(x: Any, w: Any, b: Any, geometry: Geometry) -> Any:
    """Compute the transposed convolution of `x` and `w`, plus `b` unless it is None.

    It is the input gradient of `forward` for the output gradient `x`.
    """
    sizes = transposed_sizes(x.shape[2:], w.shape[2:], geometry)
    image = np.empty_like(x, shape=(x.shape[0], w.shape[1] * geometry.groups, *sizes), order="C")
    y = _gradients(_backend.contiguous(x), image, w, sizes, geometry, (True, False))[0]
    if b is not None:
        y += b.reshape(-1, *(1,) * len(sizes))
    return to_format(y, _format_of_result(x, w))


def _gradients(
    g: Any, x: Any, w: Any, sizes: Numbers, geometry: Geometry, needs_grad: tuple[bool, bool]
) -> tuple[Any, Any]:
    if geometry.groups > 1 or 0 in (g.size, x.size, w.size):
        to_input = _grouped_input_gradient(g, w, sizes, geometry) if needs_grad[0] else None
        return to_input, _grouped_weight_gradient(x, g, w.shape[2:], geometry) if needs_grad[1] else None
    if needs_grad[0] and _as_convolution_of_g(g, w, geometry):
        return _by_flipped_kernel(g, _backend.contiguous(x) if needs_grad[1] else None, w, sizes, geometry)
    return _gradients_by_columns(g, x, w, sizes, geometry, needs_grad)


def bias_gradient(g: Any) -> Any:
    """Sum over all images and positions: (n, k, *out) -> (k).

    A product of each image with a vector of ones is three times as fast as a sum over several axes.
    """
    n, k, count = g.shape[0], g.shape[1], prod(g.shape[2:])
    return np.sum(np.matmul(g.reshape(n * k, count), np.ones_like(g, shape=(count,))).reshape(n, k), axis=0)
