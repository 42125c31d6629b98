"""The fence that shows a table from a file that a run wrote."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from snippetcheck.kinds import Kind
from snippetcheck.pages import Fence
from snippetcheck.settings import find_root, load_settings
from snippetcheck.snippet import Snippet

from gradnotes import inputs
from gradnotes.fences import provenance, verdicts
from gradnotes.fences.kinds import shows
from gradnotes.fences.markup import Page, folded, inline, table
from gradnotes.fences.problems import FenceError, close_match
from gradnotes.fences.project import Project

LONG = 60  # rows; a longer table of evidence is folded, so that what comes after it is found


def _in_the_file(fence: Fence, snippets: Mapping[str, Snippet]) -> Iterator[str]:
    """The figures of the whole file, whichever columns are shown."""
    path = load_settings(find_root(fence.page)).pages_dir / "evidence" / fence.keys["file"]
    if path.is_file():
        yield json.dumps(json.loads(path.read_text(encoding="utf-8")))


@shows(Kind("evidence", ("file", "columns"), ("rows", "where", "caption", "missing"), prints=_in_the_file))
def evidence_table(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Columns of the rows of a JSON file under docs/evidence or .cache: `columns: key as Heading, ...`.

    `where: key=value` keeps the rows that have it; `missing: text` is shown where the file is not
    there yet. Under it stands what the file was made with, and what has changed since. A long table is folded, with the number of its rows and of what is true in them. The file `runs` is what the records of the snippets add up to.
    """
    data: Any
    note = ""
    if keys["file"] == "runs":
        data = verdicts.summary(project.root, map(project.snippet, sorted(project.shown())), project.made_with())
    else:
        path = next(filter(None, (project.below(folder, keys["file"]) for folder in project.evidence)), None)
        if path is None and "missing" in keys:
            return f'<p class="no-evidence">{inline(keys["missing"])}</p>'
        if path is None:
            names = [p.name for folder in project.evidence for p in folder.glob("*.json")]
            remedy = close_match(keys["file"], names, "run what writes it, or say what is `missing:`")
            raise FenceError(f"no evidence file {keys['file']!r}", remedy)
        data = _load(path)
        note = project.once(("note", path), lambda: _note(project, path))
    for step in filter(None, keys.get("rows", "").split(".")):
        if not isinstance(data, dict) or step not in data:
            steps_there = list(data) if isinstance(data, dict) else []
            raise FenceError(f"no {step!r} in {keys['file']}", close_match(step, steps_there, "see the file"))
        data = data[step]
    rows = _records(data, keys["file"])
    columns = [tuple(part.strip() for part in c.split(" as ", 1)) for c in keys["columns"].split(",")]
    known = {key for row in rows for key in row}
    wanted, _, value = (part.strip() for part in keys.get("where", "").partition("="))
    for name in [column[0] for column in columns] + ([wanted] if wanted else []):
        if rows and name not in known:
            raise FenceError(f"no column {name!r}", close_match(name, known, "see the file"))
    if wanted:
        rows = [row for row in rows if _cell(row.get(wanted)) == value]
    body = [tuple(_cell(row.get(column[0])) for column in columns) for row in rows]
    shown = table([column[-1] for column in columns], body, keys.get("caption"))
    if len(rows) <= LONG:
        return shown + note
    answers = [(c[-1], [row.get(c[0]) for row in rows]) for c in columns]
    counts = "".join(
        f"; {inline(head)}: {sum(map(bool, values))}"
        for head, values in answers
        if all(isinstance(v, bool) for v in values)
    )
    return f'<div data-filter="Show rows with these words">{folded(f"All {len(rows)} rows{counts}", shown)}</div>{note}'


def _load(path: Path) -> Any:
    try:
        return json.loads(inputs.read_text(path))
    except json.JSONDecodeError as error:
        remedy = "run the command that writes it"
        raise FenceError(f"{path.name}:{error.lineno}: not JSON: {error.msg}", remedy) from None


def _note(project: Project, path: Path) -> str:
    data = _load(path)
    inputs.note(*[project.root / source for source in provenance.sources(data)])
    return provenance.note(data, project.root)


def _records(data: Any, name: str) -> list[dict[str, Any]]:
    """A list of records as it is; a mapping of records as a list, its key in the column `name`."""
    if isinstance(data, dict):
        pairs = data.items()
        return [{"name": key, **(v if isinstance(v, dict) else {"value": v})} for key, v in pairs]
    if isinstance(data, list) and all(isinstance(row, dict) for row in data):
        return data
    raise FenceError(f"the rows of {name} are no records", "give `rows:` the path to a list of records")


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return html.escape(f"{value:.4g}")
    if isinstance(value, dict):
        return inline("; ".join(f"{key}: {entry}" for key, entry in value.items()))
    if isinstance(value, list):
        return inline(", ".join(map(str, value)))
    return inline(str(value))
