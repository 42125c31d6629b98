"""What a run has written about a snippet, as the sentence that stands under it.

Two files may hold it, both written by the harness (`snippetcheck.evidence`): .cache/evidence.json of the
last local run, and docs/evidence/snippets.json, which is kept in the repository. A run of a few
snippets leaves the others out, so for each snippet and engine the newest record of its present text counts;
one that was made with what is here now comes before any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from snippetcheck import provenance
from snippetcheck.evidence import SKIPPED, Evidence, EvidenceError, read
from snippetcheck.settings import load_settings
from snippetcheck.snippet import Snippet

from gradnotes import inputs

FILES = (".cache/evidence.json", "docs/evidence/snippets.json")
STALE, EDITED, MISSING = "stale", "edited", "missing"  # beside the harness's own passed, failed, skipped
WORDS = {"harness": "what checks the examples", "numpy": "NumPy", "torch": "PyTorch"}


@dataclass(frozen=True)
class Line:
    """The evidence line of one snippet. `state` is passed, failed, stale or missing."""

    state: str
    text: str


@dataclass(frozen=True)
class Verdict:
    """What is on record of one snippet on one engine.

    `state`: passed, failed or skipped; stale: what decided it has `changed` since; edited: only another text
    of the snippet ran; missing: nothing did.
    """

    engine: str
    state: str
    version: str = ""
    date: str = ""
    changed: tuple[str, ...] = ()


Here = Mapping[str, Mapping[str, str]]


def here(root: Path) -> Here:
    """For each engine of the project at `root`, what decides its verdicts now."""
    return {name: provenance.of_engine(engine) for name, engine in load_settings(root).engines.items()}


def records(root: Path) -> list[Evidence]:
    """The evidence files that are there, newest first."""
    paths = [root / name for name in FILES]
    inputs.note(*paths)
    found = [_read(path, path.stat().st_mtime_ns) for path in paths if path.is_file()]
    return sorted((one for one in found if one), key=lambda one: one.date, reverse=True)


@lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> Evidence | None:
    try:
        return read(path)
    except EvidenceError:
        return None


def verdict(snippet: Snippet, engine: str, found: Iterable[Evidence], now: Here) -> Verdict:
    """What the records say about this snippet, as it is now, on this engine, as it is now."""
    best = Verdict(engine, MISSING)
    for record in found:
        entry = record.snippets.get(snippet.name)
        if not entry or engine not in entry["engines"]:
            continue
        if entry["sha256"] != snippet.sha256:
            best = Verdict(engine, EDITED) if best.state == MISSING else best
            continue
        date = str(entry["ran"].get(engine, record.date))[:10]
        changed = _changed(record.made_with_of(snippet.name, engine), now.get(engine))
        state = STALE if changed and entry["engines"][engine] != SKIPPED else entry["engines"][engine]
        if state != STALE or best.state in (MISSING, EDITED):
            best = Verdict(engine, state, _engine(engine, record.versions), date, changed)
        if state != STALE:
            break
    return best


def _changed(made: Mapping[str, str], now: Mapping[str, str] | None) -> tuple[str, ...]:
    if not made:
        return ("harness",)  # an earlier harness wrote it: this one says what it ran with
    return ("engine",) if now is None else tuple(provenance.changes(made, now))


def line(snippet: Snippet, found: list[Evidence], now: Here) -> Line:
    """What the records say about this snippet, for a reader."""
    engines = snippet.manifest.engines
    verdicts = [verdict(snippet, engine, found, now) for engine in engines]
    by_state: dict[str, list[Verdict]] = {}
    for one in verdicts:
        by_state.setdefault(one.state, []).append(one)
    if by_state.keys() <= {EDITED, MISSING}:
        if EDITED in by_state:
            return Line(STALE, "This example has changed since its last recorded run.")
        return Line(MISSING, "No run is on record for this example. `make test` writes one.")
    parts = []
    if passed := by_state.get("passed", []):
        parts.append(f"Ran on {' and on '.join(one.version for one in passed)}, {min(one.date for one in passed)}.")
    parts += [f"Failed on {one.version}." for one in by_state.get("failed", [])]
    stale = by_state.get(STALE, [])
    for changed in dict.fromkeys(one.changed for one in stale):
        parts.append(stale_sentence(changed, [one for one in stale if one.changed == changed]))
    unseen = [one.engine for one in verdicts if one.state in (SKIPPED, MISSING, EDITED)]
    parts += [f"Not run on {name}." for name in unseen]
    if snippet.manifest.engines_reason:
        parts.append(f"Only on {engines[0]}: {snippet.manifest.engines_reason.rstrip('.')}.")
    return Line(next((state for state in ("failed", STALE, "passed") if state in by_state), MISSING), " ".join(parts))


def stale_sentence(changed: tuple[str, ...], verdicts: list[Verdict], example: str = "this example") -> str:
    """What has changed since an example ran on the engines of these verdicts, which share it."""
    engines = [one.engine for one in verdicts]
    words = {**WORDS, "engine": " and ".join(engines)}
    subject = " and ".join(words.get(name, name) for name in changed)
    several = len(changed) > 1 or ("engine" in changed and len(engines) > 1)
    where = "it" if changed == ("engine",) and len(engines) == 1 else " and on ".join(engines)
    if changed[0] != "engine":
        subject = subject[0].upper() + subject[1:]  # the name of an engine stays as it is
    has, date = "have" if several else "has", min(one.date for one in verdicts)
    return f"{subject} {has} changed since {example} last ran on {where}, {date}."


def _engine(name: str, versions: dict[str, Any]) -> str:
    if name == "torch":
        return f"torch {versions.get('torch', '')}".split("+")[0].strip()
    return f"{name} with NumPy {versions.get('numpy', '')}".strip()


def summary(root: Path, snippets: Iterable[Snippet], now: Here) -> dict[str, Any]:
    """What the records add up to, for the snippets and engines as they are now.

    `engines`: per engine its version, how many of its snippets passed, failed, are stale and have no record, and
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
            row = rows.setdefault(engine, {"engine": engine, "passed": 0, "failed": 0, STALE: 0, "no record": 0})
            one = verdict(snippet, engine, found, now)
            row[one.state if one.state in row else STALE if one.state == EDITED else "no record"] += 1
            if one.state == "passed":
                row["version"] = one.version
                row["first"] = min(row.get("first", one.date), one.date)
                row["last"] = max(row.get("last", one.date), one.date)
    for row in rows.values():
        for key in ("version", "first", "last"):
            row.setdefault(key, None)
    return {"engines": [rows[name] for name in sorted(rows, reverse=True)], "only": only}
