"""`torch.binomial` draws torch's numbers, by each of its two ways."""

from __future__ import annotations

import pytest
import torch

import reference_impl


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("count", "prob"),
    [(5.0, 0.3), (40.0, 0.3), (40.0, 0.5), (100.0, 0.9), (1000.0, 0.02), (3.5, 0.4), (37.7, 0.6), (2000.0, 0.995)],
)
def test_numbers(count: float, prob: float, dtype: str) -> None:
    drawn = []
    for library in (torch, reference_impl):
        library.manual_seed(5)
        kind = getattr(library, dtype)
        numbers = library.binomial(library.full((300,), count, dtype=kind), library.full((300,), prob, dtype=kind))
        drawn.append([numbers.tolist(), library.rand(2).tolist()])
    assert drawn[1] == drawn[0]
