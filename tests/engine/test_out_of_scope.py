"""Features of torch that the engine lacks raise an error that names them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import reference_impl as engine


@pytest.mark.parametrize("option", ["check_forward_ad", "check_batched_grad", "check_batched_forward_grad"])
def test_gradcheck_refuses_options_that_the_engine_lacks(option: str) -> None:
    x = engine.ones(1, dtype=engine.float64, requires_grad=True)
    with pytest.raises(NotImplementedError, match="^forward-mode and batched gradients are out of the scope"):
        engine.autograd.gradcheck(engine.sin, x, **{option: True})


def test_forward_mode_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="^forward-mode differentiation is out of the scope"):
        engine.autograd.functional.jacobian(engine.sin, engine.ones(2), vectorize=True, strategy="forward-mode")


def test_grad_modes_refuse_to_decorate_classes_and_generators() -> None:
    for decorated in (type("C", (), {}), generator_function):
        with pytest.raises(
            NotImplementedError,
            match="^PyTorch can decorate a class or a generator with no_grad; reference_impl, which runs here, cannot",
        ):
            engine.no_grad()(decorated)


def generator_function() -> Iterator[int]:
    """Yield a number."""
    yield 1


def test_a_transposed_convolution_refuses_output_size() -> None:
    x = engine.ones(1, 1, 2, 2)
    with pytest.raises(NotImplementedError, match="^PyTorch takes an `output_size`"):
        engine.nn.ConvTranspose2d(1, 1, 2)(x, output_size=[3])
