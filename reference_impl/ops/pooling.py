"""Max pooling with a sliding kernel, in one, two and three dimensions.

For each position of the kernel, an array operation works on a strided slice of the input: see `kernel_positions`. Average pooling is in
`average_pooling`, and pooling to a requested output size in `adaptive_pooling`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._layout import contiguous_format
from reference_impl.core.extensions import states
from reference_impl.core.node import Node
from reference_impl.core.record import needs_grad, record
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.masking import zero_unless
from reference_impl.numerics.memory_order import empty, suggested_format
from reference_impl.ops.arithmetic import zeros_like
from reference_impl.ops.kernel_positions import Numbers, numbers, output_size
from reference_impl.ops.pooling_window import (
    SHOWN,
    Window,
    is_empty,
    of_window,
    parts,
    refuse_pooling,
    room_for,
    window_of,
)
from reference_impl.ops.rectifier import floating_only


class MaxPoolBackward(Node):
    """out = max over the window:  ∂self = g at the first largest element of each window, 0 elsewhere.

    Attributes:
        _largest: for each position of the kernel, a mask: True for windows whose first largest element is at this position.

    `result1`, the indices of the largest elements, is saved only if a program can read or change it.
    """

    saved_names = ("self", "result1")
    kernel_size: Numbers
    stride: Numbers
    padding: Numbers
    dilation: Numbers
    ceil_mode: bool
    _window: Window
    _largest: Sequence[Any]

    def grad_self(self, g: Tensor) -> Tensor:
        """Return `g` at the first largest element of each window, 0 elsewhere."""
        return max_pool_backward(g, self._window, self._largest, self._saved_self, self.saved_value(1))

    @property
    def _saved_result1(self) -> Tensor:
        indices = self.saved_value(1)
        return Tensor._wrap(flat_indices(self._window, self._largest)) if indices is None else indices

    def __getattr__(self, name: str) -> Any:
        return of_window(self, name) if name in SHOWN else object.__getattribute__(self, name)


class MaxPool2DWithIndicesBackward0(MaxPoolBackward):
    """Max pooling over two dimensions, or one: the largest element of each window receives g, the others 0."""


class MaxPool3DWithIndicesBackward0(MaxPoolBackward):
    """Max pooling over three dimensions: the largest element of each window receives g, the others 0."""


class MaxPool2DWithIndicesBackwardBackward0(Node):
    """The gradient of max pooling is linear in grad_output, which receives g at the largest element of each window. self receives 0."""

    saved_names = ("indices",)
    _window: Window
    _largest: Sequence[Any]

    def grad_grad_output(self, g: Tensor) -> Tensor:
        """Return for each window the element of `g` at the index of the window's largest element."""
        self.saved_value(0)  # raises an error if the indices were changed in place
        return pick_largest(g, self._window, self._largest)

    def grad_self(self, g: Tensor) -> Tensor:
        """Return zeros: the gradient of the input of the pooling."""
        return zeros_like(g)


class MaxPool3DWithIndicesBackwardBackward0(MaxPool2DWithIndicesBackwardBackward0):
    """See MaxPool2DWithIndicesBackwardBackward0."""


class PickLargestBackward0(Node):
    """out = an element of self for each window, selected by the masks `_largest`:  ∂self = g at these elements, 0 elsewhere."""

    _window: Window
    _largest: Sequence[Any]

    def grad_self(self, g: Tensor) -> Tensor:
        """Return `g` at the selected elements, 0 elsewhere."""
        return max_pool_backward(g, self._window, self._largest)


def max_pool_backward(
    grad: Tensor, window: Window, largest: Sequence[Any], input: Tensor | None = None, indices: Tensor | None = None
) -> Tensor:
    """`grad` at the largest element of each window, summed if it is the largest of several windows

    Args:
        grad: the gradient of the result.
        largest: see `MaxPoolBackward`.
        input: the input of the pooling, or None if it needs no gradient. Its gradient is zeros.
        indices: the indices of the largest elements, if a program can change them. The node saves them only to detect a change.
    """
    g = grad._array
    shape = (*g.shape[: g.ndim - len(window.sizes)], *window.sizes)
    gx = np.empty_like(g, shape=shape, order="C")
    for gx_part, g_part, *masks in parts(gx, g, *largest):
        if window.disjoint:
            for (_, outs, ins), mask in zip(window.places, masks, strict=True):
                zero_unless(mask, g_part[outs], out=gx_part[ins])
        else:
            gx_part.fill(0)
            for (_, outs, ins), mask in zip(window.places, masks, strict=True):
                _add_where(mask, g_part[outs], gx_part[ins])
    node = MaxPool3DWithIndicesBackwardBackward0 if len(window.sizes) == 3 else MaxPool2DWithIndicesBackwardBackward0
    return record(node, gx, (grad, input), (indices,), _window=window, _largest=largest)


def _add_where(mask: Any, g: Any, out: Any) -> None:
    """Add `g` to `out` where `mask` is True. (CuPy's `add` has no argument `where`.)"""
    if isinstance(out, np.ndarray):
        np.add(out, g, out=out, where=mask)
    else:
        np.add(out, zero_unless(mask, g), out=out)


def pick_largest(input: Tensor, window: Window, largest: Sequence[Any]) -> Tensor:
    """Return for each window the element of `input` at the kernel position whose mask in `largest` is True for this window."""
    x = input._array
    y = room_for(x, window.out, suggested_format(x))
    y.fill(0)
    for (_, outs, ins), mask in zip(window.places, largest, strict=True):
        np.copyto(y[outs], x[ins], where=mask)
    return record(PickLargestBackward0, y, (input,), _window=window, _largest=largest)


def _candidates(window: Window, x: Any, y: Any) -> list[Any]:
    """Return for each position of the kernel an array of the elements of `x` at this position in all windows.

    The arrays are slices of `x`. If their stride is larger than 1, they are copied, because several operations read them: this saves a
    third to a half of the time. `y` is the array for the result of the pooling.
    """
    slices = [x[ins] for _, _, ins in window.places]
    if window.stride[-1] == 1 or not y.flags.c_contiguous:
        return slices
    memory = _backend.scratch("candidates", (len(slices), y.size), x)
    copies = [row[: s.size].reshape(s.shape) for row, s in zip(memory, slices, strict=True)]
    for copy, strided in zip(copies, slices, strict=True):
        np.copyto(copy, strided)
    return copies


def _write_maximum(window: Window, candidates: list[Any], y: Any) -> None:
    """Write the largest of the `candidates` of each window into `y`; nan if one of them is nan."""
    done = 0
    if window.ceil_mode or any(window.padding):
        y.fill(-np.inf if y.dtype.kind == "f" else np.iinfo(y.dtype).min)
    elif len(candidates) == 1:
        np.copyto(y, candidates[0])
        done = 1
    else:
        np.maximum(candidates[0], candidates[1], out=y)
        done = 2
    for (_, outs, _), candidate in zip(window.places[done:], candidates[done:], strict=True):
        np.maximum(y[outs], candidate, out=y[outs])


def _mark_largest(window: Window, candidates: list[Any], y: Any, masks: Sequence[Any]) -> None:
    """Fill `masks`, one per position of the kernel: True for windows whose first largest element is at this position.

    In a window with nan, the last nan counts as the largest element, as in torch.
    """
    if y.dtype.kind == "f" and np.isnan(np.min(y)):
        return _mark_with_nan(window, candidates, y, masks)
    last = masks[-1]
    pending = last if last.shape == y.shape else np.empty_like(y, dtype=bool)
    pending.fill(True)  # windows whose largest element is not marked yet
    for (_, outs, _), candidate, mask in zip(window.places[:-1], candidates[:-1], masks[:-1], strict=True):
        np.equal(candidate, y[outs], out=mask)
        mask &= pending[outs]
        pending[outs] ^= mask
    if last is not pending:
        np.copyto(last, pending[window.places[-1][1]])


def _mark_with_nan(window: Window, candidates: list[Any], y: Any, masks: Sequence[Any]) -> None:
    """Fill `masks` as `_mark_largest` does, but by torch's loop, which selects each element that is nan or larger than all before it."""
    largest = np.full_like(y, -np.inf)
    position = np.full_like(y, -1, dtype=np.int64)
    for number, ((_, outs, _), candidate) in enumerate(zip(window.places, candidates, strict=True)):
        is_selected = (candidate > largest[outs]) | np.isnan(candidate) | (position[outs] < 0)
        np.copyto(largest[outs], candidate, where=is_selected)
        np.copyto(position[outs], number, where=is_selected)
    for number, ((_, outs, _), mask) in enumerate(zip(window.places, masks, strict=True)):
        np.equal(position[outs], number, out=mask)


def flat_indices(window: Window, largest: Sequence[Any], memory_format: Any = contiguous_format) -> Any:
    """Return for each window the index of its largest element in the flattened spatial dimensions of the input: (*, *window.out), int64.

    `largest` has the masks of `MaxPoolBackward`.
    """
    any_mask = largest[0]
    lead = any_mask.shape[: any_mask.ndim - len(window.sizes)]
    indices = empty((*lead, *window.out), memory_format, np.int64, any_mask)
    indices.fill(0)
    numbers = np.arange(prod(window.sizes)).reshape(window.sizes)
    for (_, outs, ins), mask in zip(window.places, largest, strict=True):
        window_numbers = numbers[ins]
        np.copyto(indices[outs], np.broadcast_to(_backend.to_device_of(window_numbers, mask), mask.shape), where=mask)
    return indices


def _max_pool(input: Tensor, window: Window, with_indices: bool) -> tuple[Tensor, Tensor | None]:
    x = input._array
    recorded = needs_grad(input)
    marked = window.places if recorded or with_indices else ()
    largest = [np.empty_like(x[ins], dtype=bool) for _, _, ins in marked]
    y = room_for(x, window.out, suggested_format(x))
    for x_part, y_part, *masks in parts(x, y, *largest):
        candidates = _candidates(window, x_part, y_part)
        _write_maximum(window, candidates, y_part)
        if masks:
            # In the same loop, because `candidates` and `y_part` are still in the processor's cache.
            _mark_largest(window, candidates, y_part, masks)
    indices = None
    if with_indices or (recorded and states.pack_hooks):
        indices = Tensor._wrap(flat_indices(window, largest, suggested_format(x)))
    if not recorded:
        return Tensor._wrap(y), indices
    node = MaxPool3DWithIndicesBackward0 if len(window.sizes) == 3 else MaxPool2DWithIndicesBackward0
    return record(node, y, (input,), (input, indices), _window=window, _largest=largest), indices


def _max_pool_nd(
    spatial: int, input: Tensor, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool,
    return_indices: bool,
) -> Any:  # fmt: skip
    name = f"max_pool{spatial}d"
    window = window_of(name, input, kernel_size, stride, padding, dilation, ceil_mode, spatial)
    if input._array.dtype.kind == "b":
        refuse_pooling(name, input._array)
    out, indices = _max_pool(input, window, return_indices)
    return (out, indices) if return_indices else out


def max_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """Return the largest element of each window: (n, c, h, w) -> (n, c, h', w'). The batch dimension n may be missing.

    Args:
        kernel_size: size of the windows, a number or (height, width); likewise `stride`, `padding` and `dilation`.
        stride: distance between windows; by default `kernel_size`.
        padding: number of elements added at each border, which count as minus infinity; at most half of the window.
        dilation: distance between the elements of a window.
        ceil_mode: include windows that begin inside the input, or its padding at the start, and extend beyond the padding at the end.
        return_indices: return the tuple (result, indices), with the index of each largest element in the flattened (h, w).

    Raises:
        RuntimeError: an argument is invalid, or `input` has a wrong number of dimensions.
        NotImplementedError: `input` is boolean.
    """
    return _max_pool_nd(2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool3d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """Return the largest element of each window: (n, c, d, h, w) -> (n, c, d', h', w'). The batch dimension n may be missing.

    Arguments and errors are those of `max_pool2d`.
    """
    return _max_pool_nd(3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool1d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """Return the largest element of each window: (n, c, length) -> (n, c, length'). The batch dimension n may be missing.

    The arguments are those of `max_pool2d`.

    Raises:
        RuntimeError: an argument is invalid, or `input` has a wrong number of dimensions or a size 0 besides n.
        NotImplementedError: `input` is boolean or, without `return_indices`, not floating point.
    """
    shape = input._array.shape
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        raise RuntimeError(
            f"max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:{list(shape)}"
        )
    value_by_name = {"kernel_size": kernel_size, "stride": stride, "padding": padding, "dilation": dilation}
    k, s, p, d = [_one_number(name, value, return_indices) for name, value in value_by_name.items()]
    assert k is not None and p is not None and d is not None
    if not return_indices:
        floating_only(input._array, "max_pool1d_impl")
        _check_one_dimensional(shape[-1], k, k if s is None else s, p, d, ceil_mode)
    steps = None if s is None else (1, s)
    result = max_pool2d(input.unsqueeze(-2), (1, k), steps, (0, p), (1, d), ceil_mode, return_indices)
    return tuple([r.squeeze(-2) for r in result]) if return_indices else result.squeeze(-2)


def _one_number(name: str, value: Any, with_indices: bool) -> int | None:
    """Return the argument `name` of a one-dimensional pooling as a number; None for a stride that is None or an empty list.

    Raises:
        RuntimeError: `value` is a list that does not have exactly one number.
    """
    if name == "stride" and (value is None or is_empty(value)):
        return None
    if with_indices:
        return numbers(value, 1, "max_pool1d() argument '{name}' should contain one int (got {count})", name=name)[0]
    comma = "" if name in ("kernel_size", "dilation") else ","
    listed = f"{'None, ' if name == 'stride' else ''}an int, list of ints{comma} or tuple of ints"
    return numbers(value, 1, f"max_pool1d() {name} must be {listed} of size 1 but got size {{count}}")[0]


def _check_one_dimensional(size: int, k: int, s: int, p: int, d: int, ceil_mode: bool) -> None:
    """Raise RuntimeError for wrong arguments of `max_pool1d` without `return_indices`: torch has separate messages for this case.

    Args:
        size: the length of the input.
        k, s, p, d: kernel size, stride, padding and dilation.
    """
    for name, value in (("kernel_size", k), ("stride", s)):
        if value <= 0:
            raise RuntimeError(f"max_pool1d() {name} must be greater than zero, but got {value}")
    if p < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {p}")
    if p > k // 2:
        raise RuntimeError(
            f"max_pool1d() padding should be at most half of kernel size, but got padding={p} and kernel_size={k}"
        )
    if d <= 0:
        raise RuntimeError(f"max_pool1d() dilation must be greater than zero, but got {d}")
    count = output_size(size, k, s, p, d, ceil_mode)
    if count <= 0:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {count}")
