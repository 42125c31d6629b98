"""Report whether the tables in docs/evidence are up to date, and which failures block publication.

The `provenance` of each file has its sources and their fingerprints (`gradnotes.evidence.provenance`).
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup
from snippetcheck.snippet import SnippetError, files

from gradnotes.evidence import provenance, run_status
from gradnotes.project import Project
from gradnotes.templating import render

SNIPPET_EVIDENCE = "snippets.json"
UNKNOWN = "The date and the versions of this result are not recorded."
PLURALS = {"examples": "the examples", "exercises": "the exercises", "tests": "the tests"}
WORDS = {"engine": "the engine", "judge": "the measuring program", "site": "the site generator"}
WORDS |= run_status.WORDS | PLURALS


def sources(data: Any) -> list[str]:
    """Return the files and folders on which an evidence file depends; `snippetcheck` stands for the harness.

    The list is empty if the file does not record them.
    """
    provenance_record = data.get("provenance") if isinstance(data, dict) else None
    return [path for paths in provenance_record["sources"].values() for path in paths] if provenance_record else []


def render_status_line(data: Any, root: Path) -> Markup:
    """Render the status line under a table: the date, then the versions, the failures, or the sources that have changed since."""
    state, text = table_state(data, root)
    return render("table_status", state=state, text=text)


def table_state(data: Any, root: Path) -> tuple[str, str]:
    """Return the state of a table ("passed", "failed" or "stale") and its status line. A table without `provenance` is stale."""
    provenance_record = data.get("provenance") if isinstance(data, dict) else None
    if provenance_record is None:
        return "stale", UNKNOWN
    date = f"Measured on {provenance_record['date'][:10]}"
    if changed := provenance.table_changes(root, provenance_record):
        auxiliary = "has" if len(changed) == 1 and changed[0] not in PLURALS else "have"
        command = re.sub(r"(^|&& )python ", r"\1.venv/bin/python ", provenance_record["command"])
        sentence = f"{auxiliary} changed since: `{command}` renews the result."
        return "stale", f"{date}. {_capitalize(_join_names(changed))} {sentence}"
    versions = [
        f"{WORDS.get(name, name)} {provenance_record['made_with'][name]}"
        for name in provenance_record["made_with"].keys() - provenance_record["sources"]
    ]
    if provenance_record["red"]:
        return "failed", f"{date}. Failures: {', '.join(provenance_record['red'])}."
    return "passed", f"{date}{' with ' if versions else ''}{' and '.join(sorted(versions))}."


def _join_names(names: Sequence[str]) -> str:
    """Return the names of changed sources as words: "the engine, NumPy and PyTorch"."""
    words = [WORDS.get(name, name) for name in names]
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def _capitalize(text: str) -> str:
    return text[0].upper() + text[1:]


def publication_blockers(root: Path) -> list[str]:
    """Return a line for each failure that blocks the publication of the project at `root`.

    Each example must have passed or been skipped on each of its engines since its program and the engine last changed.
    A table that reports failures blocks; an outdated table does not, because its status line says that it is outdated.
    """
    return [*_example_blockers(root), *_table_blockers(root)]


def _example_blockers(root: Path) -> list[str]:
    """Return a line for each reason why examples do not pass. It names the first such example, and counts the others.

    A malformed example has a line of its error.
    """
    project = Project(root)
    evidence, current = run_status.load_evidence(root), run_status.current_fingerprints(project)
    settings = project.settings
    groups: dict[tuple[str, str, tuple[str, ...]], list[tuple[str, run_status.RunStatus]]] = defaultdict(list)
    lines = []
    for path in files(settings.snippets_dir):
        try:
            snippet = settings.load(path)
        except SnippetError as error:
            lines.append(f"{path.relative_to(root)}:{error.line}: {error.message}")
            continue
        for engine in snippet.manifest.engines:
            status = run_status.run_status(snippet, engine, evidence, current)
            if status.state not in ("passed", "skipped"):
                groups[status.state, engine, status.changed].append((f"snippets/{snippet.name}", status))
    for (state, engine, changed), members in groups.items():
        name, first = members[0]
        count = f" (and {len(members) - 1} more)" if members[1:] else ""
        messages: Mapping[str, str] = {
            "failed": f"failed on {engine}: correct it, then `make publish`",
            "edited": f"has changed since it last ran on {engine}: `make publish` runs it",
            "missing": f"never ran on {engine}: `make publish` runs it",
        }
        stale = "" if state in messages else run_status.stale_sentence(changed, [first], "it").rstrip(".")
        lines.append(f"{name}{count}: {messages.get(state) or f'{stale}: `make publish` runs it'}")
    return lines


def _table_blockers(root: Path) -> list[str]:
    """Return a line for each table that reports failures."""
    lines = []
    for path in sorted((root / "docs" / "evidence").glob("*.json")):
        if path.name != SNIPPET_EVIDENCE:
            state, text = table_state(json.loads(path.read_text(encoding="utf-8")), root)
            lines += [f"docs/evidence/{path.name}: {text}"] if state == "failed" else []
    return lines
