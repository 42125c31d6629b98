"""The columns of a convolution (im2col): for each position of the kernel on an image, the elements under the kernel.

A matrix of columns is (elements, positions · count): a row per element of the kernel and channel, a column per position and image, for
`count` images of a batch at a time. `convolution_kernels` multiplies it by the weight.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_impl import _backend
from reference_impl.numerics import openblas
from reference_impl.ops.kernel_positions import Numbers

if TYPE_CHECKING:
    from reference_impl.ops.convolution import Geometry

SECOND_CACHE = 1 << 18  # bytes that are transposed at a time, so that they fit into the processor's L2 cache
# Addresses whose distance is a multiple of SAME_SETS bytes fall into few sets of the L1 cache. A set has WAYS lines.
SAME_SETS, WAYS = 1 << 10, 8
MANY_CHANNELS = 64  # see `SharedColumns._worth_it`, and `_by_rows` in convolution_kernels


class Chunk:
    """The columns of a few images of a batch.

    Attributes:
        count: number of images.
        matrices: list of columns, (elements, positions · count): one matrix or, with `by_rows`, one per row of the kernel. `fill`
            writes them.
        padded: memory for the padded images, (c, *sizes), or (c, *sizes, count) for several; None if `fill` reads the batch directly.
        has_zero_padding: whether the padding in `padded` is 0. A caller that uses this memory sets the attribute to False.
    """

    def __init__(self, x: Any, kernel: Numbers, out: Numbers, geometry: Geometry, count: int, by_rows: bool) -> None:
        self.x, self.count, self.by_rows = x, count, by_rows
        channels, tail = x.shape[1], () if count == 1 else (count,)
        self.interior: Any = (slice(None), *_inner(x.shape[2:], geometry.padding))
        self.padded, self.has_zero_padding = None, True
        if tail or any(geometry.padding):
            sizes = [n + 2 * p for n, p in zip(x.shape[2:], geometry.padding, strict=True)]
            self.padded = _backend.scratch("padded images", (channels, *sizes, *tail), x)
            if any(geometry.padding):
                self.padded.fill(0)
        self.windows = _windows(x if self.padded is None else self.padded[None], kernel, out, geometry, by_rows)
        self.columns = _backend.scratch("columns", self.windows.shape[1:], x)
        if not by_rows:
            self.matrices = [self.columns.reshape(channels * prod(kernel), prod(out) * count)]
        else:
            rows = self.columns.reshape(channels * prod(kernel[1:]), -1)
            row, height = prod(out[1:]), geometry.dilation[0]
            self.matrices = [rows[:, i * height * row : (i * height + out[0]) * row] for i in range(kernel[0])]

    def fill(self, first: int) -> None:
        """Write the columns of `count` images into `matrices`, beginning with image `first` of the batch."""
        if self.padded is None:
            np.copyto(self.columns, self.windows[first])
            return
        if not self.has_zero_padding:
            self.padded.fill(0)
            self.has_zero_padding = True
        if self.count == 1:
            np.copyto(self.padded[self.interior], self.x[first])
        else:
            _put_batch_last(self.padded[self.interior], self.x[first : first + self.count])
        np.copyto(self.columns, self.windows[0])

    def weights(self, w: Any) -> list[Any]:
        """Return the weight as matrices (k, elements), one for each of `matrices`."""
        if not self.by_rows:
            return [w.reshape(w.shape[0], -1)]
        return [w[:, :, i].reshape(w.shape[0], -1) for i in range(w.shape[2])]

    def as_matrix(self, g: Any, first: int) -> Any:
        """Return `count` images of `g`, (n, k, rows, *out), beginning with `first`, as a matrix (k · rows, positions · count).

        `rows` is the dimension that `SharedColumns.split` adds. Use the matrix before the next call, which may overwrite it. It may share
        memory with `g`.
        """
        if self.count == 1 and g.shape[2] == 1:
            return g[first].reshape(g.shape[1], -1)
        target = _backend.scratch("gradient", (*g.shape[1:], self.count), self.columns)
        _put_batch_last(target, g[first : first + self.count])
        return target.reshape(g.shape[1] * g.shape[2], -1)

    def multiply(self, weights: list[Any], bias: Any, y: Any, first: int) -> None:
        """Write weights · columns + bias to `count` images of `y`, (n, k, rows, *out), beginning with image `first`.

        Args:
            weights: see the method `weights`.
            bias: array (k,) or None.
        """
        k, rows = y.shape[1:3]
        if self.count == 1 and rows == 1:
            out = y[first].reshape(k, -1)
            sum_of_products(weights, self.matrices, out)
            if bias is not None:
                out += bias[:, None]  # added now, while `out` is in the cache
            return
        images = np.moveaxis(y[first : first + self.count], 0, -1)
        products = _backend.scratch("products", images.shape, self.columns)
        openblas.matmul(weights[0], self.matrices[0], products.reshape(k * rows, -1))
        if bias is not None:
            products += bias.reshape(-1, *(1,) * (images.ndim - 1))
        _put_batch_first(images, products)


def _put_batch_first(images: Any, products: Any) -> None:
    """Copy `products` to `images`. Both are (k, rows, *out, count); `images` is a view of an array (count, k, rows, *out)."""
    divided = 0 if products.nbytes <= SECOND_CACHE else 2
    for piece in np.ndindex(products.shape[:divided]):
        np.copyto(images[piece], products[piece])


def _put_batch_last(target: Any, images: Any) -> None:
    """Copy `images` to `target`: (count, *shape) -> (*shape, count)."""
    step, count = images.strides[0], len(images)
    if step % SAME_SETS == 0 and count > WAYS and step == prod(images.shape[1:]) * images.itemsize:
        images = _further_apart(images)
    np.copyto(target, np.moveaxis(images, 0, -1))


def _further_apart(images: Any) -> Any:
    """Return a copy of `images` with gaps of 64 bytes between the images.

    Without gaps, elements at the same position of different images evict each other from the cache. Copying images of 4 KiB then took
    six times as long.
    """
    count, step = images.shape[0], (images.strides[0] + 64) // images.itemsize
    memory = _backend.scratch("images apart", (count * step,), images)
    strides = [stride // images.itemsize for stride in images.strides]
    apart = _backend.as_strided(memory, images.shape, (step, *strides[1:]), 0)
    np.copyto(apart, images)
    return apart


class SharedColumns:
    """Compute neighboring rows of the output from the same columns, as if these rows were channels.

    The columns are those of a taller kernel, which covers all elements that `rows` rows of the output need. The weight for row r is
    the weight of the convolution, moved down by r · step elements (step is the stride), with zeros above and below:

        weight (k, c, kh, ...) -> (k · rows, c, kh + (rows - 1) · step, ...)
        output (n, k, height, ...) -> (n, k, rows, height / rows, ...)

    Example: for a kernel of 5 rows and stride 1, 4 rows of the output need 8 rows of the input instead of 4 · 5 = 20. There is 8 / 5
    times as much arithmetic; LeNet's convolutions take two thirds of the time. With many channels the arithmetic takes longer than
    copying, so nothing is shared.

    A zero of the weight times an inf or nan of the input is nan, in a row that does not use this input. So if the result is not finite,
    the caller computes it again without sharing.

    Attributes:
        rows: rows of the output that share columns; 1 if nothing is shared.
        kernel: sizes of the taller kernel.
        out: spatial sizes of the output divided by `rows` in the first dimension.
        geometry: the geometry of the convolution with `rows` times the stride in the first dimension.
    """

    def __init__(self, k: int, kernel: Numbers, out: Numbers, geometry: Geometry, several_images: bool) -> None:
        self.k, self.taps, self.step = k, kernel[0], geometry.stride[0]
        fitting = [rows for rows in (4, 2) if out[0] % rows == 0 and self._worth_it(k, rows)]
        self.rows = fitting[0] if fitting and several_images and geometry.dilation[0] == 1 else 1
        self.kernel = (self.taps + (self.rows - 1) * self.step, *kernel[1:])
        self.out = (out[0] // self.rows, *out[1:])
        self.geometry = geometry._replace(stride=(self.step * self.rows, *geometry.stride[1:]))

    def _worth_it(self, k: int, rows: int) -> bool:
        return 2 * k * rows <= MANY_CHANNELS and 4 * (rows - 1) * self.step <= 3 * self.taps

    def weight(self, w: Any) -> Any:
        """Return the weight of the taller kernel. `w` is the weight of the convolution; without sharing, return `w` itself."""
        if self.rows == 1:
            return w
        tall = np.zeros_like(w, shape=(self.k, self.rows, w.shape[1], *self.kernel), order="C")
        for row in range(self.rows):
            tall[:, row, :, row * self.step : row * self.step + self.taps] = w
        return tall.reshape(-1, *tall.shape[2:])

    def weight_gradient(self, tall: Any) -> Any:
        """Return the gradient of the weight of the convolution. `tall` is the gradient of the weight of the taller kernel."""
        if self.rows == 1:
            return tall
        tall = tall.reshape(self.k, self.rows, *tall.shape[1:])
        total = tall[:, 0, :, : self.taps].copy("C")
        for row in range(1, self.rows):
            total += tall[:, row, :, row * self.step : row * self.step + self.taps]
        return total

    def split(self, y: Any) -> Any:
        """Return a view of the output `y` in which `rows` is a dimension: (n, k, height, ...) -> (n, k, rows, height / rows, ...)."""
        n, k, _, *rest = y.shape
        return np.swapaxes(y.reshape(n, k, self.out[0], self.rows, *rest), 2, 3)


def _inner(sizes: Numbers, padding: Numbers) -> tuple[slice, ...]:
    return tuple([slice(p, p + n) for n, p in zip(sizes, padding, strict=True)])


def _windows(image: Any, kernel: Numbers, out: Numbers, geometry: Geometry, by_rows: bool) -> Any:
    """Return a view with the elements under the kernel at each position: (n, c, *sizes, ...) -> (n, c, *kernel, *out, ...).

    With `by_rows`, it is (n, c, *kernel[1:], rows, *out[1:], ...), where `rows` are all rows of the image that the kernel covers.
    """
    lead, tail = slice(0, 2), slice(2 + len(kernel), None)
    steps = image.strides[2 : 2 + len(kernel)]
    inner = [s * d for s, d in zip(steps, geometry.dilation, strict=True)]
    outer = [s * d for s, d in zip(steps, geometry.stride, strict=True)]
    if by_rows:
        rows = (kernel[0] - 1) * geometry.dilation[0] + out[0]
        shape, strides = (*kernel[1:], rows, *out[1:]), (*inner[1:], steps[0], *outer[1:])
    else:
        shape, strides = (*kernel, *out), (*inner, *outer)
    shape = (*image.shape[lead], *shape, *image.shape[tail])
    strides = (*image.strides[lead], *strides, *image.strides[tail])
    if image.flags.c_contiguous:
        return _backend.as_strided(image.reshape(-1), shape, tuple([s // image.itemsize for s in strides]), 0)
    return _backend.window(image, shape, strides)


def sum_of_products(left: list[Any], right: list[Any], out: Any) -> None:
    """Write the sum of the matrix products left[0] · right[0], left[1] · right[1], ... into `out`."""
    openblas.matmul(left[0], right[0], out)
    for a, b in zip(left[1:], right[1:], strict=True):
        product = _backend.scratch("product", out.shape, out)
        openblas.matmul(a, b, product)
        out += product
