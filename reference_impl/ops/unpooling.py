"""The reverse of max pooling, and max pooling with windows at random distances."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np

from reference_impl import _backend, _distributions
from reference_impl._layout import contiguous_format
from reference_impl._memory_order import in_format, suggested_format
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record
from reference_impl.ops.adaptive_pooling import UnpooledBackward, unpooled
from reference_impl.ops.kernel_positions import Numbers
from reference_impl.ops.registry import builtins, checked
from reference_impl.ops.scatter import gather


class MaxUnpool2DBackward0(Node):
    """out = 0 with self at `indices`:  ∂self = g there."""

    saved_names = ("indices",)
    _spatial: int

    def grad_self(self, g: Tensor) -> Tensor:
        indices, n = self._saved_indices, self._spatial
        lead = indices.shape[: indices.ndim - n]
        return gather(g.reshape(*lead, -1), -1, indices.reshape(*lead, -1)).reshape(indices.shape)


class MaxUnpool3DBackward0(MaxUnpool2DBackward0):
    """See MaxUnpool2DBackward0."""


def _check_placed(input: Tensor, indices: Tensor, sizes: Numbers, n: int, stride: Numbers) -> None:
    """Raises:
    RuntimeError: tensors that don't fit each other or the number of dimensions, n."""
    x, i = input._array, indices._array
    if i.dtype != np.int64:
        got = "" if n == 3 else f" but got: {indices.dtype.tensor_type}"
        raise RuntimeError(f"elements in indices should be type int64{got}")
    if x.ndim not in (n + 1, n + 2):
        raise RuntimeError(
            f"Input to max_unpooling{n}d should be a {n + 1}d or {n + 2}d Tensor, but got a tensor with {x.ndim} dimensions."
        )
    if len(sizes) != n:
        wanted = "three elements (depth, height, width)" if n == 3 else "two elements (height, width)"
        raise RuntimeError(f"There should be exactly {wanted} in output_size, but got {len(sizes)} elements.")
    if any(s <= 0 for s in stride):
        raise RuntimeError(f"strides should be greater than zero, but got stride: {list(stride)}")
    if x.shape != i.shape:
        raise RuntimeError(
            "Expected shape of indices to be same as that of the input tensor "
            f"({list(x.shape)}) but got indices tensor with shape: {list(i.shape)}"
        )
    for d in range(x.ndim - n - 1, x.ndim):
        if x.shape[d] == 0:
            raise RuntimeError(
                f"max_unpooling{n}d_forward_out_cpu(): Expected input to have non-zero size for non-batch dimensions, but got "
                f"{list(x.shape)} with dimension {d} being empty."
            )
    if x.dtype.kind != "f":
        raise NotImplementedError(f"\"max_unpool{n}d\" not implemented for '{input.dtype.tensor_type}'")


def _placed(input: Tensor, indices: Tensor, sizes: Numbers, n: int, stride: Numbers = ()) -> Tensor:
    _check_placed(input, indices, sizes, n, stride)
    x, i = input._array, indices._array
    lead = x.shape[: x.ndim - n]
    rows = prod(lead)
    if i.size and (int(np.min(i)) < 0 or int(np.max(i)) >= prod(sizes)):
        wrong = i[(i < 0) | (i >= prod(sizes))].reshape(-1)[0]
        raise RuntimeError(
            f"Found an invalid max index: {int(wrong)} (output volumes are of size {'x'.join(str(s) for s in sizes)})"
        )
    out = np.zeros_like(x, shape=(rows, prod(sizes)))
    row = _backend.to_device_of(np.arange(rows)[:, None], x)
    each = prod(x.shape[x.ndim - n :])
    out[row, i.reshape(rows, each)] = x.reshape(rows, each)
    node = MaxUnpool3DBackward0 if n == 3 else MaxUnpool2DBackward0
    placed = in_format(out.reshape(*lead, *sizes), suggested_format(x) if n == 2 else contiguous_format)
    return record(node, placed, (input,), (indices,), _spatial=n)


def _as_list(value: Any, n: int) -> list[int]:
    return [value] * n if isinstance(value, int) else list(value)


native_2d = checked("max_unpool2d", lambda input, indices, output_size: _placed(input, indices, output_size, 2), ())
native_3d = checked(
    "max_unpool3d",
    lambda input, indices, output_size, stride, padding: _placed(input, indices, output_size, 3, stride),
    (),
)
builtins.update(max_unpool2d=native_2d, max_unpool3d=native_3d)


def _numbers(value: Any, n: int) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, Iterable) else (value,) * n


def _output_sizes(
    input: Tensor, kernel_size: Any, stride: Any, padding: Any, output_size: Any, n: int
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The size that was pooled (`output_size`, or the smallest possible), the stride and the padding.

    Raises:
        ValueError: `output_size` could not have been pooled to this input.
    """
    kernel, pads = _numbers(kernel_size, n), _numbers(padding, n)
    steps = kernel if stride is None else _numbers(stride, n)
    dims = input.size()[-len(kernel) :]
    usual = [(size - 1) * steps[d] + kernel[d] - 2 * pads[d] for d, size in enumerate(dims)]
    if output_size is None:
        sizes = usual
    else:
        sizes = list(output_size[2:] if len(output_size) == n + 2 else output_size)
        if len(sizes) != n:
            raise ValueError(
                f"output_size should be a sequence containing {n} or {n + 2} elements, but it has a length of '{len(sizes)}'"
            )
        for d, (size, default, step) in enumerate(zip(sizes, usual, steps, strict=True)):
            if not default - step < size < default + step:
                raise ValueError(
                    f'invalid output_size "{output_size}" (dim {d} must be between {default - step} and {default + step})'
                )
    for d, size in enumerate(sizes):
        if size < 0:
            raise ValueError(
                "max_unpooling: output_size must contain non-negative spatial dimensions, but got "
                f"output_size[{d}]={size}"
            )
    return tuple(sizes), steps, pads


def max_unpool2d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """The elements of `input` at `indices`, which `max_pool2d` gave, 0 elsewhere.

    Raises:
        ValueError: an `output_size` that could not have been pooled.
    """
    sizes, _, _ = _output_sizes(input, kernel_size, stride, padding, output_size, 2)
    return native_2d(input, indices, sizes)


def max_unpool3d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """As `max_unpool2d`, over three dimensions."""
    return native_3d(input, indices, *_output_sizes(input, kernel_size, stride, padding, output_size, 3))


def max_unpool1d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """As `max_unpool2d`, over one dimension: computed there with a width of 1."""
    (size,), _, _ = _output_sizes(input, kernel_size, stride, padding, output_size, 1)
    return native_2d(input.unsqueeze(-1), indices.unsqueeze(-1), (size, 1)).squeeze(-1)


# -- fractional max pooling


class FractionalMaxPool2DBackward0(Node):
    """out = the largest of each window:  ∂self = g at its place."""

    saved_names = ("self", "result1")
    kernel_size: Numbers
    output_size: Numbers

    def grad_self(self, g: Tensor) -> Tensor:
        n = len(self.output_size)
        node = FractionalMaxPool3DBackwardBackward0 if n == 3 else FractionalMaxPool2DBackwardBackward0
        return unpooled(g, self._saved_result1, self._saved_self, n, node)


class FractionalMaxPool2DBackwardBackward0(UnpooledBackward):
    """See UnpooledBackward."""


class FractionalMaxPool3DBackwardBackward0(UnpooledBackward):
    """See UnpooledBackward."""


class FractionalMaxPool3DBackward0(FractionalMaxPool2DBackward0):
    """See FractionalMaxPool2DBackward0."""


def _starts(sample: Any, size: int, out: int, kernel: int) -> Any:
    """Where the windows begin, (n, c, out), from one random number in [0, 1) for each (n, c). Graham 2014, pseudo-random."""
    if out == 1:
        return np.full_like(sample, size - kernel, dtype=np.int64)[..., None]
    alpha = sample.dtype.type((size - kernel) / (out - 1))
    steps = np.arange(out - 1, like=sample).astype(sample.dtype)
    inner = ((steps + sample[..., None]) * alpha).astype(np.int64) - (sample[..., None] * alpha).astype(np.int64)
    return np.concatenate([inner, np.full_like(inner, size - kernel, shape=(*inner.shape[:-1], 1))], axis=-1)


def _fractional(input: Tensor, kernel: Numbers, out: Numbers, samples: Tensor) -> tuple[Tensor, Tensor]:
    x = input._array
    n = len(out)
    sizes = x.shape[x.ndim - n :]
    batch = x if x.ndim == n + 2 else x[None]
    # In two dimensions the samples name the width first, in three the depth.
    numbers = [samples._array[: len(batch), :, 1 - d if n == 2 else d] for d in range(n)]
    starts = [_starts(numbers[d], sizes[d], out[d], kernel[d]) for d in range(n)]
    flat = np.zeros_like(batch, dtype=np.int64, shape=(*batch.shape[:2], *(1,) * (2 * n)))
    for d in range(n):
        places = starts[d][..., None] + np.arange(kernel[d], like=x)  # (n, c, out, kernel)
        shape = [*batch.shape[:2], *(1,) * (2 * n)]
        shape[2 + d], shape[2 + n + d] = out[d], kernel[d]
        flat = flat * sizes[d] + places.reshape(shape)
    flat = flat.reshape(*batch.shape[:2], *out, prod(kernel))
    lead = batch.shape[:2]
    rows = batch.reshape(*lead, prod(sizes))
    seen = np.take_along_axis(rows, flat.reshape(*lead, prod(out) * prod(kernel)), axis=2).reshape(flat.shape)
    at = np.argmax(seen, axis=-1)[..., None]
    y = np.take_along_axis(seen, at, axis=-1)[..., 0].reshape(*x.shape[: x.ndim - n], *out)
    indices = Tensor._wrap(_backend.positions(np.take_along_axis(flat, at, axis=-1)[..., 0].reshape(y.shape)))
    node = FractionalMaxPool3DBackward0 if n == 3 else FractionalMaxPool2DBackward0
    return record(node, y, (input,), (input, indices), kernel_size=kernel, output_size=out), indices


def _fractional_max_pool(
    n: int, input: Tensor, kernel_size: Any, output_size: Any, output_ratio: Any, return_indices: bool, samples: Any
) -> Any:
    dims = input.dim()
    if output_size is None and output_ratio is None:
        raise ValueError(f"fractional_max_pool{n}d requires specifying either an output_size or an output_ratio")
    x = input._array
    if output_size is None:
        ratios = [output_ratio] * n if isinstance(output_ratio, (int, float)) else list(output_ratio)
        if len(ratios) > n:
            raise ValueError(
                f"fractional_max_pool{n}d requires output_ratio to either be a single Int or tuple of Ints."
            )
        output_size = [int(size * r) for size, r in zip(x.shape[x.ndim - n :], ratios, strict=True)]
    kernel, out = tuple(_as_list(kernel_size, n)), tuple(_as_list(output_size, n))
    if dims not in (n + 1, n + 2) or 0 in x.shape[dims - n - 1 :]:
        raise RuntimeError(f"fractional_max_pool{n}d(): Expected {n + 1}D or {n + 2}D tensor, but got: {list(x.shape)}")
    for size, k, o, axis in zip(x.shape[x.ndim - n :], kernel, out, ("time", "height", "width")[3 - n :], strict=True):
        if o + k - 1 > size:
            raise RuntimeError(
                f"fractional_max_pool{n}d(): pool {axis} {k} too large relative to input {axis} {size}"
                if n == 2
                else f"fractional_max_pool3d_out(): pool {axis} {k} too large relative to input {axis} {size}"
            )
    if samples is None:
        lead = (1 if x.ndim == n + 1 else x.shape[0], x.shape[x.ndim - n - 1], n)
        drawn = _distributions.sample_rand(lead, x.dtype)
        samples = Tensor._wrap(_backend.to_device_of(drawn, x))
    result, indices = _fractional(input, kernel, out, samples)
    return (result, indices) if return_indices else result


def fractional_max_pool2d_with_indices(
    input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """`fractional_max_pool2d` and the positions, whatever `return_indices` says."""
    return _fractional_max_pool(2, input, kernel_size, output_size, output_ratio, True, _random_samples)


def fractional_max_pool3d_with_indices(
    input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """`fractional_max_pool3d` and the positions, whatever `return_indices` says."""
    return _fractional_max_pool(3, input, kernel_size, output_size, output_ratio, True, _random_samples)


def fractional_max_pool2d(
    input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:  # fmt: skip
    """Max pooling of (*, h, w) to `output_size`, or to the fraction `output_ratio`, with windows at random distances."""
    return _fractional_max_pool(2, input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def fractional_max_pool3d(
    input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:  # fmt: skip
    """As `fractional_max_pool2d`, over three dimensions."""
    return _fractional_max_pool(3, input, kernel_size, output_size, output_ratio, return_indices, _random_samples)
