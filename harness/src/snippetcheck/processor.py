"""The processor that a run is made on: torch and NumPy choose their code by it."""

from __future__ import annotations

import platform
from pathlib import Path


def processor() -> str:
    """Its name, as the kernel has it; elsewhere what Python knows of it."""
    info = Path("/proc/cpuinfo")
    for line in info.read_text().splitlines() if info.is_file() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
