"""Derive the status line under a snippet from the evidence files.

There are two evidence files (`gradnotes.evidence.evidence_file`): .cache/evidence.json holds the last local run of all
snippets, and docs/evidence/snippets.json is committed. Each file has at most one record per snippet and engine, which is
stale if the engine, the harness or a package has changed since the run; a skipped verdict is never stale. The status of
a snippet on an engine is its newest record that is not stale, else its newest stale record. Records of another text of
the snippet are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from snippetcheck.snippet import Snippet

from gradnotes import inputs
from gradnotes.evidence import provenance
from gradnotes.evidence.evidence_file import SKIPPED, Evidence, EvidenceError, read
from gradnotes.project import Project
from gradnotes.words import is_english, say

EVIDENCE_FILES = (".cache/evidence.json", "docs/evidence/snippets.json")
STALE, EDITED, MISSING = "stale", "edited", "missing"  # the states besides the verdicts of the harness
WORDS = {"harness": "the test harness", "numpy": "NumPy", "torch": "PyTorch"}


@dataclass(frozen=True)
class StatusLine:
    """The status line under a snippet; `state` is "passed", "failed", "stale" or "missing"."""

    state: str
    text: str


@dataclass(frozen=True)
class RunStatus:
    """The status of a snippet on an engine.

    `state` is a current verdict: "passed", "failed" or "skipped". Otherwise it is "stale" if the inputs in `changed`
    have changed since the run, "edited" if only another text of the snippet has run, or "missing" if there is no record.
    """

    engine: str
    state: str
    version: str = ""
    date: str = ""
    changed: tuple[str, ...] = ()


Fingerprints = Mapping[str, Mapping[str, str]]


def current_fingerprints(project: Project) -> Fingerprints:
    """Map the name of each engine to its current fingerprints, to be compared with those in evidence files.

    Raises:
        FenceError: pyproject.toml is malformed.
    """

    def fingerprints() -> Fingerprints:
        engines = project.settings.engines
        for engine in engines.values():
            inputs.note(*[project.root / path for path in provenance.engine_source_paths(engine, project.root)])
        return {name: provenance.fingerprint_engine(engine) for name, engine in engines.items()}

    return project.memoize("current fingerprints", fingerprints)


def load_evidence(root: Path) -> list[Evidence]:
    """Return the content of the evidence files that exist and can be read, the newest first."""
    paths = [root / name for name in EVIDENCE_FILES]
    inputs.note(*paths)
    evidence = [_read_evidence(path, path.stat().st_mtime_ns) for path in paths if path.is_file()]
    return sorted((record for record in evidence if record), key=lambda record: record.date, reverse=True)


@lru_cache(maxsize=8)
def _read_evidence(path: Path, mtime_ns: int) -> Evidence | None:
    try:
        return read(path)
    except EvidenceError:
        return None


def run_status(snippet: Snippet, engine: str, evidence: Iterable[Evidence], current: Fingerprints) -> RunStatus:
    """Return the status of a snippet on an engine. `evidence` must be ordered, the newest first."""
    best = RunStatus(engine, MISSING)
    for record in evidence:
        entry = record.snippets.get(snippet.name)
        if not entry or engine not in entry["engines"]:
            continue
        if entry["sha256"] != snippet.sha256:
            best = RunStatus(engine, EDITED) if best.state == MISSING else best
            continue
        date = str(entry["ran"].get(engine, record.date))[:10]
        changed = _changed_inputs(record.made_with_of(snippet.name, engine), current.get(engine))
        state = STALE if changed and entry["engines"][engine] != SKIPPED else entry["engines"][engine]
        if state != STALE or best.state in (MISSING, EDITED):
            best = RunStatus(engine, state, _engine_label(engine, record.versions), date, changed)
        if state != STALE:
            break
    return best


def _changed_inputs(recorded: Mapping[str, str], current: Mapping[str, str] | None) -> tuple[str, ...]:
    """Return the names of the inputs (engine, harness, packages) that have changed since a verdict was recorded.

    If `recorded` is empty, return ("harness",): an earlier harness recorded the verdict. If `current` is None, return
    ("engine",).
    """
    if not recorded:
        return ("harness",)  # written by a harness that did not record fingerprints
    return ("engine",) if current is None else tuple(provenance.changed_names(recorded, current))


def status_line(snippet: Snippet, evidence: list[Evidence], current: Fingerprints) -> StatusLine:
    """Return the status line of a snippet: sentences on which engines it passed, failed, is stale or was not run."""
    engines = snippet.manifest.engines
    statuses = [run_status(snippet, engine, evidence, current) for engine in engines]
    by_state: dict[str, list[RunStatus]] = {}
    for status in statuses:
        by_state.setdefault(status.state, []).append(status)
    if by_state.keys() <= {EDITED, MISSING}:
        if EDITED in by_state:
            return StatusLine(STALE, say("This example has changed since its last recorded run."))
        return StatusLine(MISSING, say("This example has no recorded run. Run `make test` to record one."))
    sentences = []
    if passed_statuses := by_state.get("passed", []):
        engine_names, date = (
            say(" and on ").join(status.version for status in passed_statuses),
            min(status.date for status in passed_statuses),
        )
        sentences.append(say("Ran on {engines}, {date}.", engines=engine_names, date=date))
    sentences += [say("Failed on {engine}.", engine=status.version) for status in by_state.get("failed", [])]
    stale_statuses = by_state.get(STALE, [])
    for changed in dict.fromkeys(status.changed for status in stale_statuses):
        sentences.append(stale_sentence(changed, [status for status in stale_statuses if status.changed == changed]))
    engines_without_run = [status.engine for status in statuses if status.state in (SKIPPED, MISSING, EDITED)]
    sentences += [say("Not run on {engine}.", engine=name) for name in engines_without_run]
    if snippet.manifest.engines_reason:
        reason = snippet.manifest.engines_reason.rstrip(".")
        sentences.append(say("Runs only on {engine}: {reason}.", engine=engines[0], reason=reason))
    return StatusLine(
        next((state for state in ("failed", STALE, "passed") if state in by_state), MISSING), say(" ").join(sentences)
    )


def stale_sentence(changed: tuple[str, ...], statuses: list[RunStatus], example: str = "this example") -> str:
    """Return a sentence that names the changed inputs, the engines, and the date of the oldest run.

    In languages other than English, the sentence gives only the date. `changed` are the changed inputs, which are the
    same for all `statuses`. `example` is the word for the snippet in the sentence.
    """
    engines = [status.engine for status in statuses]
    if not is_english():
        return say("An input has changed since the last run, {date}.", date=min(status.date for status in statuses))
    words = {**WORDS, "engine": " and ".join(engines)}
    subject = " and ".join(words.get(name, name) for name in changed)
    is_plural = len(changed) > 1 or ("engine" in changed and len(engines) > 1)
    engine_names = "it" if changed == ("engine",) and len(engines) == 1 else " and on ".join(engines)
    if changed[0] != "engine":
        subject = subject[0].upper() + subject[1:]  # the name of an engine is not capitalized
    auxiliary, date = "have" if is_plural else "has", min(status.date for status in statuses)
    return f"{subject} {auxiliary} changed since {example} last ran on {engine_names}, {date}."


def _engine_label(name: str, versions: dict[str, Any]) -> str:
    """Return an engine with its version, such as "torch 2.13.0" or "reference_impl with NumPy 2.4.6"."""
    if name == "torch":
        return f"torch {versions.get('torch', '')}".split("+")[0].strip()
    return say("{engine} with NumPy {version}", engine=name, version=versions.get("numpy", "")).strip()


def summary(root: Path, snippets: Iterable[Snippet], current: Fingerprints) -> dict[str, Any]:
    """Count the verdicts on each engine, for the table `runs`.

    In the result, `engines` has a dict per engine. Four keys count snippets: "passed", "failed", "stale" (also edited) and
    "no record" (skipped, or never run). `version`, and the dates `first` and `last`, are those of passed runs, None without
    any. `only` lists the snippets that do not run on every engine, with the reason.
    """
    evidence = load_evidence(root)
    rows: dict[str, dict[str, Any]] = {}
    restricted_rows = []
    for snippet in snippets:
        if snippet.manifest.engines_reason:
            engine = snippet.manifest.engines[0]
            reason = snippet.manifest.engines_reason
            restricted_rows.append({"snippet": snippet.name, "engine": engine, "reason": reason})
        for engine in snippet.manifest.engines:
            row = rows.setdefault(engine, {"engine": engine, "passed": 0, "failed": 0, STALE: 0, "no record": 0})
            status = run_status(snippet, engine, evidence, current)
            row[status.state if status.state in row else STALE if status.state == EDITED else "no record"] += 1
            if status.state == "passed":
                row["version"] = status.version
                row["first"] = min(row.get("first", status.date), status.date)
                row["last"] = max(row.get("last", status.date), status.date)
    for row in rows.values():
        for key in ("version", "first", "last"):
            row.setdefault(key, None)
    return {"engines": [rows[name] for name in sorted(rows, reverse=True)], "only": restricted_rows}
