"""Data types, and type promotion: the dtype of an operation on operands of different dtypes.

A tensor's array has a NumPy dtype; each `dtype` object is torch's name for a NumPy dtype. Promotion follows torch: a tensor
with dimensions outranks a 0-d tensor, which outranks a Python number, unless the lower-ranked operand is of a higher
category (bool < integral < floating point). See torch's documentation, "Tensor Attributes", type promotion.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class dtype:
    """A torch data type.

    Attributes:
        name: such as "float32", also for `torch.float`.
        numpy: the NumPy dtype of the arrays.
        itemsize: bytes per element.
        is_floating_point, is_complex, is_signed: as in torch.
    """

    __slots__ = ("name", "numpy", "itemsize", "is_floating_point", "is_complex", "is_signed", "tensor_type", "c_name")

    def __init__(self, name: str, tensor_type: str, c_name: str) -> None:
        self.name = name
        self.numpy = np.dtype(name)
        self.itemsize = self.numpy.itemsize
        self.is_floating_point = self.numpy.kind == "f"
        self.is_complex = False
        self.is_signed = self.numpy.kind in "fi"
        self.tensor_type = tensor_type  # as in `torch.FloatTensor`
        self.c_name = c_name  # the name in torch's messages from C++

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> Any:
        return (by_name, (self.name,))

    def to_numpy(self) -> np.dtype:
        """Return the NumPy dtype that arrays of this dtype have."""
        return self.numpy


dtype.__module__ = "torch"

float64 = dtype("float64", "Double", "double")
float32 = dtype("float32", "Float", "float")
float16 = dtype("float16", "Half", "c10::Half")
int64 = dtype("int64", "Long", "long int")
int32 = dtype("int32", "Int", "int")
int16 = dtype("int16", "Short", "short int")
int8 = dtype("int8", "Char", "signed char")
uint8 = dtype("uint8", "Byte", "unsigned char")
bool_ = dtype("bool", "Bool", "bool")

ALL: tuple[dtype, ...] = (bool_, uint8, int8, int16, int32, int64, float16, float32, float64)
# torch.double, torch.float ...: `float`, `int` and `bool` are also names of Python, so only the package defines them, not this module.
ALIASES: dict[str, dtype] = {
    "double": float64,
    "float": float32,
    "half": float16,
    "long": int64,
    "int": int32,
    "short": int16,
    "bool": bool_,
}
_by_numpy: dict[np.dtype, dtype] = {d.numpy: d for d in ALL}
_by_name: dict[str, dtype] = {d.name: d for d in ALL}
_by_tensor_type: dict[str, dtype] = {f"torch.{d.tensor_type}Tensor": d for d in ALL}


def by_name(name: str) -> dtype:
    """Return the dtype called `torch.<name>`. An alias such as "double" raises KeyError."""
    return _by_name[name]


def from_numpy(numpy_dtype: Any) -> dtype:
    """Return the torch dtype of a NumPy dtype.

    Raises:
        TypeError: torch has no such dtype, or the engine does not support it (complex, uint16, uint32, uint64).
    """
    try:
        return _by_numpy[numpy_dtype]
    except KeyError:
        supported = ", ".join(d.name for d in reversed(ALL))
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{np.dtype(numpy_dtype).type.__name__}. "
            f"The only supported types are: {supported}."
        ) from None


_default = float32


def of_python_type(kind: Any) -> dtype | None:
    """Return the dtype for Python's `float`, `int` or `bool`, which torch accepts in place of a dtype; None for anything else."""
    return {float: float64, int: int64, bool: bool_}.get(kind) if isinstance(kind, type) else None


def get_default_dtype() -> dtype:
    """Return the dtype of floating-point tensors created from Python floats."""
    return _default


def set_default_dtype(d: dtype) -> None:
    """Set the dtype of floating-point tensors created from Python floats.

    Raises:
        TypeError: `d` is not a floating-point dtype.
    """
    global _default
    if not isinstance(d, dtype) or not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default = d


def by_tensor_type(name: str) -> dtype | None:
    """Return the dtype of a tensor type such as "torch.FloatTensor". "torch.Tensor" has the default dtype; other names give None."""
    return _default if name == "torch.Tensor" else _by_tensor_type.get(name)


_category = {"b": 0, "u": 1, "i": 1, "f": 2}


def promote_types(a: dtype, b: dtype) -> dtype:
    """Return the smallest dtype to which both `a` and `b` can be cast.

    An integer and a floating-point dtype give the floating-point dtype: int64 and float16 -> float16.
    """
    return _by_numpy[_promote(a.numpy, b.numpy)]


def _promote(a: np.dtype, b: np.dtype) -> np.dtype:
    if a is b:
        return a
    if _category[a.kind] == 2 and _category[b.kind] != 2:
        return a
    if _category[b.kind] == 2 and _category[a.kind] != 2:
        return b
    return np.promote_types(a, b)


def result_type_of(operands: tuple[Any, ...]) -> np.dtype:
    """Return the NumPy dtype of an element-wise operation on `operands`, each an array or a Python number.

    Arrays with dimensions outrank 0-d arrays, which outrank Python numbers. An operand of a lower rank affects the result only if its
    category is higher (bool < integer < float). A Python float then stands for the default dtype, and a Python integer for int64.
    """
    ranks: list[np.dtype | None] = [None, None, None]
    for value in operands:
        if hasattr(value, "dtype"):
            rank, kind = (0 if value.ndim else 1), value.dtype
        else:
            rank, kind = 2, number_dtype(value).numpy
        known = ranks[rank]
        ranks[rank] = kind if known is None else _promote(known, kind)
    result: np.dtype | None = None
    for kind in ranks:
        if kind is not None and (result is None or _category[kind.kind] > _category[result.kind]):
            result = kind
    assert result is not None
    return result


def python_number(value: Any) -> Any:
    """Convert a NumPy scalar to the Python number that torch reads from it; return other values unchanged.

    torch's C API sees an np.bool_ as neither an integer nor a bool, so it becomes a float: np.True_ -> 1.0.

    Raises:
        TypeError: the scalar is not a real number, such as np.str_.
    """
    if not isinstance(value, np.generic):
        return value
    if value.dtype.kind not in "biuf":
        raise TypeError(f"unsupported operand type(s): 'Tensor' and '{type(value).__name__}'")
    return int(value) if value.dtype.kind in "iu" else float(value)


def check_width(number: int) -> None:
    """Raise OverflowError unless int64 or uint64 can represent the number."""
    if not -(2**63) <= number < 2**64:
        raise OverflowError("int too big to convert" if number > 0 else "can't convert negative int to unsigned")


def number_dtype(value: Any) -> dtype:
    """Return the dtype of a tensor created from the Python or NumPy number `value`.

    Raises:
        TypeError: `value` is not a real number, or its NumPy dtype is unsupported.
    """
    if isinstance(value, bool):
        return bool_
    if isinstance(value, int):
        return int64
    if isinstance(value, float):
        return _default
    if isinstance(value, np.generic):
        return from_numpy(value.dtype)
    if isinstance(value, complex):
        raise TypeError("complex numbers are out of the scope of reference_impl")
    raise TypeError(f"expected a number, got {type(value).__name__}")
