"""Matrix products that are added to a tensor, as single operations: addmm, addmv, baddbmm. The names are from BLAS."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from reference_impl.core.declare import operation
from reference_impl.core.inplace import apply_inplace
from reference_impl.core.node import Node
from reference_impl.core.record import needs_grad, record
from reference_impl.core.tensor import Tensor
from reference_impl.core.views import check_inplace
from reference_impl.numerics.openblas import multiply_by_transpose
from reference_impl.ops.linalg import (
    bmm,
    c_name,
    check_batches,
    check_matrices,
    is_transposed,
    mm_mat1_grad,
    mm_mat2_grad,
    mv,
    outer,
    product,
    saved_factors,
)
from reference_impl.ops.registry import op
from reference_impl.ops.views import t, transpose
from reference_impl.ops.with_number import scale


class AddmmBackward0(Node):
    """out = beta self + alpha mat1 · mat2:  ∂self = beta g,  ∂mat1 = alpha g · mat2ᵀ,  ∂mat2 = alpha mat1ᵀ · g."""

    saved_names = ("mat1", "mat2")
    beta: Any
    alpha: Any
    _transposed: bool

    def grad_self(self, g: Tensor) -> Tensor:
        """Return beta · g in the shape of the result."""
        return scale(g, self.beta)

    def grad_mat1(self, g: Tensor) -> Tensor:
        """Return alpha · g · mat2ᵀ."""
        return scale(mm_mat1_grad(g, self._saved_mat2), self.alpha)

    def grad_mat2(self, g: Tensor) -> Tensor:
        """Return alpha · mat1ᵀ · g."""
        return scale(mm_mat2_grad(self._saved_mat1, g, self._transposed), self.alpha)


def _sum_of(x: Any, beta: Any, products: Any, alpha: Any) -> Any:
    """Return beta · x + alpha · products. The array `products` may be overwritten. If beta is 0, `x` is ignored, even where it is nan."""
    if alpha != 1:
        products = np.multiply(products, products.dtype.type(alpha))
    if beta == 0:
        return products
    return np.add(x if beta == 1 else np.multiply(x, x.dtype.type(beta)), products, out=products)


def _check_expandable(x: Any, shape: tuple[int, ...]) -> None:
    """Raise RuntimeError if `x` cannot be expanded to `shape`."""
    if x.shape != shape and x.shape != shape[-1:]:  # a bias, the second case, always fits
        Tensor._wrap(x).expand(shape)


@op("function", "method", "out_exact")
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """Return `beta * input + alpha * (mat1 @ mat2)`. `input` is broadcast to the shape of the product.

    If `beta` is 0, the values of `input` are ignored, even inf and nan.

    Raises:
        RuntimeError: `mat1` and `mat2` cannot be multiplied, dtypes differ, or `input` does not broadcast.
        NotImplementedError: the operands are boolean.
    """
    b, x, y = input._array, mat1._array, mat2._array
    if b.dtype != y.dtype or x.dtype != y.dtype:
        _refuse_dtypes(input, mat1, mat2)
    check_matrices(x, y, "mat1", "mat2")
    _check_expandable(b, (x.shape[0], y.shape[1]))
    transposed = is_transposed(y)
    if beta == 1 and alpha == 1 and transposed and 2 * x.shape[0] <= y.shape[1]:
        out = np.empty_like(x, shape=(x.shape[0], y.shape[1]))
        if multiply_by_transpose(x, y.T, out):
            out += b
        else:  # OpenBLAS is faster if the first factor has more rows, so the transpose of the product is computed.
            np.add(b, product(y.T, x.T).T, out=out)
    else:
        out = _sum_of(b, beta, product(x, y), alpha)
    saved = saved_factors(mat1, mat2)
    return record(AddmmBackward0, out, (input, mat1, mat2), saved, beta=beta, alpha=alpha, _transposed=transposed)


def _refuse_dtypes(input: Tensor, mat1: Tensor, mat2: Tensor) -> NoReturn:
    name, other = ("self", input) if input.dtype != mat2.dtype else ("mat1", mat1)
    raise RuntimeError(
        f"{name} and mat2 must have the same dtype, but got {other.dtype.tensor_type} and {mat2.dtype.tensor_type}"
    )


@operation("AddmvBackward0", self=lambda g, beta: scale(g, beta), mat=lambda g, vec, alpha: scale(outer(g, vec), alpha),
           vec=lambda g, mat, alpha: scale(mv(t(mat), g), alpha))  # fmt: skip
def _addmv(self: Any, mat: Any, vec: Any, beta: Any, alpha: Any) -> Any:
    return _sum_of(self, beta, product(mat, vec, "addmv_impl_cpu"), alpha)


@op("function", "method", "out_exact")
def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """Return `beta * input + alpha * (mat @ vec)`, for (n, k) and (k) -> (n). `input` is broadcast to (n).

    If `beta` is 0, the values of `input` are ignored, even inf and nan.

    Raises:
        RuntimeError: `mat` is not a matrix or `vec` not a vector, sizes or dtypes differ, or `input` does not broadcast.
        NotImplementedError: the operands are boolean.
    """
    b, x, y = input._array, mat._array, vec._array
    if x.ndim != 2 or y.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {b.ndim}, {x.ndim}, {y.ndim}")
    if x.shape[1] != y.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({b.shape[0] if b.ndim else 1}), mat ({x.shape[0]}x{x.shape[1]}), vec ({y.shape[0]})"
        )
    _check_expandable(b, (x.shape[0],))
    if not b.dtype == x.dtype == y.dtype:
        names = [tensor.dtype.tensor_type for tensor in (input, mat, vec)]
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {names[0]}, {names[1]}, and {names[2]}"
        )
    return _addmv(input, mat, vec, beta, alpha)


@operation("BaddbmmBackward0", self=lambda g, beta: scale(g, beta),
           batch1=lambda g, batch2, alpha: scale(bmm(g, transpose(batch2, 1, 2)), alpha),
           batch2=lambda g, batch1, alpha: scale(bmm(transpose(batch1, 1, 2), g), alpha))  # fmt: skip
def _baddbmm(self: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Any:
    return _sum_of(self, beta, product(batch1, batch2, "baddbmm"), alpha)


@op("function", "method", "out_exact")
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """Return `beta * input + alpha * (batch1 @ batch2)`, for (b, n, k) and (b, k, m) -> (b, n, m). `input` is broadcast to (b, n, m).

    If `beta` is 0, the values of `input` are ignored, even inf and nan.

    Raises:
        RuntimeError: `batch1` or `batch2` does not have three dimensions, sizes or dtypes differ, or `input` does not broadcast.
        NotImplementedError: the operands are boolean.
    """
    b, x, y = input._array, batch1._array, batch2._array
    _check_expandable(b, (batch1.size(0), batch1.size(1), batch2.size(2)))
    check_batches(x, y)
    if b.dtype != x.dtype:
        raise RuntimeError(
            f"Input dtypes must be the same, got: input {c_name(b)}, batch1: {c_name(x)}, batch2: {c_name(y)}"
        )
    if x.dtype != y.dtype:
        raise RuntimeError(f"expected scalar type {batch1.dtype.tensor_type} but found {batch2.dtype.tensor_type}")
    return _baddbmm(input, batch1, batch2, beta, alpha)


def _inplace(function: Any, ndims: tuple[int, int], shape_of_result: Any, message: Any) -> None:
    """Define and register the in-place form of `function`, such as `addmm_`, which does not broadcast `input`.

    Args:
        ndims: numbers of dimensions of the two factors.
        shape_of_result: function from the shapes of the two factors to the shape of their product.
        message: function from the actual and the expected sizes of `input` to the text of the RuntimeError for a wrong size.
    """

    def method(self: Tensor, a: Tensor, b: Tensor, **factors: Any) -> Tensor:
        check_inplace(self, needs_grad(self, a, b))
        if not self._array.dtype == a._array.dtype == b._array.dtype or (a._array.ndim, b._array.ndim) != ndims:
            function(self, a, b, **factors)  # raises torch's error for most operands that don't fit
        expected = shape_of_result(a._array.shape, b._array.shape)
        if self._array.shape != expected:
            raise RuntimeError(message(list(self._array.shape), list(expected)))
        return apply_inplace(function, self, a, b, **factors)

    method.__name__ = method.__qualname__ = function.__name__ + "_"
    method.__doc__ = f"Apply `{function.__name__}` in place. `input` must have the shape of the product."
    op("function", "method")(method)


def _sizes_should_match(actual: list[int], expected: list[int]) -> str:
    return f"Bad in-place call: input tensor size {actual} and output tensor size {expected} should match"


_inplace(addmm, (2, 2), lambda a, b: (a[0], b[1]), _sizes_should_match)
_inplace(addmv, (2, 1), lambda a, b: (a[0],), _sizes_should_match)
_inplace(baddbmm, (3, 3), lambda a, b: (a[0], a[1], b[2]), _sizes_should_match)
