"""Methods of `Tensor` that repeat something else: see `lazy_families`."""

from __future__ import annotations

from reference_impl.core.tensor import Tensor
from reference_impl.ops.rectifier import hardshrink, prelu
from reference_impl.ops.registry import op

op("method")(prelu)
op("method")(hardshrink)


@op("method")
def ndimension(self: Tensor) -> int:
    """As `dim`."""
    return self._array.ndim
