"""Split a tensor into views: split, chunk, tensor_split, unbind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_impl.core.arrays import checked_dim
from reference_impl.core.node import Node
from reference_impl.core.operations import shapes
from reference_impl.core.operations.indexing import index_along
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import record_views
from reference_impl.ops.joining import cat
from reference_impl.ops.registry import op
from reference_impl.ops.slicing import slice_at, whole_number


def _with_zeros(grads: Sequence[Tensor | None], outputs: Sequence[Any]) -> list[Tensor]:
    """Return `grads` with zeros for each gradient that is None; at least one is not None.

    `outputs` are the pairs (shape, dtype) of `Node.outputs`.
    """
    like = next(g._array for g in grads if g is not None)
    return [
        Tensor._wrap(np.zeros_like(like, shape=shape)) if g is None else g
        for g, shape in zip(grads, [shape for shape, _ in outputs], strict=True)
    ]


class SplitBackward0(Node):
    """Parts of one size: their gradients are concatenated."""

    self_sym_sizes: tuple[int, ...]
    split_size: int
    dim: int

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients of the parts, concatenated."""
        return (cat(_with_zeros(grads, self.outputs), self.dim),)


class SplitWithSizesBackward0(SplitBackward0):
    """Parts of several sizes: their gradients are concatenated."""

    split_sizes: tuple[int, ...]


@op("function", "method")
def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Return views of consecutive parts along `dim`: sizes 2, 2, 1 for a dimension of size 5 and `split_size_or_sections` 2.

    Args:
        split_size_or_sections: the size of all parts, of which the last may be smaller; or a list with the size of each part.

    Raises:
        IndexError: the dimension does not exist.
        RuntimeError: the tensor has no dimensions, a size is negative, the size of all parts is 0 although that of `dim` is not, or the
            sizes in the list don't add up to the size of `dim`.
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
    arrays = [x[index_along(d, slice(s, s + split_size))] for s in starts]
    return record_views(SplitBackward0, arrays, tensor, self_sym_sizes=x.shape, split_size=split_size, dim=d)


@op("function", "method")
def split_with_sizes(input: Tensor, split_sizes: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Return views of consecutive parts along `dim` with the sizes `split_sizes`. Errors are as in `split`."""
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
        arrays.append(x[index_along(d, slice(start, start + n))])
        start += n
    return record_views(SplitWithSizesBackward0, arrays, input, self_sym_sizes=x.shape, split_sizes=sizes, dim=d)


@op("function", "method")
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Return at most `chunks` views of consecutive parts along `dim`. All have the same size, but the last may be smaller.

    A dimension of size 0 gives `chunks` views without elements.

    Raises:
        IndexError: the dimension does not exist.
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
    """Return views of consecutive parts along `dim`.

    Args:
        indices_or_sections: the number of parts, whose sizes then differ by at most 1; or a list or tensor of the indices where a new
            part begins.

    Raises:
        IndexError: the dimension does not exist.
        RuntimeError: the tensor has no dimensions, or the number of parts is not positive.
    """
    x = input._array
    if not x.ndim:
        raise RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    d, sections = checked_dim(dim, x.ndim), indices_or_sections
    if isinstance(sections, Tensor):
        sections = sections.tolist()
    if isinstance(sections, (tuple, list)):
        indices = [whole_number(i) for i in sections]
        bounds = list(zip([0, *indices], [*indices, x.shape[d]], strict=True))
    else:
        if sections <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
        least, larger = divmod(x.shape[d], sections)
        starts = [i * least + min(i, larger) for i in range(sections + 1)]
        bounds = list(zip(starts[:-1], starts[1:], strict=True))
    return tuple([slice_at(input, d, start, end, 1) for start, end in bounds])


def _split_by(name: str, dim: int, least: int) -> Any:
    """Define and return `hsplit`, `vsplit` or `dsplit`: `tensor_split` along dimension `dim`, for tensors of at least `least` dimensions.

    Vectors are split along dimension 0.
    """

    def split_along(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
        x = input._array
        if x.ndim < least:
            raise RuntimeError(
                f"torch.{name} requires a tensor with at least {least} dimension, "
                f"but got a tensor with {x.ndim} dimensions!"
            )
        d = 0 if x.ndim == 1 else dim
        if not isinstance(indices_or_sections, (int, tuple, list)):
            kind = type(indices_or_sections).__name__
            raise TypeError(f"{name}(): argument 'indices_or_sections' must be int or tuple of ints, not {kind}")
        if isinstance(indices_or_sections, int):
            if indices_or_sections == 0 or x.shape[d] % indices_or_sections:
                raise RuntimeError(
                    f"torch.{name} attempted to split along dimension {d}, but the size of the dimension {x.shape[d]} is not "
                    f"divisible by the split_size {indices_or_sections}!"
                )
        return tensor_split(input, indices_or_sections, d)

    split_along.__name__ = split_along.__qualname__ = name
    split_along.__doc__ = (
        f"Return views of consecutive parts along dimension {dim}{' (0 for a vector)' if least == 1 else ''}. "
        "`indices_or_sections` is the number of parts, which have equal sizes, or a list of the indices where new parts begin.\n\n"
        "Raise RuntimeError if the number of parts does not divide the size, or the tensor has too few dimensions."
    )
    return op("function", "method")(split_along)


hsplit = _split_by("hsplit", 1, 1)
vsplit = _split_by("vsplit", 0, 2)
dsplit = _split_by("dsplit", 2, 3)


@op("function", "method")
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """Return a tuple with the view at each index of `dim`, without this dimension: (2, 3) -> two tensors of shape (3,).

    Raises:
        IndexError: the dimension does not exist.
    """
    x = input._array
    if not x.ndim:
        checked_dim(dim, 0)
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    d = checked_dim(dim, x.ndim)
    return record_views(shapes.unbind_tuple.node, [x[index_along(d, i)] for i in range(x.shape[d])], input, dim=dim)
