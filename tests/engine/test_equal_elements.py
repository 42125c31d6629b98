"""Which of several equal elements kthvalue, topk, median and mode return: the one that torch's algorithms leave there."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_impl as engine

ROWS = st.lists(st.integers(-3, 3), min_size=1, max_size=80)


def same(name: str, row: list[int], *args: Any, **kwargs: Any) -> None:
    expected = getattr(torch, name)(torch.tensor(row), *args, **kwargs)
    actual = getattr(engine, name)(engine.tensor(row), *args, **kwargs)
    assert [t.tolist() for t in actual] == [t.tolist() for t in expected]


@settings(max_examples=200, deadline=None)
@given(row=ROWS, data=st.data())
def test_kthvalue(row: list[int], data: st.DataObject) -> None:
    same("kthvalue", row, data.draw(st.integers(1, len(row))))


@settings(max_examples=200, deadline=None)
@given(row=ROWS, largest=st.booleans(), data=st.data())
def test_topk(row: list[int], largest: bool, data: st.DataObject) -> None:
    same("topk", row, data.draw(st.integers(0, len(row))), largest=largest)


@pytest.mark.parametrize("n", [200, 1000])
def test_topk_of_a_long_row_sorts_a_heap(n: int) -> None:
    same("topk", torch.randint(0, 9, (n,), generator=torch.Generator().manual_seed(n)).tolist(), 3)


@settings(max_examples=200, deadline=None)
@given(row=ROWS)
def test_mode_and_median(row: list[int]) -> None:
    same("mode", row)
    same("median", row, 0)


@settings(max_examples=100, deadline=None)
@given(row=ROWS, descending=st.booleans())
def test_stable_sort(row: list[int], descending: bool) -> None:
    same("sort", row, stable=True, descending=descending)
