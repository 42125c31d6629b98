"""Wrong arguments: the engine raises what torch's argument parser raises, word for word."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import reference_impl
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


@pytest.mark.parametrize("call", CALLS)
def test_error(call: str) -> None:
    with pytest.raises(TypeError) as expected:
        eval(call, {"torch": torch})
    with pytest.raises(TypeError) as actual:
        eval(call, {"torch": reference_impl})
    assert str(actual.value) == str(expected.value)


@pytest.mark.parametrize(
    "call",
    [
        "torch.sum(torch.ones(2, 3), axis=0)",
        "torch.mean(a=torch.ones(2, 3), axis=1, keepdims=True)",
        "torch.maximum(torch.ones(1), x2=torch.zeros(1))",
        "torch.clamp(input=torch.ones(1), max=0.5)",
    ],
)
def test_names_of_numpy(call: str) -> None:
    expected: Any = eval(call, {"torch": torch})
    assert eval(call, {"torch": reference_impl}).tolist() == expected.tolist()


def test_an_error_of_the_operation_passes() -> None:
    with pytest.raises(IndexError, match="Dimension out of range"):
        reference_impl.sum(reference_impl.ones(2), 3)


def test_signatures_are_those_of_this_torch() -> None:
    missing = set(signatures.lines()) - set(signatures.PATH.read_text().splitlines())
    assert not missing, "run `python -m tests.engine.make_tables.signatures`"
