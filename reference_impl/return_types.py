"""The named tuples of operations with several results: `torch.return_types.max` and the like."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from reference_impl._pickle_names import reduce_ex


class _ReturnType(tuple[Any, ...]):
    """A tuple whose items have names. Its `repr` has one item per line, as in torch."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()
    n_fields: int = 0
    n_sequence_fields: int = 0
    n_unnamed_fields: int = 0

    def __new__(cls, values: Iterable[Any]) -> _ReturnType:
        return tuple.__new__(cls, values)

    def __repr__(self) -> str:
        fields = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{fields})"

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
histogram = _return_type("histogram", "hist", "bin_edges")
svd = _return_type("svd", "U", "S", "V")
linalg_svd = _return_type("linalg_svd", "U", "S", "Vh")
linalg_qr = _return_type("linalg_qr", "Q", "R")
linalg_eigh = _return_type("linalg_eigh", "eigenvalues", "eigenvectors")
sort = _return_type("sort", "values", "indices")
topk = _return_type("topk", "values", "indices")
aminmax = _return_type("aminmax", "min", "max")
frexp = _return_type("frexp", "mantissa", "exponent")
