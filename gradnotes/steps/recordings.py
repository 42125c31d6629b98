"""Records the backward passes of a snippet, in a process of its own, and keeps what it recorded.

The whole run is compared with what the snippet says it prints: an engine that is wrong draws nothing.

The record is kept under .cache/steps, under a key of all that decides it: the snippet, the source of
the engine, of this package and of the harness, and the versions of Python and NumPy. A build whose
snippets have not changed thus runs nothing.

    python -m gradnotes.steps.recordings path/to/snippet.py    prints the passes as JSON
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from snippetcheck.compare import compare
from snippetcheck.provenance import HARNESS, checksum
from snippetcheck.snippet import parse

SECONDS = 60


class RecordError(Exception):
    """A snippet whose backward passes could not be recorded."""


def passes(snippet: Path, root: Path, decided_by: bytes | None = None) -> list[dict[str, Any]]:
    """The backward passes of `snippet`; raises RecordError if it does not run to its end, or not as it says.

    `decided_by` is `sources(root)`, from a caller who asks for many.
    """
    key = hashlib.sha256(snippet.read_bytes() + (decided_by or sources(root))).hexdigest()
    kept = root / ".cache" / "steps" / f"{key[:32]}.json"
    if kept.is_file():
        return json.loads(kept.read_text(encoding="utf-8"))
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(str(root / name) for name in (".", "harness/src"))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "gradnotes.steps.recordings", str(snippet)],
            cwd=root,  # -m puts it before all else: another folder may hold another engine
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


def sources(root: Path) -> bytes:
    """A checksum of the engine, of the recorder and the harness, and of the versions they run on."""
    harness = checksum((HARNESS,), root)
    digest = hashlib.sha256(f"{sys.version_info[:2]} {version('numpy')} {harness}".encode())
    for folder in (root / "reference_impl", Path(__file__).parent):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.digest()


def main(path: str) -> int:
    """Print the passes of the program at `path`, if it did what it says."""
    from gradnotes.steps.program import run

    text = Path(path).read_text(encoding="utf-8")
    outcome = run(text)
    for finding in compare(parse(text, path, path), outcome.run):
        said = f" It says {' / '.join(finding.expected)!r}, the engine gave {' / '.join(finding.actual)!r}."
        where = f"{Path(path).name}:{finding.line}"
        print(f"{where}: {finding.message}.{said if finding.expected or finding.actual else ''}", file=sys.stderr)
        return 1
    json.dump(outcome.passes, sys.stdout, ensure_ascii=False, sort_keys=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
