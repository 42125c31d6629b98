"""What takes long to make and depends on little: kept from build to build in one file.

A key is the checksum of everything that decides the value, so nothing kept can be stale. What a
build did not ask for is dropped when it saves.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

FILE = ".cache/site/kept.json"


class Kept:
    """The values of one project."""

    def __init__(self, root: Path):
        self.path = root / FILE
        self.old: dict[str, str] = {}
        self.used: dict[str, str] = {}
        self.loaded = False

    def get(self, decided_by: tuple[str, ...], make: Callable[[], str]) -> str:
        """The value for this key, made if it is not there."""
        if not self.loaded:
            self.load()
        key = hashlib.sha256("\0".join((_OWN, *decided_by)).encode()).hexdigest()
        value = self.used.get(key) or self.old.get(key)
        if value is None:
            value = make()
        self.used[key] = value
        return value

    def load(self) -> None:
        """Read the file; one that cannot be read counts as empty."""
        self.loaded = True
        try:
            self.old = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.old = {}

    def save(self) -> None:
        """Write what this build used, if it is not what was there."""
        if self.used.keys() == self.old.keys() or not self.used:
            return
        temporary = self.path.with_suffix(f".{os.getpid()}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(self.used), encoding="utf-8")
            temporary.replace(self.path)
        except OSError:
            temporary.unlink(missing_ok=True)  # a read-only checkout builds too, only slower


def _sources() -> str:
    """The source of this package and the version of Pygments decide every value."""
    from pygments import __version__

    digest = hashlib.sha256(__version__.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


_OWN = _sources()
