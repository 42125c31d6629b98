"""Declare classes by their fields: the annotated names of a class are the arguments of its `__init__`, in order.

    class Threshold(Layer):
        threshold: float
        value: float
        inplace: bool = False

gives the class the constructor `Threshold(threshold, value, inplace=False)`. Fields after `_: KW_ONLY` are keyword-only. A field of
type `InitOnly` is an argument that is not stored as an attribute. `dataclasses` is similar, but stores a default as an attribute of
the class, unlike torch, and cannot run code before the first assignment, as `Module.__init__` must.
"""

from __future__ import annotations

from functools import update_wrapper
from types import FunctionType
from typing import Any

InitOnly = Any
"""The annotation of an argument that is not stored as an attribute."""

KW_ONLY = Any
"""The annotation that separates positional arguments from keyword-only ones: `_: KW_ONLY`."""


def declare(cls: Any, begin: str, first: str = "") -> None:
    """Give `cls` an `__init__` that takes `first` and the fields, and calls `self.<begin>(first, {field: value, ...})`.

    A class without fields keeps the `__init__` of its parent. A class with fields must declare all its arguments, including those
    that its parent declares. Annotated names that begin with `_` are not fields. `cls._fields` maps the name of each field to its
    annotation. Defaults are removed from the class.

    Args:
        begin: name of the method that initializes the object.
        first: name of an argument that comes before the fields, such as "params"; empty for none.
    """
    fields = {n: kind for n, kind in vars(cls).get("__annotations__", {}).items() if n == "_" or n[0] != "_"}
    if not fields:
        return
    cls._fields = {n: kind for n, kind in fields.items() if n != "_"}
    defaults = {n: vars(cls)[n] for n in fields if n in vars(cls)}
    for name in defaults:
        delattr(cls, name)
    arguments = [first] if first else []
    arguments += ["*" if n == "_" else f"{n}=defaults[{n!r}]" if n in defaults else n for n in fields]
    begin_arguments = [first] if first else []
    begin_arguments.append("{" + ", ".join(f"{n!r}: {n}" for n in cls._fields) + "}")
    write_method(
        cls, "__init__", ["self", *arguments], f"self.{begin}({', '.join(begin_arguments)})", defaults=defaults
    )
    cls.__init__.__annotations__ = {**cls._fields, "return": "None"}


def renamed(method: Any, class_name: str) -> Any:
    """Return a copy of `method` that Python's errors for wrong arguments name as a method of the class `class_name`."""
    copy = FunctionType(method.__code__, method.__globals__, method.__name__, method.__defaults__, method.__closure__)
    copy.__kwdefaults__ = method.__kwdefaults__
    update_wrapper(copy, method).__qualname__ = f"{class_name}.{method.__name__}"
    return copy


def write_method(cls: Any, name: str, arguments: list[str], body: str, **names: Any) -> None:
    """Add a method to `cls` from its source text, as `dataclasses` does.

    Errors, `help` and `inspect.signature` then describe it like a method written by hand.

    Args:
        body: the expression that the method returns.
        names: global variables of the source text.
    """
    exec(f"def {name}({', '.join(arguments)}): return {body}", names)
    method = names[name]
    method.__module__, method.__qualname__ = cls.__module__, f"{cls.__qualname__}.{name}"
    setattr(cls, name, method)
