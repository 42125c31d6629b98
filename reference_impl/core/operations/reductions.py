"""Sums, means, and products of matrices. Each element of the result depends on many elements of the inputs."""

import numpy as np

from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import operation, publish
from reference_impl.core.operations.arithmetic import div_number

NOT_FLOATING = (
    "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}"
)
SHAPE_MISMATCH = "mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})"


def dims_of(dim, ndim: int) -> tuple[int, ...]:
    """Return `dim`, a dimension or a sequence of them, as dimensions counted from the front. An empty sequence stands for all."""
    dims = dim if isinstance(dim, (tuple, list)) else (dim,)
    return tuple(checked_dim(d, ndim) for d in dims) if ndim and dims else tuple(range(ndim))


def restore_dims(g, shape, dim, keepdim: bool):
    """Return `g`, the gradient of a reduction's result, expanded to `shape`, that of the input: (4, 3) from (4,) if `dim` is 1."""
    for d in () if keepdim else sorted(dims_of(dim, len(shape))):
        g = g.unsqueeze(d)
    return g.expand(shape)


def count(shape, dim) -> int:
    """Return the number of elements along `dim`, a dimension or a sequence of them: 6 for shape (2, 5, 3) and dim (0, 2)."""
    return int(np.prod([shape[d] for d in dims_of(dim, len(shape))], dtype=int))


@operation("SumBackward0", self=lambda g, self_sym_sizes: g.expand(self_sym_sizes))
def sum_all(self):
    """Return the sum of all elements as a 0-d array."""
    return np.sum(self)


@operation("SumBackward1", self=lambda g, self_sym_sizes, dim, keepdim: restore_dims(g, self_sym_sizes, dim, keepdim))
def sum_dim(self, dim, keepdim):
    """Return the sums over `dim`, a dimension or a sequence of them. With `keepdim`, they stay as dimensions of size 1."""
    return np.sum(self, axis=dims_of(dim, self.ndim), keepdims=keepdim)


def sum(self, dim=None, keepdim=False, dtype=None):
    """Return the sum over `dim`, or over all dimensions if it is None, in `dtype`; by default, signed integers and booleans in int64."""
    self = self if dtype is None else self.to(dtype)
    return sum_all(self) if dim is None and not keepdim else sum_dim(self, () if dim is None else dim, keepdim)


@operation("MeanBackward0", self=lambda g, self_sym_sizes, self_sym_numel:
           div_number(g.expand(self_sym_sizes), self_sym_numel))  # fmt: skip
def mean_all(self):
    """The mean of all elements: each element receives g / n."""
    return np.mean(self)


@operation("MeanBackward1", self=lambda g, self_sym_sizes, dim, keepdim:
           div_number(restore_dims(g, self_sym_sizes, dim, keepdim), count(self_sym_sizes, dim)))  # fmt: skip
def mean_dim(self, dim, keepdim):
    """The means over `dim`: each element receives the g of its mean, divided by the number of averaged elements."""
    return np.mean(self, axis=dims_of(dim, self.ndim), keepdims=keepdim)


def mean(self, dim=None, keepdim=False):
    """Return the mean over `dim`, or over all dimensions if it is None. With `keepdim`, they stay as dimensions of size 1.

    Raises:
        RuntimeError: the tensor is not floating-point.
    """
    if not self.is_floating_point():
        raise RuntimeError(NOT_FLOATING.format(self.dtype.tensor_type))
    return mean_all(self) if dim is None and not keepdim else mean_dim(self, () if dim is None else dim, keepdim)


def sum_to_size(self, size):
    """Sum over the dimensions that are missing or of size 1 in `size`, the reverse of broadcasting: (4, 3) -> (3,) or (4, 1).

    Return `self` if it has the shape `size` already.
    """
    shape, size = self._array.shape, tuple(size)
    if shape == size:
        return self
    lead = len(shape) - len(size)
    dims = tuple(d for d, n in enumerate(shape) if d < lead or n != 1 and size[d - lead] == 1)
    return sum_dim(self, dims, True).view(size) if lead else sum_dim(self, dims, True)


publish(sum, "sum")
publish(mean, "mean")
publish(sum_to_size, "sum_to_size")


def mm_mat1_grad(g, mat2):
    """`g · mat2ᵀ`"""
    return g.mm(mat2.t())


def mm_mat2_grad(mat1, g, column_major):
    """`mat1ᵀ · g`

    If mat2 is stored column by column, as the transposed weight of a layer is, its gradient is stored in the same way.
    """
    return g.t().mm(mat1).t() if column_major else mat1.t().mm(g)


def is_column_major(sizes, strides):
    """Return whether a matrix of these sizes and strides is stored column by column, and not also row by row."""
    rows, columns = sizes
    return rows > 1 and columns > 1 and strides == (1, rows)


@operation("MmBackward0", "mm", self=lambda g, mat2: mm_mat1_grad(g, mat2),
           mat2=lambda g, self, mat2_sym_sizes, mat2_sym_strides:
           mm_mat2_grad(self, g, is_column_major(mat2_sym_sizes, mat2_sym_strides)))  # fmt: skip
def mm(self, mat2):
    """Multiply two matrices: (n, k), (k, m) -> (n, m). Raise RuntimeError if the two sizes k differ."""
    if self.shape[1] != mat2.shape[0]:
        raise RuntimeError(SHAPE_MISMATCH.format(*self.shape, *mat2.shape))
    return np.matmul(self, mat2)


@operation("MvBackward0", "mv", self=lambda g, vec: g.unsqueeze(1) * vec, vec=lambda g, self: self.t().mv(g))
def mv(self, vec):
    """Multiply a matrix by a vector: (n, m), (m,) -> (n,)."""
    return np.matmul(self, vec)


@operation("DotBackward0", "dot", self=lambda g, tensor: g * tensor, tensor=lambda g, self: g * self)
def dot(self, tensor):
    """Multiply two vectors: (n,), (n,) -> a 0-d tensor."""
    return np.dot(self, tensor)


@operation("BmmBackward0", "bmm", self=lambda g, mat2: g.bmm(mat2.transpose(1, 2)),
           mat2=lambda g, self: self.transpose(1, 2).bmm(g))  # fmt: skip
def bmm(self, mat2):
    """Multiply batches of matrices, matrix i of `self` by matrix i of `mat2`: (b, n, m), (b, m, p) -> (b, n, p)."""
    return np.matmul(self, mat2)


def matmul(self, other):
    """Multiply vectors, matrices, or batches of matrices, (*, n, k) and (*, k, m) -> (*, n, m), whose batch dimensions broadcast."""
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
