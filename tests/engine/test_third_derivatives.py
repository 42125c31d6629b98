"""Third derivatives agree with torch for operations whose gradient depends on the operands.

For the gradient of some operations torch has a single node (`EluBackwardBackward0`), while the engine records several operations. None
of these may be counted twice in the next derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import reference_impl as engine

random = np.random.default_rng(0)
X, Y, W, B = (random.standard_normal(shape) for shape in ((4, 6), (4, 6), 6, 6))
P, Q = (random.uniform(0.1, 0.9, (4, 6)) for _ in range(2))


def elu_in_place(lib: Any, x: Any) -> Any:
    """Apply `elu` in place to the result of an operation."""
    return lib.nn.functional.elu(x * 1.5, 1.3, inplace=True)


def batch_norm_in_evaluation(lib: Any, x: Any, w: Any, b: Any) -> Any:
    """Apply batch normalization with fixed statistics."""
    mean, variance = (lib.full((6,), float(n), dtype=lib.float64) for n in (0, 1))
    return lib.nn.functional.batch_norm(x, mean, variance, w, b, False)


CASES: dict[str, tuple[Callable[..., Any], list[np.ndarray]]] = {
    "elu": (lambda lib, x: lib.nn.functional.elu(x, 1.3), [X]),
    "elu in place": (elu_in_place, [X]),
    "celu": (lambda lib, x: lib.nn.functional.celu(x, 1.3), [X]),
    "selu": (lambda lib, x: lib.nn.functional.selu(x), [X]),
    "gelu": (lambda lib, x: lib.nn.functional.gelu(x), [X]),
    "gelu by tanh": (lambda lib, x: lib.nn.functional.gelu(x, approximate="tanh"), [X]),
    "glu": (lambda lib, x: lib.nn.functional.glu(x, 1), [X]),
    "logsigmoid": (lambda lib, x: lib.nn.functional.logsigmoid(x), [X]),
    "hardswish": (lambda lib, x: lib.nn.functional.hardswish(x), [X]),
    "leaky_relu": (lambda lib, x: lib.nn.functional.leaky_relu(x, 0.1), [X]),
    "prelu": (lambda lib, x, w: lib.nn.functional.prelu(x, w), [X, W]),
    "smooth_l1_loss": (lambda lib, x, y: lib.nn.functional.smooth_l1_loss(x, y), [X, Y]),
    "huber_loss": (lambda lib, x, y: lib.nn.functional.huber_loss(x, y), [X, Y]),
    "binary_cross_entropy": (lambda lib, p: lib.nn.functional.binary_cross_entropy(p, lib.tensor(Q)), [P]),
    "binary_cross_entropy_with_logits": (
        lambda lib, x, q: lib.nn.functional.binary_cross_entropy_with_logits(x, q),
        [X, Q],
    ),
    "batch_norm in evaluation": (batch_norm_in_evaluation, [X, W, B]),
    "max_pool2d": (lambda lib, x: lib.nn.functional.max_pool2d(x.tanh()[None], 2), [X]),
    "avg_pool2d": (lambda lib, x: lib.nn.functional.avg_pool2d(x.tanh()[None], 2), [X]),
    "adaptive_avg_pool2d": (lambda lib, x: lib.nn.functional.adaptive_avg_pool2d(x.tanh()[None], 2), [X]),
    "mean": (lambda lib, x: (x * x).mean(0), [X]),
    "maximum": (lambda lib, x, y: lib.maximum(x, y) ** 2, [X, Y]),
    "max": (lambda lib, x: (x**2).max(), [X]),
    "amax": (lambda lib, x: (x**2).amax(1), [X]),
    "squeeze": (lambda lib, x: (x**3)[None].squeeze(0), [X]),
    "kl_div": (lambda lib, p, q: lib.nn.functional.kl_div(p, q, reduction="sum"), [P, Q]),
    "take": (lambda lib, x: (x**3).take(lib.tensor([0, 3, 3, 7])), [X]),
    "an index": (lambda lib, x: (x**3)[lib.tensor([0, 2, 2])], [X]),
    "conv2d": (lambda lib, x, w: lib.nn.functional.conv2d(x[None, None].tanh(), w.view(1, 1, 2, 3)), [X, W]),
}

# torch's third derivatives of these functions are wrong, because they treat the statistics as constants. For the numbers of this test
# the error is one half. So the engine is compared with finite differences of the second derivative, on which the engines agree.
NORMALISATIONS: dict[str, Callable[..., Any]] = {
    "batch_norm": lambda lib, x: lib.nn.functional.batch_norm(x, None, None, None, None, True),
    "layer_norm": lambda lib, x: lib.nn.functional.layer_norm(x, (6,)),
}


def second_derivatives(lib: Any, function: Callable[..., Any], operands: list[Any]) -> tuple[list[Any], Any]:
    """Return the first and second gradients, and the sum of the squares of the second ones, for `derivatives` to differentiate."""
    y = function(lib, *operands)
    weights = lib.tensor(np.linspace(0.5, 1.5, y.numel())).view(y.shape)
    first = lib.autograd.grad((y * weights).sum() + (y * y).sum(), operands, create_graph=True)
    cubes = sum((g * g * g).sum() for g in first)
    second_gradients = lib.autograd.grad(cubes, operands, create_graph=True, allow_unused=True)
    return [*first, *second_gradients], sum((g * g).sum() for g in second_gradients if g is not None)


def derivatives(lib: Any, function: Callable[..., Any], arrays: list[np.ndarray]) -> list[np.ndarray | None]:
    """Return the first, second and third gradients with respect to all operands; None if a gradient is missing."""
    operands = [lib.tensor(a, requires_grad=True) for a in arrays]
    gradients, total = second_derivatives(lib, function, operands)
    third = lib.autograd.grad(total, operands, allow_unused=True)
    return [None if g is None else g.detach().numpy() for g in (*gradients, *third)]


@pytest.mark.parametrize("name", CASES)
def test_three_derivatives_agree_with_torch(name: str) -> None:
    function, arrays = CASES[name]
    for actual, expected in zip(
        derivatives(engine, function, arrays), derivatives(torch, function, arrays), strict=True
    ):
        assert (actual is None) == (expected is None)
        if actual is not None and expected is not None:
            np.testing.assert_allclose(actual, expected, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("name", NORMALISATIONS)
def test_third_derivatives_of_normalizations_agree_with_finite_differences(name: str) -> None:
    function, step = NORMALISATIONS[name], 1e-6
    *_, third = derivatives(engine, function, [X])
    assert third is not None

    def total_of(x: np.ndarray) -> float:
        return second_derivatives(torch, function, [torch.tensor(x, requires_grad=True)])[1].item()

    for index in [(0, 0), (1, 4), (3, 5)]:
        shift = np.zeros_like(X)
        shift[index] = step
        estimate = (total_of(X + shift) - total_of(X - shift)) / (2 * step)
        np.testing.assert_allclose(third[index], estimate, rtol=1e-5, atol=1e-6 * float(np.abs(third).max()))
