"""Parts of a tensor that are views of it: one index, a range of indices, a diagonal, windows, and pieces.

The gradient of a part is the part's gradient in a tensor of zeros; its own gradient is the part again, so every order of
derivative exists. Indexing by tensors, which copies, is in `indexing`; putting pieces together in `joining`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.core.arrays import checked_dim
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import record_view, record_views
from reference_impl.ops.registry import functions, op

INT64_MAX = 2**63 - 1


def whole_number(value: Any) -> int:
    """A Python integer from what torch takes as an index: also NumPy's integers and tensors of one integer."""
    return value if value.__class__ is int else value.__index__()


def along(dim: int, index: Any) -> tuple[Any, ...]:
    """The index that is `index` in dimension `dim` and everything elsewhere; it always gives an array, not a number."""
    return (*(slice(None),) * dim, index, Ellipsis)


class SelectBackward0(Node):
    """out = self[..., index, ...] in `dim`: the gradient goes to that index, 0 to the others."""

    self_sym_sizes: tuple[int, ...]
    dim: int
    index: int

    def grad_self(self, g: Tensor) -> Tensor:
        return select_backward(g, self.self_sym_sizes, self.dim, self.index)


@op("function", "method")
def select(input: Tensor, dim: int, index: Any) -> Tensor:
    """The view at `index` of dimension `dim`, which is gone in it.

    Raises:
        IndexError: no such dimension or index.
    """
    x = input._array
    if not x.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    d, i = checked_dim(dim, x.ndim), whole_number(index)
    if not -x.shape[d] <= i < x.shape[d]:
        raise IndexError(
            f"select(): index {i} out of range for tensor of size {list(x.shape)} at dimension {dim if dim >= 0 else d}"
        )
    return select_at(input, d, i)


def select_at(input: Tensor, dim: int, index: int) -> Tensor:
    """`select` without its checks."""
    x = input._array
    part = x[index, ...] if dim == 0 else x[along(dim, index)]
    return record_view(SelectBackward0, part, input, self_sym_sizes=x.shape, dim=dim, index=index)


class SelectBackwardBackward0(Node):
    """Placing a gradient at one index is linear: its gradient is what stands there."""

    dim: int
    index: int

    def grad_grad(self, g: Tensor) -> Tensor:
        return select(g, self.dim, self.index)


@op("function")
def select_backward(grad: Tensor, input_sizes: Sequence[int], dim: int, index: int) -> Tensor:
    """Zeros of `input_sizes` with `grad` at `index` of `dim`."""
    out = np.zeros_like(grad._array, shape=tuple(input_sizes))
    out[along(dim % len(out.shape), index)] = grad._array
    return record(SelectBackwardBackward0, out, (grad,), dim=dim, index=index)


class SliceBackward0(Node):
    """out = self[..., start:end:step, ...] in `dim`: the gradient goes to those indices, 0 to the others."""

    self_sym_sizes: tuple[int, ...]
    dim: int
    start: int
    end: int
    step: int

    def grad_self(self, g: Tensor) -> Tensor:
        return slice_backward(g, self.self_sym_sizes, self.dim, self.start, self.end, self.step)


def slice_at(input: Tensor, dim: int, start: int | None, end: int | None, step: int) -> Tensor:
    """`input[..., start:end:step, ...]` in dimension `dim`, which must exist."""
    x = input._array
    s = slice(start, end, step)
    return record_view(
        SliceBackward0,
        x[s] if dim == 0 else x[along(dim, s)],
        input,
        self_sym_sizes=x.shape,
        dim=dim,
        start=0 if start is None else start,
        end=INT64_MAX if end is None else end,
        step=step,
    )


class SliceBackwardBackward0(Node):
    """Placing a gradient at a range of indices is linear: its gradient is what stands there."""

    dim: int
    start: int
    end: int
    step: int

    def grad_grad(self, g: Tensor) -> Tensor:
        return slice_at(g, self.dim, self.start, self.end, self.step)


@op("function")
def slice_backward(grad: Tensor, input_sizes: Sequence[int], dim: int, start: int, end: int, step: int) -> Tensor:
    """Zeros of `input_sizes` with `grad` at `start:end:step` of `dim`."""
    out = np.zeros_like(grad._array, shape=tuple(input_sizes))
    out[along(dim % len(out.shape), slice(start, end, step))] = grad._array
    return record(SliceBackwardBackward0, out, (grad,), dim=dim, start=start, end=end, step=step)


@op("function", "method")
def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """The view of `length` indices of `dim` from `start` on.

    Raises:
        IndexError: no such dimension or start.
        RuntimeError: the length is negative or reaches beyond the end.
    """
    x = input._array
    if not x.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    d, begin = checked_dim(dim, x.ndim), _narrow_start(start)
    size = x.shape[d]
    if not -size <= begin <= size:
        raise IndexError(f"start out of range (expected to be in range of [{-size}, {size}], but got {begin})")
    begin += size if begin < 0 else 0
    if begin + length > size:
        raise RuntimeError(f"start ({begin}) + length ({length}) exceeds dimension size ({size}).")
    return slice_at(input, d, begin, begin + length, 1)


def _narrow_start(start: Any) -> int:
    if isinstance(start, Tensor) and (start._array.ndim or start._array.dtype.kind not in "iu"):
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    return whole_number(start)


class DiagonalBackward0(Node):
    """out = diagonal number `offset` of dimensions dim1 and dim2: the gradient goes there, 0 elsewhere."""

    self_sym_sizes: tuple[int, ...]
    offset: int
    dim1: int
    dim2: int

    def grad_self(self, g: Tensor) -> Tensor:
        return diagonal_backward(g, self.self_sym_sizes, self.offset, self.dim1, self.dim2)


def diagonal_array(x: Any, offset: int, dim1: int, dim2: int) -> Any:
    """As `np.diagonal`, on the same memory and writable."""
    part = np.diagonal(x, offset, dim1, dim2)
    if isinstance(part, np.ndarray):
        part.flags.writeable = x.flags.writeable
    return part


def checked_diagonal_dims(ndim: int, dim1: int, dim2: int) -> tuple[int, int]:
    """The two dimensions counted from the front.

    Raises:
        IndexError: no such dimension.
        RuntimeError: the two are the same.
    """
    a, b = checked_dim(dim1, ndim), checked_dim(dim2, ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return a, b


@op("function", "method")
def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The view of the diagonal of dimensions `dim1` and `dim2`, put last; above the main one for a positive `offset`.

    Raises:
        IndexError: no such dimension.
        RuntimeError: the two are the same.
    """
    x = input._array
    a, b = checked_diagonal_dims(x.ndim, dim1, dim2)
    part = diagonal_array(x, offset, a, b)
    return record_view(DiagonalBackward0, part, input, self_sym_sizes=x.shape, offset=offset, dim1=dim1, dim2=dim2)


class DiagonalBackwardBackward0(Node):
    """Placing a gradient on a diagonal is linear: its gradient is the diagonal."""

    offset: int
    dim1: int
    dim2: int

    def grad_grad(self, g: Tensor) -> Tensor:
        return diagonal(g, self.offset, self.dim1, self.dim2)


@op("function")
def diagonal_backward(grad: Tensor, input_sizes: Sequence[int], offset: int, dim1: int, dim2: int) -> Tensor:
    """Zeros of `input_sizes` with `grad` on a diagonal."""
    out = np.zeros_like(grad._array, shape=tuple(input_sizes))
    ndim = len(out.shape)
    diagonal_array(out, offset, dim1 % ndim, dim2 % ndim)[...] = grad._array
    return record(DiagonalBackwardBackward0, out, (grad,), offset=offset, dim1=dim1, dim2=dim2)


class UnfoldBackward0(Node):
    """out = windows of `size` every `step`: an element receives the sum over the windows that show it."""

    self_sym_sizes: tuple[int, ...]
    dimension: int
    size: int
    step: int

    def grad_self(self, g: Tensor) -> Tensor:
        return unfold_backward(g, self.self_sym_sizes, self.dimension, self.size, self.step)


@op("method")
def unfold(input: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """Windows of `size` elements of `dimension`, every `step`: a view with the place in the window as last dimension.

    Raises:
        IndexError: no such dimension.
        RuntimeError: the window is larger than the dimension, or the step is not positive.
    """
    x = input._array
    d = checked_dim(dimension, x.ndim)
    length, stride = (x.shape[d], x.strides[d]) if x.ndim else (1, x.itemsize)
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > length:
        raise RuntimeError(f"maximum size for tensor at dimension {d} is {length} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    windows = (length - size) // step + 1
    shape = (*x.shape[:d], windows, *x.shape[d + 1 :], size) if x.ndim else (size,)
    strides = (*x.strides[:d], stride * step, *x.strides[d + 1 :], stride) if x.ndim else (stride,)
    return record_view(
        UnfoldBackward0, _backend.window(x, shape, strides), input,
        self_sym_sizes=x.shape, dimension=d, size=size, step=step,
    )  # fmt: skip


class UnfoldBackwardBackward0(Node):
    """Adding windows up is linear: its gradient is shown in each window."""

    dim: int
    size: int
    step: int

    def grad_grad(self, g: Tensor) -> Tensor:
        return unfold(g, self.dim, self.size, self.step)


@op("function")
def unfold_backward(grad_in: Tensor, input_sizes: Sequence[int], dim: int, size: int, step: int) -> Tensor:
    """Zeros of `input_sizes` to which each window of `grad_in` is added."""
    g = grad_in._array
    out = np.zeros_like(g, shape=tuple(input_sizes))
    if not out.ndim:
        out = np.sum(g, keepdims=False).reshape(())
    else:
        last = step * (g.shape[dim] - 1) + 1
        for k in range(size):  # all windows' k-th element at once: they lie `step` apart, so none is met twice
            out[along(dim, slice(k, k + last, step))] += g[..., k]
    return record(UnfoldBackwardBackward0, out, (grad_in,), dim=dim, size=size, step=step)


# -- pieces: several views at once


def _with_zeros(grads: Sequence[Tensor | None], outputs: Sequence[Any]) -> list[Tensor]:
    """A gradient for every piece: zeros for those that were not used."""
    like = next(g._array for g in grads if g is not None)
    return [
        Tensor._wrap(np.zeros_like(like, shape=shape)) if g is None else g
        for g, shape in zip(grads, [shape for shape, _ in outputs], strict=True)
    ]


class SplitBackward0(Node):
    """Pieces of one size: their gradients are put together again."""

    self_sym_sizes: tuple[int, ...]
    split_size: int
    dim: int

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        return (functions["cat"](_with_zeros(grads, self.outputs), self.dim),)


class SplitWithSizesBackward0(SplitBackward0):
    """Pieces of several sizes."""

    split_sizes: tuple[int, ...]


@op("function", "method")
def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of consecutive parts of `dim`, of one size (the last may be smaller) or of the sizes in a list.

    Raises:
        IndexError: no such dimension.
        RuntimeError: a size is negative, or they don't add up to that of `dim`.
    """
    if isinstance(split_size_or_sections, (tuple, list)):
        return split_with_sizes(tensor, split_size_or_sections, dim)
    x, split_size = tensor._array, whole_number(split_size_or_sections)
    if not x.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if split_size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={split_size}")
    d = checked_dim(dim, x.ndim)
    length = x.shape[d]
    if split_size == 0 and length:
        raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {length}")
    starts = range(0, max(length, 1), max(split_size, 1))
    arrays = [x[along(d, slice(s, s + split_size))] for s in starts]
    return record_views(SplitBackward0, arrays, tensor, self_sym_sizes=x.shape, split_size=split_size, dim=d)


@op("function", "method")
def split_with_sizes(input: Tensor, split_sizes: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """`split` into parts of the given sizes."""
    x = input._array
    if not x.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    d = checked_dim(dim, x.ndim)
    sizes = tuple([whole_number(n) for n in split_sizes])
    if any(n < 0 for n in sizes):
        raise RuntimeError(
            f"split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={list(sizes)}"
        )
    if sum(sizes) != x.shape[d]:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {x.shape[d]} (input tensor's size at dimension {dim}), "
            f"but got split_sizes={list(sizes)}"
        )
    arrays, start = [], 0
    for n in sizes:
        arrays.append(x[along(d, slice(start, start + n))])
        start += n
    return record_views(SplitWithSizesBackward0, arrays, input, self_sym_sizes=x.shape, split_sizes=sizes, dim=d)


@op("function", "method")
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` views of consecutive parts of `dim`, all of one size but the last.

    Raises:
        RuntimeError: `chunks` is not positive, or the tensor has no dimensions.
    """
    x = input._array
    if not x.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    length = x.shape[checked_dim(dim, x.ndim)]
    size = (length + chunks - 1) // chunks
    if size == 0 and length == 0:
        return split_with_sizes(input, [0] * chunks, dim)
    return split(input, size, dim)


@op("function", "method")
def tensor_split(input: Tensor, indices_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of consecutive parts of `dim`: a number of them, as equal as possible, or those between the given indices.

    Raises:
        RuntimeError: the tensor has no dimensions, or the number is not positive.
    """
    x = input._array
    if not x.ndim:
        raise RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    d, given = checked_dim(dim, x.ndim), indices_or_sections
    if isinstance(given, Tensor):
        given = given.tolist()
    if isinstance(given, (tuple, list)):
        indices = [whole_number(i) for i in given]
        bounds = list(zip([0, *indices], [*indices, x.shape[d]], strict=True))
    else:
        if given <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {given}")
        least, larger = divmod(x.shape[d], given)
        starts = [i * least + min(i, larger) for i in range(given + 1)]
        bounds = list(zip(starts[:-1], starts[1:], strict=True))
    return tuple([slice_at(input, d, start, end, 1) for start, end in bounds])


def _split_by(name: str, dim: int, least: int) -> Any:
    """hsplit, vsplit and dsplit: `tensor_split` along a fixed dimension, into parts that must be equal."""

    def split_along(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
        x = input._array
        if x.ndim < least:
            raise RuntimeError(
                f"torch.{name} requires a tensor with at least {least} dimension, "
                f"but got a tensor with {x.ndim} dimensions!"
            )
        d = 0 if x.ndim == 1 else dim
        if not isinstance(indices_or_sections, (int, tuple, list)):
            raise TypeError(f"{name}(): neither a number nor indices")
        if isinstance(indices_or_sections, int):
            if indices_or_sections == 0 or x.shape[d] % indices_or_sections:
                raise RuntimeError(
                    f"torch.{name} attempted to split along dimension {d}, but the size of the dimension {x.shape[d]} is not "
                    f"divisible by the split_size {indices_or_sections}!"
                )
        return tensor_split(input, indices_or_sections, d)

    split_along.__name__ = split_along.__qualname__ = name
    split_along.__doc__ = f"Views of parts of dimension {dim}, equal ones or those between the given indices."
    return op("function", "method")(split_along)


hsplit = _split_by("hsplit", 1, 1)
vsplit = _split_by("vsplit", 0, 2)
dsplit = _split_by("dsplit", 2, 3)


class UnbindBackward0(Node):
    """Every index of `dim` by itself: their gradients are stacked again."""

    dim: int

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        return (functions["stack"](_with_zeros(grads, self.outputs), self.dim),)


@op("function", "method")
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of every index of `dim`, which is gone in them.

    Raises:
        IndexError: no such dimension.
    """
    x = input._array
    if not x.ndim:
        checked_dim(dim, 0)
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    d = checked_dim(dim, x.ndim)
    return record_views(UnbindBackward0, [x[along(d, i)] for i in range(x.shape[d])], input, dim=dim)
