"""The columns of a convolution: the elements under the kernel at each position, for some images of a batch at a time.

See `convolution_kernels`, which multiplies them.
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

SECOND_CACHE = 1 << 18  # bytes that are transposed at a time
# Addresses this many bytes apart, or a multiple, share few sets of the processor's first cache. A set has WAYS lines.
SAME_SETS, WAYS = 1 << 10, 8
MANY_CHANNELS = 64  # from here on: one product per row of the kernel, and a column per place


class Chunk:
    """The columns of some images of a batch.

    Attributes:
        count: number of images. If there are several, they are the last dimension.
        matrices: (elements, places · count) after `fill`; one, or one per row of the kernel.
        room: memory for the padded images, (c, *sizes) or (c, *sizes, count); None if the images are read without a copy.
        clean: whether the padding in `room` is 0 already.
    """

    def __init__(self, x: Any, kernel: Numbers, out: Numbers, geometry: Geometry, count: int, by_rows: bool) -> None:
        self.x, self.count, self.by_rows = x, count, by_rows
        channels, tail = x.shape[1], () if count == 1 else (count,)
        self.inside: Any = (slice(None), *_inner(x.shape[2:], geometry.padding))
        self.room, self.clean = None, True
        if tail or any(geometry.padding):
            sizes = [n + 2 * p for n, p in zip(x.shape[2:], geometry.padding, strict=True)]
            self.room = _backend.scratch("padded images", (channels, *sizes, *tail), x)
            if any(geometry.padding):
                self.room.fill(0)
        self.seen = _windows(x if self.room is None else self.room[None], kernel, out, geometry, by_rows)
        self.columns = _backend.scratch("columns", self.seen.shape[1:], x)
        if not by_rows:
            self.matrices = [self.columns.reshape(channels * prod(kernel), prod(out) * count)]
        else:
            rows = self.columns.reshape(channels * prod(kernel[1:]), -1)
            row, height = prod(out[1:]), geometry.dilation[0]
            self.matrices = [rows[:, i * height * row : (i * height + out[0]) * row] for i in range(kernel[0])]

    def fill(self, first: int) -> None:
        """Write the columns of the images from number `first` on into `matrices`."""
        if self.room is None:
            np.copyto(self.columns, self.seen[first])
            return
        if not self.clean:
            self.room.fill(0)
            self.clean = True
        if self.count == 1:
            np.copyto(self.room[self.inside], self.x[first])
        else:
            _put_batch_last(self.room[self.inside], self.x[first : first + self.count])
        np.copyto(self.columns, self.seen[0])

    def weights(self, w: Any) -> list[Any]:
        """Return the weight as matrices (k, elements), one for each of `matrices`."""
        if not self.by_rows:
            return [w.reshape(w.shape[0], -1)]
        return [w[:, :, i].reshape(w.shape[0], -1) for i in range(w.shape[2])]

    def places_of(self, g: Any, first: int) -> Any:
        """Return images of `g` (n, k, rows, *out), from number `first` on, as a matrix (k · rows, places · count)."""
        if self.count == 1 and g.shape[2] == 1:
            return g[first].reshape(g.shape[1], -1)
        room = _backend.scratch("gradient", (*g.shape[1:], self.count), self.columns)
        _put_batch_last(room, g[first : first + self.count])
        return room.reshape(g.shape[1] * g.shape[2], -1)

    def multiply(self, weights: list[Any], bias: Any, y: Any, first: int) -> None:
        """Write the products of `weights` and the columns, plus `bias` (k), to the images of `y` from `first` on."""
        k, rows = y.shape[1:3]
        if self.count == 1 and rows == 1:
            out = y[first].reshape(k, -1)
            sum_of_products(weights, self.matrices, out)
            if bias is not None:
                out += bias[:, None]  # while it is in the cache
            return
        images = np.moveaxis(y[first : first + self.count], 0, -1)
        places = _backend.scratch("places", images.shape, self.columns)
        openblas.matmul(weights[0], self.matrices[0], places.reshape(k * rows, -1))
        if bias is not None:
            places += bias.reshape(-1, *(1,) * (images.ndim - 1))
        _put_batch_first(images, places)


def _put_batch_first(images: Any, places: Any) -> None:
    """Copy `places` (k, rows, *out, count) to `images`, a view of the same shape on an array whose first dimension is the batch."""
    divided = 0 if places.nbytes <= SECOND_CACHE else 2
    for piece in np.ndindex(places.shape[:divided]):
        np.copyto(images[piece], places[piece])


def _put_batch_last(room: Any, images: Any) -> None:
    """Copy `images` (count, *shape) to `room` (*shape, count), whose last dimension is the batch."""
    step, count = images.strides[0], len(images)
    if step % SAME_SETS == 0 and count > WAYS and step == prod(images.shape[1:]) * images.itemsize:
        images = _further_apart(images)
    np.copyto(room, np.moveaxis(images, 0, -1))


def _further_apart(images: Any) -> Any:
    """Return a copy of `images` with gaps of 64 bytes between the images.

    Without gaps, the elements at one position of all images use the same lines of the cache, and evict each other. That took six
    times as long for images of 4 KiB.
    """
    count, step = images.shape[0], (images.strides[0] + 64) // images.itemsize
    memory = _backend.scratch("images apart", (count * step,), images)
    strides = [stride // images.itemsize for stride in images.strides]
    apart = _backend.as_strided(memory, images.shape, (step, *strides[1:]), 0)
    np.copyto(apart, images)
    return apart


class SharedColumns:
    """Columns that several neighbouring rows of the output share. In a product, these rows are channels of one position.

    For row r the kernel is moved down by r steps and filled up with zeros. So one taller column serves all `rows`:

        weight (k, c, kh, ...) -> (k · rows, c, kh + (rows - 1) · step, ...), and the output is (n, k, rows, height / rows, ...)

    With 5 rows in the kernel and 4 together, 8 rows are copied instead of 20, for 1.6 times the arithmetic; LeNet's
    convolutions take two thirds of the time. With many channels the arithmetic takes longer than copying, so rows is 1.

    The added zeros carry an inf or nan over to the other rows (0 · inf is nan): such a result is computed again without them.
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
        """Return the weight (k, c, *kernel) in the form of the taller kernel that serves all rows."""
        if self.rows == 1:
            return w
        tall = np.zeros_like(w, shape=(self.k, self.rows, w.shape[1], *self.kernel), order="C")
        for row in range(self.rows):
            tall[:, row, :, row * self.step : row * self.step + self.taps] = w
        return tall.reshape(-1, *tall.shape[2:])

    def weight_gradient(self, tall: Any) -> Any:
        """Return the gradient of the weight (k, c, *kernel) from `tall`, the gradient of `weight(w)`."""
        if self.rows == 1:
            return tall
        tall = tall.reshape(self.k, self.rows, *tall.shape[1:])
        total = tall[:, 0, :, : self.taps].copy("C")
        for row in range(1, self.rows):
            total += tall[:, row, :, row * self.step : row * self.step + self.taps]
        return total

    def split(self, y: Any) -> Any:
        """Return a view (n, k, rows, *out) of an output (n, k, *out)."""
        n, k, _, *rest = y.shape
        return np.swapaxes(y.reshape(n, k, self.out[0], self.rows, *rest), 2, 3)


def _inner(sizes: Numbers, padding: Numbers) -> tuple[slice, ...]:
    return tuple([slice(p, p + n) for n, p in zip(sizes, padding, strict=True)])


def _windows(image: Any, kernel: Numbers, out: Numbers, geometry: Geometry, by_rows: bool) -> Any:
    """Return a view (n, c, *kernel, *out, ...) of (n, c, *sizes, ...): the elements under the kernel at each position.

    With `by_rows`: (n, c, *kernel[1:], rows, *out[1:]), with all rows of the image that the kernel covers at some position.
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
    """Compute out = Σ left · right."""
    openblas.matmul(left[0], right[0], out)
    for a, b in zip(left[1:], right[1:], strict=True):
        product = _backend.scratch("product", out.shape, out)
        openblas.matmul(a, b, product)
        out += product
