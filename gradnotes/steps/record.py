"""Records the backward passes of a snippet, in a process of its own, and keeps what it recorded.

The record is kept under .cache/steps, under a key of all that decides it: the snippet, the source of
the engine and of this package, and the versions of Python and NumPy. A build whose snippets have not
changed thus runs nothing.

    python -m gradnotes.steps.record path/to/snippet.py    prints the passes as JSON
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

SECONDS = 60


class RecordError(Exception):
    """A snippet whose backward passes could not be recorded."""


def passes(snippet: Path, root: Path) -> list[dict[str, Any]]:
    """The backward passes of `snippet`; raises RecordError if it does not run to its end."""
    key = hashlib.sha256(snippet.read_bytes() + _sources(root)).hexdigest()
    kept = root / ".cache" / "steps" / f"{key[:32]}.json"
    if kept.is_file():
        return json.loads(kept.read_text(encoding="utf-8"))
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(str(root / name) for name in (".", "harness/src"))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "gradnotes.steps.record", str(snippet)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise RecordError(f"did not end within {SECONDS} s") from None
    if done.returncode:
        raise RecordError((done.stderr.strip().splitlines() or ["ended with an error"])[-1])
    kept.parent.mkdir(parents=True, exist_ok=True)
    temporary = kept.with_suffix(f".{os.getpid()}")
    temporary.write_text(done.stdout, encoding="utf-8")
    temporary.replace(kept)
    return json.loads(done.stdout)


@lru_cache(maxsize=1)
def _sources(root: Path) -> bytes:
    """A checksum of the engine, of the recorder, and of the versions they run on."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {version('numpy')}".encode())
    for folder in (root / "reference_impl", Path(__file__).parent):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.digest()


def main(path: str) -> int:
    """Print the passes of the program at `path`."""
    from gradnotes.steps.program import run

    outcome = run(Path(path).read_text(encoding="utf-8"))
    error = outcome.run.statements[-1].error if outcome.run.outcome == "raised" else None
    if error:
        print(f"{path}:{error.line}: {error.type}: {error.message}", file=sys.stderr)
        return 1
    json.dump(outcome.passes, sys.stdout, ensure_ascii=False, sort_keys=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
