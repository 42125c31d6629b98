"""Which part of many like things a run looks at below `--tier full`."""

from __future__ import annotations

import zlib


def is_picked(what: str | bytes, share: int, tier: str) -> bool:
    """Whether the one with this content is among one in `share`: a change of it picks anew. `full` picks all."""
    content = what.encode() if isinstance(what, str) else what
    return tier == "full" or zlib.crc32(content) % share == 0
