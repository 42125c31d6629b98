"""Views that are copies: `select_copy` and its like give what `select` gives in memory of its own; `select_scatter` and its
like give a copy of the base in which the part is another tensor."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._tensor import Tensor
from reference_impl.autograd.inplace import shares_elements
from reference_impl.autograd.node import Node, gradient_edge
from reference_impl.autograd.recording import make_node_like, record
from reference_impl.ops import slicing, views, windows
from reference_impl.ops.not_implemented import NotImplementedBackward
from reference_impl.ops.registry import op


@functools.cache
def _copy_class(node_class: type[Node]) -> type[Node]:
    """The node of a view under the name that torch gives to that of the copy."""
    return type(node_class.__name__ + "_copy", (node_class,), {"__doc__": f"As {node_class.__name__}, copied."})


def _copy_of(name: str, view: Callable[..., Any]) -> None:
    """Define `torch.<name>_copy`."""

    def copy(input: Tensor, *args: Any, **kwargs: Any) -> Any:
        result = view(input, *args, **kwargs)
        parts = result if isinstance(result, tuple) else (result,)
        copies = tuple([Tensor._wrap(part._array.copy()) for part in parts])
        node = parts[0]._grad_fn if parts else None
        if node is not None:
            twin = make_node_like(node, _copy_class(type(node)), (gradient_edge(input),))  # type: ignore[arg-type]
            for number, made in enumerate(copies):
                made._edge = (twin, number)
        return copies if isinstance(result, tuple) else copies[0]

    copy.__name__ = copy.__qualname__ = name + "_copy"
    copy.__doc__ = f"As `{name}`, copied."
    op("function", "out")(copy)


@op("function", "out")
def detach_copy(input: Tensor) -> Tensor:
    """As `detach`, copied. As in torch the copy says that it needs a gradient, and there is no formula for it."""
    return record(NotImplementedBackward, input._array.copy(), (input,), operation="detach_copy")


def _slice(input: Tensor, dim: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Tensor:
    d = slicing._checked_dim(dim, input._array.ndim)
    return slicing.slice_at(input, d, start, end, step)


for _name, _view in {
    "alias": views.alias,
    "as_strided": windows.as_strided,
    "expand": views.expand,
    "permute": views.permute,
    "select": slicing.select,
    "slice": _slice,
    "split": slicing.split,
    "split_with_sizes": slicing.split_with_sizes,
    "squeeze": views.squeeze,
    "t": views.t,
    "transpose": views.transpose,
    "unbind": slicing.unbind,
    "unfold": slicing.unfold,
    "unsqueeze": views.unsqueeze,
    "view": views.view,
}.items():
    _copy_of(_name, _view)  # type: ignore[arg-type]


class NarrowCopyBackward0(slicing.SliceBackward0):
    """As SliceBackward0, for `narrow_copy`."""


@op("function", "method", "out")
def narrow_copy(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """As `narrow`, copied."""
    n = input._array.ndim
    if n and dim >= n:
        raise RuntimeError(
            "Expected dim < static_cast<int64_t>(self_sizes.size()) to be true, but got false.  (Could this error message be "
            "improved?  If so, please report an enhancement request to PyTorch.)"
        )
    if n and length < 0:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({input._array.shape[dim]}).")
    part = slicing.narrow(input.detach(), dim, start, length)._array
    d = slicing._checked_dim(dim, input._array.ndim)
    begin = start + (input._array.shape[d] if start < 0 else 0)
    return record(
        NarrowCopyBackward0,
        part.copy(),
        (input,),
        self_sym_sizes=input._array.shape,
        dim=d,
        start=begin,
        end=begin + length,
        step=1,
    )


class UnsafeSplitBackward0(slicing.SplitBackward0):
    """As SplitBackward0; the parts don't count as views."""


@op("function", "method")
def unsafe_split(tensor: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As `split`, but the parts may be changed in place, which autograd then does not notice in the others."""
    parts = slicing.split(tensor, split_size, dim)
    for part in parts:
        part._view = None
        part._version_counter = None
    if parts and parts[0]._grad_fn is not None:
        node = make_node_like(parts[0]._grad_fn, UnsafeSplitBackward0, (gradient_edge(tensor),))
        for number, part in enumerate(parts):
            part._edge = (node, number)
    return parts


@op("function", "method")
def unsafe_split_with_sizes(input: Tensor, split_sizes: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """As `split_with_sizes`; see `unsafe_split`."""
    parts = slicing.split_with_sizes(input, split_sizes, dim)
    for part in parts:
        part._view = None
        part._version_counter = None
    return parts


@op("function", "method")
def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As `chunk`; see `unsafe_split`."""
    if chunks <= 0:
        raise RuntimeError(f"unsafe_chunk expects `chunks` to be greater than 0, got: {chunks}")
    length = input._array.shape[slicing._checked_dim(dim, input._array.ndim)]
    size = (length + chunks - 1) // chunks
    if not size and not length:
        return unsafe_split_with_sizes(input, [0] * chunks, dim)
    return unsafe_split(input, size, dim)


# -- the base with another part


def _with_strides_of(x: Any) -> Any:
    """A copy with the strides of `x`, gaps included, as torch's `clone_preserve_strides`; of a tensor whose elements share
    memory a plain copy."""
    if x.flags.c_contiguous or shares_elements(x) or min(x.strides, default=0) < 0 or not x.size:
        return x.copy()
    strides = tuple([s // x.itemsize for s in x.strides])
    span = 1 + sum((n - 1) * s for n, s in zip(x.shape, strides, strict=True))
    copy = _backend.as_strided(np.zeros_like(x, shape=(span,)), x.shape, strides, 0)
    np.copyto(copy, x)
    return copy


def _scatter_of(name: str, view: Callable[..., Tensor], node_name: str) -> None:
    """Define `torch.<name>_scatter(input, src, ...)`: ∂input = g with 0 in the part, ∂src = the part of g."""

    def grad_self(self: Any, g: Tensor) -> Tensor:
        part = view(g.detach(), *self.args, **self.kwargs)
        return scatter(g, Tensor._wrap(np.zeros_like(part._array)), *self.args, **self.kwargs)

    def grad_src(self: Any, g: Tensor) -> Tensor:
        return view(g, *self.args, **self.kwargs)

    node_class = type(node_name, (Node,), {"grad_self": grad_self, "grad_src": grad_src})

    def scatter(input: Tensor, src: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        out = Tensor._wrap(_with_strides_of(input._array))
        part = view(out, *args, **kwargs)
        if part._array.shape != src._array.shape:
            raise RuntimeError(
                f"expected src to have a size equal to the slice of self. src size = {list(src.shape)}, slice size = {list(part.shape)}"
            )
        np.copyto(part._array, src._array, casting="unsafe")
        return record(node_class, out._array, (input, src), args=args, kwargs=kwargs)

    scatter.__name__ = scatter.__qualname__ = name + "_scatter"
    scatter.__doc__ = f"A copy of `input` in which `{name}` with these arguments gives `src`."
    op("function", "method", "out")(scatter)


_scatter_of("select", slicing.select, "SelectScatterBackward0")
_scatter_of("slice", _slice, "SliceScatterBackward0")
_scatter_of("diagonal", slicing.diagonal, "DiagonalScatterBackward0")


class AsStridedScatterBackward0(Node):
    """torch 2.13 gives self the gradient g inside the window and 0 outside, where the reverse would be right; so do we."""

    window: tuple[Any, ...]

    def grad_self(self, g: Tensor) -> Tensor:
        inside = windows.as_strided(g, *self.window)
        return as_strided_scatter(Tensor._wrap(np.zeros_like(g._array)), inside, *self.window)

    def grad_src(self, g: Tensor) -> Tensor:
        return windows.as_strided(g.contiguous(), *self.window)


@op("function", "method", "out")
def as_strided_scatter(input: Tensor, src: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """A copy of `input` in which `as_strided` with these arguments gives `src`.

    Raises:
        RuntimeError: `src` has another shape.
    """
    out = Tensor._wrap(_with_strides_of(input._array))
    part = windows.as_strided(out, size, stride, storage_offset)
    if part._array.shape != src._array.shape:
        raise RuntimeError(
            f"expected src to have a size equal to the slice of self. src size = {list(src.shape)}, slice size = {list(part.shape)}"
        )
    np.copyto(part._array, src._array, casting="unsafe")
    return record(AsStridedScatterBackward0, out._array, (input, src), window=(size, stride, storage_offset))
