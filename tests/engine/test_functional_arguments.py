"""Something else where a function of nn.functional takes a tensor: torch's error, to the letter."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import reference_impl
from reference_impl.nn import _tensor_arguments
from tests.engine import functional_arguments
from tests.engine.functional_arguments import call, tensor_arguments

VALUES = {"list": [1.0, 2.0], "int": 3, "float": 2.5, "str": "x", "tuple": (1, 2), "ndarray": np.ones((2, 3))}
ROWS = [(name, argument) for name, arguments in _tensor_arguments.rows().items() for argument in arguments]


def test_the_file_says_what_torch_says() -> None:
    made = functional_arguments.PATH.read_text().splitlines()
    assert made == list(functional_arguments.lines()), "run `python -m tests.engine.functional_arguments`"


@pytest.mark.parametrize(("name", "argument"), ROWS)
def test_no_tensor(name: str, argument: str) -> None:
    values = dict(VALUES)
    parameter = next(p for p in tensor_arguments(name) if p.name == argument)
    if "None" not in str(parameter.annotation):
        values["NoneType"] = None
    theirs = {kind: call(torch, name, argument, value) for kind, value in values.items()}
    assert {kind: call(reference_impl, name, argument, value) for kind, value in values.items()} == theirs


def test_what_torch_takes_is_left_alone() -> None:
    x = reference_impl.ones(2, 3)
    assert reference_impl.nn.functional.mse_loss(input=x, target=x, weight=None).item() == 0
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'kernel_size'"):
        reference_impl.nn.functional.max_pool2d(x)
    with pytest.raises(TypeError, match=r"max_pool2d\(\): argument 'input' \(position 1\) must be Tensor, not list"):
        reference_impl.nn.MaxPool2d(2)([[1.0, 2.0], [3.0, 4.0]])
