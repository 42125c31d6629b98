"""Operations refuse arrays of NumPy in place of tensors, as in torch. Some operators take them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

import reference_impl
from tests.engine.make_tables.op import operations
from tests.engine.op_compare import engine_callable, full_name, quick_seeding
from tests.engine.torch_bridge import to_engine

TAKE_NUMBERS = {
    "linspace.tensor_overload",
    "logspace.tensor_overload",
    "normal",
}  # the engine takes a 0-d array as a number
OPS = [op for op in operations()[0] if torch.float32 in op.supported_dtypes("cpu") and not op.name.startswith("__")]


@pytest.mark.parametrize("op", [op for op in OPS if full_name(op) not in TAKE_NUMBERS], ids=full_name)
def test_an_operation_refuses_an_array_in_place_of_a_tensor(op: Any) -> None:
    """Put an array in place of each tensor of the first sample. Both engines must raise an error, not always the same."""
    with quick_seeding():
        sample = next(iter(op.sample_inputs("cpu", torch.float32)))
    arguments = (sample.input, *sample.args)
    keywords = {name: to_engine(value) for name, value in sample.kwargs.items()}
    for index, argument in enumerate(arguments):
        if isinstance(argument, torch.Tensor):
            changed = [argument.numpy() if i == index else a for i, a in enumerate(arguments)]
            expected = error_of(op.op, changed, sample.kwargs)
            actual = error_of(engine_callable(op), [to_engine(a) for a in changed], keywords)
            assert (actual is None) == (expected is None), f"argument {index}: {actual}, but torch: {expected}"


def error_of(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Exception | None:
    """Return the error of a call, or None if the call succeeds."""
    try:
        function(*args, **kwargs)
    except Exception as error:
        return error
    return None


ARRAYS = ("np.array([3., 5.])", "np.array(2)", "np.array(['a', 'b'])", "[3., 5.]")


@pytest.mark.parametrize("symbol", ["+", "-", "*", "/", "//", "%", "**", "@", "==", "!=", "<", ">="])
@pytest.mark.parametrize("array", ARRAYS)
def test_an_operator_with_an_array_computes_what_torch_computes(symbol: str, array: str) -> None:
    for expression in (f"x {symbol} {array}", f"{array} {symbol} x"):
        assert outcome(reference_impl, expression) == outcome(torch, expression), expression


def outcome(library: Any, expression: str) -> str:
    """Evaluate an expression of the tensor x. Return the result, or the built-in class of the error."""
    names = {"np": np, "x": library.tensor([3.0, 4.0])}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return repr(eval(expression, names))
    except Exception as error:
        return next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins")
