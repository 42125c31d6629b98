"""For wrong arguments, the engine raises the errors of torch's argument parser, word for word."""

from __future__ import annotations

import inspect
import keyword
import re
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

import reference_impl
from reference_impl.arguments.kinds import FLAGS, INTEGERS, NUMBERS
from reference_impl.arguments.parser import Parameter, Signature, signatures_by_name
from reference_impl.ops.registry import CREATE_FROM_SIZES, SIZES, TAKES_OTHER_FORMS
from tests.engine.make_tables import signatures

CALLS = [
    "torch.sum(2)",
    "torch.sum(torch.ones(3), 'a')",
    "torch.softmax(torch.ones(3))",
    "torch.softmax(2, 0)",
    "torch.linspace(0, 3, 1.0)",
    "torch.exp()",
    "torch.exp(2)",
    "torch.exp(torch.ones(2), 1)",
    "torch.exp(torch.ones(2), foo=1)",
    "torch.exp(torch.ones(2), input=torch.ones(2))",
    "torch.zeros('a')",
    "torch.cat(torch.ones(2))",
    "torch.cat([1, 2])",
    "torch.add(torch.ones(2), 'a')",
    "torch.arange()",
    "torch.arange('a')",
    "torch.max(torch.ones(2), 1.5)",
    "torch.clamp(torch.ones(2), 'a')",
    "torch.special.erf(2)",
    "torch.full((2,), 'a')",
    "torch.matmul(torch.ones(2), 2)",
    "torch.topk(torch.ones(2))",
    "torch.bitwise_and(2, 3)",
    "torch.eq(2, torch.ones(2))",
    "torch.maximum(torch.ones(2), 2)",
    "torch.mean(torch.ones(2), dim='a')",
    "torch.mean(torch.ones(2), foo=0)",
    "torch.prod(torch.ones(2), (0,))",
    "torch.unsqueeze(torch.ones(2))",
    "torch.flatten(torch.ones(2), 1, 2, 3)",
    "torch.gather(torch.ones(2), 0, 2)",
    "torch.where(True, 1, 2)",
    "torch.where(torch.ones(2) > 0, torch.ones(2))",
    "torch.std()",
    "torch.std(2)",
    "torch.conv2d(1, 2)",
    "torch.conv2d(1, torch.ones(1), None, (1,), (0,), (1,), 1)",
    "torch.nn.functional.conv2d(torch.ones(1), torch.ones(1), foo=1)",
    "torch.nn.functional.linear(torch.ones(2), 2)",
    "torch.nn.functional.one_hot([1, 2])",
    "torch.nn.Conv2d(1, 1, 2)(3)",
    "torch.nn.Linear(2, 2)([1.0, 2.0])",
    "torch.nn.GELU()(None)",
    "torch.adaptive_avg_pool1d(torch.ones(1, 4), 'a')",
]


NOT_NUMBERS = ("'a'", "[1]", "None", "object")


@pytest.mark.parametrize("call", CALLS)
def test_wrong_arguments_raise_the_error_of_torch(call: str) -> None:
    with pytest.raises(TypeError) as expected:
        eval(call, {"torch": torch})
    with pytest.raises(TypeError) as actual:
        eval(call, {"torch": reference_impl})
    assert str(actual.value) == str(expected.value)


@pytest.mark.parametrize("symbol", "+ - * / // % ** @ & | ^ << >> < <= == !=".split())
def test_an_operator_refuses_operands_of_other_types_as_in_torch(symbol: str) -> None:
    """Compare the errors for operands to the right and to the left of a tensor, and in place. == and != raise no error."""
    programs = [f"x = x {symbol} {other}" for other in NOT_NUMBERS] + [
        f"x = {other} {symbol} x" for other in NOT_NUMBERS
    ]
    if symbol not in ("<", "<=", "==", "!="):
        programs += [f"x {symbol}= {other}" for other in NOT_NUMBERS]
    for program in programs:
        assert outcome_of_program(reference_impl, program) == outcome_of_program(torch, program), program


def outcome_of_program(library: Any, program: str) -> Any:
    """Run a statement that assigns to x, which is a tensor before. Return x, or the error as `TypeError: message`."""
    names = {"x": library.tensor([3, 4])}
    try:
        exec(program, names)
    except TypeError as error:
        return f"TypeError: {error}"
    return names["x"]


@pytest.mark.parametrize(
    "call",
    [
        "torch.sum(torch.ones(2, 3), axis=0)",
        "torch.mean(a=torch.ones(2, 3), axis=1, keepdims=True)",
        "torch.maximum(torch.ones(1), x2=torch.zeros(1))",
        "torch.clamp(input=torch.ones(1), max=0.5)",
    ],
)
def test_numpys_names_of_arguments_are_accepted(call: str) -> None:
    expected: Any = eval(call, {"torch": torch})
    assert eval(call, {"torch": reference_impl}).tolist() == expected.tolist()


@pytest.mark.parametrize("name", ["max", "min"])
def test_a_tensor_in_the_position_of_a_dimension_keeps_its_gradient(name: str) -> None:
    """Call `torch.max(x, y)` with a one-element tensor `y`, which another overload would convert to the integer `dim`."""
    for library in torch, reference_impl:
        t: Any = library
        x, y = t.tensor([1.0, -4.0]), t.tensor(-2.0, requires_grad=True)
        for result in getattr(t, name)(x, y), getattr(x, name)(y):
            (gradient,) = t.autograd.grad(result.sum(), y)
            assert gradient.item() == 1.0


# -- calls of every function with sizes and every numeric parameter, generated from torch's signatures

SIZE_ARGUMENTS = (
    "", "0, 1", "2, 1", "1", "(2, 1)", "[2, 1]", "()", "(1.5,)", "1.5", "2, 1.5", "True", "'a'", "(2, 'a')", "None", "[[1]]",
    "torch.tensor(2)", "(torch.tensor(2), 1)", "torch.ones(2)", "[torch.ones(1)]", "(2, 1), (2, 1)", "(2, 1), 1",
)  # fmt: skip


def outcome(library: Any, call: str) -> str:
    """Return the shape of the result, or the error as `TypeError: message`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = eval(call, {"torch": library, "np": np})
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    return str(tuple(getattr(result, "shape", ())))


def difference_of_outcomes(call: str) -> str | None:
    """Return a text that shows how the outcomes of a call differ, or None if they are equal.

    Also return None if torch raises another error than a TypeError: then its argument parser has accepted the arguments.
    """
    expected, actual = outcome(torch, call), outcome(reference_impl, call)
    if expected == actual or not expected.startswith(("TypeError", "(")):
        return None
    return f"{call}: {actual}\n  instead of\n{expected}"


def takes_sizes(overloads: list[Signature]) -> bool:
    """Return whether, in one of the overloads, the only positional parameter besides tensors is a list of sizes."""
    kinds = [[p.kind for p in s.parameters if not p.keyword_only and p.kind != "Tensor"] for s in overloads]
    return any(k in (["IntArrayRef"], ["SymIntArrayRef"]) for k in kinds)


def test_the_list_of_functions_with_separate_sizes_is_complete() -> None:
    """Check that SIZES names exactly the functions of the engine that accept sizes as separate arguments, as in `x.view(2, 3)`."""
    names = set()
    for (is_method, name), overloads in signatures_by_name().items():
        owner: Any = reference_impl.Tensor if is_method else reference_impl
        function = getattr(getattr(owner, name, None), "__wrapped__", None)
        if function is not None and function.__code__.co_flags & 0x04 and takes_sizes(overloads):
            names.add(name)
    assert names == SIZES


@pytest.mark.parametrize("name", sorted(SIZES | {"full", "new_full"}))
def test_sizes_are_accepted_or_refused_as_in_torch(name: str) -> None:
    differences = []
    for arguments in SIZE_ARGUMENTS:
        sizes = [arguments, "1"] if "full" in name else [arguments]
        input = ["torch.ones(2, 1)"] if name not in CREATE_FROM_SIZES and name != "full" else []
        if hasattr(torch.Tensor, name):
            differences.append(difference_of_outcomes(f"torch.ones(2, 1).{name}({', '.join(filter(None, sizes))})"))
        if hasattr(torch, name):
            differences.append(difference_of_outcomes(f"torch.{name}({', '.join(filter(None, input + sizes))})"))
    assert not any(differences), "\n".join(filter(None, differences))


# An argument of each type that torch accepts.
VALUES = {
    "Tensor": "torch.ones(2, 2)", "TensorList": "[torch.ones(2, 2)]", "Scalar": "1", "double": "1.0", "int64_t": "1", "SymInt": "1",
    "IntArrayRef": "(2,)", "SymIntArrayRef": "(2,)", "bool": "True",
}  # fmt: skip


INTEGER_KINDS = {"int64_t", "SymInt", "IntArrayRef", "SymIntArrayRef"}
NUMBER_KINDS = {*INTEGER_KINDS, "Scalar", "double"}


def test_the_lists_of_flags_integers_and_numbers_agree_with_torchs_signatures() -> None:
    kinds: dict[str, set[str]] = {}
    for overloads in signatures_by_name().values():
        for signature in overloads:
            for p in signature.parameters:
                kinds.setdefault(p.name, set()).add(p.kind)
    assert {name for name in kinds if kinds[name] == {"bool"}} == FLAGS
    assert {name for name in kinds if kinds[name] <= INTEGER_KINDS} == INTEGERS - {"indices_or_sections"}
    numbers = {name for name in kinds if kinds[name] <= NUMBER_KINDS} - INTEGERS
    # In the engine, `self` is always a tensor. In torch, `value` is a tensor in some signatures.
    assert numbers - {"self"} == NUMBERS - {"value"}


# Functions of torch that pass their arguments on by position: they accept a tensor as a number, and None as a missing argument.
PASS_ON_BY_POSITION = {"exponential_", "new_empty_strided", "new_full", "random_", "uniform_"}


def is_defined_in_python(is_method: bool, name: str) -> bool:
    """Return whether torch defines the function or the tensor method in Python, not in C++."""
    return inspect.isfunction(getattr(torch.Tensor if is_method else torch, name, None))


def calls_with(signature: Signature, parameter: Parameter, is_method: bool, values: Iterable[str]) -> Iterator[str]:
    """Yield calls that pass each of `values` for a parameter: by keyword and, if possible, by position."""
    required = [p for p in signature.parameters if not p.optional and p is not parameter]
    if all(p.kind in VALUES for p in required):
        arguments = [("" if not p.keyword_only else p.name + "=") + VALUES[p.kind] for p in required]
        function = f"{'torch.ones(2, 2)' if is_method else 'torch'}.{signature.name}"
        before = signature.parameters[: signature.parameters.index(parameter)]
        for value in values:
            if parameter.name not in keyword.kwlist:
                yield f"{function}({', '.join([*arguments, f'{parameter.name}={value}'])})"
            if not parameter.keyword_only and not any(p.optional for p in before):
                yield f"{function}({', '.join([*arguments[: len(before)], value, *arguments[len(before) :]])})"


def calls_for(names: frozenset[str], values: Iterable[str]) -> list[str]:
    """Return calls in which each parameter whose name is in `names` gets each of `values` in turn.

    Functions and methods that torch defines in Python, or that pass arguments on by position, are omitted.
    """
    return [
        call
        for (is_method, name), overloads in signatures_by_name().items()
        if hasattr(reference_impl.Tensor if is_method else reference_impl, name)
        if name not in PASS_ON_BY_POSITION and not is_defined_in_python(is_method, name)
        for signature in overloads
        for p in signature.parameters
        if p.name in names and not signature.hidden
        for call in calls_with(signature, p, is_method, values)
    ]


# Functions with two overloads in torch and one in the engine, and functions that are out of scope.
OTHER_OVERLOADS = ("hsplit", "vsplit", "tensor_split", "swapaxes_", "to_sparse")


@pytest.mark.parametrize("number", ["np.int64(1)", "torch.tensor(1)"])
def test_integers_of_other_classes_are_accepted(number: str) -> None:
    """Check that NumPy integers and integer tensors without dimensions are accepted as integer arguments wherever torch accepts them."""
    calls = [c for c in calls_for(INTEGERS, [number]) if not re.search(rf"\.({'|'.join(OTHER_OVERLOADS)})\(", c)]
    accepted_calls = [call for call in calls if outcome(torch, call).startswith("(")]
    assert len(accepted_calls) > 250
    differences = [
        f"{call}: {outcome(reference_impl, call)}"
        for call in accepted_calls
        if outcome(reference_impl, call) != outcome(torch, call)
    ]
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize(
    ("names", "values", "count"),
    [
        pytest.param(NUMBERS | INTEGERS, ("torch.tensor(1.0, requires_grad=True)", "torch.ones(2)"), 1000, id="a tensor for a number"),
        pytest.param(INTEGERS, ("True", "1.5", "(True,)", "torch.tensor(True)"), 1000, id="a bool for an integer"),
        pytest.param(FLAGS, ("2", "1.5", "'a'", "[]", "torch.tensor(True)"), 1000, id="another type for a flag"),
        pytest.param(NUMBERS, ("'a'", "None", "[1]"), 100, id="another type for a number"),
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_type_raises_the_error_of_torch(
    names: frozenset[str], values: tuple[str, ...], count: int
) -> None:
    calls = calls_for(names, values)
    refused_calls = [call for call in calls if outcome(torch, call).startswith("TypeError")]
    assert len(refused_calls) > count
    differences = list(filter(None, map(difference_of_outcomes, refused_calls)))
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize(
    "call",
    [
        "torch.addcmul(x, x, x, value=torch.tensor(2.0))",
        "x.mul(1).addcdiv_(x, x, value=torch.tensor(2.0))",
        "torch.add(x, x, alpha=torch.tensor(3.0))",
        "torch.flatten(x.mul(1)[None], start_dim=torch.tensor(0))",
    ],
)
def test_a_one_element_tensor_is_accepted_as_a_number(call: str) -> None:
    results = []
    for library in torch, reference_impl:
        result: Any = eval(call, {"torch": library, "x": library.tensor([1.0, 2.0], requires_grad=True)})
        names = [name for name in dir(result.grad_fn) if name.startswith("_saved_")]
        saved_numbers = [value for name in names if isinstance(value := getattr(result.grad_fn, name), (int, float))]
        results.append((result.tolist(), names, saved_numbers))
    assert results[1] == results[0]


@pytest.mark.parametrize(
    "call",
    [
        "torch.ones(2, 2).transpose(0, torch.ones(2, 2))",
        "torch.ones(2, 2).sub_(torch.ones(2, 2), alpha='a')",
        "torch.softmax(torch.ones(2), torch.ones(2))",
        "torch.ones(2).roll(1.5)",
        "torch.ones(2).roll((True,))",
        "torch.nn.functional.avg_pool2d(torch.ones(2, 2), (1.5,))",
    ],
)
def test_arguments_are_checked_before_the_operation_runs(call: str) -> None:
    assert outcome(torch, call).startswith("TypeError")
    assert difference_of_outcomes(call) is None, difference_of_outcomes(call)


def test_errors_of_python_functions_have_the_type_of_torch() -> None:
    """Call functions that torch defines in Python, to which the C++ signatures of the same name do not apply."""
    in_python = {
        name
        for is_method, name in signatures_by_name()
        if not is_method and inspect.isfunction(getattr(torch, name, None))
    }
    assert in_python <= TAKES_OTHER_FORMS
    for call in (
        "torch.broadcast_tensors(torch.ones(3), torch.ones(3, 2))",
        "torch.atleast_1d(torch.ones(2), 'a')",
        "torch.cdist(torch.ones(2, 3), torch.ones(2, 2), 2.0, 'use_mm_for_euclid_dist')",
        "torch.split(torch.ones(4), 0)",
        "torch.meshgrid(torch.ones(2), torch.ones(2, 2))",
        "torch.nn.functional.relu(torch.ones(2, requires_grad=True), inplace=True)",
        "torch.nn.functional.elu(torch.ones(2, requires_grad=True), alpha=torch.tensor(1.0), inplace=True)",
    ):
        assert outcome(torch, call).partition(":")[0] == outcome(reference_impl, call).partition(":")[0] != "", call


def test_an_error_of_the_operation_is_not_replaced_by_an_argument_error() -> None:
    with pytest.raises(IndexError, match="Dimension out of range"):
        reference_impl.sum(reference_impl.ones(2), 3)


def test_the_list_of_signatures_contains_those_of_the_installed_torch() -> None:
    missing = set(signatures.lines()) - set(signatures.PATH.read_text().splitlines())
    assert not missing, "signatures.txt is outdated: run `.venv/bin/python -m tests.engine.make_tables.signatures`"


LAYERS = [
    name
    for name, value in sorted(vars(torch.nn).items())
    if isinstance(value, type) and issubclass(value, torch.nn.Module) and hasattr(reference_impl.nn, name)
]


@pytest.mark.parametrize("name", LAYERS)
def test_wrong_arguments_of_a_layer_raise_the_error_of_torch(name: str) -> None:
    """Check missing arguments, too many of them, and a wrong keyword. The errors name the class that defines `__init__` in torch."""
    for arguments in ("", "*[1] * 30", "wrong=1"):
        call = f"torch.nn.{name}({arguments})"
        assert outcome(reference_impl, call) == outcome(torch, call)
