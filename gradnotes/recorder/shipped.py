"""Read and write docs/evidence/recordings.jsonl, the recordings that are committed to the repository.

With these recordings, the first build of a clone does not run the programs. The first line is the fingerprint of the
recorder; if the current fingerprint differs, the file counts as empty. Each other line is a list: the key of a
recording, the path of its program, and the recording. `python -m gradnotes.site.recordings` writes the file.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gradnotes import inputs
from gradnotes.project import Project
from gradnotes.recorder import process
from gradnotes.recorder.process import Request

FILE = "docs/evidence/recordings.jsonl"


def fingerprint(project: Project) -> str:
    """Return the fingerprint of everything that makes recordings: engine, recorder, harness, Python and NumPy."""

    def compute() -> str:
        inputs.note(project.root / "reference_impl")
        return process.recorder_fingerprint(project.root)

    return project.memoize("recorder", compute)


def recordings(project: Project) -> dict[str, Any]:
    """Return the committed recordings by key; {} in a build for publication, which shows only runs of its commit."""

    def load() -> dict[str, Any]:
        inputs.note(project.root / FILE)
        is_published = bool(os.environ.get("GRADNOTES_SITE_URL"))
        return {} if is_published else read(project.root, fingerprint(project))

    return project.memoize("shipped recordings", load)


def key(request: Request) -> str:
    """Return the key of a recording: the checksum of the program and of the keys of its figure."""
    _, text, question = request
    return hashlib.sha256(json.dumps([text, question], sort_keys=True).encode()).hexdigest()


def read(root: Path, current_fingerprint: str) -> dict[str, Any]:
    """Return the committed recordings by key; {} if the file cannot be read or its fingerprint is not `current_fingerprint`."""
    try:
        lines = (root / FILE).read_text(encoding="utf-8").splitlines()
        if json.loads(lines[0]) != {"made_with": current_fingerprint}:
            return {}
        return {shipped_key: recording for shipped_key, _, recording in map(json.loads, lines[1:])}
    except (OSError, ValueError, IndexError, TypeError):
        return {}


def write(root: Path, current_fingerprint: str, recorded: Iterable[tuple[Request, dict[str, Any]]]) -> None:
    """Write recordings to the file in the order of their paths, so that a new recording changes one line."""
    rows = [(Path(request[0]).relative_to(root).as_posix(), key(request), recording) for request, recording in recorded]
    lines = [json.dumps({"made_with": current_fingerprint})]
    for path, shipped_key, recording in sorted(rows, key=lambda row: row[:2]):
        lines.append(json.dumps([shipped_key, path, recording], ensure_ascii=False, sort_keys=True))
    (root / FILE).parent.mkdir(parents=True, exist_ok=True)
    (root / FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")
