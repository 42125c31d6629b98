"""Products of vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import needs_grad, record
from reference_impl.ops.registry import op
from reference_impl.ops.views import t


def _check_same_dtype(a: Tensor, b: Tensor) -> None:
    if a._array.dtype != b._array.dtype:
        names = {"float32": "float", "float64": "double", "int64": "long", "float16": "c10::Half", "int32": "int"}
        x, y = (names.get(v._array.dtype.name, v._array.dtype.name) for v in (a, b))
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {x} != {y}")


class DotBackward0(Node):
    """out = Σ self · tensor:  ∂self = g · tensor,  ∂tensor = g · self."""

    saved_names = ("self", "tensor")

    def grad_self(self, g: Tensor) -> Tensor:
        return g * self._saved_tensor

    def grad_tensor(self, g: Tensor) -> Tensor:
        return g * self._saved_self


@op("function", "method", "out")
def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """Product of two vectors of the same length, a number."""
    x, y = input._array, tensor._array
    if x.ndim != 1 or y.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {x.ndim}D and {y.ndim}D tensors")
    if x.shape != y.shape:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{x.size}] and src [{y.size}] to have the same number of elements, "
            f"but got {x.size} and {y.size} elements respectively"
        )
    if x.dtype != y.dtype:
        raise RuntimeError(
            f"dot : expected both vectors to have same dtype, but found {input.dtype.tensor_type} and {tensor.dtype.tensor_type}"
        )
    saved = (input if tensor.requires_grad else None, tensor if input.requires_grad else None)
    return record(DotBackward0, np.dot(x, y), (input, tensor), saved)


class MmBackward0(Node):
    """out = self · mat2, (n, k) x (k, m) -> (n, m):  ∂self = g · mat2ᵀ,  ∂mat2 = selfᵀ · g."""

    saved_names = ("self", "mat2")

    def grad_self(self, g: Tensor) -> Tensor:
        return mm(g, t(self._saved_mat2))

    def grad_mat2(self, g: Tensor) -> Tensor:
        return mm(t(self._saved_self), g)


@op("function", "method", "out")
def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """Product of two matrices, (n, k) and (k, m).

    Raises:
        RuntimeError: not matrices, or their inner sizes or dtypes differ.
    """
    x, y = input._array, mat2._array
    if x.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if y.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    if x.shape[1] != y.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({x.shape[0]}x{x.shape[1]} and {y.shape[0]}x{y.shape[1]})"
        )
    _check_same_dtype(input, mat2)
    saved = (input if mat2.requires_grad else None, mat2 if input.requires_grad else None)
    return record(MmBackward0, np.matmul(x, y), (input, mat2), saved if needs_grad(input, mat2) else ())


@op("function", "method", "out")
def matmul(input: Tensor, other: Tensor) -> Tensor:
    """Product by the number of dimensions: dot for two vectors, mm for two matrices, batched beyond that."""
    if input._array.ndim == 1 and other._array.ndim == 1:
        return dot(input, other)
    if input._array.ndim == 2 and other._array.ndim == 2:
        return mm(input, other)
    raise NotImplementedError("matmul of batches")


def _operator(self: Tensor, other: Any) -> Any:
    return matmul(self, other) if isinstance(other, Tensor) else NotImplemented


Tensor.__matmul__ = _operator  # type: ignore[attr-defined]
