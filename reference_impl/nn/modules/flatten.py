"""Flatten and Unflatten."""

from __future__ import annotations

from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn.modules.layer import Layer


class Flatten(Layer):
    """Merge the dimensions from `start_dim` to `end_dim`. By default, merge all dimensions except the batch dimension."""

    start_dim: int = 1
    end_dim: int = -1

    def forward(self, input: Tensor) -> Tensor:
        """Return `input` with the dimensions from `start_dim` to `end_dim` merged: a view if possible, otherwise a copy."""
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten(Layer):
    """Split dimension `dim` into dimensions of the sizes `unflattened_size`. One size may be -1: it is computed from the others.

    Raises:
        TypeError: `unflattened_size` is not a tuple or list of integers.
    """

    dim: int
    unflattened_size: Any

    def complete(self) -> None:
        """Raise TypeError unless `unflattened_size` is a tuple or list of integers."""
        if not isinstance(self.unflattened_size, (tuple, list)):
            kind = type(self.unflattened_size).__name__
            raise TypeError(f"unflattened_size must be a tuple of ints, but found type {kind}")
        for position, size in enumerate(self.unflattened_size):
            if not isinstance(size, int):
                raise TypeError(
                    f"unflattened_size must be tuple of ints, but found element of type {type(size).__name__} at pos {position}"
                )

    def forward(self, input: Tensor) -> Tensor:
        """Return a view of `input` with dimension `dim` split."""
        return input.unflatten(self.dim, self.unflattened_size)
