"""Copy files that have changed, and only those."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path


def copy(source: Path, target: Path) -> None:
    """Copy a file with its modification time, unless the target is up to date."""
    status = source.stat()
    before = target.stat() if target.is_file() else None
    if before is None or (before.st_mtime_ns, before.st_size) != (status.st_mtime_ns, status.st_size):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


def update(path: Path, text: str) -> None:
    """Write a text file, unless it already has this text."""
    content = text.encode()
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def fill(folder: Path, copies: Mapping[str, Path], texts: Mapping[str, str] | None = None) -> None:
    """Make `folder` contain these files and no others: copies, and files with these texts."""
    texts = texts or {}
    expected = copies.keys() | texts.keys()
    for path in sorted(folder.rglob("*"), reverse=True):  # a folder after its contents
        name = path.relative_to(folder).as_posix()
        if path.is_dir() and not path.is_symlink():
            if name in expected or not any(path.iterdir()):
                shutil.rmtree(path)
        elif name not in expected:
            path.unlink()
    for name, source in copies.items():
        copy(source, folder / name)
    for name, text in texts.items():
        update(folder / name, text)
