"""Splits a run into shards that take about the same time."""

from __future__ import annotations

import heapq
import re
from collections.abc import Mapping, Sequence

_UNKNOWN = 0.05  # seconds, for what was never measured


def parse_shard(text: str) -> tuple[int, int]:
    """`2/4` as (2, 4). Raises ValueError for what is no shard."""
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise ValueError(f"{text!r} is no shard: give i/n with i from 1 to n, as in 1/3")
    return int(match[1]), int(match[2])


def split(
    keys: Sequence[tuple[str, str]], seconds: Mapping[tuple[str, str], float], count: int
) -> list[set[tuple[str, str]]]:
    """`keys` in `count` parts of about equal time; the same for every caller with the same arguments.

    The longest goes first, each to the part that has the least so far. What was never measured
    counts as the median of what was.
    """
    known = sorted(seconds[key] for key in keys if key in seconds)
    unknown = known[len(known) // 2] if known else _UNKNOWN
    parts: list[set[tuple[str, str]]] = [set() for _ in range(count)]
    heap = [(0.0, number) for number in range(count)]
    for key in sorted(keys, key=lambda key: (-seconds.get(key, unknown), key)):
        total, number = heapq.heappop(heap)
        parts[number].add(key)
        heapq.heappush(heap, (total + seconds.get(key, unknown), number))
    return parts
