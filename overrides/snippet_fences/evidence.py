"""What a run has written about a snippet, as the sentence that stands under it.

Two files may hold it: .cache/evidence.json, written by every local run, and
docs/evidence/snippets.json, which is kept in the repository. The newer one counts for each snippet
whose text it saw; a snippet whose text it did not see says so.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.snippet import Snippet

NAMES = {"torch": "torch", "reference_impl": "reference_impl"}


@dataclass(frozen=True)
class Line:
    """The evidence line of one snippet. `state` is passed, failed, stale or missing."""

    state: str
    text: str


def read(root: Path) -> dict[str, Any]:
    """The newer of the two evidence files by its own date, or an empty record."""
    records = []
    for path in (root / ".cache" / "evidence.json", root / "docs" / "evidence" / "snippets.json"):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(record, dict):
            records.append(record)
    return max(records, key=lambda record: str(record.get("date", "")), default={})


def line(snippet: Snippet, record: dict[str, Any]) -> Line:
    """What the record says about this snippet, as it is now."""
    entry = record.get("snippets", {}).get(snippet.name)
    if not isinstance(entry, dict):
        return Line("missing", "No run is on record for this example. `make test` writes one.")
    if entry.get("sha256") != snippet.sha256:
        return Line("stale", "This example has changed since its last recorded run.")
    verdicts: dict[str, str] = entry.get("engines", {})
    ran = [name for name in snippet.manifest.engines if verdicts.get(name) == "passed"]
    other = {name: verdicts.get(name, "not run") for name in snippet.manifest.engines if name not in ran}
    date = str(record.get("date", ""))[:10]
    versions = record.get("versions", {})
    parts = []
    if ran:
        parts.append(f"Ran on {' and on '.join(_engine(name, versions) for name in ran)}, {date}.")
    parts += [f"{NAMES.get(name, name)}: {verdict}." for name, verdict in other.items()]
    reason = snippet.manifest.engines_reason
    if reason:
        parts.append(f"Only {snippet.manifest.engines[0]}: {reason.rstrip('.')}.")
    state = "failed" if any(v not in ("passed", "not run", "skipped") for v in other.values()) else "passed"
    return Line(state if ran else "missing" if state == "passed" else state, " ".join(parts))


def _engine(name: str, versions: dict[str, str]) -> str:
    if name == "torch":
        return f"torch {versions.get('torch', '')}".split("+")[0].strip()
    return f"reference_impl with NumPy {versions.get('numpy', '')}".strip()
