"""Write the files of a small project, and compute a value once for all workers of pytest."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock


def write_files(folder: Path, text_by_name: Mapping[str, str]) -> None:
    """Write each text to the file of that name below `folder`, and create missing folders."""
    for name, text in text_by_name.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def compute_once(path: Path, compute: Callable[[], Any]) -> Any:
    """Return the value in a JSON file. The first worker of pytest computes it and writes the file, while the others wait."""
    with FileLock(f"{path}.lock"):
        if not path.exists():
            path.write_text(json.dumps(compute()), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))
