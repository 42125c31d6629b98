"""Sums and products of matrices, whose outputs each depend on many inputs."""

import numpy as np

from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation, publish
from reference_impl.core.operations.arithmetic import div_number

NOT_FLOATING = (
    "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}"
)
UNFIT = "mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})"


def dims_of(dim, ndim: int) -> tuple[int, ...]:
    """Return `dim` (one number or several) as dimensions counted from the front; all dimensions if it is empty."""
    dims = dim if isinstance(dim, (tuple, list)) else (dim,)
    return tuple(checked_dim(d, ndim) for d in dims) if ndim and dims else tuple(range(ndim))


def restored(g, shape, dim, keepdim: bool):
    """Return a reduced tensor expanded to `shape`, the shape before the reduction."""
    for d in () if keepdim else sorted(dims_of(dim, len(shape))):
        g = g.unsqueeze(d)
    return g.expand(shape)


def count(shape, dim) -> int:
    """Return the number of elements along `dim`."""
    return int(np.prod([shape[d] for d in dims_of(dim, len(shape))], dtype=int))


@operation("SumBackward0", self=lambda g, self_sym_sizes: g.expand(self_sym_sizes))
def sum_all(self):
    return np.sum(self)


@operation("SumBackward1", self=lambda g, self_sym_sizes, dim, keepdim: restored(g, self_sym_sizes, dim, keepdim))
def sum_dim(self, dim, keepdim):
    """Return the sum over `dim`."""
    return np.sum(self, axis=dims_of(dim, self.ndim), keepdims=keepdim)


def sum(self, dim=None, keepdim=False, dtype=None):
    """Sum over `dim`, or over everything. Integers and booleans are summed in int64."""
    self = self if dtype is None else self.to(dtype)
    return sum_all(self) if dim is None and not keepdim else sum_dim(self, () if dim is None else dim, keepdim)


@operation("MeanBackward0", self=lambda g, self_sym_sizes, self_sym_numel:
           div_number(g.expand(self_sym_sizes), self_sym_numel))  # fmt: skip
def mean_all(self):
    """The mean of everything: every element receives g / n."""
    return np.mean(self)


@operation("MeanBackward1", self=lambda g, self_sym_sizes, dim, keepdim:
           div_number(restored(g, self_sym_sizes, dim, keepdim), count(self_sym_sizes, dim)))  # fmt: skip
def mean_dim(self, dim, keepdim):
    """The mean over `dim`: every element receives the g of its mean, divided by the number averaged."""
    return np.mean(self, axis=dims_of(dim, self.ndim), keepdims=keepdim)


def mean(self, dim=None, keepdim=False):
    """Return the mean over `dim`, or over everything."""
    if not self.is_floating_point():
        raise RuntimeError(NOT_FLOATING.format(self.dtype.tensor_type))
    return mean_all(self) if dim is None and not keepdim else mean_dim(self, () if dim is None else dim, keepdim)


def sum_to_size(self, size):
    """Sum over the dimensions that `size` lacks or has as 1: the reverse of broadcasting."""
    shape, size = self._array.shape, tuple(size)
    if shape == size:
        return self
    lead = len(shape) - len(size)
    dims = tuple(d for d, n in enumerate(shape) if d < lead or n != 1 and size[d - lead] == 1)
    return sum_dim(self, dims, True).view(size) if lead else sum_dim(self, dims, True)


publish(sum, "sum")
publish(mean, "mean")
publish(sum_to_size, "sum_to_size")


def slope_of_first(g, second):
    """`g · secondᵀ`"""
    return g.mm(second.t())


def slope_of_second(first, g, by_columns):
    """`firstᵀ · g`

    Where the second factor lies in memory by columns, as the transposed weight of a layer does, so does its gradient.
    """
    return g.t().mm(first).t() if by_columns else first.t().mm(g)


def lies_by_columns(sizes, strides):
    """Return whether a matrix lies in memory by columns, and not by rows as well."""
    rows, columns = sizes
    return rows > 1 and columns > 1 and strides == (1, rows)


@operation("MmBackward0", "mm", self=lambda g, mat2: slope_of_first(g, mat2),
           mat2=lambda g, self, mat2_sym_sizes, mat2_sym_strides:
           slope_of_second(self, g, lies_by_columns(mat2_sym_sizes, mat2_sym_strides)))  # fmt: skip
def mm(self, mat2):
    """Multiply two matrices."""
    if self.shape[1] != mat2.shape[0]:
        raise RuntimeError(UNFIT.format(*self.shape, *mat2.shape))
    return np.matmul(self, mat2)


@operation("MvBackward0", "mv", self=lambda g, vec: g.unsqueeze(1) * vec, vec=lambda g, self: self.t().mv(g))
def mv(self, vec):
    """Multiply a matrix by a vector."""
    return np.matmul(self, vec)


@operation("DotBackward0", "dot", self=lambda g, tensor: g * tensor, tensor=lambda g, self: g * self)
def dot(self, tensor):
    """Multiply two vectors."""
    return np.dot(self, tensor)


@operation("BmmBackward0", "bmm", self=lambda g, mat2: g.bmm(mat2.transpose(1, 2)),
           mat2=lambda g, self: self.transpose(1, 2).bmm(g))  # fmt: skip
def bmm(self, mat2):
    """Multiply two stacks of matrices, index by index of the first dimension."""
    return np.matmul(self, mat2)


def matmul(self, other):
    """Multiply vectors, matrices, or stacks of matrices, whose leading dimensions broadcast."""
    n, m = self._array.ndim, other._array.ndim
    if n == 1 and m == 1:
        return dot(self, other)
    if n == 2 and m <= 2:
        return mm(self, other) if m == 2 else mv(self, other)
    if n == 1:
        return matmul(self.unsqueeze(0), other).squeeze(-2)
    if m == 1:
        return matmul(self, other.unsqueeze(1)).squeeze(-1)
    lead = np.broadcast_shapes(self.shape[:-2], other.shape[:-2])
    x, y = [t.expand(lead + t.shape[-2:]).reshape((-1,) + t.shape[-2:]) for t in (self, other)]
    return bmm(x, y).view(lead + (self.shape[-2], other.shape[-1]))


publish(matmul, "matmul __matmul__")
