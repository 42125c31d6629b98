"""Order: sort, argsort, msort, topk. The gradient goes to the elements selected; equal elements keep their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _backend, return_types
from reference_impl._memory_order import in_order
from reference_impl._tensor import Tensor, _checked_dim
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import RESULT, record_many
from reference_impl.ops.extremes import ValueSelecting
from reference_impl.ops.fused import lerp
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
        indices = np.take(indices, np.arange(k, like=indices), axis=d)
    return _selected(TopkBackward0, input, indices, d, return_types.topk)


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
