"""What the functions of `torch.nn.functional` say of a list, a number or an array of NumPy where a tensor belongs.

Those that torch defines in Python treat an argument in one of two ways, and the error tells which:

- they ask it for something (`input.size()`): AttributeError, as for any object without it;
- they hand it to a function of C++, whose argument parser answers: TypeError, with the name of *that* function.

tensor_arguments.txt says which, and is made from torch by tests/engine/functional_arguments.py. Functions of C++ themselves are
`@builtin` (see `ops.registry`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reference_impl._argument_parser import type_name
from reference_impl._tensor import Tensor
from reference_impl.ops.promotion import check_one_device
from reference_impl.ops.registry import named_as


def rows() -> dict[str, dict[str, str]]:
    """By function and argument: the attribute that is asked for, or the C++ function with the argument's name and position."""
    table: dict[str, dict[str, str]] = {}
    for line in (Path(__file__).parent / "tensor_arguments.txt").read_text().splitlines():
        function, argument, treatment = line.split("\t")
        table.setdefault(function, {})[argument] = treatment
    return table


def checked_tensors(function: Callable[..., Any], treatments: dict[str, str]) -> Callable[..., Any]:
    """`function`, which says what torch says where an argument is no tensor.

    Args:
        treatments: one of the `rows`.
    """
    names = function.__code__.co_varnames
    leading = next((i for i, name in enumerate(names) if name not in treatments), len(names))

    def refuse(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        failure = _refusal(function, treatments, args, kwargs)
        if failure is not None:
            raise failure

    @named_as(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        for value in args[:leading]:
            if not isinstance(value, Tensor) and (value is not None or args[0] is None):
                refuse(args, kwargs)
        for name, value in kwargs.items():
            if not isinstance(value, Tensor) and value is not None and name in treatments:
                refuse(args, kwargs)
        try:
            return function(*args, **kwargs)
        except Exception as error:
            check_one_device(args, kwargs)
            failure = _refusal(function, treatments, args, kwargs)
            if failure is None:
                raise
            raise failure.with_traceback(error.__traceback__) from None

    return wrapper


def _refusal(
    function: Callable[..., Any], treatments: dict[str, str], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Exception | None:
    """What torch says of the first argument that should be a tensor and is none; None where all are, or some are missing."""
    signature = inspect.signature(function)
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError:
        return None
    for name, treatment in treatments.items():
        optional = "None" in str(signature.parameters[name].annotation)
        value = given.get(name)
        if name in given and not isinstance(value, Tensor) and not (value is None and optional):
            return _said_of(value, treatment)
    return None


def _said_of(value: Any, treatment: str) -> Exception | None:
    if "(" in treatment:
        return TypeError(f"{treatment} must be Tensor, not {type_name(value)}")
    try:
        found = getattr(value, treatment)
        if callable(getattr(Tensor, treatment)):  # else a property: nothing more happens to it
            found()
    except (AttributeError, TypeError) as error:
        return error.with_traceback(None)
    return None
