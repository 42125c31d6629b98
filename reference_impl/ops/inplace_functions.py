"""Methods that torch also offers under its own name: `torch.neg_(x)` for `x.neg_()`, `torch.index_put(x, ...)` for `x.index_put(...)`."""

from __future__ import annotations

from reference_impl.core.tensor import Tensor
from reference_impl.ops.registry import checked, functions

for _name in (
    "addmv_", "as_strided_", "conj_physical_", "gcd_", "index_put", "index_put_", "lcm_", "ldexp_", "neg_",
    "negative_", "put", "reciprocal_", "xlogy_",
):  # fmt: skip
    functions[_name] = checked(_name, getattr(Tensor, _name), ())
