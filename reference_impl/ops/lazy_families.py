"""Families of operations that few programs use: a family is imported when one of its names is first asked for.

A quarter of the time of `import reference_impl` would be theirs. What a family offers stands in its module, as everywhere; the names
are repeated here, and tests/engine/test_lazy_families.py holds the two together.
"""

from __future__ import annotations

import importlib
from typing import Any

from reference_impl._tensor import Tensor
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
        "special": ("xlog1py", "xlogy"),
    },
    "cumulative": {
        "function": ("cummax", "cummin", "cumprod", "cumsum", "logcumsumexp"),
        "method": ("cummax", "cummin", "cumprod", "cumprod_", "cumsum", "cumsum_", "logcumsumexp"),
    },
    "differences": {
        "function": ("cumulative_trapezoid", "diff", "gradient", "trapezoid", "trapz"),
        "method": ("diff",),
    },
    "element_callbacks": {
        "method": ("apply_", "map2_", "map_"),
    },
    "histogram": {
        "function": ("bincount", "bucketize", "histc", "histogram", "searchsorted"),
        "method": ("bincount", "histc", "histogram"),
    },
    "inplace_functions": {
        "function": (
            "addmv_", "as_strided_", "conj_physical_", "gcd_", "index_put", "index_put_", "is_distributed", "lcm_",
            "ldexp_", "neg_", "negative_", "put", "reciprocal_", "xlogy_",
        ),
    },
    "linalg_decompositions": {
        "function": ("cholesky", "cholesky_inverse", "cholesky_solve", "qr", "svd"),
        "method": ("cholesky", "cholesky_inverse", "cholesky_solve", "qr", "svd"),
        "linalg": ("cholesky", "cholesky_ex", "eigh", "eigvalsh", "qr", "svd", "svdvals"),
    },
    "linalg_householder": {
        "function": ("geqrf", "orgqr"),
        "method": ("geqrf", "orgqr"),
        "linalg": ("householder_product",),
    },
    "linalg_least_squares": {
        "function": ("pinverse",),
        "method": ("pinverse",),
        "linalg": ("lstsq", "pinv"),
    },
    "linalg_lu": {
        "function": ("constant_pad_nd", "lu", "lu_solve", "lu_unpack", "triangular_solve"),
        "method": ("lu", "lu_solve", "triangular_solve"),
        "linalg": ("lu", "lu_factor", "lu_factor_ex", "lu_solve"),
    },
    "linalg_norms": {
        "function": ("cross", "matrix_exp", "matrix_power"),
        "method": ("cross", "matrix_exp", "matrix_power"),
        "linalg": (
            "cond", "cross", "diagonal", "matmul", "matrix_exp", "matrix_norm", "matrix_power", "matrix_rank",
            "multi_dot", "norm", "vander", "vecdot", "vector_norm",
        ),
    },
    "linalg_solve": {
        "function": ("det", "inverse", "logdet", "slogdet"),
        "method": ("det", "inverse", "logdet", "slogdet"),
        "linalg": (
            "det", "inv", "inv_ex", "slogdet", "solve", "solve_ex", "solve_triangular", "tensorinv", "tensorsolve",
        ),
    },
    "rare_methods": {
        "method": (
            "as_subclass", "hardshrink", "is_distributed", "module_load", "ndimension", "prelu", "resize",
            "resize_as",
        ),
    },
    "scatter_reduce": {
        "function": ("index_reduce", "scatter_reduce"),
        "method": ("index_reduce", "index_reduce_", "scatter_reduce", "scatter_reduce_"),
    },
    "sets": {
        "function": ("isin", "unique", "unique_consecutive"),
        "method": ("unique", "unique_consecutive"),
    },
    "sorting": {
        "function": (
            "argsort", "kthvalue", "median", "mode", "msort", "nanmedian", "nanquantile", "quantile", "sort", "topk",
        ),
        "method": (
            "argsort", "kthvalue", "median", "mode", "msort", "nanmedian", "nanquantile", "quantile", "sort", "topk",
        ),
    },
    "special": {
        "function": (
            "digamma", "digamma_", "erf", "erf_", "erfc", "erfc_", "erfinv", "erfinv_", "i0", "i0_", "igamma",
            "igammac", "lgamma", "lgamma_", "logit", "logit_", "mvlgamma", "polygamma", "sinc", "sinc_",
        ),
        "method": (
            "digamma", "digamma_", "erf", "erf_", "erfc", "erfc_", "erfinv", "erfinv_", "i0", "i0_", "igamma",
            "igamma_", "igammac", "igammac_", "lgamma", "lgamma_", "logit", "logit_", "mvlgamma", "mvlgamma_",
            "polygamma", "polygamma_", "sinc", "sinc_",
        ),
        "special": (
            "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "chebyshev_polynomial_t", "chebyshev_polynomial_u",
            "chebyshev_polynomial_v", "chebyshev_polynomial_w", "digamma", "entr", "erf", "erfc", "erfcx", "erfinv",
            "gammainc", "gammaincc", "gammaln", "hermite_polynomial_h", "hermite_polynomial_he", "i0", "i0e", "i1",
            "i1e", "laguerre_polynomial_l", "legendre_polynomial_p", "log_ndtr", "log_softmax", "logit", "logsumexp",
            "modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1", "multigammaln",
            "ndtr", "ndtri", "polygamma", "psi", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1",
            "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v",
            "shifted_chebyshev_polynomial_w", "sinc", "softmax", "spherical_bessel_j0", "zeta",
        ),
    },
    "statistics": {
        "function": ("corrcoef", "cov", "std", "std_mean", "var", "var_mean"),
        "method": ("corrcoef", "cov", "std", "var"),
    },
    "view_copies": {
        "function": (
            "alias_copy", "as_strided_copy", "as_strided_scatter", "detach_copy", "diagonal_scatter", "expand_copy",
            "narrow_copy", "permute_copy", "select_copy", "select_scatter", "slice_copy", "slice_scatter",
            "split_copy", "split_with_sizes_copy", "squeeze_copy", "t_copy", "transpose_copy", "unbind_copy",
            "unfold_copy", "unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes", "unsqueeze_copy", "view_copy",
        ),
        "method": (
            "as_strided_scatter", "diagonal_scatter", "narrow_copy", "select_scatter", "slice_scatter",
            "unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes",
        ),
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
