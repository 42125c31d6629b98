"""Distinct values: unique, unique_consecutive, isin. No gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._tensor import Tensor, _checked_dim
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record
from reference_impl.ops.promotion import operands
from reference_impl.ops.registry import op


class _NotDifferentiable(Node):
    operation = ""

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        raise NotImplementedError(f"the derivative for '{self.operation}' is not implemented.")


class Unique2Backward0(_NotDifferentiable):
    """The distinct values: torch has no derivative of them."""

    operation = "_unique2"


class UniqueDimBackward0(_NotDifferentiable):
    """The distinct slices along a dimension."""

    operation = "unique_dim"


class UniqueConsecutiveBackward0(_NotDifferentiable):
    """The values that differ from the one before."""

    operation = "unique_consecutive"


class UniqueDimConsecutiveBackward0(_NotDifferentiable):
    """The slices that differ from the one before."""

    operation = "unique_dim_consecutive"


def _given(results: tuple[Tensor, ...], *wanted: bool) -> Any:
    """The first of `results` and those of the others that are wanted; alone if none is."""
    kept = [results[0], *[r for r, is_wanted in zip(results[1:], wanted, strict=True) if is_wanted]]
    return kept[0] if len(kept) == 1 else tuple(kept)


@op("function", "method")
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The distinct values (the distinct slices along `dim`), sorted; with the index of each element's value among them
    and how often each occurs, where asked for."""
    x = input._array
    if dim is None:
        values, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
        out = record(Unique2Backward0, values, (input,))
        return _given((out, *_indices(inverse.reshape(x.shape), counts)), return_inverse, return_counts)
    d = _checked_dim(dim, x.ndim)
    _check_slices(x, d, "unique")
    if x.shape[d] == 0:
        nothing = np.zeros_like(x, dtype=np.int64, shape=(0,))
        out = record(UniqueDimBackward0, x.copy(), (input,))
        return _given((out, *_indices(nothing, nothing)), return_inverse, return_counts)
    values, inverse, counts = np.unique(x, return_inverse=True, return_counts=True, axis=d)
    out = record(UniqueDimBackward0, values, (input,))
    return _given((out, *_indices(inverse.reshape(-1), counts)), return_inverse, return_counts)


@op("function", "method")
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The elements (the slices along `dim`) that differ from the one before; with the index of each element's run and the
    length of the runs, where asked for."""
    x = input._array
    if dim is None:
        flat = np.ravel(x)
        node: type[Node] = UniqueConsecutiveBackward0
        begins = _run_begins(flat[:, None])
        values = flat[begins]
    else:
        d, node = _checked_dim(dim, x.ndim), UniqueDimConsecutiveBackward0
        _check_slices(x, d, "unique_consecutive")
        rows = np.moveaxis(x, d, 0)
        begins = _run_begins(rows.reshape(rows.shape[0], rows.size // max(rows.shape[0], 1)))
        values = np.moveaxis(rows[begins], 0, d)
    inverse = np.cumsum(begins) - 1
    starts = np.nonzero(begins)[0]
    counts = np.diff(np.append(starts, begins.shape[0]))
    if dim is None:
        inverse = inverse.reshape(x.shape)
    out = record(node, values, (input,))
    return _given((out, *_indices(inverse, counts)), return_inverse, return_counts)


def _run_begins(rows: Any) -> Any:
    begins = np.ones_like(rows, dtype=bool, shape=(rows.shape[0],))
    begins[1:] = np.any(np.not_equal(rows[1:], rows[:-1]), axis=1)
    return begins


def _indices(*arrays: Any) -> list[Tensor]:
    return [Tensor._wrap(_backend.positions(a)) for a in arrays]


def _check_slices(x: Any, dim: int, name: str) -> None:
    if 0 in x.shape and (x.shape[dim] != 0 or x.shape.count(0) > 1):
        raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")


@op("function", "out")
def isin(elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False) -> Tensor:
    """Where an element is among `test_elements` (is not, with `invert`)."""
    x, y = (
        operands(elements, test_elements)
        if _broadcasts(elements, test_elements)
        else _promoted(elements, test_elements)
    )
    return Tensor._wrap(np.reshape(np.isin(x, y, assume_unique=False, invert=invert), np.shape(x)))


def _broadcasts(a: Any, b: Any) -> bool:
    return not (isinstance(a, Tensor) and isinstance(b, Tensor))


def _promoted(a: Tensor, b: Tensor) -> tuple[Any, Any]:
    common = np.promote_types(a._array.dtype, b._array.dtype)
    return a._array.astype(common, copy=False), b._array.astype(common, copy=False)
