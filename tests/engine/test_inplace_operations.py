"""In-place operations, most of which have no derivative, give the same node and gradients, or the same error, as in torch."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import reference_impl

CALLS = [
    "y.eq_(1.0)", "y.eq_(o)", "y.ne_(1)", "y.lt_(o)", "y.le_(2)", "y.gt_(o)", "y.ge_(o)", "y.logical_and_(o)", "y.logical_not_()",
    "y.floor_divide_(2)", "y.sign_()", "y.acosh_()", "y.arctanh_()", "y.remainder_(2)",
    "y.fmod_(o)", "y.clamp_(0, 1.5)", "y.square_()", "y.round_(decimals=1)",
]  # fmt: skip


def outcome_of_call(library: Any, call: str) -> tuple[Any, ...]:
    """Evaluate the expression `call`, in which `y` is a clone of the leaf `x`, and `o` is another leaf.

    Return the node name and the values of the result, and the gradients of `x` and `o`; or the type and the message of the error.
    """
    x = library.tensor([1.25, 2.0], requires_grad=True)
    o = library.tensor([1.0, 3.0], requires_grad=True)
    y = x.clone()  # noqa: F841 (used by the evaluated call)
    try:
        z = eval(call)
        name = z.grad_fn.name()
        z.sum().backward()
    except (RuntimeError, NotImplementedError) as error:
        return type(error).__name__, str(error)
    return name, z.tolist(), x.grad.tolist(), None if o.grad is None else o.grad.tolist()


@pytest.mark.parametrize("call", CALLS)
def test_an_in_place_call_has_the_outcome_of_torch(call: str) -> None:
    assert outcome_of_call(reference_impl, call) == outcome_of_call(torch, call)
