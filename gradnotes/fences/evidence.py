"""What a run has written about a snippet, as the sentence that stands under it.

Two files may hold it, both written by the harness (`snippetcheck.evidence`): .cache/evidence.json of the
last local run, and docs/evidence/snippets.json, which is kept in the repository. A run of a few
snippets leaves the others out, so for each snippet the newest record of its present text counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from snippetcheck.evidence import FAILED, PASSED, Evidence, EvidenceError, read
from snippetcheck.snippet import Snippet

FILES = (".cache/evidence.json", "docs/evidence/snippets.json")


@dataclass(frozen=True)
class Line:
    """The evidence line of one snippet. `state` is passed, failed, stale or missing."""

    state: str
    text: str


def records(root: Path) -> list[Evidence]:
    """The evidence files that are there, newest first."""
    paths = [root / name for name in FILES]
    found = [_read(path, path.stat().st_mtime_ns) for path in paths if path.is_file()]
    return sorted((one for one in found if one), key=lambda one: one.date, reverse=True)


@lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> Evidence | None:
    try:
        return read(path)
    except EvidenceError:
        return None


def line(snippet: Snippet, found: list[Evidence]) -> Line:
    """What the records say about this snippet, as it is now."""
    record, entry = _latest(snippet, found)
    if record is None:
        if any(snippet.name in one.snippets for one in found):
            return Line("stale", "This example has changed since its last recorded run.")
        return Line("missing", "No run is on record for this example. `make test` writes one.")
    verdicts: dict[str, str] = entry.get("engines", {})
    engines = snippet.manifest.engines
    passed = [name for name in engines if verdicts.get(name) == PASSED]
    failed = [name for name in engines if verdicts.get(name) == FAILED]
    unseen = [name for name in engines if name not in passed + failed]
    parts = []
    if passed:
        date = min(str(entry.get("ran", {}).get(name, record.date)) for name in passed)[:10]
        parts.append(f"Ran on {' and on '.join(_engine(name, record.versions) for name in passed)}, {date}.")
    parts += [f"Failed on {_engine(name, record.versions)}." for name in failed]
    parts += [f"Not run on {name}." for name in unseen]
    if snippet.manifest.engines_reason:
        parts.append(f"Only on {engines[0]}: {snippet.manifest.engines_reason.rstrip('.')}.")
    return Line("failed" if failed else "passed" if passed else "missing", " ".join(parts))


def _engine(name: str, versions: dict[str, Any]) -> str:
    if name == "torch":
        return f"torch {versions.get('torch', '')}".split("+")[0].strip()
    return f"{name} with NumPy {versions.get('numpy', '')}".strip()


def summary(root: Path, snippets: Iterable[Snippet]) -> dict[str, Any]:
    """What the records add up to, for the snippets as they are now.

    `engines`: per engine its version, how many of its snippets passed, failed and have no record, and
    the dates of the first and the last run; `only`: the snippets that leave an engine out, and why.
    """
    found = records(root)
    rows: dict[str, dict[str, Any]] = {}
    only = []
    for snippet in snippets:
        if snippet.manifest.engines_reason:
            engine = snippet.manifest.engines[0]
            reason = snippet.manifest.engines_reason
            only.append({"snippet": snippet.name, "engine": engine, "reason": reason})
        for engine in snippet.manifest.engines:
            row = rows.setdefault(engine, {"engine": engine, "passed": 0, "failed": 0, "no record": 0})
            record, entry = _latest(snippet, found)
            verdict = entry.get("engines", {}).get(engine) if entry else None
            row[verdict if verdict in (PASSED, FAILED) else "no record"] += 1
            if record and verdict == PASSED:
                date = str(entry.get("ran", {}).get(engine, record.date))[:10]
                row["version"] = _engine(engine, record.versions)
                row["first"] = min(row.get("first", date), date)
                row["last"] = max(row.get("last", date), date)
    for row in rows.values():
        for key in ("version", "first", "last"):
            row.setdefault(key, None)
    return {"engines": [rows[name] for name in sorted(rows, reverse=True)], "only": only}


def _latest(snippet: Snippet, found: list[Evidence]) -> tuple[Evidence | None, dict[str, Any]]:
    """The newest record that saw the snippet's present text."""
    for record in found:
        entry = record.snippets.get(snippet.name)
        if entry and entry.get("sha256") == snippet.sha256:
            return record, entry
    return None, {}
