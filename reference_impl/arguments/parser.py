"""Explain, in torch's words, why torch would reject the arguments of a call.

The engine's functions are Python functions and check little: a wrong argument raises an AttributeError or a TypeError that
names the engine's code. Only after such an error does `ops.registry` call this module. It compares the arguments with the
signatures in signatures.txt as torch's argument parser does (torch/csrc/utils/python_arg_parser.cpp, invalid_arguments.cpp),
and returns the message of torch's error, or None if a signature fits.
"""

from __future__ import annotations

import contextlib
import functools
import re
from pathlib import Path
from typing import Any

import numpy as np

from reference_impl._device import device
from reference_impl._dtype import dtype
from reference_impl._layout import layout, memory_format
from reference_impl._size import Size
from reference_impl._tensor import Tensor

# NumPy's names of arguments, which torch accepts too, and torch's names.
NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}

# The functions that accept a Python number instead of a tensor.
NUMBERS_AS_TENSORS = frozenset(
    name + suffix
    for name in ("add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide", "floor_divide")
    for suffix in ("", "_")
)  # fmt: skip

_PRINTED_TYPES = {
    "Tensor": "Tensor", "Scalar": "Number", "int64_t": "int", "SymInt": "int", "double": "float", "bool": "bool",
    "TensorList": "tuple of Tensors", "IntArrayRef": "tuple of ints", "SymIntArrayRef": "tuple of ints",
    "ArrayRef<double>": "tuple of floats", "ArrayRef<Scalar>": "tuple of Scalars", "ScalarList": "tuple of Scalars",
    "c10::string_view": "str", "ScalarType": "torch.dtype", "Layout": "torch.layout", "Device": "torch.device",
    "MemoryFormat": "torch.memory_format", "Generator": "torch.Generator", "Dimname": "name", "DimnameList": "tuple of names",
    "complex": "complex", "Storage": "torch.Storage", "PyObject*": "object",
}  # fmt: skip


_UNPACK = "failed to unpack the object at pos"


class Rejected(Exception):
    """The arguments do not fit a signature. The message is that of torch's TypeError."""


class Parameter:
    """One parameter of a signature: `IntArrayRef[1]? dim=None`."""

    def __init__(self, text: str, keyword_only: bool, numbers_as_tensors: bool) -> None:
        declared, _, name = text.partition(" ")
        self.allows_none = declared.endswith("?")
        kind, _, size = declared.rstrip("?").partition("[")
        self.kind = kind if kind in _PRINTED_TYPES else "TensorList"
        self.size = int(size.rstrip("]")) if size.rstrip("]").isdigit() else 0
        self.name, _, self.default = name.partition("=")
        self.optional = bool(self.default)
        self.allows_none = self.allows_none or self.default == "None"
        self.keyword_only = keyword_only
        self.numbers_as_tensors = numbers_as_tensors

    def as_text(self) -> str:
        """Return the parameter as torch's messages print it, such as `int dim = -1`."""
        default = f" = {_as_python(self.default)}" if self.optional else ""
        return f"{_PRINTED_TYPES[self.kind]} {self.name}{default}"

    def takes(self, value: Any, position: int) -> bool:
        """Return whether torch accepts `value` for this parameter.

        Args:
            position: index of the parameter, for the message of Rejected.

        Raises:
            Rejected: the parameter is a list of tensors, and an element is not a tensor.
        """
        if self.kind == "Tensor":
            return isinstance(value, Tensor) or (self.numbers_as_tensors and _is_number(value))
        if self.kind == "TensorList":
            return _is_tensor_list(value, position)
        if self.kind in ("Scalar", "double", "complex"):
            return _is_number(value) or _is_plain_0d(value, "biuf")
        if self.kind in ("int64_t", "SymInt"):
            return _is_size(value)
        if self.kind in ("IntArrayRef", "SymIntArrayRef"):
            if isinstance(value, (tuple, list)):
                return not value or _is_size(value[0])
            return self.size > 0 and _is_size(value)
        if self.kind == "Device":
            return isinstance(value, (device, str)) or is_index(value)
        expected: dict[str, Any] = {
            "bool": (bool, np.bool_), "c10::string_view": str, "ScalarType": (dtype, type), "Layout": layout,
            "MemoryFormat": memory_format, "ArrayRef<double>": (tuple, list), "ArrayRef<Scalar>": (tuple, list),
            "ScalarList": (tuple, list),
        }  # fmt: skip
        return isinstance(value, expected.get(self.kind, object))


def _as_python(default: str) -> str:
    return {"true": "True", "false": "False"}.get(default, default)


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex, np.number, np.bool_))


def is_index(value: Any) -> bool:
    """Return whether a value is an integer of Python or NumPy, but not a bool."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_size(value: Any) -> bool:
    return is_index(value) or _is_plain_0d(value, "iu")


def _is_plain_0d(value: Any, kinds: str) -> bool:
    return (
        isinstance(value, Tensor) and value.ndim == 0 and value._array.dtype.kind in kinds and not value.requires_grad
    )


def _is_tensor_list(value: Any, position: int) -> bool:
    if not isinstance(value, (tuple, list)):
        return False
    for index, element in enumerate(value):
        if not isinstance(element, Tensor):
            raise Rejected(f"expected Tensor as element {index} in argument {position}, but got {type_name(element)}")
    return True


class Signature:
    """One overload, such as `abs(Tensor input)`. It is `hidden`, that is, not listed in messages, if it is deprecated."""

    def __init__(self, text: str) -> None:
        text, _, note = text.partition("|")
        self.hidden = bool(note)
        self.name, _, inside = text.partition("(")
        self.parameters: list[Parameter] = []
        keyword_only = False
        for part in re.split(r", (?![^{]*\})", inside[:-1]) if inside != ")" else []:
            if part == "*":
                keyword_only = True
            else:
                self.parameters.append(Parameter(part, keyword_only, self.name in NUMBERS_AS_TENSORS))
        self.required = sum(not p.optional for p in self.parameters)
        self.positional = sum(not p.keyword_only for p in self.parameters)

    def as_text(self) -> str:
        """Return the signature as torch's messages print it."""
        parts = []
        for previous, p in zip([None, *self.parameters], self.parameters, strict=False):
            if p.keyword_only and not (previous and previous.keyword_only):
                parts.append("*")
            parts.append(p.as_text())
        return f"({', '.join(parts)})"

    def check(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raise Rejected if the arguments do not fit this signature."""
        varargs = self.positional == 1 and self.parameters[0].kind in ("IntArrayRef", "SymIntArrayRef")
        if len(args) > self.positional and not varargs:
            raise Rejected(self._too_many(len(args)))
        position = 0
        remaining = set(kwargs)
        lists: dict[str, Any] = {}
        for index, p in enumerate(self.parameters):
            by_keyword = position >= len(args)
            if by_keyword:
                keyword = next((k for k in kwargs if p.name in (k, NUMPY_NAMES.get(k))), None)
                is_passed, value = keyword is not None, kwargs.get(keyword or "")
                remaining.discard(keyword or "")
            elif p.keyword_only:
                raise Rejected(self._too_many(len(args)))
            else:
                is_passed, value = True, args[position]
            if not is_passed and not p.optional:
                raise Rejected(self._missing(index))
            if is_passed and not (value is None and p.allows_none) and not p.takes(value, index):
                if varargs and position == 0 and not by_keyword and _is_size(args[0]):
                    position, lists[p.name] = len(args), args
                    continue
                where = "" if by_keyword else f" (position {position + 1})"
                problem = f"not {type_name(value)}"
                if not by_keyword and _PRINTED_TYPES[p.kind] == "tuple of ints" and isinstance(value, (tuple, list)):
                    problem = f"but found element of type {type_name(value[0])} at pos 0"
                raise Rejected(f"{self.name}(): argument '{p.name}'{where} must be {_PRINTED_TYPES[p.kind]}, {problem}")
            if _PRINTED_TYPES[p.kind] == "tuple of ints" and isinstance(value, (tuple, list)):
                lists[p.name] = value
            if not by_keyword:
                position += 1
        if position < len(args):
            raise Rejected(self._too_many(len(args)))
        if remaining:
            raise Rejected(self._unexpected_keyword(kwargs, len(args)))
        for name, values in lists.items():
            self._unpack(name, values)

    def _unpack(self, name: str, sizes: Any) -> None:
        """Raise Rejected if an element of `sizes` is not an integer. torch checks the first element when it chooses the signature,
        and the other elements afterwards."""
        for position, size in enumerate(sizes, 1):
            if not _is_size(size) and not (isinstance(size, bool) and position > 1):
                raise Rejected(
                    f"{self.name}(): argument '{name}' {_UNPACK} {position} with error "
                    f'"type must be tuple of ints,but got {type_name(size)}"'
                )

    def _too_many(self, count: int) -> str:
        if self.required != self.positional:
            return f"{self.name}() takes from {self.required} to {self.positional} positional arguments but {count} were given"
        plural, verb = ("" if self.positional == 1 else "s"), ("was" if count == 1 else "were")
        return f"{self.name}() takes {self.positional} positional argument{plural} but {count} {verb} given"

    def _missing(self, index: int) -> str:
        names = [f'"{p.name}"' for p in self.parameters[index:] if not p.optional]
        plural = "s" if len(names) == 1 else ""  # as torch has it
        return f"{self.name}() missing {len(names)} required positional argument{plural}: {', '.join(names)}"

    def _unexpected_keyword(self, kwargs: dict[str, Any], positional: int) -> str:
        known = [p.name for p in self.parameters]
        for name in kwargs:
            if name not in known:
                return f"{self.name}() got an unexpected keyword argument '{name}'"
            if known.index(name) < positional:
                return f"{self.name}() got multiple values for argument '{name}'"
        return "invalid keyword arguments"


@functools.cache
def signatures_by_name() -> dict[tuple[bool, str], list[Signature]]:
    """Return the overloads of each function by (is_method, name), with deprecated overloads last."""
    table: dict[tuple[bool, str], list[Signature]] = {}
    method = False
    for line in (Path(__file__).parent / "signatures.txt").read_text().splitlines():
        if line in ("functions", "methods"):
            method = line == "methods"
            continue
        signature = Signature(line)
        table.setdefault((method, signature.name), []).append(signature)
    for overloads in table.values():
        overloads.sort(key=lambda s: s.hidden)
    return table


def in_torch_names(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return `kwargs` with NumPy's argument names replaced by torch's."""
    return {NUMPY_NAMES.get(name, name): value for name, value in kwargs.items()}


def type_name(value: Any) -> str:
    """Return the name of a value's type as torch's messages print it, such as `numpy.float64`."""
    kind = type(value)
    named: dict[Any, str] = {dtype: "torch.dtype", device: "torch.device", layout: "torch.layout", Size: "torch.Size",
                             memory_format: "torch.memory_format"}  # fmt: skip
    if kind in named:
        return named[kind]
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__


def rejection(name: str, method: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """Return the text of torch's TypeError for a call of `name`; None if the arguments fit or the name is unknown.

    Args:
        method: whether `name` is a method of Tensor.
        args: the positional arguments, for a method without `self`.
    """
    overloads = signatures_by_name().get((method, name))
    if not overloads:
        return None
    problems = []
    for signature in overloads:
        try:
            signature.check(args, kwargs)
        except Rejected as problem:
            problems.append(str(problem))
            if str(problem).startswith("expected Tensor as element") or _UNPACK in str(problem):
                return str(problem)
        else:
            return None
    count = len(args) + len(kwargs)
    plausible = [
        problem
        for signature, problem in zip(overloads, problems, strict=True)
        if signature.required <= count <= len(signature.parameters) and not signature.hidden
    ]
    if len(overloads) == 1 or len(plausible) == 1:
        return problems[0] if len(overloads) == 1 else plausible[0]
    return _no_overload(name, [s.as_text() for s in overloads if not s.hidden], args, kwargs)


def tensors_for_numbers(name: str, method: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> set[int | str]:
    """Return the positions and keywords of tensors that a call of `name` passes for numbers.

    These are arguments for which no signature that fits the call has a Tensor parameter.
    """
    kinds: dict[int | str, set[str]] = {}
    for signature in signatures_by_name().get((method, name), ()):
        with contextlib.suppress(Rejected):
            signature.check(args, kwargs)
            for position, p in enumerate(signature.parameters):
                kinds.setdefault(position, set()).add(p.kind)
                kinds.setdefault(p.name, set()).add(p.kind)
    passed: list[tuple[int | str, Any]] = [*enumerate(args), *kwargs.items()]
    tensors = [key for key, value in passed if isinstance(value, Tensor)]
    return {key for key in tensors if key in kinds and "Tensor" not in kinds[key]}


def _no_overload(name: str, options: list[str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    # torch lists keywords in the order of a C++ hash table, which is the reverse of their order in the call.
    keywords = list(reversed(kwargs.items()))
    got = ", ".join([type_name(a) for a in args] + [f"{k}={type_name(v)}" for k, v in keywords])
    comma = ", " if keywords and not args else ""  # as torch has it
    got += comma
    message = f"{name}() received an invalid combination of arguments - got ({got}), but expected "
    if len(options) == 1:
        return message + options[0]
    message += "one of:\n"
    for option in options:
        message += f" * {option}\n"
        # torch takes the last word as the name, which is "1" in `int groups = 1`. So a parameter with a default never matches.
        parameters = [(kind, name) for kind, _, name in (part.rpartition(" ") for part in option[1:-1].split(", "))]
        if len(parameters) != count_of(args, kwargs):
            continue
        unknown = [k for k, _ in keywords if k not in [name for _, name in parameters[len(parameters) - len(kwargs) :]]]
        if unknown:
            message += f"      didn't match because some of the keywords were incorrect: {', '.join(unknown)}\n"
            continue
        values = [("", a) for a in args] + [(f"{name}=", kwargs[name]) for _, name in parameters[len(args) :]]
        marked_types = [
            _mark_mismatch(kind, prefix, value) for (kind, _), (prefix, value) in zip(parameters, values, strict=True)
        ]
        message += (
            f"      didn't match because some of the arguments have invalid types: ({', '.join(marked_types)}{comma})\n"
        )
    return message


def count_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> int:
    """Return the number of arguments, positional and by keyword."""
    return len(args) + len(kwargs)


def _mark_mismatch(kind: str, prefix: str, value: Any) -> str:
    """Return `prefix` and the type of `value`, between exclamation marks if the type differs from `kind`, the type in the signature.

    For a list or tuple, the types of the elements follow. An int fits a float.
    """
    text = type_name(value)
    fits = text == kind or (kind == "float" and text == "int")
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
        inside = ", ".join(type_name(v) for v in value)
        comma = "," if isinstance(value, tuple) and len(value) == 1 else ""
        text += f" of ({inside}{comma})" if isinstance(value, tuple) else f" of [{inside}]"
    return f"{prefix}{text}" if fits else f"!{prefix}{text}!"
