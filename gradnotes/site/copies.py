"""Copy and write files, but leave files that are up to date untouched."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path


def copy(source: Path, target: Path) -> None:
    """Copy a file and its modification time, unless the target has the same size and modification time."""
    status = source.stat()
    target_status = target.stat() if target.is_file() else None
    if target_status is None or (target_status.st_mtime_ns, target_status.st_size) != (
        status.st_mtime_ns,
        status.st_size,
    ):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


def update(path: Path, text: str) -> None:
    """Write a text to a file, unless the file already has this text."""
    content = text.encode()
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def fill(folder: Path, copies: Mapping[str, Path], texts: Mapping[str, str] | None = None) -> None:
    """Make `folder` contain exactly these files: copies of the files in `copies`, and the texts in `texts`.

    The keys of `copies` and `texts` are paths below `folder`.
    """
    texts = texts or {}
    expected_names = copies.keys() | texts.keys()
    for path in sorted(folder.rglob("*"), reverse=True):  # in reverse order, a folder comes after its contents
        name = path.relative_to(folder).as_posix()
        if path.is_dir() and not path.is_symlink():
            if name in expected_names or not any(path.iterdir()):
                shutil.rmtree(path)
        elif name not in expected_names:
            path.unlink()
    for name, source in copies.items():
        copy(source, folder / name)
    for name, text in texts.items():
        update(folder / name, text)
