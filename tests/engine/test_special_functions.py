"""Error functions agree with torch over their whole range, and elementary functions of float32 up to their last bits."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import reference_impl as engine

POINTS = np.concatenate(
    [
        np.linspace(-40, 40, 4001),
        np.linspace(-3, 3, 2001),
        np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 2.0, 1e-300, 1e-8, 1e5, -1e5]),
    ]
)


@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_error_functions_agree_with_torch(name: str) -> None:
    expected = getattr(torch.special, name)(torch.from_numpy(POINTS)).numpy()
    actual = getattr(engine.special, name)(engine.tensor(POINTS)).numpy()
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_float32_error_functions_round_the_float64_values(name: str) -> None:
    x = engine.tensor(POINTS.astype(np.float32))
    function = getattr(engine.special, name)
    np.testing.assert_array_equal(function(x).numpy(), function(x.double()).numpy().astype(np.float32))


ROUNDED_ONCE = ("exp", "exp2", "expm1", "sinh", "cosh", "log", "log2", "log10", "log1p", "tan", "asin", "atan")


def arguments_of(name: str) -> np.ndarray:
    """Return float32 numbers in the domain of the function. For most of them, the result is finite and not 0."""
    x = np.random.default_rng(0).uniform(-80, 80, 20_000)
    domain = {"asin": np.sin(x), "tan": x / 60} | dict.fromkeys(("log", "log2", "log10", "log1p"), np.abs(x))
    return domain.get(name, x).astype(np.float32)


@pytest.mark.parametrize("name", ROUNDED_ONCE)
def test_float32_functions_round_once(name: str) -> None:
    """Compare with rounded float64 values, which are nearly always the same on all processors, unlike NumPy's float32 functions."""
    x = engine.tensor(arguments_of(name))
    function = getattr(engine, name)
    np.testing.assert_array_equal(function(x).numpy(), function(x.double()).numpy().astype(np.float32))


@pytest.mark.parametrize(
    ("name", "units"), [*((name, 1) for name in (*ROUNDED_ONCE, "sin", "cos")), ("sigmoid", 2), ("tanh", 2)]
)
def test_float32_functions_differ_from_torch_by_few_units(name: str, units: int) -> None:
    """Allow one unit in the last place, which is the error of torch's functions.

    For sigmoid, which is rounded three times, and tanh, two units are allowed.
    """
    x = arguments_of(name)
    expected = getattr(torch, name)(torch.from_numpy(x)).numpy()
    actual = getattr(engine, name)(engine.tensor(x)).numpy()
    np.testing.assert_array_max_ulp(actual, expected, maxulp=units)


def test_most_exponentials_equal_those_of_torch() -> None:
    """Allow differences in 2 % of the numbers. With NumPy's float32 function and AVX-512, 40 % would differ."""
    x = arguments_of("exp")
    differ = engine.exp(engine.tensor(x)).numpy() != torch.exp(torch.from_numpy(x)).numpy()
    assert differ.mean() < 0.02
    assert repr(engine.exp(engine.tensor(12.0))) == repr(torch.exp(torch.tensor(12.0))) == "tensor(162754.7969)"


@pytest.mark.parametrize("dim", [0, 1])
def test_most_probabilities_equal_those_of_torch(dim: int) -> None:
    """Allow differences in 12 % of the numbers of softmax and 3 % of those of log_softmax.

    With NumPy's exponential, 40 % would differ.
    """
    x = np.random.default_rng(0).normal(0, 3, (2000, 5)).astype(np.float32)
    x = x if dim else np.ascontiguousarray(x.T)
    for name, share in (("softmax", 0.12), ("log_softmax", 0.03)):
        expected = getattr(torch, name)(torch.from_numpy(x), dim).numpy()
        actual = getattr(engine, name)(engine.tensor(x), dim).numpy()
        assert (actual != expected).mean() < share, name
