"""What torch does and the engine says that it leaves out: it is told, and not left undone."""

from __future__ import annotations

import pytest

import reference_impl as engine


@pytest.mark.parametrize("asked", ["check_forward_ad", "check_batched_grad", "check_batched_forward_grad"])
def test_a_check_that_gradcheck_has_not(asked: str) -> None:
    x = engine.ones(1, dtype=engine.float64, requires_grad=True)
    with pytest.raises(NotImplementedError, match="^forward-mode and batched gradients are out of the scope"):
        engine.autograd.gradcheck(engine.sin, x, **{asked: True})


def test_forward_mode() -> None:
    with pytest.raises(NotImplementedError, match="^forward-mode differentiation is out of the scope"):
        engine.autograd.functional.jacobian(engine.sin, engine.ones(2), vectorize=True, strategy="forward-mode")
