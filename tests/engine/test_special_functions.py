"""The error function is computed on NumPy alone: against torch's over its whole range."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import reference_impl as engine

EVERYWHERE = np.concatenate(
    [
        np.linspace(-40, 40, 4001),
        np.linspace(-3, 3, 2001),
        np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 2.0, 1e-300, 1e-8, 1e5, -1e5]),
    ]
)


@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_values(name: str) -> None:
    expected = getattr(torch.special, name)(torch.from_numpy(EVERYWHERE)).numpy()
    actual = getattr(engine.special, name)(engine.tensor(EVERYWHERE)).numpy()
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_float32_is_the_float64_value_rounded(name: str) -> None:
    x = engine.tensor(EVERYWHERE.astype(np.float32))
    function = getattr(engine.special, name)
    np.testing.assert_array_equal(function(x).numpy(), function(x.double()).numpy().astype(np.float32))
