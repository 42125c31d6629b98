"""What takes long to make and depends on little: kept from build to build.

A key is the checksum of everything that decides the value, the code that makes it included, so
nothing kept can be stale. What a command did not ask for is dropped when it saves, so each has a file of
its own. It is read with pickle, each value when it is asked for: like the byte code beside the sources, it is this checkout's.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import snippetcheck

FOLDER = ".cache/site"
DISTRIBUTIONS = ("Pygments", "Markdown", "pymdown-extensions", "PyYAML")
Value = TypeVar("Value")


class BuildCache:
    """The values that one command keeps for the project at `root`."""

    def __init__(self, root: Path, command: str):
        self.path = root / FOLDER / f"{command}.pickle"
        self.old: dict[bytes, bytes] = {}  # pickled
        self.values: dict[bytes, Any] = {}  # of this build
        self.left: set[bytes] = set()  # keys of old values that this build did without
        self.loaded = False

    def get(self, decided_by: tuple[str, ...], make: Callable[[], Value]) -> Value:
        """The value for this key, made if it is not there. It is shared: whoever gets it must not change it."""
        key = self.key(decided_by)
        if key not in self.values:
            pickled = self.old.get(key)  # once: another thread may load the file again
            self.values[key] = pickle.loads(pickled) if pickled else make()
        return self.values[key]

    def has(self, decided_by: tuple[str, ...]) -> bool:
        """Whether the value for this key is there already."""
        key = self.key(decided_by)
        return key in self.values or key in self.old

    def again(self, decided_by: tuple[str, ...]) -> None:
        """Do not drop the value for this key, though this build did without it."""
        key = self.key(decided_by)
        if key in self.old:
            self.left.add(key)

    def key(self, decided_by: tuple[str, ...]) -> bytes:
        """The checksum under which a value is kept."""
        if not self.loaded:
            self.load()
        return hashlib.sha256("\0".join((_OWN, *decided_by)).encode()).digest()

    def load(self) -> None:
        """Read the file; one that cannot be read counts as empty."""
        self.loaded = True
        try:
            self.old = pickle.loads(self.path.read_bytes())
        except Exception:  # a file cut short, a class that is gone: whatever it is, all is made anew
            self.old = {}

    def save(self) -> None:
        """Write what this build used, if it is not what was there."""
        used = self.values.keys() | self.left
        if used == self.old.keys() or not used:
            return
        kept = {key: self.old[key] if key in self.old else pickle.dumps(self.values[key], protocol=5) for key in used}
        temporary = self.path.with_suffix(f".{os.getpid()}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(pickle.dumps(kept, protocol=5))
            temporary.replace(self.path)
        except OSError:
            temporary.unlink(missing_ok=True)  # a read-only checkout builds too, only slower


def _sources() -> str:
    """What decides every value: the code of this package and of the harness, and the versions of what it calls."""
    digest = hashlib.sha256(sys.version.encode())
    digest.update(" ".join(version(name) for name in DISTRIBUTIONS).encode())
    for folder in (Path(__file__).parents[1], Path(snippetcheck.__file__).parent):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


_OWN = _sources()
