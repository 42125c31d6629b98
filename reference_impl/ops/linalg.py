"""Products of vectors and matrices."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl.core.declare import check_broadcast, wrap_and_record
from reference_impl.core.modes import mode
from reference_impl.core.operations import reductions as core
from reference_impl.core.operations.shapes import unsafe_view
from reference_impl.core.record import needs_grad, record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.inplace_views import squeeze_
from reference_impl.ops.promotion import check_same_device, refuse_dtype
from reference_impl.ops.registry import add_methods, op
from reference_impl.ops.views import squeeze, t, transpose, unsqueeze


def c_name(array: Any) -> str:
    """Return the C++ name of the dtype, which some of torch's messages have: "long int" for int64."""
    return _dtype.from_numpy(array.dtype).c_name


def product(x: Any, y: Any, kernel: str = "addmm_impl_cpu_") -> Any:
    """Return the matrix product of two arrays. float16 is multiplied and summed in float32.

    Args:
        kernel: torch's name of the kernel in the error for booleans.

    Raises:
        RuntimeError: the operands are on different devices.
        NotImplementedError: the operands are boolean, unless one is an empty matrix.
    """
    kind = x.dtype
    if x.__class__ is not y.__class__:
        check_same_device(x, y)
    if kind.char == "e":
        return np.matmul(x.astype(np.float32), y.astype(np.float32)).astype(kind)
    if kind.kind == "b" and (x.ndim == 1 or (x.size and y.size)):
        refuse_dtype(kernel, kind)
    return np.matmul(x, y)


def saved_factors(a: Tensor, b: Tensor) -> tuple[Any, ...]:
    """Return the factors that the node of a product saves.

    The gradient of `a` uses `b`, and vice versa. So a factor is None if the other factor needs no gradient; the tuple is empty if none
    does.
    """
    if not needs_grad(a, b):
        return ()
    return (a if b.requires_grad else None, b if a.requires_grad else None)


def _check_vectors(input: Tensor, tensor: Tensor) -> None:
    """Raise RuntimeError unless the arguments are two vectors of one dtype and length."""
    x, y = input._array, tensor._array
    if x.ndim != 1 or y.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {x.ndim}D and {y.ndim}D tensors")
    if x.dtype != y.dtype:
        raise RuntimeError(
            f"dot : expected both vectors to have same dtype, but found {_title(input)} and {_title(tensor)}"
        )
    if x.shape != y.shape:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{x.size}] and src [{y.size}] to have the same number of elements, "
            f"but got {x.size} and {y.size} elements respectively"
        )


@op("function", "method", "out_exact")
def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """Return the dot product of two vectors of the same length: (n) and (n) -> ().

    Raises:
        RuntimeError: an operand is not a vector, or lengths or dtypes differ.
        NotImplementedError: the operands are boolean.
    """
    _check_vectors(input, tensor)
    x, y = input._array, tensor._array
    return wrap_and_record(core.dot.node, product(x, y, "dot"), (input, tensor), False)


class VdotBackward0(core.dot.node):  # type: ignore[name-defined]
    """As DotBackward0, for `vdot`."""


@op("function", "method", "out_exact")
def vdot(input: Tensor, other: Tensor) -> Tensor:
    """Return the dot product of two vectors, as `dot` does. (torch also conjugates a complex `input`; the engine has no complex dtypes.)"""
    _check_vectors(input, other)
    product_ = product(input._array, other._array, "dot")
    return wrap_and_record(VdotBackward0, product_, (input, other), False)


def _title(tensor: Tensor) -> str:
    return tensor.dtype.tensor_type


@op("function", "method", "out_exact")
def mv(input: Tensor, vec: Tensor) -> Tensor:
    """Multiply a matrix by a vector: (n, k) and (k) -> (n).

    Raises:
        RuntimeError: the operands are not a matrix and a vector, or sizes or dtypes differ.
        NotImplementedError: the operands are boolean.
    """
    x, y = input._array, vec._array
    if x.ndim != 2 or y.ndim != 1:
        input.size(0)  # raises torch's error for a tensor without dimensions
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {x.ndim}, {y.ndim}")
    if x.shape[1] != y.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({x.shape[0]}), mat ({x.shape[0]}x{x.shape[1]}), vec ({y.shape[0]})"
        )
    if x.dtype != y.dtype:
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {_title(vec)}, {_title(input)}, and {_title(vec)}"
        )
    return wrap_and_record(core.mv.node, product(x, y, "addmv_impl_cpu"), (input, vec), False)


@op("function", "method", "out", aliases=("ger",))
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """Return the outer product of two vectors, input[i] · vec2[j]: (n) and (m) -> (n, m).

    Raises:
        RuntimeError: an operand is not a vector.
    """
    for number, v in enumerate((input, vec2), 1):
        if v._array.ndim != 1:
            raise RuntimeError(
                f"outer: Expected 1-D argument {'self' if number == 1 else 'vec2'}, but got {v._array.ndim}-D"
            )
    return input.reshape(input._array.size, 1) * vec2


def is_transposed(y: Any) -> bool:
    """Return whether the matrix `y` is stored column by column, but not row by row, like the transposed weight of a linear layer."""
    return bool(y.flags.f_contiguous and not y.flags.c_contiguous)


def mm_mat1_grad(g: Tensor, mat2: Tensor) -> Tensor:
    """Return g · mat2ᵀ, the gradient of mat1 in mat1 · mat2. While autograd records nothing, compute on arrays."""
    if not mode.enabled:
        return Tensor._wrap(product(g._array, mat2._array.T))
    return mm(g, t(mat2))


def mm_mat2_grad(mat1: Tensor, g: Tensor, transposed: bool) -> Tensor:
    """Return mat1ᵀ · g, the gradient of mat2 in mat1 · mat2. While autograd records nothing, compute on arrays.

    Args:
        transposed: whether mat2 is stored column by column. If it is, the gradient is stored in the same way, so the gradient of a linear
            layer's weight has the memory order of the weight.
    """
    if not mode.enabled:
        x, y = mat1._array, g._array
        return Tensor._wrap(product(y.T, x).T if transposed else product(x.T, y))
    return t(mm(t(g), mat1)) if transposed else mm(t(mat1), g)


def check_matrices(x: Any, y: Any, first: str = "self", second: str = "mat2") -> None:
    """Raise RuntimeError unless `x` and `y` are matrices that can be multiplied.

    Args:
        first, second: names of `x` and `y` in the error.
    """
    if x.ndim == 2 and y.ndim == 2 and x.shape[1] == y.shape[0]:
        return
    for name, a in ((first, x), (second, y)):
        if a.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix" + (f", got {a.ndim}-D tensor" if first == "mat1" else ""))
    raise RuntimeError(
        f"mat1 and mat2 shapes cannot be multiplied ({x.shape[0]}x{x.shape[1]} and {y.shape[0]}x{y.shape[1]})"
    )


@op("function", "method", "out_exact")
def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """Multiply two matrices: (n, k) and (k, m) -> (n, m).

    Raises:
        RuntimeError: an operand is not a matrix, or inner sizes or dtypes differ.
        NotImplementedError: the operands are boolean.
    """
    x, y = input._array, mat2._array
    check_matrices(x, y)
    if x.dtype != y.dtype:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {c_name(x)} != {c_name(y)}")
    return wrap_and_record(core.mm.node, product(x, y), (input, mat2), False)


def check_batches(x: Any, y: Any) -> None:
    """Raise RuntimeError unless the arguments are batches of matrices that can be multiplied."""
    for name, a in (("batch1", x), ("batch2", y)):
        if a.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    expected = [x.shape[0], x.shape[2]]
    if list(y.shape[:2]) != expected:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: {expected} but got: {list(y.shape[:2])}."
        )


@op("function", "method", "out_exact")
def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """Multiply the matrices of two batches in pairs: (b, n, k) and (b, k, m) -> (b, n, m).

    Raises:
        RuntimeError: an operand does not have three dimensions, or sizes or dtypes differ.
        NotImplementedError: the operands are boolean.
    """
    x, y = input._array, mat2._array
    check_batches(x, y)
    if x.dtype != y.dtype:
        if x.dtype.kind == "b":
            refuse_dtype("bmm", x.dtype)
        raise RuntimeError(f"expected scalar type {_title(input)} but found {_title(mat2)}")
    return wrap_and_record(core.bmm.node, product(x, y, "bmm"), (input, mat2), False)


# -- matmul


@op("function", "method", "out_exact")
def matmul(input: Tensor, other: Tensor) -> Tensor:
    """Multiply two tensors: vectors, matrices, or batches of matrices, whose batch dimensions are broadcast.

    A vector counts as a row on the left and as a column on the right. The result does not have this dimension of size 1.

    As in torch's `_matmul_impl`, if only one operand has batch dimensions, they may be merged with its rows to form a single matrix.

    Raises:
        RuntimeError: an operand has no dimensions, sizes don't fit, or dtypes differ.
        NotImplementedError: the operands are boolean.
    """
    n, m = input._array.ndim, other._array.ndim
    if n == 2 and m == 2:
        return mm(input, other)
    if n == 0 or m == 0:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {n}D and {m}D")
    if m == 1 and n <= 2:
        return dot(input, other) if n == 1 else mv(input, other)
    if n == 1 and m == 2:
        return squeeze_(mm(unsqueeze(input, 0), other), 0)
    if _can_fold(input, other):
        return _folded_matmul(input, other)
    return _batched_matmul(input, other)


def _can_fold(a: Tensor, b: Tensor) -> bool:
    """Return whether to merge the batch dimensions of the larger operand with its rows: torch's `should_fold`.

    The smaller operand must be a matrix or a vector, the larger one must have three or more dimensions. The dimensions are merged if the
    smaller operand requires grad. Otherwise they are merged if this needs no copy, but not if `a` is a matrix.
    """
    larger, smaller = (a, b) if a._array.ndim >= b._array.ndim else (b, a)
    if larger._array.ndim < 3 or smaller._array.ndim > 2:
        return False
    if smaller.requires_grad:
        return True
    if a._array.ndim == 2:
        return False
    if not larger._array.size:
        return True
    x = larger._array if larger is a else np.swapaxes(larger._array, -2, -1)
    return all(x.strides[d] == x.strides[d + 1] * x.shape[d + 1] for d in range(x.ndim - 2))


def _unsafe_view(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Reshape a temporary result. It is not recorded as a view, because no other code has a reference to it."""
    return record(unsafe_view.node, np.reshape(x._array, shape), (x,), self_sym_sizes=x._array.shape)


def _folded_matmul(a: Tensor, b: Tensor) -> Tensor:
    """Multiply an operand with batch dimensions by a matrix or a vector, by a single `mm` or `mv`.

    The batch dimensions are merged with the rows: (..., n, k) -> (... · n, k). If `b` has the batch dimensions, the product is computed
    as the transpose of bᵀ · aᵀ.
    """
    transposed = b._array.ndim > a._array.ndim
    big = transpose(b, -2, -1) if transposed else a
    small = b if not transposed else t(a) if a._array.ndim == 2 else a
    *lead, k = big._array.shape
    folded = big.reshape(prod(lead), k)
    if small._array.ndim == 1:
        return _unsafe_view(mv(folded, small), tuple(lead))
    out = _unsafe_view(mm(folded, small), (*lead, small._array.shape[1]))
    return transpose(out, -2, -1).contiguous() if transposed else out


def _batched_matmul(a: Tensor, b: Tensor) -> Tensor:
    """Multiply two batches of matrices, or a batch and a vector, by a single `bmm`. Batch dimensions are broadcast."""
    x, y = a._array, b._array
    if x.ndim == 3 and y.ndim == 3 and x.shape[0] != y.shape[0]:
        if x.shape[0] == 1 and a.requires_grad:
            return matmul(squeeze(a, 0), b)
        if y.shape[0] == 1 and b.requires_grad:
            return matmul(a, squeeze(b, 0))
    n, k1 = (x.shape[-2] if x.ndim > 1 else 1), x.shape[-1]
    k2, m = (y.shape[-2], y.shape[-1]) if y.ndim > 1 else (y.shape[-1], 1)
    check_broadcast(x.shape[:-2], y.shape[:-2])
    batch = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    count = prod(batch)
    left = a.expand(*batch, n, k1).reshape(count, n, k1)
    if y.ndim == 1:
        right = unsqueeze(b.expand(*batch, k2).reshape(count, k2), 2)
        return _unsafe_view(squeeze(bmm(left, right), -1), (*batch, n))
    right = b.expand(*batch, k2, m).reshape(count, k2, m)
    shape = (*batch, *((n,) if x.ndim > 1 else ()), m)
    return _unsafe_view(bmm(left, right), shape)


def _operator(self: Tensor, other: Any) -> Any:
    return matmul(self, other) if isinstance(other, Tensor) else NotImplemented


def _reflected_operator(self: Tensor, other: Any) -> Any:
    return matmul(other, self) if isinstance(other, Tensor) else NotImplemented


add_methods(__matmul__=_operator, __rmatmul__=_reflected_operator)
