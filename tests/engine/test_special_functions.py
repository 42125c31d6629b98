"""The special functions that are computed on NumPy alone, against torch's over their whole range."""

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
INSIDE = np.concatenate([np.linspace(-1.1, 1.1, 2001), 1 - 10.0 ** -np.arange(1, 17)])
PROBABILITIES = np.concatenate([np.linspace(0, 1, 1001), 10.0 ** -np.arange(0, 300, 7)])
POSITIVE = EVERYWHERE[EVERYWHERE > 0]

RANGES = {
    "erf": EVERYWHERE, "erfc": EVERYWHERE, "erfcx": EVERYWHERE, "erfinv": INSIDE, "ndtr": EVERYWHERE, "ndtri": PROBABILITIES,
    "log_ndtr": EVERYWHERE, "gammaln": EVERYWHERE, "digamma": EVERYWHERE, "i0": EVERYWHERE, "i0e": EVERYWHERE,
    "i1": EVERYWHERE, "i1e": EVERYWHERE, "entr": EVERYWHERE, "sinc": EVERYWHERE[np.isfinite(EVERYWHERE)],
    "logit": INSIDE, "modified_bessel_k0": POSITIVE, "modified_bessel_k1": POSITIVE,
    "scaled_modified_bessel_k0": POSITIVE[np.isfinite(POSITIVE)], "spherical_bessel_j0": EVERYWHERE,
}  # fmt: skip


@pytest.mark.parametrize("name", RANGES)
def test_values(name: str) -> None:
    x = RANGES[name]
    expected = getattr(torch.special, name)(torch.from_numpy(x)).numpy()
    actual = getattr(engine.special, name)(engine.tensor(x)).numpy()
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-11)


def test_erfinv_near_one() -> None:
    tail = 2.0 ** -np.arange(4, 53)
    x = engine.special.erfinv(engine.tensor(1 - tail))
    np.testing.assert_allclose(engine.special.erfc(x).numpy(), tail, rtol=1e-13)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
def test_polygamma(n: int) -> None:
    x = np.linspace(-5.3, 30, 1777)
    expected = torch.polygamma(n, torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(engine.polygamma(n, engine.tensor(x)).numpy(), expected, rtol=1e-9)


@pytest.mark.parametrize("name", ["igamma", "igammac"])
def test_incomplete_gamma(name: str) -> None:
    numbers = np.random.default_rng(0).uniform(0, 30, (2, 2000))
    numbers[:, :3] = [[0, 1, 0], [1, 0, 0]]
    expected = getattr(torch, name)(*torch.from_numpy(numbers)).numpy()
    actual = getattr(engine, name)(*engine.tensor(numbers)).numpy()
    np.testing.assert_allclose(actual, expected, rtol=1e-8, atol=1e-12)


def test_zeta() -> None:
    x, q = np.random.default_rng(0).uniform(-1, 12, (2, 2000))
    q[:200] = np.trunc(q[:200])
    expected = torch.special.zeta(torch.from_numpy(x), torch.from_numpy(q)).numpy()
    np.testing.assert_allclose(engine.special.zeta(engine.tensor(x), engine.tensor(q)).numpy(), expected, rtol=1e-10)


def _bessel_by_integral(order: int, x: float) -> float:
    """J_order(x) = mean of cos(order t - x sin t) over half a turn, exact for this many points."""
    t = (np.arange(400) + 0.5) * np.pi / 400
    return float(np.mean(np.cos(order * t - x * np.sin(t))))


@pytest.mark.parametrize("order", [0, 1])
def test_bessel(order: int) -> None:
    """Against the defining integral: torch's own values are off by up to 5e-7 for 5 < x < 15."""
    x = np.linspace(-60, 60, 601)
    expected = [_bessel_by_integral(order, v) for v in x]
    actual = getattr(engine.special, f"bessel_j{order}")(engine.tensor(x)).numpy()
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("order", [0, 1])
def test_bessel_of_the_second_kind(order: int) -> None:
    x = np.linspace(0.01, 60, 601)
    expected = getattr(torch.special, f"bessel_y{order}")(torch.from_numpy(x)).numpy()
    actual = getattr(engine.special, f"bessel_y{order}")(engine.tensor(x)).numpy()
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-6)


def test_wronskian() -> None:
    """J1 Y0 - J0 Y1 = 2 / (π x), which torch's values miss by 1e-6."""
    x = engine.tensor(np.linspace(0.01, 60, 601))
    special = engine.special
    left = special.bessel_j1(x) * special.bessel_y0(x) - special.bessel_j0(x) * special.bessel_y1(x)
    np.testing.assert_allclose(left.numpy(), 2 / (np.pi * x.numpy()), rtol=1e-11)
