"""`arange` and `linspace` round as torch does, so that a number near 0 is the same rounding error, or 0, on both engines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import reference_impl as engine
from reference_impl.numerics.openblas import has_fused_axpy
from tests.engine.last_bits import TORCH_DRAWS_WITH_AVX2


def assert_same_numbers(actual: Any, expected: torch.Tensor) -> None:
    """Check that all bits are equal if both engines use a fused multiply-add; else allow two units in the last place of the largest number."""
    values, expected_values = actual.numpy(), expected.numpy()
    assert values.dtype == expected_values.dtype and values.shape == expected_values.shape
    is_fused = values.dtype != np.float64 or has_fused_axpy(values.dtype)
    largest = np.max(np.abs(expected_values), initial=0)
    allowed = 0 if TORCH_DRAWS_WITH_AVX2 and is_fused else 2 * np.spacing(largest)
    assert (np.abs(values - expected_values) <= allowed).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("step", [0.1, 0.01, 0.25, 1 / 3, -0.3])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 16, 61, 200])
def test_arange_rounds_as_torch_does(dtype: str, step: float, n: int) -> None:
    arguments = (-3.0, -3.0 + n * step, step)
    expected = torch.arange(*arguments, dtype=getattr(torch, dtype))
    actual = engine.arange(*arguments, dtype=getattr(engine, dtype))
    assert_same_numbers(actual, expected)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("bounds", [(-3, 3), (-1, 1), (0.1, 7.3), (2, -0.7)])
@pytest.mark.parametrize("n", [0, 1, 2, 11, 61, 200])
def test_linspace_rounds_as_torch_does(dtype: str, bounds: tuple[float, float], n: int) -> None:
    expected = torch.linspace(*bounds, n, dtype=getattr(torch, dtype))
    actual = engine.linspace(*bounds, n, dtype=getattr(engine, dtype))
    assert_same_numbers(actual, expected)


@pytest.mark.skipif(not TORCH_DRAWS_WITH_AVX2, reason="without AVX2, torch rounds products before it adds them")
def test_a_rounding_error_near_zero_changes_how_a_tensor_prints() -> None:
    assert str(engine.arange(-1, 1, 0.1)) == str(torch.arange(-1, 1, 0.1))
    assert "e+00" in str(engine.arange(-1, 1, 0.1))
