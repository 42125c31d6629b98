"""Views with another shape on the same memory: view, reshape, expand, permute, squeeze. Values are not copied.

Views of a part of a tensor are in `slicing`, and views with freely chosen strides in `as_strided`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._layout import contiguous_format, preserve_format
from reference_impl._size import Size
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import check_broadcast
from reference_impl.core.modes import mode
from reference_impl.core.node import Node
from reference_impl.core.operations import indexing as core_indexing
from reference_impl.core.operations import shapes as core
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import record_view
from reference_impl.numerics.memory_order import copy_in_format, has_format
from reference_impl.ops.registry import op


def shape_of(sizes: tuple[Any, ...], named: dict[str, Any] | None = None) -> tuple[int, ...]:
    """Return the shape (2, 3) that was passed as `f(2, 3)`, `f((2, 3))` or `f(size=(2, 3))`. `named` has the keyword argument.

    Raises:
        TypeError: the keyword is `axis` or `dim`.
    """
    if named:
        (value,) = named.values()
        if not named.keys().isdisjoint(("axis", "dim")):  # torch accepts NumPy's `axis` for `dim`, but not for `dims`
            raise TypeError("shape must be passed as `size`, `shape` or `dims`, not as `axis` or `dim`")
        sizes = (value,) if isinstance(value, (tuple, list)) else ((value,),)
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        sizes = tuple(sizes[0])
    return tuple([int(n) for n in sizes])


def _infer_size(sizes: tuple[int, ...], numel: int) -> tuple[int, ...]:
    """Return `sizes` with -1 replaced so that the shape has `numel` elements: (2, -1) becomes (2, 3) for 6.

    Raises:
        RuntimeError: no size fits, a size is less than -1, or -1 occurs twice.
    """
    unknown = [d for d, n in enumerate(sizes) if n == -1]
    if len(unknown) > 1:
        raise RuntimeError("only one dimension can be inferred")
    for n in sizes:
        if n < -1:
            raise RuntimeError(f"invalid shape dimension {n}")
    rest = prod(n for n in sizes if n != -1)
    if unknown:
        if rest == 0 and numel == 0:
            raise RuntimeError(
                f"cannot reshape tensor of 0 elements into shape {list(sizes)} because the unspecified dimension size -1 "
                "can be any value and is ambiguous"
            )
        if rest == 0 or numel % rest:
            raise RuntimeError(f"shape '{list(sizes)}' is invalid for input of size {numel}")
        return tuple([numel // rest if n == -1 else n for n in sizes])
    if rest != numel:
        raise RuntimeError(f"shape '{list(sizes)}' is invalid for input of size {numel}")
    return sizes


def view_array(x: Any, shape: tuple[int, ...]) -> Any:
    """Return the array `x` with another shape on the same memory; None if the strides of `x` don't allow this."""
    if x.flags.c_contiguous:
        return x.reshape(shape)
    try:
        return np.reshape(x, shape, copy=False)
    except ValueError:
        return None


def alias(input: Tensor) -> Tensor:
    """Return a view of the whole tensor: `x[...]`."""
    return record_view(core_indexing.alias.node, input._array[...], input)


class ReshapeAliasBackward0(core.view_as_shape.node):  # type: ignore[name-defined]
    """As ViewBackward0, for a `reshape` of a tensor that is not contiguous but needs no copy."""


@op("method")
def view(input: Tensor, *size: Any, **named: Any) -> Tensor:
    """Return a view with another shape: (2, 3) -> (3, 2) for `x.view(3, -1)`. One size may be -1: it is computed from the others.

    If the argument is a dtype, return a view of the same bytes in this dtype. This view has no `grad_fn`. If the dtypes differ in size, the
    last dimension of the view has another size.

    Raises:
        RuntimeError: the shape has another number of elements, or no view has this shape, because of the strides of `input`; or the
            dtype has another number of bytes, and the memory cannot be divided into its elements.
    """
    if len(size) == 1 and hasattr(size[0], "numpy") and not isinstance(size[0], Tensor):
        _check_bytes(input, size[0])
        return record_view(core.view_as_shape.node, input._array.view(size[0].numpy), input.detach())
    x = input._array
    shape = _infer_size(shape_of(size, named), x.size)
    array = view_array(x, shape)
    if array is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        )
    return record_view(core.view_as_shape.node, array, input, self_sym_sizes=x.shape)


def _check_bytes(input: Tensor, dtype: Any) -> None:
    """Raise torch's RuntimeError if the memory of `input` cannot be divided into elements of `dtype`."""
    x = input._array
    if dtype.itemsize == x.itemsize:
        return
    text = f"to view {input.dtype.tensor_type} as {dtype.tensor_type} (different element sizes)"
    if not x.ndim:
        raise RuntimeError(f"self.dim() cannot be 0 {text}")
    strides = input.stride()
    if strides[-1] != 1:
        raise RuntimeError(f"self.stride(-1) must be 1 {text}, but got {strides[-1]}")
    ratio = dtype.itemsize // x.itemsize
    if ratio < 2:
        return
    counts = [("size(-1)", x.shape[-1]), ("storage_offset()", input.storage_offset())]
    for name, count in counts + [(f"stride({d})", s) for d, s in enumerate(strides[:-1])]:
        if count % ratio:
            raise RuntimeError(f"self.{name} must be divisible by {ratio} {text}, but got {count}")


@op("method")
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """Return `input.view(other.size())`."""
    return view(input, *other._array.shape)


@op("function", "method")
def reshape(input: Tensor, *shape: Any, **named: Any) -> Tensor:
    """Return the elements with another shape: as a view if possible, otherwise as a copy. One size may be -1, as in `view`.

    Raises:
        RuntimeError: the shape has another number of elements.
    """
    x = input._array
    sizes = _infer_size(shape_of(shape, named), x.size)
    array = view_array(x, sizes)
    if array is None:
        copy = record(core.clone.node, _backend.contiguous(x), (input,))
        return record(core.unsafe_view.node, copy._array.reshape(sizes), (copy,), self_sym_sizes=x.shape)
    node = core.view_as_shape.node if x.flags.c_contiguous else ReshapeAliasBackward0
    return record_view(node, array, input, self_sym_sizes=x.shape)


@op("method")
def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """Return `input.reshape(other.size())`."""
    return reshape(input, *other._array.shape)


@op("method")
def expand(input: Tensor, *size: Any, **named: Any) -> Tensor:
    """Return a view of shape `size`, in which dimensions of size 1 are repeated: (3, 1) -> (2, 3, 4). In `size`, -1 keeps a size.

    Raises:
        RuntimeError: a size changes although it is not 1, `size` has fewer dimensions than `input`, or the size of a new dimension is -1.
    """
    x = input._array
    sizes = shape_of(size, named)
    if len(sizes) < x.ndim:
        raise RuntimeError(
            f"expand({input.type() if x.dtype != bool else 'CPUBoolType'}{{{list(x.shape)}}}, size={list(sizes)}): the number of sizes provided ({len(sizes)}) "
            f"must be greater or equal to the number of dimensions in the tensor ({x.ndim})"
        )
    lead = len(sizes) - x.ndim
    shape: list[Any] = []
    for d, n in reversed(list(enumerate(sizes))):  # torch checks from the right
        old_size = x.shape[d - lead] if d >= lead else None
        if n == -1:
            if old_size is None:
                raise RuntimeError(
                    f"The expanded size of the tensor ({n}) isn't allowed in a leading, non-existing dimension {d}"
                )
            n = old_size
        elif old_size is not None and old_size != 1 and old_size != n:
            raise RuntimeError(
                f"The expanded size of the tensor ({n}) must match the existing size ({old_size}) at non-singleton dimension "
                f"{d}.  Target sizes: {list(sizes)}.  Tensor sizes: {list(x.shape)}"
            )
        shape.append(n)
    return record_view(core.expand_to.node, broadcast_array(x, tuple(reversed(shape))), input, self_sym_sizes=x.shape)


def broadcast_array(x: Any, shape: tuple[int, ...]) -> Any:
    """Return `np.broadcast_to(x, shape)`, but writable if `x` is, as the memory of torch's expanded tensors."""
    array = np.broadcast_to(x, shape)
    if isinstance(array, np.ndarray):
        array.flags.writeable = x.flags.writeable
    return array


@op("method")
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """Return `input.expand(other.size())`."""
    return expand(input, *other._array.shape)


@op("function", "method")
def permute(input: Tensor, *dims: Any, **named: Any) -> Tensor:
    """Return a view with the dimensions in the order `dims`: (2, 3, 4) -> (4, 2, 3) for `x.permute(2, 0, 1)`.

    Raises:
        RuntimeError: `dims` does not contain each dimension once.
        IndexError: a dimension does not exist.
    """
    x = input._array
    order = shape_of(dims, named)
    if len(order) != x.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {x.ndim} is not equal to len(dims) = {len(order)}"
        )
    order = tuple(checked_dim(d, x.ndim) for d in order)
    if len(set(order)) != len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return record_view(core.permute_to.node, np.transpose(x, order), input, dims=order)


@op("function", "method", aliases=("swapdims",))
def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Return a view with dimensions `dim0` and `dim1` exchanged.

    Raises:
        IndexError: a dimension does not exist.
    """
    x = input._array
    a, b = checked_dim(dim0, x.ndim), checked_dim(dim1, x.ndim)
    return record_view(core.transpose.node, np.swapaxes(x, a, b) if x.ndim else x[...], input, dim0=a, dim1=b)


@op("function", "method")
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Return a view with two dimensions exchanged: NumPy's name for `transpose`."""
    return transpose(input, axis0, axis1)


@op("function", "method")
def t(input: Tensor) -> Tensor:
    """Return a view of a matrix with rows and columns exchanged. For a tensor of fewer dimensions, return a view of the same shape.

    Raises:
        RuntimeError: the tensor has more than two dimensions.
    """
    x = input._array
    if x.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {x.ndim}D")
    return record_view(core.t.node, x.T, input)


@op("function", "method")
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Return a view with a new dimension of size 1 at `dim`: (2, 3) -> (2, 1, 3) for `dim` 1. A negative `dim` counts from the end.

    Raises:
        IndexError: `dim` is not a dimension of the result.
    """
    x = input._array
    d = checked_dim(dim, x.ndim + 1)
    return record_view(core.unsqueeze.node, np.expand_dims(x, d), input, dim=d)


class SqueezeBackward2(core.squeeze_dim.node):  # type: ignore[name-defined]
    """As SqueezeBackward1, for several dimensions."""


@op("function", "method")
def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """Return a view without the dimensions of size 1: (2, 1, 3) -> (2, 3).

    With `dim`, a dimension or several, only these are removed, and only if their size is 1.

    Raises:
        IndexError: a dimension does not exist.
        RuntimeError: a dimension is named twice.
    """
    x = input._array
    if dim is None:
        return record_view(
            core.squeeze_all.node, np.squeeze(x) if 1 in x.shape else x[...], input, self_sym_sizes=x.shape
        )
    node = SqueezeBackward2 if isinstance(dim, (tuple, list)) else core.squeeze_dim.node
    named = dim if isinstance(dim, (tuple, list)) else (dim,)
    dims = [checked_dim(n, x.ndim) for n in named]
    for d in dims:
        if dims.count(d) > 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    removed = {d for d in dims if x.ndim and x.shape[d] == 1}
    squeezed = np.squeeze(x, tuple(removed)) if removed else x[...]
    return record_view(node, squeezed, input, self_sym_sizes=x.shape, dim=dim)


@op("function", "method")
def clone(input: Tensor, *, memory_format: Any = None) -> Tensor:
    """Return a copy in separate memory, by default in the memory order of `input`. Gradients flow through it to `input`."""
    return record_copy(core.clone.node, copy_in_format(input._array, memory_format or preserve_format), input)


def record_copy(node: type[Node], copy: Any, input: Tensor, **saved: Any) -> Tensor:
    """Record `copy`, the elements of `input` in new memory, as the result of `node`, and return it.

    As in torch, a copy that is made of an inference tensor outside inference mode has the version 1.
    """
    result = record(node, copy, (input,), **saved)
    if input._inference and not mode.inference:  # type: ignore[attr-defined]
        result._bump_version()
    return result


@op("method")
def contiguous(input: Tensor, *, memory_format: Any = contiguous_format) -> Tensor:
    """Return the tensor itself if its elements are stored in the order of `memory_format`, otherwise a copy in this order.

    Raises:
        RuntimeError: `memory_format` is `torch.preserve_format`, or does not fit the number of dimensions.
    """
    x = input._array
    if memory_format is preserve_format:
        raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
    return (
        input if has_format(x, memory_format) else record_copy(core.clone.node, copy_in_format(x, memory_format), input)
    )


@op("method")
def is_contiguous(input: Tensor, *, memory_format: Any = contiguous_format) -> bool:
    """Return whether the elements are stored without gaps in the order of `memory_format`, by default that of their indices."""
    return has_format(input._array, memory_format)


# -- functions that call `view`, `reshape` or `expand`


@op("function", "method")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Merge the dimensions from `start_dim` to `end_dim` into one, by default all: (2, 3, 4) -> (2, 12) for `start_dim` 1.

    The result is a view if possible, otherwise a copy; for a single dimension, it is `input` itself. A 0-d tensor becomes a vector.

    Raises:
        RuntimeError: `start_dim` comes after `end_dim`.
        IndexError: a dimension does not exist.
    """
    shape = input._array.shape
    first, last = checked_dim(start_dim, len(shape)), checked_dim(end_dim, len(shape))
    if not shape:
        return reshape(input, 1)
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if first == last:
        return input
    return reshape(input, *shape[:first], prod(shape[first : last + 1]), *shape[last + 1 :])


@op("function", "method")
def unflatten(input: Tensor, dim: int, sizes: Any) -> Tensor:
    """Return a view with dimension `dim` split into several: (2, 12) -> (2, 3, 4) for `dim` 1 and `sizes` (3, 4).

    One of `sizes` may be -1: it is computed from the others.

    Raises:
        RuntimeError: `sizes` is empty, or its product is not the size of `dim`.
        IndexError: the dimension does not exist.
    """
    shape = input._array.shape
    d, parts = checked_dim(dim, len(shape)), tuple(sizes)
    if not parts:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if not shape:
        raise RuntimeError("unflatten got an unexpected error:\nDimension specified as 0 but tensor has no dimensions")
    known = prod(n for n in parts if n != -1)
    if (-1 in parts and (not known or shape[d] % known)) or (-1 not in parts and known != shape[d]):
        raise RuntimeError(
            f"unflatten: Provided sizes {list(parts)} don't multiply up to the size of dim {d} ({shape[d]}) in the input tensor"
        )
    if -1 in parts:
        parts = tuple([shape[d] // known if n == -1 else n for n in parts])
    return view(input, *shape[:d], *parts, *shape[d + 1 :])


@op("function", "method")
def ravel(input: Tensor) -> Tensor:
    """Return the flattened tensor, a vector: as a view if possible, otherwise as a copy."""
    return reshape(contiguous(input), -1)


@op("function", "method")
def broadcast_to(input: Tensor, size: Any) -> Tensor:
    """Return a view of `input` expanded to shape `size`: see `expand`."""
    return expand(input, size)


@op("function")
def broadcast_shapes(*shapes: Any) -> Size:
    """Return the shape to which all `shapes` broadcast: (2, 3) for (2, 1) and (3,).

    A number counts as a shape of one dimension, and None is ignored.

    Raises:
        RuntimeError: the shapes don't broadcast, or one of them is not a list of sizes.
        ValueError: a size is negative.
    """
    sizes = [(s,) if isinstance(s, int) else s for s in shapes if s is not None]
    for shape in sizes:
        if not isinstance(shape, Sequence):
            raise RuntimeError(f"Input shapes should be of type ints, a tuple of ints, or a list of ints, got {shape}")
    common = [1] * max(map(len, sizes), default=0)
    for position, shape in enumerate(sizes):
        for d in range(-1, -1 - len(shape), -1):
            if common[d] == 1 and shape[d] < 0:
                raise ValueError("Attempting to broadcast a dimension with negative length!")
            if common[d] == 1:
                common[d] = shape[d]
            if shape[d] not in (1, common[d]):
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {shape[d]} at {d}! Mismatching argument at index {position} had "
                    f"{shape}; but expected shape should be broadcastable to {common}"
                )
    return Size(common)


@op("function")
def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Return the tensors, passed separately or as a list, expanded to the shape to which all of them broadcast.

    A tensor of this shape is returned itself; the others are returned as views.

    Raises:
        RuntimeError: the shapes don't broadcast.
    """
    operands = tuple(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    shape: tuple[int, ...] = ()
    for v in operands:
        check_broadcast(shape, v._array.shape)
        shape = np.broadcast_shapes(shape, v._array.shape)
    return tuple([v if v._array.shape == shape else expand(v, shape) for v in operands])
