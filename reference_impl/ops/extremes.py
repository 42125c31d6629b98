"""Maxima and minima of two operands, of a tensor, or along dimensions. (`clamp` is in `clamping`.)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _backend, return_types
from reference_impl._backend import contiguous
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation
from reference_impl.core.node import Node
from reference_impl.core.record import record_many
from reference_impl.core.saving import Result
from reference_impl.core.tensor import Tensor
from reference_impl.ops.out_argument import write_out
from reference_impl.ops.promotion import require_tensor
from reference_impl.ops.reduction import dims_of, restore_dims
from reference_impl.ops.registry import op
from reference_impl.ops.where import where


def grad_where_condition(condition: Tensor, g: Tensor) -> Tensor:
    """`g` where `condition`, 0 elsewhere

    This is not computed as a product of `g` and `condition`, because 0 · inf is nan.
    """
    return where(condition, g, 0.0)


# -- of two operands


def _declare_of_two(node_name: str, function: Callable[[Any, Any], Any], doc: str, **formulas: Any) -> Any:
    def forward(self: Any, other: Any) -> Any:
        return function(self, other)

    recorded = operation(node_name, promotes=True, **formulas)(forward)

    def call(input: Tensor, other: Tensor) -> Tensor:
        require_tensor(input)
        require_tensor(other)
        return recorded(input, other)

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = doc
    return op("function", "method", "out")(call)


def _maximum_backward(a: Tensor, b: Tensor, g: Tensor, is_other: Tensor) -> Tensor:
    """`0` where `is_other`, `g / 2` where both are equal, `g` elsewhere

    Return the gradient of one operand of `maximum` or `minimum`.

    Args:
        a, b: the operands.
        is_other: mask of the elements for which the result is the other operand.
    """
    return where(a == b, g / 2, g).masked_fill(is_other, 0)


def _is_first(comparison: Tensor, other: Tensor) -> Tensor:
    """Return the mask of the elements that `fmax` or `fmin` takes from its operand `input`; it takes the others from `other`.

    Args:
        comparison: True where `input` is the larger one (for `fmin`, the smaller one) or both are equal.
        other: the operand that is not taken where it is NaN.
    """
    return comparison | (other != other)


_HALF = "Equal elements each receive half of the gradient."
_IGNORES_NAN = "A NaN is ignored if the other element is a number. If both are equal, `input` receives the gradient."

maximum = _declare_of_two("MaximumBackward0", np.maximum, f"Return the larger element of each pair. {_HALF}",
    self=lambda g, self, other: _maximum_backward(self, other, g, self < other),
    other=lambda g, self, other: _maximum_backward(self, other, g, self > other))  # fmt: skip
minimum = _declare_of_two("MinimumBackward0", np.minimum, f"Return the smaller element of each pair. {_HALF}",
    self=lambda g, self, other: _maximum_backward(self, other, g, self > other),
    other=lambda g, self, other: _maximum_backward(self, other, g, self < other))  # fmt: skip
fmax = _declare_of_two("FmaxBackward0", np.fmax, f"Return the larger element of each pair. {_IGNORES_NAN}",
    self=lambda g, self, other: g.masked_fill(~_is_first(self >= other, other), 0),
    other=lambda g, self, other: g.masked_fill(_is_first(self >= other, other), 0))  # fmt: skip
fmin = _declare_of_two("FminBackward0", np.fmin, f"Return the smaller element of each pair. {_IGNORES_NAN}",
    self=lambda g, self, other: g.masked_fill(~_is_first(self <= other, other), 0),
    other=lambda g, self, other: g.masked_fill(_is_first(self <= other, other), 0))  # fmt: skip


# -- of a whole tensor: equal largest elements share the gradient


def evenly_distribute_backward(g: Tensor, input: Tensor, value: Tensor) -> Tensor:
    """`g` divided equally among the elements of `input` that equal `value` (that are NaN if `value` is NaN)

    Return the gradient of `input`. `value` is its maximum or minimum, and `g` the gradient of `value`: both are 0-d.
    """
    x, y = input._array, value._array
    mask = Tensor._wrap(np.isnan(x) if np.isnan(y) else np.equal(x, y))
    return Tensor._wrap(np.zeros_like(x)).masked_fill(mask, g / Tensor._wrap(np.sum(mask._array)))


@operation("MaxBackward1", self=lambda g, self, result: evenly_distribute_backward(g, self, result))
def _max_of_all(self: Any) -> Any:
    return np.max(self)


@operation("MinBackward1", self=lambda g, self, result: evenly_distribute_backward(g, self, result))
def _min_of_all(self: Any) -> Any:
    return np.min(self)


# -- along a dimension: only the element at `indices` receives the gradient


class ValueSelecting(Node):
    """The elements that were selected along dimension dim receive g, all others 0."""

    saved_names = ("indices",)
    dim: int
    keepdim: bool
    self_sym_sizes: tuple[int, ...]

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradient of the input: zeros with the gradient of each value at its index. It is None if the values receive none."""
        g = grads[0]
        if g is None:
            self.check_saved()
            return (None,)
        return (
            value_selecting_reduction_backward(g, self._saved_indices, self.dim, self.keepdim, self.self_sym_sizes),
        )


def value_selecting_reduction_backward(
    g: Tensor, indices: Tensor, dim: int, keepdim: bool, shape: tuple[int, ...]
) -> Tensor:
    """Return the gradient of an input of `shape`: zeros with `g` at `indices` along `dim`."""
    if not keepdim and shape:
        g, indices = g.unsqueeze(dim), indices.unsqueeze(dim)
    zeros = Tensor._wrap(_backend.full_like(g._array, 0, shape))
    return zeros.scatter(dim, indices, g)


def record_values(node: type[Node], results: tuple[Any, Any], input: Tensor, **attributes: Any) -> tuple[Tensor, ...]:
    """Record an operation with two results, values and indices, and return them as tensors. The node saves the indices.

    As in torch, only the tensor of values has a `grad_fn`.
    """
    outs = record_many(node, results, (input,), (Result(1),), (True, False), **attributes)
    if outs[0]._grad_fn is not None:
        outs[0]._grad_fn.outputs = outs[0]._grad_fn.outputs[:1]
    return outs


class MaxBackward0(ValueSelecting):
    """See ValueSelecting."""


class MinBackward0(ValueSelecting):
    """See ValueSelecting."""


def select(node: type[Node], x: Any, input: Tensor, indices: Any, dim: int, keepdim: bool, kind: Any) -> Any:
    """Return the named tuple (values, indices) of a reduction that selects one element along `dim`.

    Args:
        x: array of `input`.
        indices: indices of the selected elements, an array of size 1 along `dim`.
        keepdim: whether values and indices keep the dimension `dim`, with size 1.
        kind: class of the named tuple, from `return_types`.
    """
    values = np.take_along_axis(x, indices, dim) if x.ndim else x.copy()
    if not keepdim and x.ndim:
        values, indices = np.squeeze(values, dim), np.squeeze(indices, dim)
    attributes = {"dim": dim, "keepdim": keepdim, "self_sym_sizes": x.shape}
    return kind(record_values(node, (values, indices), input, **attributes))


def _index_of(function: Callable[..., Any], x: Any, dim: int) -> Any:
    return (
        _backend.positions(np.expand_dims(function(x, axis=dim), dim)) if x.ndim else np.zeros_like(x, dtype=np.int64)
    )


_EXTREME = {"max": "largest", "min": "smallest"}


def _extreme(name: str, whole: Any, arg: Any, dim_node: type[Node], two: Any) -> Callable[..., Any]:
    kind = getattr(return_types, name)

    def call(input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
        if isinstance(dim, Tensor) or other is not None:
            return two(input, dim if other is None else other)
        x = input._array
        if dim is None:
            if x.size == 0:
                raise RuntimeError(
                    f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
                    "with the 'dim' argument."
                )
            return whole(input)
        d = checked_dim(dim, x.ndim)
        _refuse_empty(name, x, d)
        return select(dim_node, x, input, _index_of(arg, x, d), d, keepdim, kind)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = (
        f"Return the {_EXTREME[name]} element of the tensor. With `dim`, return the named tuple (values, indices) along this dimension; "
        f"of equal elements, the first is selected. With a second tensor, return `{name}imum`.\n\n"
        f"NaN counts as the {_EXTREME[name]} element. If there is no element, raise RuntimeError or, with `dim`, IndexError."
    )
    return op("function", "method", "out_exact")(call)


def _refuse_empty(name: str, x: Any, dim: int) -> None:
    if x.ndim and x.shape[dim] == 0:
        raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")


max = _extreme("max", _max_of_all, np.argmax, MaxBackward0, maximum)
min = _extreme("min", _min_of_all, np.argmin, MinBackward0, minimum)


def _arg(name: str, function: Callable[..., Any]) -> Callable[..., Tensor]:
    def call(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
        x = input._array
        if x.dtype.kind == "b":
            raise RuntimeError(f"{name}(): does not support bool input")
        if dim is None:
            if x.size == 0:
                raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
            index = _backend.positions(function(x))
            return Tensor._wrap(np.reshape(index, (1,) * x.ndim) if keepdim else index)
        d = checked_dim(dim, x.ndim)
        _refuse_empty(name, x, d)
        index = _index_of(function, x, d)
        return Tensor._wrap(index if keepdim or not x.ndim else np.squeeze(index, d))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = (
        f"Return the index of the first {_EXTREME[name[-3:]]} element, in the flattened tensor or along `dim`. NaN counts as the "
        f"{_EXTREME[name[-3:]]} element.\n\nIf there is no element, raise IndexError. For booleans, raise RuntimeError."
    )
    return op("function", "method", "out_exact")(call)


argmax = _arg("argmax", np.argmax)
argmin = _arg("argmin", np.argmin)


# -- along several dimensions: equal elements share the gradient


def scale_grad_by_count(g: Tensor, x: Tensor, extreme: Tensor, dims: tuple[int, ...], keepdim: bool) -> Tensor:
    """`g` divided equally among the elements along `dims` that equal `extreme`, 0 for the others

    As in torch, this is the product of `g` and a mask. So a nan in `g` makes the gradient of all elements along `dims` nan.
    """
    mask = restore_dims(extreme, x.shape, dims, keepdim) == x
    return restore_dims(g, x.shape, dims, keepdim) / mask.sum(dims, keepdim=True) * mask


@operation(
    "AmaxBackward0", self=lambda g, self, result, dim, keepdim: scale_grad_by_count(g, self, result, dim, keepdim)
)
def _amax(self: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
    return contiguous(np.max(self, axis=dim, keepdims=keepdim))


@operation(
    "AminBackward0", self=lambda g, self, result, dim, keepdim: scale_grad_by_count(g, self, result, dim, keepdim)
)
def _amin(self: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
    return contiguous(np.min(self, axis=dim, keepdims=keepdim))


def _over_dims(name: str, recorded: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def call(input: Tensor, dim: Any = (), keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
        x = input._array
        dims = dims_of(dim, x.ndim)
        if x.size == 0 and dim in ((), []):
            raise RuntimeError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the "
                "'dim' argument."
            )
        for d in (dim,) if isinstance(dim, int) else dim or ():  # the error names the dimension as it was passed
            _refuse_empty(name, x, d)
        result = recorded(input, dims, keepdim)
        if out is None:
            return result
        if out._array.dtype != x.dtype:
            raise RuntimeError(
                f"Expected the dtype for input and out to match, but got {input.dtype.tensor_type} for input's dtype and "
                f"{out.dtype.tensor_type} for out's dtype."
            )
        return write_out(result, out, name)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = (
        f"Return the {_EXTREME[name[-3:]]} element over `dim`, a dimension or several; over all dimensions by default."
    )
    return op("function", "method")(call)


amax = _over_dims("amax", _amax)
amin = _over_dims("amin", _amin)


class AminmaxBackward0(Node):
    """(min, max) = the extremes of self:  the g of each is divided equally among the elements that equal it."""

    saved_names = ("self", "min", "max")
    dim: int | None
    keepdim: bool

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradient of the input, or None if neither minimum nor maximum receives one."""
        x, total = self._saved_self, None
        dims = dims_of(self.dim, x.ndim)
        for g, extreme in zip(grads, (self._saved_min, self._saved_max), strict=True):
            if g is not None:
                part = scale_grad_by_count(g, x, extreme, dims, self.keepdim)
                total = part if total is None else total + part
        return (total,)


@op("function", "method", "out_exact")
def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the named tuple (min, max) of all elements, or along `dim`.

    Raises:
        RuntimeError: `dim` is None, and there are no elements.
        IndexError: the dimension does not exist or has size 0.
    """
    x = input._array
    if dim is None and x.size == 0:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        )
    dims = dims_of(dim, x.ndim)
    if dim is not None and x.ndim and x.shape[dims[0]] == 0:
        raise IndexError(f"aminmax: Expected reduction dim {dims[0]} to have non-zero size.")
    results = [contiguous(function(x, axis=dims, keepdims=keepdim)) for function in (np.min, np.max)]
    saved = (input, Result(0), Result(1))
    return return_types.aminmax(record_many(AminmaxBackward0, results, (input,), saved, dim=dim, keepdim=keepdim))
