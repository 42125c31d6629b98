"""The named tuples that operations with several results return: `torch.return_types.max` and its like."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from reference_impl._torch_names import reduce_ex


class _ReturnType(tuple[Any, ...]):
    """A tuple whose items have names, printed one per line as torch does."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()
    n_fields: int = 0
    n_sequence_fields: int = 0
    n_unnamed_fields: int = 0

    def __new__(cls, values: Iterable[Any]) -> _ReturnType:
        return tuple.__new__(cls, values)

    def __repr__(self) -> str:
        shown = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{shown})"

    __reduce_ex__ = reduce_ex


def _return_type(name: str, *fields: str) -> type[_ReturnType]:
    members: dict[str, Any] = {field: property(operator.itemgetter(i)) for i, field in enumerate(fields)}
    counts = {"n_fields": len(fields), "n_sequence_fields": len(fields), "n_unnamed_fields": 0}
    members |= {"__slots__": (), "_fields": fields, "__module__": "torch.return_types", **counts}
    return type(name, (_ReturnType,), members)


max = _return_type("max", "values", "indices")
min = _return_type("min", "values", "indices")
median = _return_type("median", "values", "indices")
nanmedian = _return_type("nanmedian", "values", "indices")
mode = _return_type("mode", "values", "indices")
kthvalue = _return_type("kthvalue", "values", "indices")
sort = _return_type("sort", "values", "indices")
topk = _return_type("topk", "values", "indices")
cummax = _return_type("cummax", "values", "indices")
cummin = _return_type("cummin", "values", "indices")
aminmax = _return_type("aminmax", "min", "max")
frexp = _return_type("frexp", "mantissa", "exponent")
histogram = _return_type("histogram", "hist", "bin_edges")
linalg_inv_ex = _return_type("linalg_inv_ex", "inverse", "info")
linalg_cholesky_ex = _return_type("linalg_cholesky_ex", "L", "info")
linalg_solve_ex = _return_type("linalg_solve_ex", "result", "info")
linalg_slogdet = _return_type("linalg_slogdet", "sign", "logabsdet")
slogdet = _return_type("slogdet", "sign", "logabsdet")
linalg_qr = _return_type("linalg_qr", "Q", "R")
qr = _return_type("qr", "Q", "R")
geqrf = _return_type("geqrf", "a", "tau")
linalg_svd = _return_type("linalg_svd", "U", "S", "Vh")
svd = _return_type("svd", "U", "S", "V")
linalg_eigh = _return_type("linalg_eigh", "eigenvalues", "eigenvectors")
linalg_lstsq = _return_type("linalg_lstsq", "solution", "residuals", "rank", "singular_values")
linalg_lu = _return_type("linalg_lu", "P", "L", "U")
linalg_lu_factor = _return_type("linalg_lu_factor", "LU", "pivots")
linalg_lu_factor_ex = _return_type("linalg_lu_factor_ex", "LU", "pivots", "info")
lu_unpack = _return_type("lu_unpack", "P", "L", "U")
triangular_solve = _return_type("triangular_solve", "solution", "cloned_coefficient")
