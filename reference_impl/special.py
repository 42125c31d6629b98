"""`torch.special`: the functions of `ops.special` and others under the names that SciPy gives them."""

from __future__ import annotations

from reference_impl.ops.registry import namespaces

globals().update(namespaces["special"])
