"""Read and write docs/evidence/recordings.jsonl, the recordings that ship with the repository.

A clone builds its pages from them instead of running each program. The first line is the fingerprint of the recorder;
if it differs from the current one, the file counts as empty. Each other line holds the checksum of a program and of the
keys of its figure, the path of the program and the recording. `python -m gradnotes.site.recordings` writes the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gradnotes.recorder.process import Request

FILE = "docs/evidence/recordings.jsonl"


def key(request: Request) -> str:
    """Return the checksum of the program and of the keys of its figure."""
    _, text, question = request
    return hashlib.sha256(json.dumps([text, question], sort_keys=True).encode()).hexdigest()


def read(root: Path, fingerprint: str) -> dict[str, Any]:
    """Return the shipped recordings by key; empty if they were made with another fingerprint or cannot be read."""
    try:
        lines = (root / FILE).read_text(encoding="utf-8").splitlines()
        if json.loads(lines[0]) != {"made_with": fingerprint}:
            return {}
        return {shipped_key: recording for shipped_key, _, recording in map(json.loads, lines[1:])}
    except (OSError, ValueError, IndexError, TypeError):
        return {}


def write(root: Path, fingerprint: str, recordings: Iterable[tuple[Request, dict[str, Any]]]) -> None:
    """Write the recordings in the order of their programs, so that a new one changes one line."""
    rows = [
        (Path(request[0]).relative_to(root).as_posix(), key(request), recording) for request, recording in recordings
    ]
    lines = [json.dumps({"made_with": fingerprint})]
    for path, shipped_key, recording in sorted(rows, key=lambda row: row[:2]):
        lines.append(json.dumps([shipped_key, path, recording], ensure_ascii=False, sort_keys=True))
    (root / FILE).parent.mkdir(parents=True, exist_ok=True)
    (root / FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")
