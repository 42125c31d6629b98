"""Operations on three operands: addcmul, addcdiv, lerp."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl.core.declare import check_broadcast, operation
from reference_impl.core.operations.arithmetic import mul_number
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import align_operands
from reference_impl.ops.multiply_add import multiply_add
from reference_impl.ops.promotion import on_one_device, promote, refuse_dtype
from reference_impl.ops.registry import op


def _three(*arrays: Any) -> tuple[Any, ...]:
    for a, b in ((0, 1), (0, 2), (1, 2)):
        check_broadcast(arrays[a].shape, arrays[b].shape)
    return on_one_device(*promote(*align_operands(*arrays)))


@op("function", "method", "inplace", "out")
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """Return `input + value * tensor1 * tensor2`, with broadcasting and type promotion.

    Raises:
        NotImplementedError: all operands are boolean.
    """
    return _addcmul(input, tensor1, tensor2, value)


@operation("AddcmulBackward0", self=lambda g: g, tensor1=lambda g, tensor2, value: g * (tensor2 * value),
           tensor2=lambda g, tensor1, value: g * (tensor1 * value))  # fmt: skip
def _addcmul(self: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    x, a, b = _three(self, tensor1, tensor2)
    if x.dtype.kind == "b":
        refuse_dtype("addcmul_cpu_out", x.dtype)
    return multiply_add(x, a if value == 1 else x.dtype.type(value) * a, b, x.dtype)


@op("function", "method", "inplace", "out")
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """Return `input + value * tensor1 / tensor2`, with broadcasting and type promotion.

    Raises:
        RuntimeError: neither `tensor1` nor `tensor2` is floating point.
    """
    if tensor1._array.dtype.kind != "f" and tensor2._array.dtype.kind != "f":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true "
            "division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as "
            "(input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as "
            "(input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter "
            "implementation: (input + value * tensor1 / tensor2), for all dtypes."
        )
    return _addcdiv(input, tensor1, tensor2, value)


@operation("AddcdivBackward0", self=lambda g, tensor2: g, tensor1=lambda g, tensor2, value: g * (value / tensor2),
           tensor2=lambda g, tensor1, tensor2, value: -g * (value * tensor1 / (tensor2 * tensor2)))  # fmt: skip
def _addcdiv(self: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    """Compute self + value · tensor1 / tensor2.

    The formula of the gradient of `self` has an unused parameter tensor2. So, as in torch, the backward pass checks whether tensor2 was
    changed in place, even if only the gradient of `self` is needed.
    """
    x, a, b = _three(self, tensor1, tensor2)
    return x + x.dtype.type(value) * a / b


@op("function", "method", "inplace", "out")
def lerp(input: Tensor, end: Tensor, weight: Any) -> Tensor:
    """Return `input + weight * (end - input)`.

    If |weight| >= 1/2, the result is computed as `end - (1 - weight) * (end - input)`, so that the result for weight 1 is exactly `end`.

    Args:
        weight: a number, or a tensor. `input`, `end` and a tensor `weight` are broadcast.

    Raises:
        RuntimeError: the dtypes differ, or the shapes don't broadcast.
        NotImplementedError: the operands are not floating point.
    """
    if input._array.dtype != end._array.dtype:
        raise RuntimeError(f"expected dtype {input.dtype.c_name} for `end` but got dtype {end.dtype.c_name}")
    by_tensor = isinstance(weight, Tensor)
    if not by_tensor and not isinstance(weight, (int, float, np.generic)):
        raise TypeError(f"`weight` must be a tensor or a number, got {type(weight).__name__}")
    if by_tensor and weight._array.ndim and weight._array.dtype != input._array.dtype:
        raise RuntimeError(f"expected dtype {input.dtype.c_name} for `weight` but got dtype {weight.dtype.c_name}")
    check_broadcast(input._array.shape, end._array.shape)
    if by_tensor:
        check_broadcast(np.broadcast_shapes(input._array.shape, end._array.shape), weight._array.shape)
    if input._array.dtype.kind != "f":
        refuse_dtype(f"lerp_kernel_{'tensor' if by_tensor else 'scalar'}", input._array.dtype)
    return (_lerp_by_tensor if by_tensor else _lerp_by_number)(input, end, weight)


@operation(
    "LerpBackward0", self=lambda g, weight: mul_number(g, 1 - weight), end=lambda g, weight: mul_number(g, weight)
)
def _lerp_by_number(self: Any, end: Any, weight: float) -> Any:
    x, y = on_one_device(*align_operands(self, end))
    return _between(x, y, weight)


@operation("LerpBackward1", self=lambda g, weight: g * (1 - weight), end=lambda g, weight: g * weight,
           weight=lambda g, self, end: g * (end - self))  # fmt: skip
def _lerp_by_tensor(self: Any, end: Any, weight: Any) -> Any:
    return _between(*on_one_device(*align_operands(self, end, weight.astype(self.dtype, copy=False))))


def _between(x: Any, end: Any, weight: Any) -> Any:
    difference, dtype = end - x, x.dtype
    if not hasattr(weight, "dtype"):
        weight = dtype.type(weight)
        if abs(weight) < 0.5:
            return multiply_add(x, difference, weight, dtype)
        return multiply_add(end, difference, weight - 1, dtype)
    from_start = multiply_add(x, difference, weight, dtype)
    return np.where(np.abs(weight) < 0.5, from_start, multiply_add(end, difference, weight - 1, dtype))
