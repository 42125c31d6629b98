"""Limit the processes of one program, so that a mistake ends the program and not the machine."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

MEBIBYTE = 1 << 20
LEAST_PROCESSES = 64


def _default_processes() -> int:
    return max(LEAST_PROCESSES, 2 * (os.cpu_count() or 1))  # a pool has as many workers as the machine has cores


@dataclass(frozen=True)
class Limits:
    """The limits that a project may set, each for all processes of a program together, except `address_space`.

    Attributes:
        processes: the number of simultaneous processes.
        threads: the number of simultaneous threads.
        memory: in MiB.
        address_space: in MiB per process, in addition to the address space of the engine; 0 for no limit.
    """

    processes: int = field(default_factory=_default_processes)
    threads: int = 1024
    memory: int = 2048
    address_space: int = 2048
