"""`torch.Size`: a shape."""

from __future__ import annotations

from math import prod
from typing import Any

from reference_impl._pickle_names import reduce_ex


class Size(tuple[int, ...]):
    """A tuple of integers that prints as `torch.Size([2, 3])`."""

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def numel(self) -> int:
        """Return the number of elements of a tensor of this shape."""
        return prod(self)

    def __getitem__(self, index: Any) -> Any:
        item = tuple.__getitem__(self, index)
        return Size(item) if isinstance(index, slice) else item

    def __add__(self, other: Any) -> Size:
        return Size(tuple.__add__(self, tuple(other)))

    def __mul__(self, n: Any) -> Size:
        return Size(tuple.__mul__(self, n))

    __reduce_ex__ = reduce_ex


Size.__module__ = "torch"
