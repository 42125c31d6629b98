"""Render the `evidence` fence, a table from a JSON file that a run wrote, and the `verdict` fence, a summary line."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup
from snippetcheck.fence_types import FenceType
from snippetcheck.pages import Fence
from snippetcheck.settings import find_root, load_settings
from snippetcheck.snippet import Snippet

from gradnotes import inputs
from gradnotes.evidence import run_status
from gradnotes.fences import table_status
from gradnotes.fences.registry import renders
from gradnotes.markup import Page
from gradnotes.problems import FenceError, close_match
from gradnotes.project import Project
from gradnotes.templating import render

MAX_OPEN_ROWS = 60  # a table with more rows is folded, so that readers see the text after it


def _printed_numbers(fence: Fence, snippets: Mapping[str, Snippet]) -> Iterator[str]:
    """Yield the text of the evidence file, if it exists. The ledger looks up numbers in it that the page quotes."""
    path = load_settings(find_root(fence.page)).pages_dir / "evidence" / fence.keys["file"]
    if path.is_file():
        yield json.dumps(json.loads(path.read_text(encoding="utf-8")))


def _summarize_runs(project: Project) -> dict[str, Any]:
    """Return the summary of the verdicts of all embedded snippets."""
    snippets = []
    for name in sorted(project.pages_by_snippet()):
        with contextlib.suppress(FenceError):  # rendering the page reports the missing or malformed snippet
            snippets.append(project.snippet(name))
    return run_status.summary(project.root, snippets, run_status.current_fingerprints(project))


@renders(FenceType("evidence", ("file", "columns"), ("rows", "where", "caption", "missing"), prints=_printed_numbers))
def render_evidence(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render a table from the JSON file `file:` in docs/evidence or .cache.

    `rows: a.b` is the path of the records in the file; by default, the records are the whole file. `columns: key as
    Heading, ...` selects columns, and `where: key=value` selects rows. `missing: text` is shown while the file does not
    exist. `file: runs` stands for a summary of the snippets' verdicts.

    A line under the table of a file gives its date and, depending on its state, its versions, its failures, or what
    has changed since. A table with more than MAX_OPEN_ROWS rows is folded. The title of the fold has the number of
    rows and, for each column of booleans, the number of true values.

    Raises:
        FenceError: the file is missing and the fence has no `missing:`, the file is not JSON, or it lacks the rows or a column.
    """
    if keys["file"] == "runs":
        data, status = _summarize_runs(project), Markup()
    else:
        path = next(filter(None, (project.find_below(folder, keys["file"]) for folder in project.evidence)), None)
        if path is None:
            return _render_missing(project, keys)
        data = _load_json(path)
        status = project.memoize(("note", path), lambda: _status_line(project, path))
    rows = _as_records(_follow_path(data, keys), keys["file"])
    columns = [tuple(part.strip() for part in c.split(" as ", 1)) for c in keys["columns"].split(",")]
    existing_keys = {key for row in rows for key in row}
    filter_key, _, value = (part.strip() for part in keys.get("where", "").partition("="))
    for name in [column[0] for column in columns] + ([filter_key] if filter_key else []):
        if rows and name not in existing_keys:
            raise FenceError(f"no column {name!r}", close_match(name, existing_keys, "use a key of the rows"))
    if filter_key:
        rows = [row for row in rows if _format_cell(row.get(filter_key)) == value]
    values_by_heading = [(column[-1], [row.get(column[0]) for row in rows]) for column in columns]
    return render(
        "evidence",
        heads=[column[-1] for column in columns],
        rows=[tuple(_format_cell(row.get(column[0])) for column in columns) for row in rows],
        caption=keys.get("caption"),
        is_folded=len(rows) > MAX_OPEN_ROWS,
        counts=[
            (head, sum(map(bool, values)))
            for head, values in values_by_heading
            if all(isinstance(value, bool) for value in values)
        ],
        status=status,
    )


@renders(FenceType("verdict"))
def render_verdict(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render a line with the numbers of passed runs, killed mutants, and operations and modules that agree with torch.

    The number of mutants, operations or modules is left out if its evidence file does not exist.
    """
    engines = _summarize_runs(project)["engines"]
    runs = {state: sum(row[state] for row in engines) for state in ("passed", "failed", run_status.STALE, "no record")}
    states = ["failed" if runs["failed"] else "passed" if runs["passed"] == sum(runs.values()) else "stale"]
    dates = [row["last"] for row in engines if row["last"]]
    last_run = f", the last on {max(dates)}" if dates else ""
    sentences = [f"{runs['passed']:,} of {sum(runs.values()):,} runs of examples passed{last_run}"]
    for file, result, count, words in (
        ("mutation.json", "killed", "mutants", "altered outputs detected"),
        ("op_table.json", "right", "present", "operations agree with PyTorch"),
        ("module_table.json", "right", "present", "modules agree with PyTorch"),
    ):
        path = project.find_below(project.docs / "evidence", file)
        if path is not None:
            data = _load_with_sources(project, path)
            states.append(table_status.table_state(data, project.root)[0])
            sentences.append(f"{data[result]:,} of {data[count]:,} {words}")
    state = next(state for state in ("failed", "stale", "passed") if state in states)
    return render("verdict", state=state, sentences=sentences)


def _render_missing(project: Project, keys: dict[str, str]) -> Markup:
    """Render the text of `missing:`. Raise FenceError if the fence has no such key."""
    if "missing" in keys:
        return render("no_evidence", text=keys["missing"])
    names = [path.name for folder in project.evidence for path in folder.glob("*.json")]
    remedy = close_match(keys["file"], names, "run the command that writes the file, or add `missing:`")
    raise FenceError(f"no evidence file {keys['file']!r}", remedy)


def _follow_path(data: Any, keys: dict[str, str]) -> Any:
    """Return the value at the path `rows:`, such as `a.b`, in `data`. Without `rows:`, return `data`.

    Raises:
        FenceError: there is no such path.
    """
    for step in filter(None, keys.get("rows", "").split(".")):
        if not isinstance(data, dict) or step not in data:
            existing_keys = list(data) if isinstance(data, dict) else []
            raise FenceError(
                f"no key {step!r} in {keys['file']}", close_match(step, existing_keys, "use a key of the file")
            )
        data = data[step]
    return data


def _load_json(path: Path) -> Any:
    try:
        return json.loads(inputs.read_text(path))
    except json.JSONDecodeError as error:
        remedy = "run the command that writes the file"
        raise FenceError(f"{path.name}:{error.lineno}: not JSON: {error.msg}", remedy) from None


def _status_line(project: Project, path: Path) -> Markup:
    """Render the status line under the table of an evidence file."""
    return table_status.render_status_line(_load_with_sources(project, path), project.root)


def _load_with_sources(project: Project, path: Path) -> Any:
    """Load an evidence file. Record its sources as dependencies of the page: they decide whether the file is stale."""
    data = _load_json(path)
    inputs.note(*[project.root / source for source in table_status.sources(data)])
    return data


def _as_records(data: Any, name: str) -> list[dict[str, Any]]:
    """Return records as a list of dicts. In a mapping of records, each key becomes the `name` of its record.

    For example, `{"a": {"n": 1}, "b": 2}` becomes `[{"name": "a", "n": 1}, {"name": "b", "value": 2}]`.

    Raises:
        FenceError: `data` is neither a mapping nor a list of objects. The message calls the file `name`.
    """
    if isinstance(data, dict):
        pairs = data.items()
        return [{"name": key, **(v if isinstance(v, dict) else {"value": v})} for key, v in pairs]
    if isinstance(data, list) and all(isinstance(row, dict) for row in data):
        return data
    raise FenceError(f"the rows of {name} must be objects", "set `rows:` to the path of a list of objects")


def _format_cell(value: Any) -> str:
    """Return a JSON value as the text of a table cell, such as "yes" for true, "–" for null, "0.1235" for 0.12345."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, dict):
        return "; ".join(f"{key}: {entry}" for key, entry in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)
