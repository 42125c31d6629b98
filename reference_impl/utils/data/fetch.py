"""Fetch the samples of one batch from a dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def make_fetcher(
    dataset: Any, iterable: bool, auto_collation: bool, collate_fn: Any, drop_last: bool
) -> Callable[[Any], Any]:
    """Return a function from an index (a list of indices if batches are collated) to a batch.

    For an iterable dataset it takes the next samples, one per index, and raises StopIteration at the end.
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
