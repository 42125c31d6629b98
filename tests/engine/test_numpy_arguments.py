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


SCALARS = (
    "bool_(True)", "int8(2)", "uint8(2)", "int16(2)", "uint16(2)", "int32(2)", "uint32(2)", "int64(2)", "uint64(2)", "float16(2)",
    "float32(2)", "float64(2)", "longdouble(2)", "str_('a')",
)  # fmt: skip
WITH_SCALAR = (
    *[f"{{x}} {symbol} {{s}}" for symbol in "+ - * / // % ** == != < >= & | ^ << >>".split()],
    *[f"{{s}} {symbol} {{x}}" for symbol in "+ - * / // ** == < & <<".split()],
    "torch.add({x}, {s})", "torch.add({x}, {x}, alpha={s})", "torch.pow({s}, {x})", "torch.where(mask, {x}, {s})", "torch.where(mask, {s}, {s})",
    "torch.full((2,), {s})", "torch.clamp({x}, {s})", "{x}.mul_({s})", "{x}.fill_({s})", "{x}.masked_fill(mask, {s})", "{x}.__setitem__(0, {s}), {x}",
)  # fmt: skip


@pytest.mark.parametrize("scalar", SCALARS)
def test_a_numpy_scalar_is_the_number_that_torch_reads(scalar: str) -> None:
    """The dtype of a scalar must not count: an integer tensor times np.float64 is float32. np.bool_ counts as a float."""
    different = []
    for x in ("x", "scalar", "integers", "mask"):
        for template in WITH_SCALAR:
            expression = template.format(x=x, s=f"np.{scalar}")
            if "alpha" in template and scalar.startswith("bool"):
                continue  # the engine reads True
            actual, expected = outcome(reference_impl, expression), outcome(torch, expression)
            if actual != expected:
                different.append(f"{expression}: {actual}, but torch: {expected}")
    assert not different, "\n".join(different)


def outcome(library: Any, expression: str) -> str:
    """Evaluate an expression of a few tensors. Return the result, or the built-in class of the error."""
    names = {
        "torch": library,
        "np": np,
        "x": library.tensor([3.0, 4.0]),
        "scalar": library.tensor(3.0),
        "integers": library.tensor([3, 4]),
        "mask": library.tensor([True, False]),
    }
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return repr(eval(expression, names))
    except Exception as error:
        return next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins")
