"""Create and remove the folder of a server, which has all files of its children.

The client locks the folder while it runs. Both client and server remove it, since one of them may be killed. If both are
killed, the next run removes it.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import tempfile
import time
from pathlib import Path

from snippetcheck.runner import containment

_PREFIX = "snippet-server-"
_AGE = 60.0  # seconds: a younger folder may not be locked yet


def make() -> tuple[Path, int]:
    """Create a folder. Return it and the descriptor of its lock; closing the descriptor releases the lock."""
    remove_stale(tempfile.gettempdir())
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return folder, lock


@functools.cache  # once in a process
def remove_stale(temporary: str) -> None:
    """Remove this user's unlocked folders below `temporary`.

    Locks also work between containers, where process ids are ambiguous.
    """
    for folder in Path(temporary).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            status = folder.lstat()
            if status.st_uid != os.getuid() or time.time() - status.st_mtime < _AGE:
                continue
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                containment.remove_folder(folder)
            finally:
                os.close(lock)
