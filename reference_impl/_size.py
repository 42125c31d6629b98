"""`torch.Size`: a shape."""

from __future__ import annotations

from math import prod
from typing import Any


class Size(tuple[int, ...]):
    """A tuple of integers that prints as `torch.Size([2, 3])`."""

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def numel(self) -> int:
        """Number of elements of a tensor of this shape."""
        return prod(self)

    def __getitem__(self, index: Any) -> Any:
        item = tuple.__getitem__(self, index)
        return Size(item) if isinstance(index, slice) else item

    def __add__(self, other: Any) -> Size:
        return Size(tuple.__add__(self, tuple(other)))

    def __mul__(self, n: Any) -> Size:
        return Size(tuple.__mul__(self, n))

    def __reduce__(self) -> Any:
        return (Size, (tuple(self),))


Size.__module__ = "torch"
