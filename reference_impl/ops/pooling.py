"""Pooling with a sliding kernel: max and average, in one, two and three dimensions.

For each position of the kernel one array operation on a strided slice of the input: see `kernel_positions`. Pooling over a
given number of outputs is in `adaptive_pooling`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import needs_grad, record
from reference_impl.ops.kernel_positions import Numbers, output_size, positions, repeated


class Window:
    """One way of pooling: the sizes, and per position of the kernel which outputs meet which inputs."""

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
        """Whether each input is seen by exactly one output, so that a gradient need not be summed."""
        return self.kernel == self.stride and all(
            n * k == s and p == 0 and d == 1
            for n, k, s, p, d in zip(self.out, self.kernel, self.sizes, self.padding, self.dilation, strict=True)
        )


# `_saved_kernel_size` and the like of a node, as torch shows them, lie in its Window.
_SHOWN = {
    "kernel_size": "kernel",
    "stride": "stride",
    "padding": "padding",
    "dilation": "dilation",
    "ceil_mode": "ceil_mode",
}


def _of_window(node: Any, name: str) -> Any:
    return getattr(node._window, _SHOWN[name])


# -- max


class MaxPoolBackward(Node):
    """out = max over the window:  ∂self = g at the first largest element of each window, 0 elsewhere.

    Attributes:
        _largest: per position of the kernel, where its element is the largest (and the first of those).
    """

    saved_names = ("self",)
    kernel_size: Numbers
    stride: Numbers
    padding: Numbers
    dilation: Numbers
    ceil_mode: bool
    _window: Window
    _largest: Sequence[Any]

    def grad_self(self, g: Tensor) -> Tensor:
        self.unpack(0)  # for the check that nobody has changed the input
        return max_pool_backward(g, self._window, self._largest)

    @property
    def _saved_result1(self) -> Tensor:
        return Tensor._wrap(flat_indices(self._window, self._largest))

    def __getattr__(self, name: str) -> Any:
        return _of_window(self, name) if name in _SHOWN else super().__getattr__(name)


class MaxPool2DWithIndicesBackward0(MaxPoolBackward):
    """Max pooling over two dimensions, or one."""


class MaxPool3DWithIndicesBackward0(MaxPoolBackward):
    """Max pooling over three dimensions."""


class MaxPoolBackwardBackward(Node):
    """Placing a gradient at the largest elements is linear: its gradient is picked up there."""

    _window: Window
    _largest: Sequence[Any]

    def grad_grad_output(self, g: Tensor) -> Tensor:
        return pick_largest(g, self._window, self._largest)


class MaxPool2DWithIndicesBackwardBackward0(MaxPoolBackwardBackward):
    """See MaxPoolBackwardBackward."""


class MaxPool3DWithIndicesBackwardBackward0(MaxPoolBackwardBackward):
    """See MaxPoolBackwardBackward."""


class PickLargestBackward0(Node):
    """out = self at the largest elements:  ∂self = g placed there."""

    _window: Window
    _largest: Sequence[Any]

    def grad_self(self, g: Tensor) -> Tensor:
        return max_pool_backward(g, self._window, self._largest)


def max_pool_backward(grad: Tensor, window: Window, largest: Sequence[Any]) -> Tensor:
    """`grad` at the largest element of each window, summed where windows share one."""
    g = grad._array
    shape = (*g.shape[: g.ndim - len(window.sizes)], *window.sizes)
    if window.disjoint:
        gx = np.empty_like(g, shape=shape)
        for (_, outs, ins), mask in zip(window.places, largest, strict=True):
            _masked_copy(g[outs], mask, gx[ins])
    else:
        gx = np.zeros_like(g, shape=shape)
        for (_, outs, ins), mask in zip(window.places, largest, strict=True):
            np.add(gx[ins], g[outs], out=gx[ins], where=mask)
    node = MaxPool3DWithIndicesBackwardBackward0 if len(window.sizes) == 3 else MaxPool2DWithIndicesBackwardBackward0
    return record(node, gx, (grad,), _window=window, _largest=largest)


def _masked_copy(g: Any, mask: Any, out: Any) -> None:
    """`out = g` where `mask`, otherwise 0.

    On the bits, as integers: multiplying by the mask as numbers would make nan of inf · 0, and a masked copy is slower.
    """
    bits = {8: np.int64, 4: np.int32, 2: np.int16}[g.itemsize]
    np.multiply(g.view(bits), mask, out=out.view(bits))


def pick_largest(input: Tensor, window: Window, largest: Sequence[Any]) -> Tensor:
    """Per window the element of `input` at the place that `largest` marks."""
    x = input._array
    y = np.zeros_like(x, shape=(*x.shape[: x.ndim - len(window.sizes)], *window.out))
    for (_, outs, ins), mask in zip(window.places, largest, strict=True):
        np.copyto(y[outs], x[ins], where=mask)
    return record(PickLargestBackward0, y, (input,), _window=window, _largest=largest)


def window_maximum(x: Any, window: Window) -> Any:
    """The largest element of each window; nan where it contains one."""
    shape = (*x.shape[: x.ndim - len(window.sizes)], *window.out)
    first, *others = window.places
    if window.ceil_mode or any(window.padding):
        y = np.full_like(x, _lowest(x.dtype), shape=shape)
        others = list(window.places)
    elif len(others) == 0:
        return x[first[2]].copy()
    else:
        y = np.maximum(x[first[2]], x[others[0][2]])
        others = others[1:]
    for _, outs, ins in others:
        np.maximum(y[outs], x[ins], out=y[outs])
    return y


def _lowest(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def largest_masks(x: Any, y: Any, window: Window) -> list[Any]:
    """Per position of the kernel: where its element is the window's maximum `y`, and no earlier one is. (The last nan counts,
    as in torch.)"""
    if x.dtype.kind == "f" and y.size and np.isnan(np.min(y)):
        return _masks_with_nan(x, y, window)
    masks = []
    free = None  # windows whose maximum has not been met yet
    last = len(window.places) - 1
    for number, (_, outs, ins) in enumerate(window.places):
        if free is None:
            mask = np.equal(x[ins], y[outs])
            if mask.shape == y.shape:
                free = np.logical_not(mask)
            else:
                free = np.ones_like(mask, shape=y.shape)
                free[outs] = ~mask
        elif number == last:
            mask = free[outs].copy()
        else:
            mask = np.equal(x[ins], y[outs])
            mask &= free[outs]
            free[outs] ^= mask
        masks.append(mask)
    return masks


def _masks_with_nan(x: Any, y: Any, window: Window) -> list[Any]:
    """As `largest_masks` by torch's own loop: an element takes over if it is larger than those before, or nan."""
    best = np.full_like(y, -np.inf)
    holder = np.full_like(y, -1, dtype=np.int64)
    for number, (_, outs, ins) in enumerate(window.places):
        candidate = x[ins]
        takes_over = (candidate > best[outs]) | np.isnan(candidate) | (holder[outs] < 0)
        np.copyto(best[outs], candidate, where=takes_over)
        np.copyto(holder[outs], number, where=takes_over)
    return [holder[outs] == number for number, (_, outs, _) in enumerate(window.places)]


def flat_indices(window: Window, largest: Sequence[Any]) -> Any:
    """Per window the position of its largest element, counted through the spatial dimensions of the input."""
    any_mask = largest[0]
    lead = any_mask.shape[: any_mask.ndim - len(window.sizes)]
    indices = np.zeros_like(any_mask, dtype=np.int64, shape=(*lead, *window.out))
    numbers = np.arange(prod(window.sizes)).reshape(window.sizes)
    for (_, outs, ins), mask in zip(window.places, largest, strict=True):
        here = numbers[ins]
        np.copyto(indices[outs], np.broadcast_to(_like(here, mask), mask.shape), where=mask)
    return indices


def _like(numbers: np.ndarray, array: Any) -> Any:
    """`numbers` on the device of `array`."""
    if isinstance(array, np.ndarray):
        return numbers
    moved = np.zeros_like(array, dtype=numbers.dtype, shape=numbers.shape)
    moved.set(numbers.copy())
    return moved


def _max_pool(input: Tensor, window: Window, with_indices: bool) -> tuple[Tensor, Tensor | None]:
    x = input._array
    y = (
        window_maximum(x, window)
        if x.size
        else np.zeros_like(x, shape=(*x.shape[: x.ndim - len(window.out)], *window.out))
    )
    recorded = needs_grad(input)
    largest = largest_masks(x, y, window) if recorded or with_indices else []
    if recorded:
        node = MaxPool3DWithIndicesBackward0 if len(window.sizes) == 3 else MaxPool2DWithIndicesBackward0
        out = record(node, y, (input,), (input,), _window=window, _largest=largest)
    else:
        out = Tensor._wrap(y)
    return out, Tensor._wrap(flat_indices(window, largest)) if with_indices else None


def _window(
    name: str, input: Tensor, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool, spatial: int
) -> Window:
    """The arguments of a pooling, checked.

    Raises:
        RuntimeError: with torch's texts.
    """
    kernel = repeated(kernel_size, spatial, "kernel_size", name)
    steps = kernel if stride is None or stride == [] or stride == () else repeated(stride, spatial, "stride", name)
    pads = repeated(padding, spatial, "padding", name)
    spread = repeated(dilation, spatial, "dilation", name)
    if any(s == 0 for s in steps):
        raise RuntimeError("stride should not be zero")
    if any(k <= 0 for k in kernel):
        raise RuntimeError(f"kernel size should be greater than zero, but got {_named(kernel, 'k')}")
    if any(s <= 0 for s in steps):
        raise RuntimeError(f"stride should be greater than zero, but got {_named(steps, 'd')}")
    if any(d <= 0 for d in spread):
        raise RuntimeError(f"dilation should be greater than zero, but got {_named(spread, 'dilation')}")
    for k, p, d in zip(kernel, pads, spread, strict=True):
        if p < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {p}")
        if p > ((k - 1) * d + 1) // 2:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and dilation={d}"
            )
    shape = input._array.shape
    window = Window(shape[-spatial:], kernel, steps, pads, spread, ceil_mode)
    if any(n < 1 for n in window.out):
        before, after = shape[-spatial - 1 :], (shape[-spatial - 1], *window.out)
        raise RuntimeError(
            f"Given input size: ({'x'.join(map(str, before))}). Calculated output size: ({'x'.join(map(str, after))}). "
            "Output size is too small"
        )
    return window


def _named(values: Numbers, prefix: str) -> str:
    return " ".join(f"{prefix}{axis}: {v}" for axis, v in zip("TWH"[-len(values) :], values, strict=True))


def _check_dims(input: Tensor, spatial: int) -> None:
    x = input._array
    batch = x.ndim == spatial + 2
    if x.ndim not in (spatial + 1, spatial + 2) or 0 in x.shape[1 if batch else 0 :]:
        raise RuntimeError(f"non-empty {spatial + 1}D or {spatial + 2}D (batch mode) tensor expected for input")


def _max_pool_nd(
    spatial: int, input: Tensor, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool,
    return_indices: bool,
) -> Any:  # fmt: skip
    name = f"max_pool{spatial}d"
    _check_dims(input, spatial)
    if input._array.dtype.kind == "b":
        raise NotImplementedError("\"max_pool2d\" not implemented for 'Bool'")
    window = _window(name, input, kernel_size, stride, padding, dilation, ceil_mode, spatial)
    out, indices = _max_pool(input, window, return_indices)
    return (out, indices) if return_indices else out


def max_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """The largest element of each window: (*, h, w) -> (*, h', w').

    Args:
        stride: the kernel's size, unless given.
        padding: places around the input that count as minus infinity.
        ceil_mode: windows that begin inside the input and leave it count too.
        return_indices: also where each was found, counted through h and w.
    """
    return _max_pool_nd(2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool3d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """As `max_pool2d`, over three dimensions."""
    return _max_pool_nd(3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool1d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """As `max_pool2d`, over one dimension: computed there with a height of 1."""
    if input._array.ndim not in (2, 3):
        raise RuntimeError(
            f"max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:"
            f"{list(input._array.shape)}"
        )
    k, s, p, d = _one_dimensional("max_pool1d", kernel_size, stride, padding, dilation)
    result = max_pool2d(input.unsqueeze(-2), (1, k), (1, s), (0, p), (1, d), ceil_mode, return_indices)
    return tuple([r.squeeze(-2) for r in result]) if return_indices else result.squeeze(-2)


def _one_dimensional(name: str, kernel_size: Any, stride: Any, padding: Any, dilation: Any = 1) -> tuple[int, ...]:
    (k,) = repeated(kernel_size, 1, "kernel_size", name)
    (s,) = (k,) if stride is None or stride == () or stride == [] else repeated(stride, 1, "stride", name)
    (p,) = repeated(padding, 1, "padding", name)
    (d,) = repeated(dilation, 1, "dilation", name)
    return k, s, p, d


# -- average


class AvgPoolBackward(Node):
    """out = Σ window / count:  ∂self = g / count at every element of the window."""

    kernel_size: Numbers
    stride: Numbers
    padding: Numbers
    ceil_mode: bool
    count_include_pad: bool
    divisor_override: int | None
    _window: Window

    def grad_self(self, g: Tensor) -> Tensor:
        return avg_pool_backward(g, self._window, self.count_include_pad, self.divisor_override)

    def __getattr__(self, name: str) -> Any:
        return _of_window(self, name) if name in _SHOWN else super().__getattr__(name)


class AvgPool2DBackward0(AvgPoolBackward):
    """Average pooling over two dimensions, or one."""


class AvgPool3DBackward0(AvgPoolBackward):
    """Average pooling over three dimensions."""


class AvgPool2DBackwardBackward0(Node):
    """Spreading a gradient over windows is linear: its gradient is averaged over them."""

    _window: Window
    count_include_pad: bool
    divisor_override: int | None

    def grad_grad_output(self, g: Tensor) -> Tensor:
        return _avg_pool(g, self._window, self.count_include_pad, self.divisor_override)


class AvgPool3DBackwardBackward0(AvgPool2DBackwardBackward0):
    """See AvgPool2DBackwardBackward0."""


def divisors(window: Window, count_include_pad: bool, divisor_override: int | None) -> Any:
    """What each window's sum is divided by: a number where it is the same for all, otherwise an array of shape `window.out`.

    A window counts its places inside the input or, with `count_include_pad`, inside the input with its padding.
    """
    if divisor_override is not None:
        return divisor_override
    per_dim = []
    for size, n, k, s, p in zip(window.sizes, window.out, window.kernel, window.stride, window.padding, strict=True):
        start = np.arange(n) * s - p
        end = np.minimum(start + k, size + p)
        if not count_include_pad:
            start, end = np.maximum(start, 0), np.minimum(end, size)
        per_dim.append(end - start)
    if all((counts == counts[0]).all() for counts in per_dim):
        return prod(int(counts[0]) for counts in per_dim)
    total = per_dim[0]
    for counts in per_dim[1:]:
        total = total[..., None] * counts
    return total


def _divide(sums: Any, divisor: Any) -> Any:
    """`sums / divisor` in place; by a power of two as a product, which is exact and faster."""
    if isinstance(divisor, int):
        if sums.dtype.kind == "f" and divisor > 0 and divisor & (divisor - 1) == 0:
            sums *= sums.dtype.type(1 / divisor)
            return sums
        return np.divide(sums, divisor, out=sums, casting="unsafe")
    divisor = _like(divisor.astype(sums.dtype), sums)
    return np.divide(sums, divisor, out=sums, casting="unsafe")


def _avg_pool(input: Tensor, window: Window, count_include_pad: bool, divisor_override: int | None) -> Tensor:
    x = input._array
    shape = (*x.shape[: x.ndim - len(window.sizes)], *window.out)
    first, *others = window.places
    if others and x[first[2]].shape == shape and x[others[0][2]].shape == shape:
        y = np.add(x[first[2]], x[others[0][2]])
        others = others[1:]
    else:
        y = np.zeros_like(x, shape=shape)
        others = list(window.places)
    for _, outs, ins in others:
        y[outs] += x[ins]
    y = _divide(y, divisors(window, count_include_pad, divisor_override))
    node = AvgPool3DBackward0 if len(window.sizes) == 3 else AvgPool2DBackward0
    return record(
        node, y, (input,), _window=window, count_include_pad=count_include_pad, divisor_override=divisor_override
    )


def avg_pool_backward(grad: Tensor, window: Window, count_include_pad: bool, divisor_override: int | None) -> Tensor:
    """`grad`, divided, at every element of its window, summed where windows overlap."""
    g = grad._array
    shape = (*g.shape[: g.ndim - len(window.sizes)], *window.sizes)
    share = _divide(g.copy(), divisors(window, count_include_pad, divisor_override))
    if window.disjoint:
        gx = np.empty_like(g, shape=shape)
        for _, outs, ins in window.places:
            gx[ins] = share[outs]
    else:
        gx = np.zeros_like(g, shape=shape)
        for _, outs, ins in window.places:
            gx[ins] += share[outs]
    node = AvgPool3DBackwardBackward0 if len(window.sizes) == 3 else AvgPool2DBackwardBackward0
    return record(
        node, gx, (grad,), _window=window, count_include_pad=count_include_pad, divisor_override=divisor_override
    )


def _avg_pool_nd(
    spatial: int, input: Tensor, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool, count_include_pad: bool,
    divisor_override: int | None,
) -> Tensor:  # fmt: skip
    _check_dims(input, spatial)
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    window = _window(f"avg_pool{spatial}d", input, kernel_size, stride, padding, 1, ceil_mode, spatial)
    return _avg_pool(input, window, count_include_pad, divisor_override)


def avg_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None,
) -> Tensor:  # fmt: skip
    """The mean of each window: (*, h, w) -> (*, h', w').

    Args:
        count_include_pad: whether the zeros of the padding count.
        divisor_override: divide by this instead of the number of elements.
    """
    return _avg_pool_nd(2, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def avg_pool3d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None,
) -> Tensor:  # fmt: skip
    """As `avg_pool2d`, over three dimensions."""
    return _avg_pool_nd(3, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def avg_pool1d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:  # fmt: skip
    """As `avg_pool2d`, over one dimension: computed there with a height of 1."""
    if input._array.ndim not in (2, 3):
        raise RuntimeError(f"Expected 2D or 3D (batch mode) tensor for input, but got: {list(input._array.shape)}")
    k, s, p, _ = _one_dimensional("avg_pool1d", kernel_size, stride, padding)
    return avg_pool2d(input.unsqueeze(-2), (1, k), (1, s), (0, p), ceil_mode, count_include_pad).squeeze(-2)


def _lp_pool(spatial: int, input: Tensor, norm_type: float, kernel_size: Any, stride: Any, ceil_mode: bool) -> Tensor:
    """(Σ xᵖ)^(1/p) over each window."""
    from reference_impl.ops.activation import relu

    pool = {1: avg_pool1d, 2: avg_pool2d, 3: avg_pool3d}[spatial]
    kernel = repeated(kernel_size, spatial, "kernel_size", "lp_pool")
    out = pool(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return (out.sign() * relu(out.abs())).mul(prod(kernel)).pow(1.0 / norm_type)


def lp_pool1d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """(Σ xᵖ)^(1/p) over each window of (*, l)."""
    return _lp_pool(1, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """(Σ xᵖ)^(1/p) over each window of (*, h, w)."""
    return _lp_pool(2, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool3d(input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """(Σ xᵖ)^(1/p) over each window of (*, d, h, w)."""
    return _lp_pool(3, input, norm_type, kernel_size, stride, ceil_mode)
