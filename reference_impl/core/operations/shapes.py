"""The same elements in another shape or order: views where memory allows it, and copies."""

from math import prod

import numpy as np

from reference_impl import _dtype as dtypes
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation, publish
from reference_impl.core.operations.arithmetic import zeros_for
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor

EXPANDED = "The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton dimension {}.  Target sizes: {}.  Tensor sizes: {}"

NO_VIEW = "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead."


def shape_of(sizes) -> tuple[int, ...]:
    """Return a shape that was passed as numbers, `f(2, 3)`, or as a tuple, `f((2, 3))`."""
    return tuple(map(int, sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes))


def inferred(sizes, numel: int) -> tuple[int, ...]:
    """Return `sizes` with a -1 replaced by the size that gives `numel` elements."""
    rest = prod(n for n in sizes if n != -1)
    full = tuple(numel // rest if n == -1 and rest else n for n in sizes)
    if prod(full) != numel:
        raise RuntimeError(f"shape '{list(sizes)}' is invalid for input of size {numel}")
    return full


@operation("ViewBackward0", view=True, self=lambda g, self_sym_sizes: g.reshape(self_sym_sizes))
def view_as_shape(self, size):
    """Return a view in another shape."""
    return np.reshape(self, size, copy=False)


def view(self, *size):
    """Return the same memory in another shape; one entry may be -1."""
    try:
        return view_as_shape(self, inferred(shape_of(size), self._array.size))
    except ValueError:
        raise RuntimeError(NO_VIEW) from None


@operation("UnsafeViewBackward0", self=lambda g, self_sym_sizes: g.reshape(self_sym_sizes))
def unsafe_view(self, size):
    """Return a temporary in another shape, which is not recorded as a view."""
    return self.reshape(size)


def reshape(self, *shape):
    """Return the elements in another shape: a view if possible, otherwise a copy."""
    size = inferred(shape_of(shape), self._array.size)
    try:
        return view_as_shape(self, size)
    except ValueError:
        return unsafe_view(self.contiguous(), size)


publish(view, "view")
publish(reshape, "reshape")
publish(lambda self, other: self.view(other.shape), "view_as")


@operation("ExpandBackward0", view=True, self=lambda g, self_sym_sizes: g.sum_to_size(self_sym_sizes))
def expand_to(self, size):
    out = np.broadcast_to(self, size)
    out.flags.writeable = self.flags.writeable
    return out


def expand(self, *size):
    """Return a view in which dimensions of size 1 are larger; -1 keeps a size. New dimensions may come first."""
    size, old_size = shape_of(size), self._array.shape
    old_size = (1,) * (len(size) - len(old_size)) + old_size
    size = tuple(b if a == -1 else a for a, b in zip(size, old_size, strict=False))
    if any(n not in (1, m) for n, m in zip(old_size, size, strict=True)):
        raise RuntimeError(unexpandable(old_size, size, self._array.shape))
    return expand_to(self, size)


def unexpandable(old_size, size, shape) -> str:
    """Return torch's message for a size that `expand` cannot reach."""
    d = max(d for d in range(len(size)) if old_size[d] not in (1, size[d]))
    return EXPANDED.format(size[d], old_size[d], d, list(size), list(shape))


publish(expand, "expand")


@operation("TransposeBackward0", "transpose", view=True, self=lambda g, dim0, dim1: g.transpose(dim0, dim1))
def transpose(self, dim0, dim1):
    """Exchange two dimensions."""
    return np.swapaxes(self, checked_dim(dim0, self.ndim), checked_dim(dim1, self.ndim)) if self.ndim else self[...]


@operation("TBackward0", "t", view=True, self=lambda g: g.t())
def t(self):
    """Exchange rows and columns of a matrix."""
    if self.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.ndim}D")
    return self.T


def reordered(g, dims):
    """g with its dimensions put back in their order."""
    return permute(g, tuple(np.argsort([d % len(dims) for d in dims])))


@operation("PermuteBackward0", view=True, self=reordered)
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
    """Insert a dimension of size 1 at `dim`."""
    return np.expand_dims(self, dim)


def put_back(g, self_sym_sizes, dim):
    """g with the dimensions of size 1 put back"""
    for d in sorted(checked_dim(n, len(self_sym_sizes)) for n in (dim if isinstance(dim, (tuple, list)) else [dim])):
        if self_sym_sizes and self_sym_sizes[d] == 1:
            g = g.unsqueeze(d)
    return g


def put_all_back(g, self_sym_sizes):
    """g with the dimensions of size 1 put back"""
    return put_back(g, self_sym_sizes, tuple(range(len(self_sym_sizes))))


@operation("SqueezeBackward0", view=True, self=put_all_back)
def squeeze_all(self):
    """Remove all dimensions of size 1."""
    return np.squeeze(self)


@operation("SqueezeBackward1", view=True, self=put_back)
def squeeze_dim(self, dim):
    """Remove dimension `dim` if its size is 1."""
    return np.squeeze(self, dim) if self.ndim and self.shape[dim] == 1 else self[...]


def squeeze(self, dim=None):
    """Remove the dimensions of size 1, or only `dim`."""
    return squeeze_all(self) if dim is None else squeeze_dim(self, dim)


publish(squeeze, "squeeze")


# -- several tensors into one, one into several


@operation("CatBackward0", tensors=lambda g, dim, sizes: pieces(g, sizes, dim))
def cat_of(tensors, dim, sizes):
    """The inputs one after the other in dimension `dim`: each receives its part of g."""
    return np.concatenate(tensors, dim)


def cat(tensors, dim=0):
    """Concatenate tensors along `dim`."""
    return cat_of(tuple(tensors), dim, [t.shape[dim] for t in tensors])


def pieces(g, sizes, dim):
    """Split `g` along `dim` into parts of these sizes. -1 stands for an input of shape (0,), which `cat` accepts beside any."""
    starts = [sum(n for n in sizes[:i] if n > 0) for i in range(len(sizes))]
    return [g.new_zeros(0) if n < 0 else g.narrow(dim, start, n) for start, n in zip(starts, sizes, strict=True)]


@operation("StackBackward0", tensors=lambda g, dim: [g.select(dim, i) for i in range(g.shape[dim])])
def stack_of(tensors, dim):
    """The inputs side by side in a new dimension: each receives its index of g."""
    out = np.stack(tensors, dim)
    return out if out.flags.c_contiguous else out.copy("C")  # NumPy keeps any common order of the inputs


def stack(tensors, dim=0):
    """Stack tensors of one shape along a new dimension."""
    return stack_of(tuple(tensors), dim)


@operation("UnbindBackward0", view=True, self=lambda g, dim: stack(filled(g), dim))
def unbind_into(self, dim):
    """The parts at each index of `dim`: it receives their gradients, stacked again."""
    return tuple(np.moveaxis(self, dim, 0)[i, ...] for i in range(self.shape[dim]))


def filled(grads):
    """Replace missing gradients by zeros. (A single result has one gradient, not in a tuple.)"""
    grads = grads if isinstance(grads, tuple) else (grads,)
    like = next(g for g in grads if g is not None)
    return [zeros_for(like) if g is None else g for g in grads]


def unbind(self, dim=0) -> tuple:
    """Return the parts at each index of `dim`."""
    return tuple(unbind_into(self, dim))


publish(unbind, "unbind")


# -- copies


@operation("CloneBackward0", "clone", self=lambda g: g)
def clone(self):
    """Return a copy, recorded in the graph."""
    return self.copy("K")


def contiguous(self):
    """Return the tensor, or a copy in C order."""
    return self if self._array.flags.c_contiguous else record(clone.node, self._array.copy("C"), (self,))


publish(contiguous, "contiguous")


@operation("CopyBackwards", "copy_", self=lambda g: zeros_for(g), src=lambda g: g)
def copy_(self, src):
    """Return the values of `src`, in the shape and dtype of `self`."""
    return np.broadcast_to(src, self.shape).astype(self.dtype)


@operation("ZeroBackward0", "zero_", self=lambda g: zeros_for(g))
def zero_(self):
    """Return zeros in the shape of `self`."""
    return np.zeros_like(self)


@operation("FillBackward2", "fill_", self=lambda g: zeros_for(g))
def fill_(self, value):
    """Return a tensor like `self` in which every element is the number `value`."""
    return np.full_like(self, value)


@operation("FillBackward3", self=lambda g: zeros_for(g), value=lambda g: g.sum())
def fill_tensor_(self, value):
    """Return a tensor like `self` in which every element has the value of the 0-d tensor `value`."""
    return np.full_like(self, value)


@operation("ToCopyBackward0", self=lambda g, device: g if device is None else g.to(device))
def cast(self, dtype, device=None):
    """A copy in another dtype, or from another `device`: `self` receives g in its own dtype, on its own device."""
    return self.astype(dtype)


def to(self, dtype):
    """Return the tensor in another dtype; itself if it has that dtype."""
    return self if self.dtype is dtype else cast(self, dtype.numpy)


publish(to, "to")
publish(cast, "_to_numpy_dtype")
for short, kind in dtypes.ALIASES.items():
    publish(lambda self, kind=kind: to(self, kind), short)
