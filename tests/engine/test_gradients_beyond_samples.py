"""Gradients that the samples of op_db do not cover.

For example: an operand that is a number, elements that are not finite, and `as_strided` of an expanded tensor, whose elements share
memory. Without these cases, no test noticed certain wrong gradients that bench/mutation/run.py tried.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import reference_impl as engine

MIXED = np.array([[-2.5, -1.0, 0.0], [0.5, 1.0, 3.0]])
NOT_FINITE = np.array([1.0, np.nan, np.inf, -np.inf, 0.0])
IMAGE = np.random.RandomState(0).permutation(32).reshape(1, 2, 4, 4).astype(float)


def multiply_first_row(lib: Any, x: Any) -> Any:
    """Return a copy of `x` whose first row is multiplied by the second in place."""
    y = x.clone()
    y[0].mul_(x[1])
    return y


CASES: dict[str, tuple[np.ndarray, Callable[[Any, Any], Any]]] = {
    "fmod by a number": (MIXED, lambda lib, x: lib.fmod(x, 2.0)),
    "remainder by a number": (MIXED, lambda lib, x: lib.remainder(x, 2.0)),
    "nan_to_num": (NOT_FINITE, lambda lib, x: lib.nan_to_num(x)),
    "clamp_max to a number": (MIXED, lambda lib, x: lib.clamp_max(x, 0.7)),
    "clamp_min to a number": (MIXED, lambda lib, x: lib.clamp_min(x, 0.7)),
    "clamp from above": (MIXED, lambda lib, x: lib.clamp(x, max=0.7)),
    "clamp from below": (MIXED, lambda lib, x: lib.clamp(x, min=0.7)),
    "clamp to a range": (MIXED, lambda lib, x: lib.clamp(x, -1.0, 1.0)),
    "fill with a tensor": (MIXED, lambda lib, x: lib.fill(lib.ones(2, 3, dtype=lib.float64), x.sum()) * x),
    "fill_ with a tensor": (MIXED, lambda lib, x: lib.ones(2, 3, dtype=lib.float64).fill_(x.sum()) * x),
    "var of one element": (MIXED, lambda lib, x: lib.var(x[:, :1], dim=1)),
    "var with negative degrees of freedom": (MIXED, lambda lib, x: lib.var(x, dim=1, correction=5)),
    "var of all elements with negative degrees of freedom": (MIXED, lambda lib, x: lib.var(x, correction=7)),
    "std of all elements with zero degrees of freedom": (MIXED, lambda lib, x: lib.std(x, correction=6)),
    "multiply a row in place": (MIXED, multiply_first_row),
    "window of an expanded tensor": (MIXED[0], lambda lib, x: x.expand(2, 3).as_strided((2, 2), (0, 1))),
    "nll_loss": (MIXED, lambda lib, x: lib.nn.functional.nll_loss(x, lib.tensor([2, 0]))),
    "affine_grid": (
        np.stack([MIXED, MIXED + 1]),
        lambda lib, x: lib.nn.functional.affine_grid(x, [2, 1, 3, 4], align_corners=False),
    ),
    "max_pool2d": (IMAGE, lambda lib, x: lib.nn.functional.max_pool2d(x, 3, 1)),
}


def derivatives(lib: Any, x: np.ndarray, function: Callable[[Any, Any], Any]) -> list[np.ndarray]:
    """Return the result and three derivatives for random output gradients.

    The first derivative is that of the result with respect to `x`. Each later derivative is that of the previous one with respect to the
    output gradient of the previous one.
    """
    input = lib.tensor(x).requires_grad_()
    y = function(lib, input)
    results, wrt = [y], input
    for order in range(3):
        generator = np.random.RandomState(order)
        output_gradient = lib.tensor(generator.randn(*results[-1].shape)).requires_grad_()
        (gradient,) = lib.autograd.grad(results[-1], wrt, output_gradient, create_graph=True)
        results.append(gradient)
        wrt = output_gradient
    return [result.detach().numpy() for result in results]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore")
def test_result_and_three_derivatives_agree_with_torch(name: str) -> None:
    x, function = CASES[name]
    for expected, actual in zip(derivatives(torch, x, function), derivatives(engine, x, function), strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_variance_with_zero_degrees_of_freedom_agrees_with_torch() -> None:
    """Compare only the result and the first derivative, because further derivatives are differences of infinite numbers."""

    def function(lib: Any, x: Any) -> Any:
        return lib.var(x, dim=1, correction=3)

    both = derivatives(torch, MIXED, function)[:2], derivatives(engine, MIXED, function)[:2]
    for expected, actual in zip(*both, strict=True):
        np.testing.assert_array_equal(actual, expected)
