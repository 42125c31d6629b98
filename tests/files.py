"""Write the files of small test projects."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write_files(folder: Path, text_by_name: Mapping[str, str]) -> None:
    """Write each text to the file of that name below `folder`, and create missing folders."""
    for name, text in text_by_name.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
