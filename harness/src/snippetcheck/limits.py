"""What the processes of one program may take, so that a mistake in it ends the program and not the machine."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

MEBIBYTE = 1 << 20
LEAST_PROCESSES = 64


def _default_processes() -> int:
    return max(LEAST_PROCESSES, 2 * (os.cpu_count() or 1))  # a pool has as many workers as the machine has cores


@dataclass(frozen=True)
class Limits:
    """The limits that a project may set. Each holds for all processes of a program together, except `address_space`.

    Attributes:
        processes: at a time.
        threads: of all processes at a time.
        memory: MiB that they hold.
        address_space: MiB that each may reserve above what its engine has, used or not; 0 for no limit.
    """

    processes: int = field(default_factory=_default_processes)
    threads: int = 1024
    memory: int = 2048
    address_space: int = 2048
