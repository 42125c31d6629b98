"""`torch.hann_window` and its like: the values of torch, for every length, symmetric and periodic."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import reference_impl

NAMES = ("hann_window", "hamming_window", "bartlett_window", "blackman_window", "kaiser_window")


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("periodic", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_values(name: str, periodic: bool, dtype: str) -> None:
    """kaiser_window within a few units in the last place (the engine's Bessel function is its own), the others nearly to the bit."""
    for length in (0, 1, 2, 3, 5, 8, 33, 400, 1001):
        wanted = getattr(torch, name)(length, periodic, dtype=getattr(torch, dtype))
        have = getattr(reference_impl, name)(length, periodic, dtype=getattr(reference_impl, dtype))
        assert str(have.dtype) == str(wanted.dtype)
        units = 8 if name == "kaiser_window" else 1
        np.testing.assert_allclose(have.numpy(), wanted.numpy(), rtol=0, atol=units * np.finfo(dtype).eps)
