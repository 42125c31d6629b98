"""Views: other shapes of the same memory. No value is copied, and a change through one is seen through all.

The windows at the end of the file are what in-place operations on views need: see `autograd.view`.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._tensor import Tensor, _checked_dim
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import record, record_view
from reference_impl.autograd.view import Geometry, flat_memory
from reference_impl.ops.registry import op


def shape_of(sizes: tuple[Any, ...]) -> tuple[int, ...]:
    """`f(2, 3)` and `f((2, 3))` mean the same."""
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        sizes = tuple(sizes[0])
    return tuple([int(n) for n in sizes])


def _inferred(sizes: tuple[int, ...], numel: int) -> tuple[int, ...]:
    """`sizes` with a -1 replaced by what is left over.

    Raises:
        RuntimeError: the sizes don't multiply to `numel`.
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


def _view_array(x: Any, shape: tuple[int, ...]) -> Any:
    """`x` in `shape` on the same memory; None where its strides don't allow that."""
    if x.flags.c_contiguous:
        return x.reshape(shape)
    try:
        return np.reshape(x, shape, copy=False)
    except ValueError:
        return None


class ViewBackward0(Node):
    """The same elements in another shape: so is the gradient, back again."""

    self_sym_sizes: tuple[int, ...]

    def grad_self(self, g: Tensor) -> Tensor:
        return g.reshape(self.self_sym_sizes)


class UnsafeViewBackward0(ViewBackward0):
    """As ViewBackward0, for a reshape that had to copy."""


@op("method")
def view(input: Tensor, *size: Any) -> Tensor:
    """The same memory in another shape; one entry may be -1. With a dtype: the same bytes as another dtype.

    Raises:
        RuntimeError: the number of elements differs, or the strides don't allow it.
    """
    if len(size) == 1 and hasattr(size[0], "numpy") and not isinstance(size[0], Tensor):
        return record_view(ViewBackward0, input._array.view(size[0].numpy), input.detach())
    x = input._array
    shape = _inferred(shape_of(size), x.size)
    array = _view_array(x, shape)
    if array is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        )
    return record_view(ViewBackward0, array, input, self_sym_sizes=x.shape)


@op("method")
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """`input.view(other.size())`."""
    return view(input, *other._array.shape)


@op("function", "method")
def reshape(input: Tensor, *shape: Any) -> Tensor:
    """The elements in another shape: a view where possible, otherwise a copy.

    Raises:
        RuntimeError: the number of elements differs.
    """
    x = input._array
    sizes = _inferred(shape_of(shape), x.size)
    array = _view_array(x, sizes)
    if array is None:
        copy = record(CloneBackward0, np.ascontiguousarray(x), (input,))
        return record(UnsafeViewBackward0, copy._array.reshape(sizes), (copy,), self_sym_sizes=x.shape)
    return record_view(ViewBackward0, array, input, self_sym_sizes=x.shape)


@op("method")
def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """`input.reshape(other.size())`."""
    return reshape(input, *other._array.shape)


class ExpandBackward0(Node):
    """Elements shown several times: their gradients are summed (by the engine, down to the shape of the input)."""

    self_sym_sizes: tuple[int, ...]

    def grad_self(self, g: Tensor) -> Tensor:
        return g.sum_to_size(self.self_sym_sizes)


@op("method")
def expand(input: Tensor, *size: Any) -> Tensor:
    """Dimensions of size 1 shown as larger ones, without a copy; -1 keeps a size; new dimensions may stand in front.

    Raises:
        RuntimeError: a dimension that is not 1 would change.
    """
    x = input._array
    sizes = shape_of(size)
    if len(sizes) < x.ndim:
        raise RuntimeError(
            f"expand({input.type()}{{{list(x.shape)}}}, size={list(sizes)}): the number of sizes provided ({len(sizes)}) "
            f"must be greater or equal to the number of dimensions in the tensor ({x.ndim})"
        )
    lead = len(sizes) - x.ndim
    shape = []
    for d, n in enumerate(sizes):
        own = x.shape[d - lead] if d >= lead else None
        if n == -1:
            if own is None:
                raise RuntimeError(
                    f"The expanded size of the tensor ({n}) isn't allowed in a leading, non-existing dimension {d}"
                )
            n = own
        elif own is not None and own != 1 and own != n:
            raise RuntimeError(
                f"The expanded size of the tensor ({n}) must match the existing size ({own}) at non-singleton dimension "
                f"{d}.  Target sizes: {list(sizes)}.  Tensor sizes: {list(x.shape)}"
            )
        shape.append(n)
    return record_view(ExpandBackward0, broadcast_array(x, tuple(shape)), input, self_sym_sizes=x.shape)


def broadcast_array(x: Any, shape: tuple[int, ...]) -> Any:
    """As `np.broadcast_to`, but writable, as torch's expanded tensors are as far as their memory is concerned."""
    array = np.broadcast_to(x, shape)
    if isinstance(array, np.ndarray):
        array.flags.writeable = x.flags.writeable
    return array


@op("method")
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """`input.expand(other.size())`."""
    return expand(input, *other._array.shape)


class PermuteBackward0(Node):
    """Dimensions in another order: the gradient's go back."""

    dims: tuple[int, ...]

    def grad_self(self, g: Tensor) -> Tensor:
        back = [0] * len(self.dims)
        for new, old in enumerate(self.dims):
            back[old] = new
        return permute(g, back)


@op("function", "method")
def permute(input: Tensor, *dims: Any) -> Tensor:
    """The dimensions in the order `dims`.

    Raises:
        RuntimeError: `dims` does not name each dimension once.
    """
    x = input._array
    order = shape_of(dims)
    if len(order) != x.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {x.ndim} is not equal to len(dims) = {len(order)}"
        )
    order = tuple(_checked_dim(d, x.ndim) for d in order)
    if len(set(order)) != len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return record_view(PermuteBackward0, np.transpose(x, order), input, dims=order)


class TransposeBackward0(Node):
    """Two dimensions exchanged: the gradient's are exchanged again."""

    dim0: int
    dim1: int

    def grad_self(self, g: Tensor) -> Tensor:
        return transpose(g, self.dim0, self.dim1)


@op("function", "method", aliases=("swapaxes", "swapdims"))
def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Dimensions `dim0` and `dim1` exchanged."""
    x = input._array
    a, b = _checked_dim(dim0, x.ndim), _checked_dim(dim1, x.ndim)
    return record_view(TransposeBackward0, np.swapaxes(x, a, b) if x.ndim else x[...], input, dim0=a, dim1=b)


class TBackward0(Node):
    """A matrix transposed: so is its gradient."""

    def grad_self(self, g: Tensor) -> Tensor:
        return t(g)


@op("function", "method")
def t(input: Tensor) -> Tensor:
    """A matrix transposed; a vector or a number as it is.

    Raises:
        RuntimeError: more than two dimensions.
    """
    x = input._array
    if x.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {x.ndim}D")
    return record_view(TBackward0, np.transpose(x), input)


class UnsqueezeBackward0(Node):
    """A dimension of size 1 more: the gradient loses it."""

    dim: int

    def grad_self(self, g: Tensor) -> Tensor:
        return squeeze(g, self.dim)


@op("function", "method")
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """A new dimension of size 1 at `dim`."""
    x = input._array
    d = _checked_dim(dim, x.ndim + 1)
    return record_view(UnsqueezeBackward0, np.expand_dims(x, d), input, dim=d)


class SqueezeBackward0(ViewBackward0):
    """Dimensions of size 1 left out: the gradient gets them back."""


class SqueezeBackward1(ViewBackward0):
    """One dimension of size 1 left out."""


class SqueezeBackward2(ViewBackward0):
    """Several dimensions of size 1 left out."""


@op("function", "method")
def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """Without the dimensions of size 1 (those of `dim` only, where given)."""
    x = input._array
    if dim is None:
        node: type[Node] = SqueezeBackward0
        gone = {d for d, n in enumerate(x.shape) if n == 1}
    else:
        node = SqueezeBackward2 if isinstance(dim, (tuple, list)) else SqueezeBackward1
        named = dim if isinstance(dim, (tuple, list)) else (dim,)
        gone = {d for d in (_checked_dim(n, x.ndim) for n in named) if x.ndim and x.shape[d] == 1}
    return record_view(node, np.squeeze(x, tuple(gone)) if gone else x[...], input, self_sym_sizes=x.shape)


class CloneBackward0(Node):
    """A copy: the gradient passes as it is."""

    def grad_self(self, g: Tensor) -> Tensor:
        return g


@op("function", "method")
def clone(input: Tensor, *, memory_format: Any = None) -> Tensor:
    """A copy in memory of its own, in the graph."""
    x = input._array
    dense = x.size and 0 not in x.strides
    return record(CloneBackward0, x.copy("K" if dense else "C"), (input,))


@op("method")
def contiguous(input: Tensor, *, memory_format: Any = None) -> Tensor:
    """Itself where its elements lie in order; otherwise a copy whose do."""
    x = input._array
    return input if x.flags.c_contiguous else record(CloneBackward0, np.ascontiguousarray(x), (input,))


@op("method")
def is_contiguous(input: Tensor, *, memory_format: Any = None) -> bool:
    """Whether the elements lie in memory in the order of their indices."""
    return bool(input._array.flags.c_contiguous)


# -- windows on memory, for in-place operations on views: see autograd.view


def _memory_of(g: Tensor, base: Geometry) -> Any:
    """The values of `g`, which has the base's shape, laid out as the base lies in memory."""
    memory = flat_memory(base, g._array.dtype, g._array)
    base.window(memory)[...] = g._array
    return memory


class ReadWindowBackward0(Node):
    """Reading a window of a gradient is linear: its gradient is written back into zeros."""

    view: Geometry
    base: Geometry

    def grad_self(self, g: Tensor) -> Tensor:
        return scatter_window(g, self.view, self.base)


def read_window(g: Tensor, view: Geometry, base: Geometry) -> Tensor:
    """The part of `g`, a gradient of the base, that belongs to the view; a copy."""
    memory = _memory_of(g, base)
    if view.extent() > memory.size:
        memory = np.concatenate([memory, np.zeros_like(memory, shape=(view.extent() - memory.size,))])
    return record(ReadWindowBackward0, view.window(memory).copy(), (g,), view=view, base=base)


class ScatterWindowBackward0(Node):
    """The reverse of reading a window: reading it."""

    view: Geometry
    base: Geometry

    def grad_self(self, g: Tensor) -> Tensor:
        return read_window(g, self.view, self.base)


def scatter_window(g: Tensor, view: Geometry, base: Geometry) -> Tensor:
    """A gradient of the base that is `g` where the view lies and 0 elsewhere; elements shown twice are summed."""
    size = max(view.extent(), base.extent())
    memory = np.zeros_like(g._array, shape=(size,))
    positions = view.window(np.arange(size))
    np.add.at(memory, positions, g._array)
    if 0 in base.strides:
        shown = np.zeros_like(memory)
        np.add.at(shown, base.window(np.arange(size)), 1)
        memory = memory / np.maximum(shown, 1)
    return record(ScatterWindowBackward0, base.window(memory).copy(), (g,), view=view, base=base)


def write_window(g: Tensor, inside: Tensor | None, view: Geometry, base: Geometry) -> Tensor:
    """`g`, a gradient of the base, with the view's part replaced by `inside` (0 if None)."""
    outside = g - scatter_window(read_window(g, view, base), view, base)
    return outside if inside is None else outside + scatter_window(inside, view, base)


class AsStridedBackward0(Node):
    """Any window on the memory of `self`."""

    view: Geometry
    base: Geometry

    def grad_self(self, g: Tensor) -> Tensor:
        return scatter_window(g, self.view, self.base)


@op("function", "method")
def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """A view of the memory of `input` with the given shape, strides and offset (in elements).

    Raises:
        RuntimeError: the window leaves the memory.
    """
    x = input._array
    root = _backend.root_of(x)
    offset = input.storage_offset() if storage_offset is None else storage_offset
    whole = Geometry(tuple(size), tuple(stride), offset)
    if whole.extent() > root.size:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize {x.itemsize} "
            f"requiring a storage size of {whole.extent() * x.itemsize} are out of bounds for storage of size {root.nbytes}"
        )
    flat = _backend.as_strided(root.reshape(-1) if root.flags.c_contiguous else root.ravel("K"), (root.size,), (1,), 0)
    relative = Geometry(tuple(size), tuple(stride), offset - input.storage_offset())
    return record_view(AsStridedBackward0, whole.window(flat), input, view=relative, base=Geometry.of(x, x))
