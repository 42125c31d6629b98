"""The error function, computed with NumPy, over its whole range; the last bit of elementary functions of float32."""

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


ROUNDED_ONCE = ("exp", "exp2", "expm1", "sinh", "cosh", "log", "log2", "log10", "log1p", "tan", "asin", "atan")


def arguments_of(name: str) -> np.ndarray:
    """Return float32 numbers over the range in which the function is neither 0 nor infinite."""
    x = np.random.default_rng(0).uniform(-80, 80, 20_000)
    domain = {"asin": np.sin(x), "tan": x / 60} | dict.fromkeys(("log", "log2", "log10", "log1p"), np.abs(x))
    return domain.get(name, x).astype(np.float32)


@pytest.mark.parametrize("name", ROUNDED_ONCE)
def test_float32_is_rounded_once(name: str) -> None:
    """Compare with float64: NumPy's float32 functions differ between processors, its float64 functions hardly after rounding."""
    x = engine.tensor(arguments_of(name))
    function = getattr(engine, name)
    np.testing.assert_array_equal(function(x).numpy(), function(x.double()).numpy().astype(np.float32))


@pytest.mark.parametrize(
    ("name", "units"), [*((name, 1) for name in (*ROUNDED_ONCE, "sin", "cos")), ("sigmoid", 2), ("tanh", 2)]
)
def test_float32_is_next_to_torchs(name: str, units: int) -> None:
    """Allow one unit in the last place, the error of torch's functions; two for sigmoid, rounded three times, and tanh."""
    x = arguments_of(name)
    want = getattr(torch, name)(torch.from_numpy(x)).numpy()
    have = getattr(engine, name)(engine.tensor(x)).numpy()
    np.testing.assert_array_max_ulp(have, want, maxulp=units)


def test_exponentials_are_nearly_always_torchs() -> None:
    """Limit the share of numbers that differ from torch's; with NumPy's float32 function it would be four in ten with AVX-512."""
    x = arguments_of("exp")
    differ = engine.exp(engine.tensor(x)).numpy() != torch.exp(torch.from_numpy(x)).numpy()
    assert differ.mean() < 0.02
    assert repr(engine.exp(engine.tensor(12.0))) == repr(torch.exp(torch.tensor(12.0))) == "tensor(162754.7969)"


@pytest.mark.parametrize("dim", [0, 1])
def test_probabilities_are_nearly_always_torchs(dim: int) -> None:
    """Allow another last bit in one number of twelve; with NumPy's exponential it would be two in five."""
    x = np.random.default_rng(0).normal(0, 3, (2000, 5)).astype(np.float32)
    x = x if dim else np.ascontiguousarray(x.T)
    for name, share in (("softmax", 0.12), ("log_softmax", 0.03)):
        want = getattr(torch, name)(torch.from_numpy(x), dim).numpy()
        have = getattr(engine, name)(engine.tensor(x), dim).numpy()
        assert (have != want).mean() < share, name
