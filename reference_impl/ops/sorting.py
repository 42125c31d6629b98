"""Order: sort, argsort, msort, topk, kthvalue, median, mode, quantile. The gradient goes to the elements selected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _backend, return_types
from reference_impl._memory_order import in_order
from reference_impl._tensor import Tensor, _checked_dim
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import RESULT, record, record_many
from reference_impl.ops.extremes import ValueSelecting, evenly_distributed, select
from reference_impl.ops.fused import lerp
from reference_impl.ops.numerics import cpp_order
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import op
from reference_impl.ops.where import where


class SortBackward0(ValueSelecting):
    """values = self at `indices`: each element receives the g of its place."""


class SortBackward1(SortBackward0):
    """The same, called with `stable=`."""


def sorted_indices(x: Any, dim: int, descending: bool) -> Any:
    """The indices that sort `x` along `dim`: NaN is the largest, equal elements keep their order."""
    if not x.ndim:
        return np.zeros_like(x, dtype=np.int64)
    if not descending:
        return _backend.positions(np.argsort(x, axis=dim, kind="stable"))
    # Sorted upwards from the end and read backwards, so that equal elements keep their order here too.
    upwards = np.argsort(np.flip(x, dim), axis=dim, kind="stable")
    return _backend.positions(x.shape[dim] - 1 - np.flip(upwards, dim))


def _selected(node: type[Node], input: Tensor, indices: Any, dim: int, kind: Any) -> Any:
    """The named tuple (values, indices) of an operation that keeps several elements along `dim`."""
    x = input._array
    values = np.take_along_axis(x, indices, dim) if x.ndim else x.copy()
    if not indices.flags.c_contiguous:
        values = in_order(values, indices.strides)
    attributes = {"dim": dim, "keepdim": True, "self_sym_sizes": x.shape}
    return kind(record_many(node, (values, indices), (input,), ((RESULT, 1),), (True, False), **attributes))


@op("function", "method", "out_exact")
def sort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None) -> Any:
    """The named tuple (values, indices), sorted along `dim`; NaN is the largest. Equal elements keep their order."""
    d = _checked_dim(dim, input._array.ndim)
    node = SortBackward0 if stable is None else SortBackward1
    indices = _like(input, sorted_indices(input._array, d, descending))
    return _selected(node, input, indices, d, return_types.sort)


def _like(input: Tensor, y: Any) -> Any:
    """`y` in the memory order of `input`."""
    return y if input._array.flags.c_contiguous else in_order(y, input._array.strides)


@op("function", "method")
def argsort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Tensor:
    """The indices that sort `input` along `dim`."""
    d = _checked_dim(dim, input._array.ndim)
    return Tensor._wrap(_like(input, sorted_indices(input._array, d, descending)))


@op("function", "method", "out")
def msort(input: Tensor) -> Tensor:
    """`input` sorted along its first dimension."""
    return sort(input, 0)[0]


# -- a few of the largest


class TopkBackward0(ValueSelecting):
    """values = self at `indices`: the elements that were selected receive g, all others 0."""


@op("function", "method", "out_exact")
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """The named tuple (values, indices) of the `k` largest (smallest) elements along `dim`.

    Raises:
        RuntimeError: there are fewer than `k`.
    """
    x = input._array
    d = _checked_dim(dim, x.ndim)
    if not 0 <= k <= (x.shape[d] if x.ndim else 1):
        raise RuntimeError("selected index k out of range")
    if x.dtype.kind == "b":
        raise RuntimeError("topk does not support bool dtypes on CPU")
    indices = sorted_indices(x, d, largest)
    if x.ndim:
        indices = _as_torch_breaks_ties(x, d, indices, slice(0, k + 1), _topk_row(k, x.shape[d], largest))
        indices = np.take(indices, np.arange(k, like=indices), axis=d)
    return _selected(TopkBackward0, input, indices, d, return_types.topk)


def _topk_row(k: int, n: int, largest: bool) -> RowOrder:
    """The order in which torch's topk leaves one row: CPU kernel `topk_impl_loop`."""

    def order(row: Any) -> list[int]:
        values = row.tolist()
        indices = list(range(n))

        def before(a: int, b: int) -> bool:
            x, y = values[a], values[b]
            if largest:
                return (x != x and y == y) or x > y
            return (x == x and y != y) or x < y

        if k * 64 <= n:
            cpp_order.partial_sort(indices, 0, k, n, before)
        elif k:
            cpp_order.nth_element(indices, 0, k - 1, n, before)
            cpp_order.sort(indices, 0, k - 1, before)
        return indices

    return order


RowOrder = Callable[[Any], list[int]]


def _as_torch_breaks_ties(x: Any, dim: int, indices: Any, competing: slice, order: RowOrder) -> Any:
    """`indices`, which sort `x` along `dim`, in `order` for the rows in which equal elements compete.

    Args:
        competing: the ranks of the elements that matter.
    """
    ranked = np.moveaxis(np.take_along_axis(x, indices, dim), dim, -1)[..., competing]
    tied = np.any(np.equal(ranked[..., 1:], ranked[..., :-1]), axis=-1, keepdims=True)
    if not np.any(tied):
        return indices
    result = _backend.to_numpy(np.moveaxis(indices, dim, -1)).copy()
    rows = _backend.to_numpy(np.moveaxis(x, dim, -1))
    for *place, _ in np.argwhere(_backend.to_numpy(tied)).tolist():
        result[tuple(place)] = order(rows[tuple(place)])
    return np.moveaxis(_backend.to_device_of(result, indices), -1, dim)


# -- one by its rank


class KthvalueBackward0(ValueSelecting):
    """See ValueSelecting."""


def _ranked(input: Tensor, rank: Any, dim: int, keepdim: bool, node: type[Node], kind: Any) -> Any:
    """The element with `rank` (from 0; a number, or an array with `dim` kept as 1) along `dim`."""
    x = input._array
    if not x.ndim:
        return select(node, x, input, np.zeros_like(x, dtype=np.int64), dim, keepdim, kind)
    order = sorted_indices(x, dim, False)
    ranks = np.zeros_like(np.take(order, [0], axis=dim)) + rank
    return select(node, x, input, np.take_along_axis(order, ranks, dim), dim, keepdim, kind)


@op("function", "method", "out_exact")
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The named tuple (values, indices) of the `k`-th smallest element along `dim`, counted from 1.

    Raises:
        RuntimeError: there are fewer than `k`.
    """
    x = input._array
    d = _checked_dim(dim, x.ndim)
    if x.ndim and x.shape[d] == 0:
        raise IndexError(f"kthvalue(): Expected reduction dim {d} to have non-zero size.")
    if not 1 <= k <= (x.shape[d] if x.ndim else 1):
        raise RuntimeError("kthvalue(): selected number k out of range for dimension " + str(d))
    if x.dtype.kind == "b":
        refuse_dtype("kthvalue_cpu", x.dtype)
    if not x.ndim:
        return _ranked(input, 0, d, keepdim, KthvalueBackward0, return_types.kthvalue)
    near = slice(max(k - 2, 0), k + 1)
    order = _as_torch_breaks_ties(x, d, sorted_indices(x, d, False), near, _kthvalue_row(k - 1))
    indices = np.take(order, [k - 1], axis=d)
    return select(KthvalueBackward0, x, input, indices, d, keepdim, return_types.kthvalue)


def _kthvalue_row(k: int) -> RowOrder:
    def order(row: Any) -> list[int]:
        values = row.tolist()
        indices = list(range(len(values)))
        cpp_order.quick_select(indices, k, lambda a, b: _greater(values[a], values[b]))
        return indices

    return order


def _greater(x: Any, y: Any) -> bool:
    return (x != x and y == y) or x > y


class MedianBackward0(Node):
    """out = the median of all elements:  those that equal it share g."""

    saved_names = ("self", "result")

    def grad_self(self, g: Tensor) -> Tensor:
        return evenly_distributed(g, self._saved_self, self._saved_result)


class NanmedianBackward0(MedianBackward0):
    """See MedianBackward0."""

    formulas = MedianBackward0.formulas


class MedianBackward1(ValueSelecting):
    """See ValueSelecting."""


class NanmedianBackward1(ValueSelecting):
    """See ValueSelecting."""


def _median(name: str, ignore_nan: bool, whole: type[Node], along: type[Node]) -> Callable[..., Any]:
    def call(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
        x = input._array
        if dim is None:
            if x.dtype.kind == "b":
                refuse_dtype("median_cpu", x.dtype)
            if x.size == 0:
                return record(
                    whole,
                    np.full_like(x, np.nan if x.dtype.kind == "f" else np.iinfo(x.dtype).min, shape=()),
                    (input,),
                    (input, RESULT),
                )
            flat = np.sort(x, axis=None)
            return record(whole, np.take(flat, _middle(flat, 0, ignore_nan).item()), (input,), (input, RESULT))
        d = _checked_dim(dim, x.ndim)
        if x.ndim and x.shape[d] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
        if x.dtype.kind == "b":
            refuse_dtype("median_out", x.dtype)
        rank = _middle(x, d, ignore_nan) if x.ndim else 0
        return _ranked(input, rank, d, keepdim, along, getattr(return_types, name))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = (
        "The median of all elements, the lower of two; with `dim`, the named tuple (values, indices) along it. "
        + ("NaN is left out." if ignore_nan else "Where there is a NaN, it is the median.")
    )
    return op("function", "method", "out_exact")(call)


def _middle(x: Any, dim: int, ignore_nan: bool) -> Any:
    """The rank of the lower median along `dim`, kept as 1; that of the first NaN where NaN counts."""
    n = x.shape[dim]
    missing = np.sum(np.not_equal(x, x), axis=dim, keepdims=True)
    if ignore_nan:
        return np.maximum(n - missing - 1, 0) // 2
    return np.where(missing > 0, n - missing, (n - 1) // 2)


median = _median("median", False, MedianBackward0, MedianBackward1)
nanmedian = _median("nanmedian", True, NanmedianBackward0, NanmedianBackward1)


# -- the most frequent


class ModeBackward0(ValueSelecting):
    """See ValueSelecting."""


@op("function", "method", "out_exact")
def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    """The named tuple (values, indices) of the most frequent element along `dim`: the smallest of several, at its last
    place."""
    x = input._array
    d = _checked_dim(dim, x.ndim)
    if x.ndim and x.shape[d] == 0:
        raise IndexError(f"mode(): Expected reduction dim {d} to have non-zero size.")
    if not x.ndim:
        return select(ModeBackward0, x, input, np.zeros_like(x, dtype=np.int64), d, keepdim, return_types.mode)
    order = sorted_indices(x, d, False)
    if x.shape[d] > 16:  # below that, std::sort keeps the order of equal elements
        order = _as_torch_breaks_ties(x, d, order, slice(None), _sorted_row)
    run_end = _end_of_longest_run(np.moveaxis(np.take_along_axis(x, order, d), d, -1))
    indices = np.take_along_axis(order, np.expand_dims(run_end, d), d)
    return select(ModeBackward0, x, input, indices, d, keepdim, return_types.mode)


def _sorted_row(row: Any) -> list[int]:
    values = row.tolist()
    indices = list(range(len(values)))
    cpp_order.sort(indices, 0, len(indices), lambda a, b: values[a] < values[b])
    return indices


def _end_of_longest_run(values: Any) -> Any:
    """The last place of the longest run of equal elements along the last dimension, the first of several such runs."""
    n = values.shape[-1]
    places = np.arange(n, like=values)
    begins = np.ones_like(values, dtype=bool)
    begins[..., 1:] = np.not_equal(values[..., 1:], values[..., :-1])
    start = _backend.accumulate(np.maximum, np.where(begins, places, 0), -1)
    # The first place where a run has reached the greatest length.
    return _backend.positions(np.argmax(places - start, axis=-1))


# -- quantiles


def _quantile(name: str, ignore_nan: bool) -> Callable[..., Tensor]:
    def call(
        input: Tensor, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
    ) -> Tensor:
        _check_quantile(name, input, q, interpolation)
        if not isinstance(q, Tensor):
            q = Tensor._wrap(np.full_like(input._array, q, shape=()))
        fractions = q._array
        d = 0 if dim is None else _checked_dim(dim, input.ndim)
        if input.numel() == 0 or (dim is not None and input.ndim and input.shape[d] == 0):
            raise RuntimeError(f"{name}() input tensor must be non-empty")
        if np.any((fractions < 0) | (fractions > 1)):
            raise RuntimeError(
                f"{name}() q values must be in the range [0, 1]"
                if fractions.ndim
                else f"{name}() q must be in the range [0, 1] but got {float(fractions)}"
            )
        return _interpolated(input, q, None if dim is None else d, keepdim, interpolation, ignore_nan)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = "The `q`-th quantiles (a number or a vector in [0, 1]) of all elements, or along `dim`" + (
        ", NaN left out." if ignore_nan else "; NaN where there is one."
    )
    return op("function", "method", "out")(call)


def _check_quantile(name: str, input: Tensor, q: Any, interpolation: str) -> None:
    if input._array.dtype not in (np.float32, np.float64):
        raise RuntimeError(f"{name}() input tensor must be either float or double dtype")
    if isinstance(q, Tensor):
        if q.ndim > 1:
            raise RuntimeError(f"{name}() q must be a scalar or 1D tensor")
        if q._array.dtype != input._array.dtype:
            raise RuntimeError(f"{name}() q tensor must be same dtype as the input tensor")
    elif not isinstance(q, (int, float)):
        raise TypeError(f"{name}(): argument 'q' must be Tensor, not {type(q).__name__}")
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(
            f"{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {interpolation}"
        )


def _interpolated(
    input: Tensor, q: Tensor, dim: int | None, keepdim: bool, interpolation: str, ignore_nan: bool
) -> Tensor:
    """As torch builds it: sort, gather the neighbours of each rank, lerp between them."""
    if dim is None:
        ordered = sort(input.flatten())[0]
        shape = [1] * input.ndim if keepdim else []
    elif dim == input.ndim - 1 or not input.ndim:
        ordered = sort(input)[0]
        shape = list(input.shape)
    else:
        ordered = sort(input.unsqueeze(-1).transpose(dim, -1))[0]
        shape = list(input.shape)
    if dim is not None and input.ndim:
        shape[dim : dim + 1] = [1] if keepdim else []
    ordered = ordered.view(*shape, ordered.shape[-1]) if ordered.ndim else ordered.view(*shape, 1)
    ranks = _ranks(ordered._array, q.reshape(-1), ignore_nan)
    rounding = {"lower": np.floor, "higher": np.ceil, "nearest": np.rint}.get(interpolation)
    if rounding is not None:
        ranks = Tensor._wrap(rounding(ranks._array))
    below = Tensor._wrap(np.floor(ranks._array).astype(np.int64))
    values = ordered.gather(-1, below)
    if interpolation in ("linear", "midpoint"):
        above = Tensor._wrap(np.ceil(ranks._array).astype(np.int64))
        weights = ranks - below if interpolation == "linear" else Tensor._wrap(np.full_like(ranks._array, 0.5))
        values = lerp(values, ordered.gather(-1, above), weights)
    if q.ndim == 0:
        return values.squeeze_(-1)
    return values.unsqueeze_(0).transpose_(0, -1).squeeze_(-1)


def _ranks(ordered: Any, q: Tensor, ignore_nan: bool) -> Tensor:
    """Where in the sorted last dimension each quantile lies; at a NaN (they are last) where NaN counts and there is one."""
    missing = np.isnan(ordered)
    if ignore_nan:
        present = np.sum(~missing, axis=-1, keepdims=True).astype(ordered.dtype)
        ranks = q * Tensor._wrap(present - 1)
        return where(ranks < 0, 0.0, ranks)
    last = float(ordered.shape[-1] - 1)
    return where(Tensor._wrap(np.any(missing, axis=-1, keepdims=True)), last, q * last)


quantile = _quantile("quantile", False)
nanquantile = _quantile("nanquantile", True)
