"""Keep values that take long to compute in a file, from build to build.

A key is the checksum of everything that decides a value, including the code that computes it, so a cached value is
never stale. When a command saves its values, it drops those that it has not used; therefore each command has its own
file. The file is a pickle of pickled values; a value is unpickled at its first use. As with __pycache__, do not copy
the file from a source that you do not trust.
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

from gradnotes.evidence.provenance import digest_files

FOLDER = ".cache/site"
DISTRIBUTIONS = ("Pygments", "Markdown", "pymdown-extensions", "PyYAML", "Jinja2")
CODE = (".py", ".html")  # suffixes of code; the templates are code, since they decide the HTML of a fence
Value = TypeVar("Value")


class BuildCache:
    """The cached values for the project at `root` in one file, which is named after `command`.

    Each command that computes values has a separate file. `code` is the checksum of the code that computes the values:
    by default, of all code of this package and the harness; "" if the keys already contain such a checksum.
    """

    def __init__(self, root: Path, command: str, code: str | None = None):
        self.path = root / FOLDER / f"{command}.pickle"
        self.code = _CODE_FINGERPRINT if code is None else code
        self.stored_values: dict[bytes, bytes] = {}  # the pickled values in the file, by key
        self.values: dict[bytes, Any] = {}  # the values that this build has used so far, by key
        # keys of values that stay in the file although this build does not use them
        self.kept_alive: set[bytes] = set()
        self.is_loaded = False

    def get(self, decided_by: tuple[str, ...], compute: Callable[[], Value]) -> Value:
        """Return the value for the key `decided_by`; compute it if it is missing. Do not modify it: it is shared.

        `decided_by` must contain everything that decides the value, as texts.
        """
        key = self.key(decided_by)
        if key not in self.values:
            pickled_value = self.stored_values.get(key)  # looked up once: another thread may load the file again
            self.values[key] = pickle.loads(pickled_value) if pickled_value else compute()
        return self.values[key]

    def has(self, decided_by: tuple[str, ...]) -> bool:
        """Return whether the value for the key `decided_by` is cached."""
        key = self.key(decided_by)
        return key in self.values or key in self.stored_values

    def keep_alive(self, decided_by: tuple[str, ...]) -> None:
        """If the file has a value for the key `decided_by`, keep the value although this build does not use it."""
        key = self.key(decided_by)
        if key in self.stored_values:
            self.kept_alive.add(key)

    def key(self, decided_by: tuple[str, ...]) -> bytes:
        """Return the checksum of `decided_by` and of the code: the key in the file. The first call loads the file."""
        if not self.is_loaded:
            self.load()
        return hashlib.sha256("\0".join((self.code, *decided_by)).encode()).digest()

    def load(self) -> None:
        """Read the file. If it is missing or cannot be read, the cache is empty."""
        self.is_loaded = True
        try:
            self.stored_values = pickle.loads(self.path.read_bytes())
        except Exception:  # a truncated file or a removed class: compute everything again
            self.stored_values = {}

    def save(self) -> None:
        """Write the values that this build used or keeps alive. Do nothing without such values, or without changes.

        If the file cannot be written, as in a read-only checkout, the old file stays.
        """
        used_keys = self.values.keys() | self.kept_alive
        if used_keys == self.stored_values.keys() or not used_keys:
            return
        pickled_values = {
            key: self.stored_values[key] if key in self.stored_values else pickle.dumps(self.values[key], protocol=5)
            for key in used_keys
        }
        temporary = self.path.with_suffix(f".{os.getpid()}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(pickle.dumps(pickled_values, protocol=5))
            temporary.replace(self.path)
        except OSError:
            temporary.unlink(missing_ok=True)  # a read-only checkout builds without a cache


def _code_fingerprint() -> str:
    """Return a checksum of the code of gradnotes and snippetcheck, and of the versions of Python and DISTRIBUTIONS."""
    folders = (Path(__file__).parent, Path(snippetcheck.__file__).parent)
    files = {folder.name: sorted(path for path in folder.rglob("*.*") if path.suffix in CODE) for folder in folders}
    return digest_files(files, " ".join([sys.version, *map(version, DISTRIBUTIONS)]))


_CODE_FINGERPRINT = _code_fingerprint()
