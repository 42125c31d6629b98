"""The cross product of vectors of three elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl._backend import contiguous
from reference_impl._settings import warn_user
from reference_impl.core.arrays import checked_dim
from reference_impl.core.declare import check_broadcast, operation
from reference_impl.core.tensor import Tensor
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import op


@operation("LinalgCrossBackward0", self=lambda g, other, dim: _cross(other, g, dim),
           other=lambda g, self, dim: _cross(g, self, dim))  # fmt: skip
def _cross(self: Any, other: Any, dim: int) -> Any:
    """`self × other`"""
    return contiguous(np.cross(self, other, axis=dim))


@op("function", "method", "out_exact")
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """Return the cross product along `dim`, a dimension of size 3. All other dimensions are broadcast.

    Args:
        dim: by default the first dimension of `input` of size 3; then the function warns.

    Raises:
        RuntimeError: the numbers of dimensions, sizes or dtypes don't fit.
        IndexError: the dimension does not exist.
        NotImplementedError: the operands are boolean.
    """
    x, y = input._array, other._array
    if dim is None:
        warn_user(
            "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or simply use "
            "torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross in a future release."
        )
        if 3 not in x.shape:
            raise RuntimeError("no dimension of size 3 in input")
        dim = x.shape.index(3)
    if x.ndim != y.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    d = checked_dim(dim, x.ndim)
    if x.shape[d] != 3 or y.shape[d] != 3:
        sizes = f"Got {x.shape[d]} and {y.shape[d]}"
        raise RuntimeError(f"linalg.cross: inputs dimension {dim} must have length 3. {sizes}")
    check_broadcast(x.shape, y.shape)
    if x.dtype != y.dtype:
        raise RuntimeError(f"expected scalar type {input.dtype.tensor_type} but found {other.dtype.tensor_type}")
    if x.dtype.kind == "b":
        refuse_dtype("cross", x.dtype)
    return _cross(input, other, d)


@op("function", "out_exact", name="linalg.cross")
def linalg_cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    """Return the cross product along `dim`, as `cross` does."""
    return cross(input, other, dim)
