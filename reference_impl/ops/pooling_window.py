"""Describe the windows of a pooling operation by their sizes and positions, and check the arguments as torch does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from reference_impl import _backend
from reference_impl._layout import contiguous_format
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import empty, suggested_format
from reference_impl.ops.kernel_positions import Numbers, output_size, positions, window_numbers
from reference_impl.ops.promotion import refuse_dtype

PART = 1 << 19  # size in bytes of the part of a batch that is pooled at a time


class Window:
    """The windows of one pooling operation.

    Attributes:
        sizes, out: the spatial sizes of the input and of the result.
        kernel, stride, padding, dilation, ceil_mode: the arguments, with a number per spatial dimension.
        places: for each position of the kernel a triple (position, slices of the result, slices of the input); see `kernel_positions`.
            Empty if a size in `out` is not positive.
    """

    __slots__ = ("sizes", "out", "kernel", "stride", "padding", "dilation", "ceil_mode", "places")

    def __init__(
        self, sizes: Numbers, kernel: Numbers, stride: Numbers, padding: Numbers, dilation: Numbers, ceil_mode: bool
    ) -> None:
        self.sizes, self.kernel, self.stride, self.padding, self.dilation = sizes, kernel, stride, padding, dilation
        self.ceil_mode = ceil_mode
        along = zip(sizes, kernel, stride, padding, dilation, strict=True)
        self.out = tuple([output_size(*numbers, ceil_mode) for numbers in along])
        if all(n > 0 for n in self.out):
            self.places = positions(sizes, self.out, kernel, stride, padding, dilation)
        else:
            self.places = ()

    @property
    def disjoint(self) -> bool:
        """Return whether each element of the input belongs to exactly one window, so that it receives only one gradient."""
        return self.kernel == self.stride and all(
            n * k == s and p == 0 and d == 1
            for n, k, s, p, d in zip(self.out, self.kernel, self.sizes, self.padding, self.dilation, strict=True)
        )


# The attributes of Window that nodes of poolings show as `_saved_kernel_size` and so on, as in torch.
SHOWN = {
    "kernel_size": "kernel",
    "stride": "stride",
    "padding": "padding",
    "dilation": "dilation",
    "ceil_mode": "ceil_mode",
}


def of_window(node: Any, name: str) -> Any:
    """Return the argument `name`, such as "kernel_size", of the pooling that `node` records."""
    return getattr(node._window, SHOWN[name])


def window_of(
    name: str, input: Tensor, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool, spatial: int
) -> Window:
    """Check the arguments of the pooling function `name`, and return its Window.

    Args:
        stride: None or an empty list stands for the kernel size.
        spatial: the number of dimensions over which the windows slide, 1 to 3.

    Raises:
        RuntimeError: an argument is invalid; the message is torch's.
    """
    kernel = window_numbers(kernel_size, spatial, "kernel_size", name)
    steps = kernel if stride is None or is_empty(stride) else window_numbers(stride, spatial, "stride", name)
    pads = window_numbers(padding, spatial, "padding", name)
    spread = window_numbers(dilation, spatial, "dilation", name)
    if any(s == 0 for s in steps):
        raise RuntimeError("stride should not be zero")
    if any(k <= 0 for k in kernel):
        raise RuntimeError(f"kernel size should be greater than zero, but got {_label_values(kernel, 'k')}")
    if any(s <= 0 for s in steps):
        raise RuntimeError(f"stride should be greater than zero, but got {_label_values(steps, 'd')}")
    if any(d <= 0 for d in spread):
        raise RuntimeError(f"dilation should be greater than zero, but got {_label_values(spread, 'dilation')}")
    _check_padding(kernel, pads, spread)
    _check_dims(name, input, spatial)
    shape = input._array.shape
    window = Window(shape[-spatial:], kernel, steps, pads, spread, ceil_mode)
    if any(n < 1 for n in window.out):
        before, after = shape[-spatial - 1 :], (shape[-spatial - 1], *window.out)
        raise RuntimeError(
            f"Given input size: ({'x'.join(map(str, before))}). Calculated output size: ({'x'.join(map(str, after))}). "
            "Output size is too small"
        )
    return window


def is_empty(value: Any) -> bool:
    """Return whether a stride is an empty list, which stands for the kernel size."""
    return isinstance(value, (tuple, list)) and not value


def _label_values(values: Numbers, prefix: str) -> str:
    return " ".join(f"{prefix}{axis}: {v}" for axis, v in zip("THW"[-len(values) :], values, strict=True))


def _check_padding(kernel: Numbers, pads: Numbers, spread: Numbers) -> None:
    for k, p, d in zip(kernel, pads, spread, strict=True):
        if p < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {p}")
        if p > ((k - 1) * d + 1) // 2:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and dilation={d}"
            )


def _check_dims(name: str, input: Tensor, spatial: int) -> None:
    x = input._array
    sizes = x.shape[1 if x.ndim == spatial + 2 else 0 :]
    if x.ndim in (spatial + 1, spatial + 2) and 0 not in sizes:
        return
    if spatial == 2 and x.ndim in (3, 4):
        raise RuntimeError(
            f"Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:{list(x.shape)}"
        )
    if spatial == 3 and x.ndim in (4, 5):
        kernel = "max_pool3d_with_indices_out_cpu_template" if name == "max_pool3d" else name
        empty = next(d for d in range(x.ndim - 4, x.ndim) if x.shape[d] == 0)
        raise RuntimeError(
            f"{kernel}(): Expected input's non-batch dimensions to have positive length, but input has a shape of "
            f"{list(x.shape)} and non-batch dimension {x.shape[empty]} has length zero!"
        )
    raise RuntimeError(f"non-empty {spatial + 1}D or {spatial + 2}D (batch mode) tensor expected for input")


def one_dimensional(name: str, kernel_size: Any, stride: Any, padding: Any, dilation: Any = 1) -> tuple[int, ...]:
    """Return kernel size, stride, padding and dilation of a one-dimensional pooling as numbers. `name` is the function, for messages.

    If the stride is None or an empty list, it is the kernel size.

    Raises:
        RuntimeError: an argument has several numbers.
    """
    (k,) = window_numbers(kernel_size, 1, "kernel_size", name)
    (s,) = (k,) if stride is None or is_empty(stride) else window_numbers(stride, 1, "stride", name)
    (p,) = window_numbers(padding, 1, "padding", name)
    (d,) = window_numbers(dilation, 1, "dilation", name)
    return k, s, p, d


def room_for(x: Any, out: Numbers, memory_format: Any) -> Any:
    """Return an uninitialized array (..., *out) for the result of pooling `x`."""
    return empty((*x.shape[: x.ndim - len(out)], *out), memory_format, x.dtype, x)


def format_of_mean(x: Any, spatial: int) -> Any:
    """Return the memory order of an average over windows of `spatial` dimensions: contiguous for three, otherwise that of `x`."""
    return contiguous_format if spatial == 3 else suggested_format(x)


def refuse_pooling(kernel: str, x: Any) -> NoReturn:
    """Raise torch's error for a dtype for which its function `kernel` has no implementation, or `kernel` for channels last."""
    layout = "" if suggested_format(x) is contiguous_format else "_channels_last"
    refuse_dtype(kernel + layout, x.dtype)


def parts(x: Any, *other_arrays: Any) -> Iterator[Sequence[Any]]:
    """Cut `x` and the other arrays along the first dimension, and yield the first parts of all, then the second parts, and so on.

    The caller loops over the positions of the kernel for each part, so that the part of `x` stays in the processor's L2 cache. Without
    parts, pooling 32·32·56·56 numbers takes one and a half times as long.
    """
    whole = x.nbytes <= PART + PART // 2 or _backend.device_type_of(x) != "cpu"
    count = len(x) if whole else -(-PART * len(x) // x.nbytes)
    for first in range(0, len(x), max(count, 1)):
        yield [array[first : first + count] for array in (x, *other_arrays)]
