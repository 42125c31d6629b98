"""Encode small pictures as PNG files.

The rows are stored without compression: compressed bytes differ between versions of zlib, and two builds of one commit
must be equal.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOR_TYPES = {1: 0, 3: 2}  # number of channels -> PNG color type: 1 is gray, 3 is RGB


def data_uri(rows: Sequence[Sequence[tuple[int, ...]]]) -> str:
    """Return rows of pixels as the `data:` URL of a PNG. A pixel is (gray,) or (red, green, blue), from 0 to 255."""
    height, width, channels = len(rows), len(rows[0]), len(rows[0][0])
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOR_TYPES[channels], 0, 0, 0)
    pixels = b"".join(b"\0" + bytes(level for pixel in row for level in pixel) for row in rows)
    content = _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(pixels, 0)) + _chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(content).decode()


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
