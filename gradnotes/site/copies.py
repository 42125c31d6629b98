"""Copy files, and only those that have changed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path


def copy(source: Path, target: Path) -> None:
    """Copy a file with its time of change, unless the target is that copy already."""
    status = source.stat()
    before = target.stat() if target.is_file() else None
    if before is None or (before.st_mtime_ns, before.st_size) != (status.st_mtime_ns, status.st_size):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


def update(path: Path, text: str) -> None:
    """Write a file, unless it holds this text already."""
    content = text.encode()
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def fill(folder: Path, copies: Mapping[str, Path], texts: Mapping[str, str] | None = None) -> None:
    """Let `folder` hold these files and no others: copies of files, and files with these texts."""
    texts = texts or {}
    wanted = copies.keys() | texts.keys()
    for path in sorted(folder.rglob("*"), reverse=True):  # a folder after what lies in it
        name = path.relative_to(folder).as_posix()
        if path.is_dir() and not path.is_symlink():
            if name in wanted or not any(path.iterdir()):
                shutil.rmtree(path)
        elif name not in wanted:
            path.unlink()
    for name, source in copies.items():
        copy(source, folder / name)
    for name, text in texts.items():
        update(folder / name, text)
