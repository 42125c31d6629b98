"""Change the shape or the order of dimensions, by views where possible. Join, split, copy and convert tensors."""

from math import prod

import numpy as np

from reference_impl import _dtype as dtypes
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation, publish
from reference_impl.core.operations.arithmetic import zeros_for
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor

EXPAND_MISMATCH = "The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton dimension {}.  Target sizes: {}.  Tensor sizes: {}"

NO_VIEW = "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead."


def shape_of(sizes) -> tuple[int, ...]:
    """Return a shape that was passed as numbers, `f(2, 3)`, or as a tuple, `f((2, 3))`."""
    return tuple(map(int, sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes))


def infer_size(sizes, numel: int) -> tuple[int, ...]:
    """Return `sizes` with -1 replaced so that the shape has `numel` elements: (2, -1) becomes (2, 3) for 6.

    Raises:
        RuntimeError: the shape cannot have `numel` elements.
    """
    rest = prod(n for n in sizes if n != -1)
    full = tuple(numel // rest if n == -1 and rest else n for n in sizes)
    if prod(full) != numel:
        raise RuntimeError(f"shape '{list(sizes)}' is invalid for input of size {numel}")
    return full


@operation("ViewBackward0", view=True, self=lambda g, self_sym_sizes: g.reshape(self_sym_sizes))
def view_as_shape(self, size):
    """Return a view with shape `size`. Raise ValueError if only a copy can have this shape."""
    return np.reshape(self, size, copy=False)


def view(self, *size):
    """Return a view with another shape. One size may be -1: it is computed from the others.

    Raises:
        RuntimeError: the number of elements differs, or the memory layout does not allow such a view.
    """
    try:
        return view_as_shape(self, infer_size(shape_of(size), self._array.size))
    except ValueError:
        raise RuntimeError(NO_VIEW) from None


@operation("UnsafeViewBackward0", self=lambda g, self_sym_sizes: g.reshape(self_sym_sizes))
def unsafe_view(self, size):
    """Reshape a temporary tensor. It is not recorded as a view, because no other tensor shares the memory."""
    return self.reshape(size)


def reshape(self, *shape):
    """Return the elements with another shape: as a view if possible, otherwise as a copy. One size may be -1: it is computed.

    Raises:
        RuntimeError: the number of elements differs.
    """
    size = infer_size(shape_of(shape), self._array.size)
    try:
        return view_as_shape(self, size)
    except ValueError:
        return unsafe_view(self.contiguous(), size)


publish(view, "view")
publish(reshape, "reshape")
publish(lambda self, other: self.view(other.shape), "view_as")


@operation("ExpandBackward0", view=True, self=lambda g, self_sym_sizes: g.sum_to_size(self_sym_sizes))
def expand_to(self, size):
    """Return a view of shape `size`, to which the shape of `self` broadcasts."""
    out = np.broadcast_to(self, size)
    out.flags.writeable = self.flags.writeable
    return out


def expand(self, *size):
    """Return a view broadcast to `size`, where -1 keeps a size: (3, 1) -> (2, 3, 4). Raise RuntimeError if the shape does not fit."""
    size, old_size = shape_of(size), self._array.shape
    old_size = (1,) * (len(size) - len(old_size)) + old_size
    size = tuple(b if a == -1 else a for a, b in zip(size, old_size, strict=False))
    if any(n not in (1, m) for n, m in zip(old_size, size, strict=True)):
        raise RuntimeError(expand_message(old_size, size, self._array.shape))
    return expand_to(self, size)


def expand_message(old_size, size, shape) -> str:
    """Return torch's message for a `shape` that does not expand to `size`. It names the last dimension that does not fit.

    `old_size` is `shape`, with 1 for each additional dimension of `size`.
    """
    d = max(d for d in range(len(size)) if old_size[d] not in (1, size[d]))
    return EXPAND_MISMATCH.format(size[d], old_size[d], d, list(size), list(shape))


publish(expand, "expand")


@operation("TransposeBackward0", "transpose", view=True, self=lambda g, dim0, dim1: g.transpose(dim0, dim1))
def transpose(self, dim0, dim1):
    """Return a view with dimensions `dim0` and `dim1` exchanged."""
    return np.swapaxes(self, checked_dim(dim0, self.ndim), checked_dim(dim1, self.ndim)) if self.ndim else self[...]


@operation("TBackward0", "t", view=True, self=lambda g: g.t())
def t(self):
    """Return a view with the rows and columns of a matrix exchanged. The view of a vector or 0-d tensor has the same shape.

    Raises:
        RuntimeError: the tensor has more than 2 dimensions.
    """
    if self.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.ndim}D")
    return self.T


def permute_backward(g, dims):
    """g with its dimensions in the order of self"""
    return permute(g, tuple(np.argsort([d % len(dims) for d in dims])))


@operation("PermuteBackward0", view=True, self=permute_backward)
def permute_to(self, dims):
    """Return a view with the dimensions in the order `dims`."""
    return np.transpose(self, dims)


def permute(self, *dims):
    """Return a view with the dimensions in the order `dims`."""
    return permute_to(self, shape_of(dims))


publish(permute, "permute")
Tensor.T = property(lambda self: permute(self, tuple(range(self._array.ndim))[::-1]))
Tensor.mT = property(lambda self: self.transpose(-2, -1))


@operation("UnsqueezeBackward0", "unsqueeze", view=True, self=lambda g, dim: g.squeeze(dim))
def unsqueeze(self, dim):
    """Return a view with a new dimension of size 1 at `dim`: (2, 3) -> (2, 1, 3) for dim 1."""
    return np.expand_dims(self, dim)


def unsqueeze_dim(g, self_sym_sizes, dim):
    """g with the dimensions of size 1 inserted again"""
    for d in sorted(checked_dim(n, len(self_sym_sizes)) for n in (dim if isinstance(dim, (tuple, list)) else [dim])):
        if self_sym_sizes and self_sym_sizes[d] == 1:
            g = g.unsqueeze(d)
    return g


def unsqueeze_all(g, self_sym_sizes):
    """g with the dimensions of size 1 inserted again"""
    return unsqueeze_dim(g, self_sym_sizes, tuple(range(len(self_sym_sizes))))


@operation("SqueezeBackward0", view=True, self=unsqueeze_all)
def squeeze_all(self):
    """Return a view without the dimensions of size 1: (2, 1, 3) -> (2, 3)."""
    return np.squeeze(self)


@operation("SqueezeBackward1", view=True, self=unsqueeze_dim)
def squeeze_dim(self, dim):
    """Return a view without dimension `dim` if its size is 1, otherwise a view of the same shape."""
    return np.squeeze(self, dim) if self.ndim and self.shape[dim] == 1 else self[...]


def squeeze(self, dim=None):
    """Return a view without the dimensions of size 1; with `dim`, without this dimension if its size is 1."""
    return squeeze_all(self) if dim is None else squeeze_dim(self, dim)


publish(squeeze, "squeeze")


# -- several tensors into one, one into several


@operation("CatBackward0", tensors=lambda g, dim, sizes: cat_backward(g, sizes, dim))
def cat_tuple(tensors, dim, sizes):
    """The inputs joined along dimension `dim`: each receives its part of g."""
    return in_c_order(np.concatenate(tensors, dim))


def in_c_order(array):
    """Return `array`, or a copy in C order if it has another order: NumPy keeps an order that all joined arrays share, torch does not."""
    return array if array.flags.c_contiguous else array.copy("C")


def cat(tensors, dim=0):
    """Return the tensors concatenated along `dim`: (2, 3) and (1, 3) -> (3, 3)."""
    return cat_tuple(tuple(tensors), dim, [t.shape[dim] for t in tensors])


def cat_backward(g, sizes, dim):
    """Return the gradient of each input of `cat`: the parts of `g` along `dim` with these `sizes`.

    The size -1 stands for an input of shape (0,), which `cat` ignores.
    """
    starts = [sum(n for n in sizes[:i] if n > 0) for i in range(len(sizes))]
    return [g.new_zeros(0) if n < 0 else g.narrow(dim, start, n) for start, n in zip(starts, sizes, strict=True)]


@operation("StackBackward0", tensors=lambda g, dim: [g.select(dim, i) for i in range(g.shape[dim])])
def stack_tuple(tensors, dim):
    """The inputs stacked along a new dimension `dim`: input i receives the part of g at index i."""
    return in_c_order(np.stack(tensors, dim))


def stack(tensors, dim=0):
    """Return tensors of the same shape stacked along a new dimension `dim`: (3,) and (3,) -> (2, 3)."""
    return stack_tuple(tuple(tensors), dim)


@operation("UnbindBackward0", view=True, self=lambda g, dim: stack(materialize_grads(g), dim))
def unbind_tuple(self, dim):
    """The views at each index of `dim`: self receives their gradients, stacked along `dim`."""
    return tuple(np.moveaxis(self, dim, 0)[i, ...] for i in range(self.shape[dim]))


def materialize_grads(grads):
    """Return a list of the gradients in which zeros replace None. `grads` is a tuple, or a tensor if there is a single result."""
    grads = grads if isinstance(grads, tuple) else (grads,)
    like = next(g for g in grads if g is not None)
    return [zeros_for(like) if g is None else g for g in grads]


def unbind(self, dim=0) -> tuple:
    """Return the views at each index of `dim`, without that dimension."""
    return tuple(unbind_tuple(self, dim))


publish(unbind, "unbind")


# -- copies


@operation("CloneBackward0", "clone", self=lambda g: g)
def clone(self):
    """Return a copy in separate memory. Gradients flow through it to `self`."""
    return self.copy("K")


def contiguous(self):
    """Return the tensor itself if its elements are stored in C order, otherwise a copy in C order."""
    return self if self._array.flags.c_contiguous else record(clone.node, self._array.copy("C"), (self,))


publish(contiguous, "contiguous")


@operation("CopyBackwards", "copy_", self=lambda g: zeros_for(g), src=lambda g: g)
def copy_(self, src):
    """Return the values that `copy_` writes into `self`: those of `src`, broadcast to the shape of `self` and in its dtype."""
    return np.broadcast_to(src, self.shape).astype(self.dtype)


@operation("ZeroBackward0", "zero_", self=lambda g: zeros_for(g))
def zero_(self):
    """Return the values that `zero_` writes into `self`: zeros."""
    return np.zeros_like(self)


@operation("FillBackward2", "fill_", self=lambda g: zeros_for(g))
def fill_(self, value):
    """Return the values that `fill_` writes into `self`: the number `value` for every element."""
    return np.full_like(self, value)


@operation("FillBackward3", self=lambda g: zeros_for(g), value=lambda g: g.sum())
def fill_tensor_(self, value):
    """Return the values that `fill_` writes into `self` if `value` is a 0-d tensor: its value for every element."""
    return np.full_like(self, value)


@operation("ToCopyBackward0", self=lambda g, device: g if device is None else g.to(device))
def cast(self, dtype, device=None):
    """A copy with another dtype, or on another device: `self` receives g converted back to the dtype and device of `self`."""
    return self.astype(dtype)


def to(self, dtype):
    """Return the tensor converted to `dtype`; the tensor itself if it already has this dtype."""
    return self if self.dtype is dtype else cast(self, dtype.numpy)


publish(to, "to")
publish(cast, "_to_numpy_dtype")
for short, kind in dtypes.ALIASES.items():
    publish(lambda self, kind=kind: to(self, kind), short)
