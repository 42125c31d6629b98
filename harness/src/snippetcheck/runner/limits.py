"""Compare the resources that a program uses with the limits of its job."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snippetcheck import outcome
from snippetcheck.engines import MEBIBYTE
from snippetcheck.runner import containment


def exceeded_limit(
    job: Mapping[str, Any], folder: Path, printed: int, processes: int, threads: int, memory: int
) -> tuple[str, str] | None:
    """Return the outcome and the reason if a program exceeds a limit, else None.

    Args:
        folder: the folder of the files of the program.
        printed: the number of bytes on stdout and stderr.
        processes: the number of processes of the program.
        threads: the number of threads of all these processes.
        memory: the memory of all these processes, in bytes.
    """
    limits = job["limits"]
    if excess := flood(job, printed):
        return excess
    for number, name in ((processes, "processes"), (threads, "threads")):
        if number > limits[name]:
            return outcome.TOO_MANY_PROCESSES, f"had {number} {name} at a time; {limits[name]} is the limit"
    if job["limit_memory"] and memory > limits["memory"] * MEBIBYTE:
        return outcome.TOO_MUCH_MEMORY, f"held more than {limits['memory']} MiB of memory"
    size, files = containment.folder_size(folder)
    if size > containment.DISK_LIMIT:
        return outcome.TOO_MUCH_DISK, f"wrote more than {containment.DISK_LIMIT // MEBIBYTE} MiB to its folder"
    if files > containment.FILES_LIMIT:
        return outcome.TOO_MUCH_DISK, f"made more than {containment.FILES_LIMIT} files in its folder"
    return None


def flood(job: Mapping[str, Any], printed: int) -> tuple[str, str] | None:
    """Return the outcome and the reason if a program has printed more bytes than its limit, else None."""
    limit = job["limits"]["output"]
    return (outcome.FLOODED, f"printed more than {limit} MiB") if printed > limit * MEBIBYTE else None
