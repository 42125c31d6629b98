"""Name the processor of this machine. torch and NumPy select code paths by it."""

from __future__ import annotations

import platform
from pathlib import Path


def processor() -> str:
    """Return the CPU model from /proc/cpuinfo, else from `platform`."""
    info = Path("/proc/cpuinfo")
    for line in info.read_text().splitlines() if info.is_file() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
