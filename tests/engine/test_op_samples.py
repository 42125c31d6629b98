"""Of the samples of an operation, `op_samples` selects the smallest of those that are alike, and each that is unlike all others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.testing._internal.opinfo.core import SampleInput

from tests.engine.op_samples import MOST_ELEMENTS, first_distinct, select_distinct, selection, spread_evenly


def sample(*shape: int, **kwargs: Any) -> SampleInput:
    """Return a sample whose input has the given shape and, if given, the `dtype`. Other keywords are arguments of the operation."""
    return SampleInput(torch.ones(shape, dtype=kwargs.pop("dtype", torch.float64)), kwargs=kwargs)


def test_the_smallest_of_alike_samples_is_selected() -> None:
    large, small, negative = sample(5, 5, p=3), sample(3, 3, p=4), sample(5, 5, p=-3)
    assert select_distinct([large, small, negative]) == [small, negative]


def test_samples_with_different_code_paths_are_not_alike() -> None:
    x = torch.ones(3, 3, dtype=torch.float64)
    samples = [
        sample(3, 3), sample(3, 4), sample(4, 3), sample(3, 0), sample(3, 1), sample(3), sample(), sample(3, 3, dtype=torch.float32), sample(3, 3, dim=0),
        sample(3, 3, dim=None), sample(3, 3, dim=2), sample(3, 3, dim=-1), sample(3, 3, dim=(0, 1)), sample(3, 3, mode="mean"), sample(3, 3, mode="sum"),
        sample(3, 3, keepdim=True), sample(3, 3, keepdim=False), sample(3, 3, p=2.5), sample(3, 3, p=float("inf")),
        SampleInput(x.t()[:, :2]), SampleInput(x[:1].expand(3, 3)), SampleInput(x.clone().requires_grad_()), SampleInput(x, args=(2,)),
    ]  # fmt: skip
    assert select_distinct(samples) == samples


def test_very_large_samples_are_selected_only_if_there_are_no_others() -> None:
    large, other = sample(MOST_ELEMENTS + 1), sample(2, 2)
    assert select_distinct([large, other]) == [other]
    assert select_distinct([large]) == [large]


def test_spread_evenly_takes_equal_distances() -> None:
    assert spread_evenly(range(10), 4) == [0, 2, 5, 7]
    assert spread_evenly(range(3), 4) == [0, 1, 2]


def test_all_forms_are_selected_in_the_first_dtype_and_some_in_others() -> None:
    def samples(dtype: torch.dtype) -> list[SampleInput]:
        return [sample(*[2] * n, dim=d, dtype=dtype) for n in range(1, 5) for d in (-1, 0, 1)]

    choose, float_samples = selection(), samples(torch.float64)
    assert choose(float_samples, torch.float64) == float_samples
    new_form = sample(2, reduce="add", dtype=torch.int64)
    chosen = list(choose([*samples(torch.int64), new_form], torch.int64))
    assert len(chosen) in (6, 7) and new_form in chosen


def test_no_more_samples_are_generated_than_needed() -> None:
    def generate() -> Iterator[SampleInput]:
        yield from (sample(2), sample(2, 2), sample(2, 2, 2))
        raise AssertionError("a fourth sample was generated")

    assert len(first_distinct(generate(), 3, "full")) == 3
    assert len(first_distinct(generate(), 3, "pull-request")) == 2
