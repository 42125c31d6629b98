"""Overwrite elements: copy_, fill_, zero_, and operations with a mask.

The gradient of an element that is overwritten is 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend, _dtype
from reference_impl.arguments import parser
from reference_impl.core.declare import check_broadcast, operation
from reference_impl.core.inplace import apply_inplace
from reference_impl.core.operations import shapes
from reference_impl.core.record import needs_grad
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import check_inplace
from reference_impl.ops.arithmetic import zeros_like
from reference_impl.ops.creation import number_in
from reference_impl.ops.direct_writes import change
from reference_impl.ops.joining import cat
from reference_impl.ops.overlap import check_memory, warn_of_overlap
from reference_impl.ops.promotion import require_tensor
from reference_impl.ops.registry import op
from reference_impl.ops.where import where


@op("method")
def copy_(input: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Overwrite `input` with `src`, which is broadcast, and converted to the dtype and device of `input`.

    Raises:
        RuntimeError: `src` does not broadcast to the shape of `input`, or is a number outside the range of the dtype; or `input` must
            not be changed in place, or overlaps itself or `src` in memory.
        TypeError: `src` is neither a tensor nor a number.
    """
    if not isinstance(src, Tensor):
        if not isinstance(src, (int, float, np.generic)):
            raise TypeError(f"copy_(): argument 'other' (position 1) must be Tensor, not {parser.type_name(src)}")
        src = Tensor._wrap(_backend.full_like(input._array, number_in(src, input._array.dtype), ()))
    target, source = input._array, src._array
    check_inplace(input, needs_grad(input, src))
    check_memory(input, (src,))
    if source.shape != target.shape:
        check_broadcast(target.shape, source.shape)
        common = np.broadcast_shapes(target.shape, source.shape)
        if common != target.shape:
            raise RuntimeError(
                f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(common)}"
            )
    if source.__class__ is not target.__class__:
        source = _backend.to_device_of(source, target)
    return change(input, lambda x: np.copyto(x, source, casting="unsafe"), shapes.copy_.node, (src,))


@op("function", "method")
def zero_(input: Tensor) -> Tensor:
    """Overwrite `input` with 0.

    Raises:
        RuntimeError: `input` must not be changed in place.
    """
    return change(input, lambda x: x.fill(0), shapes.zero_.node)


def _check_fill(value: Any) -> None:
    if isinstance(value, Tensor) and value._array.ndim:
        raise RuntimeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {value._array.ndim} dimensions."
        )


@op("function", "method")
def fill_(input: Tensor, value: Any) -> Tensor:
    """Overwrite every element of `input` with `value`, a number or a 0-d tensor.

    Raises:
        RuntimeError: `value` is a tensor with dimensions, or a number outside the range of the dtype; or `input` must not be changed in
            place.
    """
    if isinstance(value, Tensor):
        check_inplace(input, needs_grad(input, value))
    _check_fill(value)
    if isinstance(value, Tensor):
        number = _backend.to_device_of(value._array, input._array)
        check_memory(input)
        return change(input, lambda x: np.copyto(x, number, casting="unsafe"), shapes.fill_tensor_.node, (value,))
    number = number_in(value, input._array.dtype)
    return change(input, lambda x: x.fill(number), shapes.fill_.node)


@operation("FillBackward0", self=lambda g: zeros_like(g))
def _fill(self: Any, value: Any) -> Any:
    out = np.empty_like(self)
    np.copyto(out, value if hasattr(value, "dtype") else number_in(value, out.dtype), casting="unsafe")
    return out


_fill_by_tensor = operation("FillBackward1", self=lambda g: zeros_like(g), value=lambda g: g.sum())(
    _fill.node.declared_by
)


@op("function")
def fill(input: Tensor, value: Any) -> Tensor:
    """Return a copy of `input` in which every element is `value`, a number or a 0-d tensor. Errors are as in `fill_`."""
    require_tensor(input)
    _check_fill(value)
    return (_fill_by_tensor if isinstance(value, Tensor) else _fill)(input, value)


def _mask_and_number(input: Tensor, mask: Tensor, value: Any) -> tuple[Any, Any]:
    """Return the array of `mask`, and `value` as a number in the dtype of `input`.

    Raises:
        RuntimeError: `mask` is not boolean, or `value` has dimensions or is outside the range of the dtype.
    """
    m, dtype = mask._array, input._array.dtype
    if m.dtype.kind != "b":
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype.c_name}")
    if not isinstance(value, Tensor):
        return m, number_in(value, dtype)
    if value._array.ndim:
        raise RuntimeError(
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value._array.ndim} dimension(s)."
        )
    return m, number_in(value._array.item(), dtype)


@operation("MaskedFillBackward0", without_gradient=["mask"], self=lambda g, mask: masked_fill(g, mask, 0))
def _masked_fill(self: Any, mask: Any, value: Any) -> Any:
    number = value.astype(self.dtype) if hasattr(value, "dtype") else self.dtype.type(value)
    return _backend.contiguous(np.where(mask, number, self))


_masked_fill_by_tensor = operation("MaskedFillBackward1", without_gradient=["mask"],
    self=lambda g, mask: masked_fill(g, mask, 0), value=lambda g, mask: where(mask, g, 0).sum()
)(_masked_fill.node.declared_by)  # fmt: skip


@op("function", "method")
def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """Return a copy of `input` with `value`, a number or a 0-d tensor, where `mask` is True. `mask` and `input` broadcast.

    Raises:
        RuntimeError: `mask` is not boolean, the shapes don't broadcast, or `value` has dimensions or is outside the range of the dtype
            of `input`.
    """
    check_broadcast(mask._array.shape, input._array.shape)
    _, number = _mask_and_number(input, mask, value)
    return (
        _masked_fill_by_tensor(input, mask, value) if isinstance(value, Tensor) else _masked_fill(input, mask, number)
    )


@op("method")
def masked_fill_(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """Apply `masked_fill` in place. `mask` is broadcast to the shape of `input`.

    Raises:
        RuntimeError: an argument is wrong, as in `masked_fill`, `mask` does not broadcast, or `input` must not be changed in place.
    """
    check_inplace(input, needs_grad(input, value))
    shape = input._array.shape
    m, number = _mask_and_number(input, mask, value)
    check_broadcast(shape, m.shape)
    common = np.broadcast_shapes(shape, m.shape)
    if common != shape:
        raise RuntimeError(f"output with shape {list(shape)} doesn't match the broadcast shape {list(common)}")
    warn_of_overlap(input, "masked_fill_", "tensor[mask] = scalar")
    if isinstance(value, Tensor):
        return change(input, lambda x: np.copyto(x, number, where=m), _masked_fill_by_tensor.node, (value,), (mask,))
    return change(input, lambda x: np.copyto(x, number, where=m), _masked_fill.node, (), (mask,))


@op("function", "method", "out")
@operation(
    "MaskedSelectBackward0", without_gradient=["mask"], self=lambda g, self, mask: masked_select_backward(g, self, mask)
)
def masked_select(self: Any, mask: Any) -> Any:
    """Return the elements of the input where `mask` is True, as a vector. `mask` and the input are broadcast to a common shape.

    Raises:
        RuntimeError: `mask` is not boolean, or the shapes don't fit.
    """
    x, m = self, mask
    if m.dtype.kind != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    if x.shape != m.shape:
        check_broadcast(m.shape, x.shape)
        shape = np.broadcast_shapes(x.shape, m.shape)
        x, m = np.broadcast_to(x, shape), np.broadcast_to(m, shape)
    return x[m]


@op("function")
def masked_select_backward(grad: Tensor, input: Tensor, mask: Tensor) -> Tensor:
    """Return the gradient of the input of `masked_select`: the elements of the vector `grad` where `mask` is True, 0 elsewhere.

    The gradient has the common shape to which `input` and `mask` are broadcast.
    """
    shape = np.broadcast_shapes(input._array.shape, mask._array.shape)
    return masked_scatter(Tensor._wrap(_backend.full_like(grad._array, 0, shape)), mask, grad)


def _masked_scatter_backward(g: Tensor, mask: Tensor, shape: tuple[int, ...]) -> Tensor:
    """`g[mask]`, filled up with zeros to `shape`

    Return the gradient of `source`, which has this shape.
    """
    taken = masked_select(g, mask)
    rest = int(np.prod(shape, dtype=np.int64)) - taken._array.size
    return (cat([taken, Tensor._wrap(np.zeros_like(taken._array, shape=(rest,)))]) if rest > 0 else taken).view(shape)


@op("function", "method")
@operation("MaskedScatterBackward0", without_gradient=["mask"], self=lambda g, mask: masked_fill(g, mask, 0),
           source=lambda g, mask, source_sym_sizes: _masked_scatter_backward(g, mask, source_sym_sizes))  # fmt: skip
def masked_scatter(self: Any, mask: Any, source: Any) -> Any:
    """Return a copy of the input in which the elements where `mask` is True are replaced by elements of `source`, in order.

    The input and `mask` are broadcast to a common shape. The shape of `source` is ignored.

    Raises:
        RuntimeError: `source` has too few elements or another dtype, `mask` is not boolean, or the shapes don't broadcast.
    """
    x, m, s = self, mask, source
    kinds = [_dtype.from_numpy(a.dtype).tensor_type for a in (x, m, s)]
    if m.dtype.kind != "b":
        raise RuntimeError(f"masked_scatter_ only supports boolean masks, but got mask with dtype {kinds[1]}")
    if x.dtype != s.dtype:
        raise RuntimeError(
            f"masked_scatter: expected self and source to have same dtypes but got{kinds[0]} and {kinds[2]}"
        )
    check_broadcast(x.shape, m.shape)
    shape = np.broadcast_shapes(x.shape, m.shape)
    m = np.broadcast_to(m, shape)
    n = int(np.count_nonzero(m))
    if n > s.size:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    out = np.broadcast_to(x, shape).copy()
    out[m] = np.reshape(s, (-1,))[:n]
    return out


@op("method")
def masked_scatter_(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Apply `masked_scatter` in place. `mask` is broadcast to the shape of `input`.

    Raises:
        RuntimeError: an argument is wrong, as in `masked_scatter`, `mask` does not broadcast to the shape of `input`, or `input` must not
            be changed in place.
    """
    if mask._array.ndim > input._array.ndim:
        raise RuntimeError(
            f"expand(CPU{mask.dtype.tensor_type}Type{{{list(mask.shape)}}}, size={list(input.shape)}): the number of sizes "
            f"provided ({input.ndim}) must be greater or equal to the number of dimensions in the tensor ({mask.ndim})"
        )
    return apply_inplace(masked_scatter, input, mask, source)
