"""Three operands in one operation: addcmul, addcdiv, lerp."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._memory_order import aligned
from reference_impl.core.declare import check_broadcast
from reference_impl.core.node import Node
from reference_impl.core.record import needs_grad, record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.multiply_add import multiply_add
from reference_impl.ops.promotion import on_one_device, promoted, refuse_dtype
from reference_impl.ops.registry import op
from reference_impl.ops.with_number import mul_number


def _three(*tensors: Tensor) -> tuple[Any, ...]:
    arrays = [t._array for t in tensors]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        check_broadcast(arrays[a].shape, arrays[b].shape)
    return on_one_device(*promoted(*aligned(*arrays)))


class AddcmulBackward0(Node):
    """out = self + value · tensor1 · tensor2:  ∂self = g,  ∂tensor1 = g · value tensor2,  ∂tensor2 = g · value tensor1."""

    saved_names = ("tensor1", "tensor2")
    value: Any

    def grad_self(self, g: Tensor) -> Tensor:
        return g

    def grad_tensor1(self, g: Tensor) -> Tensor:
        return g * (self._saved_tensor2 * self.value)

    def grad_tensor2(self, g: Tensor) -> Tensor:
        return g * (self._saved_tensor1 * self.value)


@op("function", "method", "inplace", "out")
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """`input + value * tensor1 * tensor2`."""
    x, a, b = _three(input, tensor1, tensor2)
    if x.dtype.kind == "b":
        refuse_dtype("addcmul_cpu_out", x.dtype)
    total = multiply_add(x, a if value == 1 else x.dtype.type(value) * a, b, x.dtype)
    saved = (tensor1 if tensor2.requires_grad else None, tensor2 if tensor1.requires_grad else None)
    return record(AddcmulBackward0, total, (input, tensor1, tensor2), saved, value=value)


class AddcdivBackward0(Node):
    """out = self + value · tensor1 / tensor2.

    ∂self = g,  ∂tensor1 = g · value / tensor2,  ∂tensor2 = -g · value tensor1 / tensor2².
    """

    saved_names = ("tensor1", "tensor2")
    value: Any

    def grad_self(self, g: Tensor) -> Tensor:
        self.unpack(1)  # as torch, which looks at what several formulas share before any of them
        return g

    def grad_tensor1(self, g: Tensor) -> Tensor:
        return g * (self.value / self._saved_tensor2)

    def grad_tensor2(self, g: Tensor) -> Tensor:
        tensor2 = self._saved_tensor2
        return -g * (self.value * self._saved_tensor1 / (tensor2 * tensor2))


@op("function", "method", "inplace", "out")
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    """`input + value * tensor1 / tensor2`.

    Raises:
        RuntimeError: `tensor1` and `tensor2` are whole numbers.
    """
    if tensor1._array.dtype.kind != "f" and tensor2._array.dtype.kind != "f":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true "
            "division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as "
            "(input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as "
            "(input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter "
            "implementation: (input + value * tensor1 / tensor2), for all dtypes."
        )
    x, a, b = _three(input, tensor1, tensor2)
    saved = (tensor1 if tensor2.requires_grad else None, tensor2)
    return record(AddcdivBackward0, x + x.dtype.type(value) * a / b, (input, tensor1, tensor2), saved, value=value)


class LerpBackward0(Node):
    """out = self + weight (end - self), weight a number:  ∂self = g (1 - weight),  ∂end = g weight."""

    weight: float

    def grad_self(self, g: Tensor) -> Tensor:
        return mul_number(g, 1 - self.weight)

    def grad_end(self, g: Tensor) -> Tensor:
        return mul_number(g, self.weight)


class LerpBackward1(Node):
    """out = self + weight (end - self):  ∂self = g (1 - weight),  ∂end = g weight,  ∂weight = g (end - self)."""

    saved_names = ("self", "end", "weight")

    def grad_self(self, g: Tensor) -> Tensor:
        return g * (1 - self._saved_weight)

    def grad_end(self, g: Tensor) -> Tensor:
        return g * self._saved_weight

    def grad_weight(self, g: Tensor) -> Tensor:
        return g * (self._saved_end - self._saved_self)


@op("function", "method", "inplace", "out")
def lerp(input: Tensor, end: Tensor, weight: Any) -> Tensor:
    """`input + weight * (end - input)`; from the middle on, it starts from `end`, so that weight 1 gives `end` exactly.

    Raises:
        RuntimeError: the dtypes differ.
    """
    if input._array.dtype != end._array.dtype:
        raise RuntimeError(f"expected dtype {input.dtype.c_name} for `end` but got dtype {end.dtype.c_name}")
    by_tensor = isinstance(weight, Tensor)
    if by_tensor and weight._array.dtype != input._array.dtype:
        raise RuntimeError(f"expected dtype {input.dtype.c_name} for `weight` but got dtype {weight.dtype.c_name}")
    check_broadcast(input._array.shape, end._array.shape)
    if by_tensor:
        check_broadcast(np.broadcast_shapes(input._array.shape, end._array.shape), weight._array.shape)
    if input._array.dtype.kind != "f":
        refuse_dtype(f"lerp_kernel_{'tensor' if by_tensor else 'scalar'}", input._array.dtype)
    if not by_tensor:
        x, y = on_one_device(*aligned(input._array, end._array))
        return record(LerpBackward0, _between(x, y, weight), (input, end), weight=weight)
    mixed = _between(*on_one_device(*aligned(input._array, end._array, weight._array)))
    return record(
        LerpBackward1, mixed, (input, end, weight), (input, end, weight) if needs_grad(input, end, weight) else ()
    )


def _between(x: Any, end: Any, weight: Any) -> Any:
    difference, dtype = end - x, x.dtype
    if not hasattr(weight, "dtype"):
        weight = dtype.type(weight)
        if abs(weight) < 0.5:
            return multiply_add(x, difference, weight, dtype)
        return multiply_add(end, difference, weight - 1, dtype)
    from_start = multiply_add(x, difference, weight, dtype)
    return np.where(np.abs(weight) < 0.5, from_start, multiply_add(end, difference, weight - 1, dtype))
