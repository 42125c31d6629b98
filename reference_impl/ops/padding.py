"""Padding: enlarge a tensor at its borders, or shrink it with negative numbers.

Constant padding writes the input into a larger array. The modes "reflect", "replicate" and "circular" repeat elements of the input. For
each dimension, the first two compute an array with the index of the input element at each position of the result, and the gradient
is summed at these indices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl.core.declare import operation
from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.numerics.memory_order import empty, suggested_format, to_format
from reference_impl.ops.kernel_positions import as_integer
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import op


def _constant_pad_backward(g: Tensor, pad: Sequence[int]) -> Tensor:
    """g without the border

    Return the gradient of the input of `constant_pad_nd`.
    """
    return constant_pad_nd(g, [-n for n in pad], 0)


@op("function")
@operation("ConstantPadNdBackward0", self=_constant_pad_backward)
def constant_pad_nd(self: Any, pad: Sequence[int], value: float = 0) -> Any:
    """Return `self` with a border of elements `value`. Negative numbers in `pad` cut elements off.

    Args:
        pad: the numbers (left, right) for the last dimension, then (top, bottom) for the dimension before it, and so on.

    Raises:
        RuntimeError: `pad` has an odd number of values or more than two per dimension, or cuts off more elements than there are.
    """
    x, pad = self, [int(n) for n in pad]
    if len(pad) % 2:
        raise RuntimeError(f"Length of pad must be even but instead it equals {len(pad)}")
    if len(pad) > 2 * x.ndim:
        raise RuntimeError(
            f"Length of pad should be no more than twice the number of dimensions of the input. Pad length is {len(pad)} while "
            f"the input has {x.ndim} dimensions."
        )
    before = [0] * (x.ndim - len(pad) // 2) + list(pad[-2::-2])
    after = [0] * (x.ndim - len(pad) // 2) + list(pad[-1::-2])
    shape = tuple([n + b + a for n, b, a in zip(x.shape, before, after, strict=True)])
    for d, n in enumerate(shape):
        if n < 0:
            raise RuntimeError(
                f"The input size {x.shape[d]}, plus negative padding {before[d]} and {after[d]} resulted in a negative output "
                f"size, which is invalid. Check dimension {d} of your input."
                if x.shape[d] + min(before[d], 0) >= 0 and x.shape[d] + min(before[d], 0) + min(after[d], 0) >= 0
                else "narrow(): length must be non-negative."
            )
    if all(n <= 0 for n in pad):
        inside = tuple([slice(-b, n + a) for n, b, a in zip(x.shape, before, after, strict=True)])
        return x[inside].copy()
    out = empty(shape, suggested_format(x), x.dtype, x)
    out.fill(value)
    target = tuple([slice(max(b, 0), n - max(a, 0)) for n, b, a in zip(shape, before, after, strict=True)])
    source = tuple([slice(max(-b, 0), n - max(-a, 0)) for n, b, a in zip(x.shape, before, after, strict=True)])
    out[target] = x[source]
    return out


# -- repeating elements of the input


class RepeatingPadNode(Node):
    """out = self with repeated elements:  ∂self = the sum of g over the copies of each element.

    Attributes:
        _indices: for each padded dimension, from the last to the first, an array with the input index at each position of the result.
    """

    saved_names = ("self",)
    padding: tuple[int, ...]
    _indices: tuple[Any, ...]
    _backward_class: type[RepeatingPadBackwardNode]

    def grad_self(self, g: Tensor) -> Tensor:
        """Return the sum of `g` over the copies of each element of the input."""
        x: Tensor = self._saved_self
        shape = x._array.shape
        array = _sum_copies(g._array, self._indices, shape)
        return record(self._backward_class, array, (g, x), padding=self.padding, _indices=self._indices, _shape=shape)


class RepeatingPadBackwardNode(Node):
    """The gradient of a padding: ∂grad_output = g with repeated elements,  ∂self = 0, because only its shape is used."""

    padding: tuple[int, ...]
    _indices: tuple[Any, ...]
    _shape: tuple[int, ...]
    _forward_class: type[RepeatingPadNode]

    def grad_grad_output(self, g: Tensor) -> Tensor:
        """Return `g`, padded in the same way as the input of the operation."""
        array = _repeat_elements(g._array, self._indices)
        return record(self._forward_class, array, (g,), (g,), padding=self.padding, _indices=self._indices)

    def grad_self(self, g: Tensor) -> Tensor:
        """Return zeros in the shape of the input of the padding."""
        return g.new_zeros(self._shape)


def _node_class(name: str) -> type[RepeatingPadNode]:
    """Create the classes of nodes `<name>Backward0` and `<name>BackwardBackward0`, and return the first. Each refers to the other."""
    padding: Any = type(f"{name}Backward0", (RepeatingPadNode,), {"__doc__": RepeatingPadNode.__doc__})
    of_gradient: Any = type(
        f"{name}BackwardBackward0", (RepeatingPadBackwardNode,), {"__doc__": RepeatingPadBackwardNode.__doc__}
    )
    padding._backward_class, of_gradient._forward_class = of_gradient, padding
    return padding


# The classes from ReflectionPad1DBackward0 to ReplicationPad3DBackward0, by mode and number of dimensions.
_NODES = {(kind, n): _node_class(f"{kind}Pad{n}D") for kind in ("Reflection", "Replication") for n in (1, 2, 3)}


def _repeat_elements(x: Any, indices: tuple[Any, ...]) -> Any:
    for d, index in enumerate(indices, 1):
        x = np.take(x, _backend.to_device_of(index, x), axis=x.ndim - d)
    return x


def _sum_copies(array: Any, indices: tuple[Any, ...], shape: tuple[int, ...]) -> Any:
    for d, index in enumerate(indices, 1):
        axis = array.ndim - d
        summed = np.zeros_like(array, shape=(*array.shape[:axis], shape[axis], *array.shape[axis + 1 :]))
        _backend.at(np.add, summed, (*(slice(None),) * axis, _backend.to_device_of(index, array)), array)
        array = summed
    return array


def _mirror_positions(size: int, left: int, right: int) -> Any:
    """Return the input index at each position of a dimension padded by mirroring: [2, 1, 0, 1, 2, 1] for size 3, left 2, right 1."""
    i = np.arange(-left, size + right)
    i = np.abs(i)
    return np.where(i >= size, 2 * (size - 1) - i, i)


def _clamp_positions(size: int, left: int, right: int) -> Any:
    return np.clip(np.arange(-left, size + right), 0, size - 1)


def _repeating_pad(input: Tensor, pad: tuple[int, ...], mode: str) -> Tensor:
    x = input._array
    n = len(pad) // 2
    sizes = tuple([x.shape[x.ndim - 1 - d] for d in range(n)])
    if 0 in x.shape[x.ndim - n - 1 :]:
        raise RuntimeError(
            f"Expected {n + 1}D or {n + 2}D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but "
            f"got: {list(x.shape)}"
        )
    if mode == "reflect":
        for d in range(n):
            if max(pad[2 * d : 2 * d + 2]) >= sizes[d]:
                raise RuntimeError(
                    f"Argument #{4 + 2 * d}: Padding size should be less than the corresponding input dimension, but got: padding "
                    f"({pad[2 * d]}, {pad[2 * d + 1]}) at dimension {x.ndim - 1 - d} of input {list(x.shape)}"
                )
    if x.dtype.kind == "b":
        refuse_dtype(f"{'reflection' if mode == 'reflect' else 'replication'}_pad{n}d", x.dtype)
    find = _mirror_positions if mode == "reflect" else _clamp_positions
    places = tuple([find(sizes[d], pad[2 * d], pad[2 * d + 1]) for d in range(n)])
    node = _NODES["Reflection" if mode == "reflect" else "Replication", n]
    repeated = to_format(_repeat_elements(x, places), suggested_format(x))
    return record(node, repeated, (input,), (input,), padding=pad, _indices=places)


def _circular_pad(input: Tensor, pad: tuple[int, ...]) -> Tensor:
    """Pad with elements from the opposite border: copy the input into the middle of the result, then copy a slice to each border.

    Raises:
        RuntimeError: a border is larger than the input, or more elements are cut off than there are.
    """
    x = input._array
    n = len(pad) // 2
    shape = list(x.shape)
    for d in range(n):
        left, right = pad[2 * d], pad[2 * d + 1]
        size = shape[x.ndim - 1 - d]
        if left > size or right > size:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        if size + left + right < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
        shape[x.ndim - 1 - d] = size + left + right
    out = Tensor._wrap(np.zeros_like(x, shape=tuple(shape)))
    inner_out, inner_in = out, input
    for d in range(n):
        dim, left, right = x.ndim - 1 - d, pad[2 * d], pad[2 * d + 1]
        inner_out = inner_out.narrow(dim, max(left, 0), shape[dim] - max(left, 0) - max(right, 0))
        inner_in = inner_in.narrow(dim, max(-left, 0), x.shape[dim] - max(-left, 0) - max(-right, 0))
    inner_out.copy_(inner_in)
    for d in range(n):
        dim, left, right = x.ndim - 1 - d, pad[2 * d], pad[2 * d + 1]
        if left > 0:
            out.narrow(dim, 0, left).copy_(out.narrow(dim, shape[dim] - left - max(right, 0), left))
        if right > 0:
            out.narrow(dim, shape[dim] - right, right).copy_(out.narrow(dim, max(left, 0), right))
    return out


def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Tensor:
    """Return `input` with a border.

    Args:
        pad: the numbers (left, right) for the last dimension, then (top, bottom) for the dimension before it, and so on. Negative
            numbers cut elements off.
        mode: "constant", "reflect", "replicate" or "circular". All except "constant" pad the last one, two or three dimensions, and the
            input must have one or two dimensions more.
        value: the elements of a constant border; 0 by default.

    Raises:
        RuntimeError, NotImplementedError: `pad` does not fit the input or the mode, the mode is unknown, or `value` is neither None nor 0
            although the mode is not "constant".
        TypeError: a number in `pad` is not an integer.
    """
    if mode not in ("constant", "reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    numbers = tuple([as_integer(n) for n in pad])
    ndim = input._array.ndim
    if len(numbers) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(numbers) > 2 * ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(numbers)} and input of dimension {ndim}"
        )
    if mode == "constant":
        return constant_pad_nd(input, numbers, 0 if value is None else value)
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    n = len(numbers) // 2
    if n in (1, 2, 3) and ndim in (n + 1, n + 2):
        return _circular_pad(input, numbers) if mode == "circular" else _repeating_pad(input, numbers, mode)
    raise NotImplementedError(
        f"Padding size {len(numbers)} is not supported for {ndim}D input tensor.\n"
        "Supported combinations for non-constant padding:\n"
        "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
        "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
        "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
    )
