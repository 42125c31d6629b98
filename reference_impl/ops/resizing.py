"""Change the shape of a tensor in place, with more or less memory: resize_, resize_as_."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.core.modes import mode
from reference_impl.core.tensor import Tensor
from reference_impl.ops.creation import fill_if_deterministic
from reference_impl.ops.registry import op
from reference_impl.ops.views import shape_of


@op("method")
def resize_(input: Tensor, *sizes: Any, memory_format: Any = None) -> Tensor:
    """Give the tensor another shape in place. The tensor then has the old first element and the elements that follow in memory.

    If the memory has too few elements, the tensor moves to new memory with uninitialized elements at the end, which it does not share with
    its views. `memory_format` has no effect.

    Raises:
        RuntimeError: the tensor requires grad, or a size is negative.
    """
    if input.requires_grad and not mode.inference:
        raise RuntimeError("cannot resize variables that require grad")
    shape = shape_of(sizes)
    if any([n < 0 for n in shape]):
        raise RuntimeError("numel: integer multiplication overflow")  # torch multiplies sizes as unsigned integers
    x = input._array
    if x.shape != shape:
        input._array = _resize_memory(x, shape)
        input._bump_version()
    return input


def _resize_memory(x: Any, shape: tuple[int, ...]) -> Any:
    memory = _backend.memory_of(x)
    size = prod(shape)
    start = (_backend.address_of(x) - _backend.address_of(memory)) // x.itemsize if x.size else 0
    if start + size <= memory.size:
        return memory[start : start + size].reshape(shape)
    larger = fill_if_deterministic(np.empty_like(memory, shape=(start + size,)))
    larger[: memory.size] = memory
    return larger[start:].reshape(shape)


@op("function", "method")
def resize_as_(input: Tensor, the_template: Tensor, *, memory_format: Any = None) -> Tensor:
    """Give the tensor the shape of `the_template` in place, as `resize_` does, with the same errors."""
    return resize_(input, the_template._array.shape)
