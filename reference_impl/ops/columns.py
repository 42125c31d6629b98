"""`unfold` (im2col): for each position of a kernel on an image, copy the elements under the kernel into a column.

The gradient (col2im) adds up the columns to an image. A convolution is the product of the weight, as a matrix, and the columns.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from reference_impl.core.declare import operation
from reference_impl.core.tensor import Tensor
from reference_impl.ops.kernel_positions import Numbers, as_batch, check_dims, output_size, positions, window_numbers
from reference_impl.ops.promotion import refuse_dtype


@operation("Im2ColBackward0", self=lambda g, self_sym_sizes, kernel_size, dilation, padding, stride:
           _col2im(g, self_sym_sizes[2:], kernel_size, dilation, padding, stride))  # fmt: skip
def _im2col(self: Any, kernel_size: Numbers, dilation: Numbers, padding: Numbers, stride: Numbers) -> Any:
    n, c, *sizes = self.shape
    out = _blocks(tuple(sizes), kernel_size, dilation, padding, stride)
    cols = np.zeros_like(self, shape=(n, c, *kernel_size, *out))
    for position, outs, ins in positions(tuple(sizes), out, kernel_size, stride, padding, dilation):
        place: Any = (slice(None), slice(None), *position)
        cols[place][outs] = self[ins]
    return cols.reshape(n, c * prod(kernel_size), prod(out))


@operation("Col2ImBackward0", self=lambda g, kernel_size, dilation, padding, stride:
           _im2col(g, kernel_size, dilation, padding, stride))  # fmt: skip
def _col2im(
    self: Any, sizes: Numbers, kernel_size: Numbers, dilation: Numbers, padding: Numbers, stride: Numbers
) -> Any:
    """`self` added up at the positions from which `unfold` copied

    Return an image (n, c, *sizes) from columns (n, c · kernel elements, positions).
    """
    out = _blocks(sizes, kernel_size, dilation, padding, stride)
    n, c = self.shape[0], self.shape[1] // prod(kernel_size)
    cols = self.reshape(n, c, *kernel_size, *out)
    image = np.zeros_like(self, shape=(n, c, *sizes))
    for position, outs, ins in positions(sizes, out, kernel_size, stride, padding, dilation):
        image[ins] += cols[(slice(None), slice(None), *position)][outs]
    return image


def _blocks(sizes: Numbers, kernel: Numbers, dilation: Numbers, padding: Numbers, stride: Numbers) -> Numbers:
    along = zip(sizes, kernel, stride, padding, dilation, strict=True)
    return tuple([output_size(*numbers) for numbers in along])


def _check_arguments(kernel: Any, dilation: Any, padding: Any, stride: Any, name: str) -> tuple[Numbers, ...]:
    """Return the four arguments as pairs (height, width). A single number, or a list of one, counts for both.

    Args:
        name: the function, for errors.

    Raises:
        RuntimeError: an argument has more than two values, the padding is negative, or another argument is not positive.
    """
    size_pairs = [
        window_numbers(v, 2, n, name)
        for v, n in ((kernel, "kernel_size"), (dilation, "dilation"), (padding, "padding"), (stride, "stride"))
    ]
    for quantity, (height, width) in zip(("kernel", "dilation", "padding", "stride"), size_pairs, strict=True):
        if quantity == "padding" and min(height, width) < 0:
            raise RuntimeError(f"padding should be non-negative, but got pad_height: {height} pad_width: {width}")
        if quantity != "padding" and min(height, width) <= 0:
            label = "kernel size" if quantity == "kernel" else quantity
            raise RuntimeError(
                f"{label} should be greater than zero, but got {quantity}_height: {height} {quantity}_width: {width}"
            )
    return tuple(size_pairs)


def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """Copy the elements under a kernel at each of its positions: (n, c, h, w) -> (n, c · kernel elements, positions).

    The batch dimension n may be missing, in the input and then in the result.

    Args:
        kernel_size, dilation, padding, stride: numbers, or pairs (height, width). Elements of the padding are 0.

    Raises:
        IndexError: the input has fewer than three dimensions.
        RuntimeError: the input has more than four dimensions, or a size 0 besides n; an argument is invalid; or the
            dilated kernel is larger than the padded input.
    """
    kernel, spread, pads, steps = _check_arguments(kernel_size, dilation, padding, stride, "unfold")
    shape = input._array.shape
    valid = len(shape) in (3, 4) and 0 not in shape[len(shape) - 3 :]
    if len(shape) <= 2:
        check_dims(input, 1, 2)
    if not valid:
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: "
            f"{list(shape)}"
        )
    if input._array.dtype.kind in "iu":
        refuse_dtype("im2col_out_cpu", input._array.dtype)
    blocks = _blocks(shape[-2:], kernel, spread, pads, steps)
    if min(blocks) < 1:
        raise RuntimeError(
            f"Given input with spatial size {_pair(shape[-2:])}, kernel_size={_pair(kernel)}, dilation={_pair(spread)}, "
            f"padding={_pair(pads)}, calculated shape of the array of sliding blocks as {_pair(blocks)}, but its components must "
            "be at least one."
        )
    return as_batch(input, 2, lambda x: _im2col(x, kernel, spread, pads, steps))


def _pair(values: Any) -> str:
    return f"({values[0]}, {values[1]})"
