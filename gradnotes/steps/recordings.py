"""Records the backward passes of a snippet, in a process of its own.

The whole run is compared with what the snippet says it prints: an engine that is wrong draws nothing.

    python -m gradnotes.steps.recordings path/to/snippet.py [question]    prints the passes as JSON, and what a figure asks
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from snippetcheck.compare import compare
from snippetcheck.provenance import checksum
from snippetcheck.snippet import parse

SECONDS = 60


class RecordError(Exception):
    """A snippet whose backward passes could not be recorded."""


def passes(snippet: Path, root: Path) -> list[dict[str, Any]]:
    """The backward passes of `snippet`; raises RecordError if it does not run to its end, or not as it says."""
    return _recorded([str(snippet)], root)["passes"]


def watched(snippet: Path, root: Path, question: Mapping[str, str]) -> dict[str, Any]:
    """Besides the `passes` what a figure asks, as `watched`; the question is the keys of its fence."""
    return _recorded([str(snippet), json.dumps(question)], root)


def _recorded(arguments: list[str], root: Path) -> dict[str, Any]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(str(root / name) for name in (".", "harness/src"))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "gradnotes.steps.recordings", *arguments],
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
    return json.loads(done.stdout)


def decided_by(root: Path) -> str:
    """A checksum of the engine and its version of NumPy, which decide what is recorded beside the program and our own code."""
    return f"{version('numpy')} {checksum(('reference_impl',), root)}"


def main(path: str, question: str = "") -> int:
    """Print the passes of the program at `path`, if it did what it says, and the answer to the question."""
    from gradnotes.steps.program import run

    text = Path(path).read_text(encoding="utf-8")
    watch = _watch(question, text) if question else None
    outcome = run(text, watch)
    for finding in compare(parse(text, path, path), outcome.run):
        said = f" It says {' / '.join(finding.expected)!r}, the engine gave {' / '.join(finding.actual)!r}."
        where = f"{Path(path).name}:{finding.line}"
        print(f"{where}: {finding.message}.{said if finding.expected or finding.actual else ''}", file=sys.stderr)
        return 1
    found = {"passes": outcome.passes, "watched": watch.found if watch else None}
    json.dump(found, sys.stdout, ensure_ascii=False, sort_keys=True)
    return 0


def _watch(question: str, text: str) -> Any:
    from gradnotes.figures.kinds import Watch

    return Watch(json.loads(question), text.splitlines())


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
