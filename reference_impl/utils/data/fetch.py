"""Fetch the samples of one batch from a dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def make_fetcher(
    dataset: Any, iterable: bool, auto_collation: bool, collate_fn: Any, drop_last: bool
) -> Callable[[Any], Any]:
    """Return a function that returns the batch for a list of indices or, without `auto_collation`, the sample for an index.

    The list of samples, or the single sample, is passed through `collate_fn`.

    For an iterable dataset, the function takes as many samples as there are indices. It raises StopIteration after the last sample and,
    with `drop_last`, instead of returning a batch with fewer samples.
    """
    if not iterable:

        def fetch(index: Any) -> Any:
            if not auto_collation:
                return collate_fn(dataset[index])
            if callable(getattr(dataset, "__getitems__", None)):
                return collate_fn(dataset.__getitems__(index))
            return collate_fn([dataset[i] for i in index])

        return fetch

    samples = iter(dataset)
    ended = False

    def fetch_next(index: Any) -> Any:
        nonlocal ended
        if ended:
            raise StopIteration
        if not auto_collation:
            return collate_fn(next(samples))
        batch = []
        for _ in index:
            try:
                batch.append(next(samples))
            except StopIteration:
                ended = True
                break
        if not batch or (drop_last and len(batch) < len(index)):
            raise StopIteration
        return collate_fn(batch)

    return fetch_next
