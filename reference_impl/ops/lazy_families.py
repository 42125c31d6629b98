"""Families of operations that few programs use: a family is imported when one of its names is first asked for.

A quarter of the time of `import reference_impl` would be theirs. What a family offers stands in its module, as everywhere; the names
are repeated here, and tests/engine/test_lazy_families.py holds the two together.
"""

from __future__ import annotations

import importlib
from typing import Any

from reference_impl.core.tensor import Tensor
from reference_impl.ops.registry import functions, namespaces

FAMILIES: dict[str, dict[str, tuple[str, ...]]] = {
    "binary": {
        "function": (
            "arctan2", "atan2", "copysign", "float_power", "gcd", "heaviside", "hypot", "lcm", "ldexp", "logaddexp",
            "logaddexp2", "nextafter", "xlogy",
        ),
        "method": (
            "arctan2", "arctan2_", "atan2", "atan2_", "copysign", "copysign_", "float_power", "float_power_", "gcd",
            "gcd_", "heaviside", "heaviside_", "hypot", "hypot_", "lcm", "lcm_", "ldexp", "ldexp_", "logaddexp",
            "logaddexp2", "nextafter", "nextafter_", "xlogy", "xlogy_",
        ),
        "special": ("xlog1py", "xlogy",),
    },
    "cumulative": {
        "function": ("cumprod", "cumsum",),
        "method": ("cumprod", "cumprod_", "cumsum", "cumsum_",),
    },
    "histogram": {
        "function": ("bincount",),
        "method": ("bincount",),
    },
    "inplace_functions": {
        "function": (
            "addmv_", "as_strided_", "conj_physical_", "gcd_", "index_put", "index_put_", "lcm_", "ldexp_", "neg_",
            "negative_", "put", "reciprocal_", "xlogy_",
        ),
    },
    "linalg_norms": {
        "linalg": ("diagonal", "matmul", "matrix_norm", "norm", "vector_norm",),
    },
    "linalg_svd": {
        "linalg": ("svd", "svdvals",),
    },
    "rare_methods": {
        "method": ("hardshrink", "ndimension", "prelu",),
    },
    "scatter_reduce": {
        "function": ("scatter_reduce",),
        "method": ("scatter_reduce", "scatter_reduce_",),
    },
    "sets": {
        "function": ("unique",),
        "method": ("unique",),
    },
    "sorting": {
        "function": ("argsort", "msort", "sort", "topk",),
        "method": ("argsort", "msort", "sort", "topk",),
    },
    "special": {
        "function": ("erf", "erf_", "erfc", "erfc_", "logit", "logit_",),
        "method": ("erf", "erf_", "erfc", "erfc_", "logit", "logit_",),
        "special": ("erf", "erfc", "log_softmax", "logit", "logsumexp", "softmax",),
    },
    "statistics": {
        "function": ("std", "std_mean", "var", "var_mean",),
        "method": ("std", "var",),
    },
}  # fmt: skip
"""By module of `reference_impl.ops`: the names of its functions, its methods and what it puts into `torch.linalg` and `torch.special`."""


class LazyMethod:
    """Stands for a method until its module is imported, which puts the method in this place."""

    __slots__ = ("home", "name")

    def __init__(self, home: str, name: str) -> None:
        self.home, self.name = home, name

    def __get__(self, instance: Tensor | None, owner: type) -> Any:
        importlib.import_module(f"reference_impl.ops.{self.home}")
        return vars(Tensor)[self.name].__get__(instance, owner)


def import_families(form: str) -> None:
    """Import all families that have something of this form: "function", "method", "linalg" or "special"."""
    for home, names in FAMILIES.items():
        if form in names:
            importlib.import_module(f"reference_impl.ops.{home}")


def _announce() -> None:
    for home, forms in FAMILIES.items():
        for form, names in forms.items():
            if form == "method":
                for name in names:
                    if name not in vars(Tensor):
                        setattr(Tensor, name, LazyMethod(home, name))
            else:
                homes = functions.homes if form == "function" else namespaces[form].homes
                homes.update(dict.fromkeys(names, home))


_announce()
