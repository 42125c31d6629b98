"""Choose a sample of similar cases below `--tier full`."""

from __future__ import annotations

import zlib


def is_picked(content: str | bytes, share: int, tier: str) -> bool:
    """Check whether a case is in the sample of one in `share`, by a hash of its content, or the tier is `full`."""
    data = content.encode() if isinstance(content, str) else content
    return tier == "full" or zlib.crc32(data) % share == 0
