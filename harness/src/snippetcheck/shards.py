"""Split a run into shards of about equal time."""

from __future__ import annotations

import heapq
import re
from collections.abc import Mapping, Sequence

_UNKNOWN = 0.05  # seconds, if no run was measured


def parse_shard(text: str) -> tuple[int, int]:
    """Return (2, 4) for `2/4`. Raises ValueError if the text is malformed."""
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise ValueError(f"shard must be I/N with 1 <= I <= N, got {text!r}")
    return int(match[1]), int(match[2])


def split(
    keys: Sequence[tuple[str, str]], seconds: Mapping[tuple[str, str], float], count: int
) -> list[set[tuple[str, str]]]:
    """Split `keys` into `count` sets of about equal time. Equal arguments give equal results.

    The longest run is assigned first, each to the set with the least time so far. A run without a measured time counts
    as the median of the measured times.
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
