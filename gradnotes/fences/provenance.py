"""Report with what the tables under docs/evidence were made, and what keeps a site from being published.

A file says it itself, in its `provenance` (`snippetcheck.provenance`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from snippetcheck import provenance
from snippetcheck.settings import load_settings
from snippetcheck.snippet import SnippetError, files

from gradnotes.fences import verdicts
from gradnotes.fences.markup import inline

SNIPPETS = "snippets.json"
UNKNOWN = "What this was made with is not on record."
WORDS = {"engine": "the engine", "harness": "the harness", "judge": "what judges it"}
WORDS |= {"examples": "the examples", "site": "what makes the pages", "numpy": "NumPy", "torch": "PyTorch"}


def sources(data: Any) -> list[str]:
    """The files and folders that decided the values of a file; `snippetcheck` stands for the harness."""
    made = data.get("provenance") if isinstance(data, dict) else None
    return [path for paths in made["sources"].values() for path in paths] if made else []


def note(data: Any, root: Path) -> str:
    """The line under a table, from the values of its file: when and with what it was made, and what has changed since."""
    state, text = _state(data, root)
    return f'<p class="ran ran-{state}"><span>{inline(text)}</span></p>'


def _state(data: Any, root: Path) -> tuple[str, str]:
    made = data.get("provenance") if isinstance(data, dict) else None
    if made is None:
        return "stale", UNKNOWN
    date = f"Made on {made['date'][:10]}"
    if changed := provenance.table_changes(root, made):
        has = f"{'has' if len(changed) == 1 else 'have'} changed since: `{made['command']}` makes it anew."
        return "stale", f"{date}. {_capital(_words(changed))} {has}"
    versions = [
        f"{WORDS.get(name, name)} {made['made_with'][name]}" for name in made["made_with"].keys() - made["sources"]
    ]
    if made["red"]:
        return "failed", f"{date}. Red: {', '.join(made['red'])}."
    return "passed", f"{date}{' with ' if versions else ''}{' and '.join(sorted(versions))}."


def _words(changed: Sequence[str]) -> str:
    words = [WORDS.get(name, name) for name in changed]
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def refusals(root: Path) -> list[str]:
    """Return why the project at `root` must not be published: a line each, with the remedy; empty if it may.

    Every example must be green on each of its engines as both are now; an example whose requirement this machine does not
    meet is let through. A table that reports failures is refused. A table that is merely old is not: its note says so.
    """
    return [*_of_examples(root), *_of_tables(root)]


def _of_examples(root: Path) -> list[str]:
    found, now = verdicts.records(root), verdicts.here(root)
    settings = load_settings(root)
    refused: dict[tuple[str, str, tuple[str, ...]], list[tuple[str, verdicts.Verdict]]] = defaultdict(list)
    out = []
    for path in files(settings.snippets_dir):
        try:
            snippet = settings.load(path)
        except SnippetError as error:
            out.append(f"{path.relative_to(root)}:{error.line}: {error.message}")
            continue
        for engine in snippet.manifest.engines:
            one = verdicts.verdict(snippet, engine, found, now)
            if one.state not in ("passed", "skipped"):
                refused[one.state, engine, one.changed].append((f"snippets/{snippet.name}", one))
    for (state, engine, changed), some in refused.items():
        name, first = some[0]
        more = f" (and {len(some) - 1} more)" if some[1:] else ""
        said: Mapping[str, str] = {
            "failed": f"failed on {engine}: correct it, then `make publish`",
            "edited": f"has changed since it last ran on {engine}: `make publish` runs it",
            "missing": f"never ran on {engine}: `make publish` runs it",
        }
        stale = "" if state in said else verdicts.stale_sentence(changed, [first], "it").rstrip(".")
        out.append(f"{name}{more}: {said.get(state) or f'{stale}: `make publish` runs it'}")
    return out


def _of_tables(root: Path) -> list[str]:
    refused = []
    for path in sorted((root / "docs" / "evidence").glob("*.json")):
        if path.name != SNIPPETS:
            state, text = _state(json.loads(path.read_text(encoding="utf-8")), root)
            refused += [f"docs/evidence/{path.name}: {text}"] if state == "failed" else []
    return refused
