"""Check snippets and pages for rules of this site: imports, titles, indented `#>` lines and covered ideas.

snippetcheck.ledger checks the rules of every site. The inventory is a list of the ideas of the notes, each with an id.
Each id must be covered by a snippet (`# covers:`) or a page (`covers:` in its front matter).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import yaml
from snippetcheck.ledger import Problem
from snippetcheck.pages import pages
from snippetcheck.snippet import Snippet

from gradnotes import front_matter


def forbidden_imports(modules: Collection[str], snippets: Iterable[Snippet]) -> list[Problem]:
    """Return a problem for each import of one of `modules`, the modules that readers cannot install."""
    pattern = re.compile(rf"\s*(?:from|import)\s+({'|'.join(map(re.escape, modules))})\b")
    problems = []
    for snippet in snippets:
        for number, line in enumerate(snippet.lines, 1):
            match = pattern.match(line)
            if match:
                problems.append(
                    Problem(
                        snippet.path,
                        number,
                        f"imports {match[1]}, which a reader does not have",
                        "import a package that readers can install",
                    )
                )
    return problems


def format_problems(snippets: Iterable[Snippet]) -> list[Problem]:
    """Return a problem for each snippet without a title, and for each `#>` line that is not at column 0."""
    problems: list[Problem] = []
    for snippet in snippets:
        if not snippet.title:
            remedy = "begin it with a title: one sentence in triple quotes"
            problems.append(Problem(snippet.path, 1, "snippet has no title", remedy))
        for line in [line.line for statement in snippet.statements for line in statement.output]:
            if not snippet.lines[line - 1].startswith("#"):
                remedy = "put it at column 0, under the whole top-level statement"
                problems.append(Problem(snippet.path, line, "a `#>` line is indented", remedy))
    return problems


def coverage_problems(
    inventory: Path, pages_dir: Path, snippets: Iterable[Snippet], pending: Path | None = None
) -> list[Problem]:
    """Return a problem for each id in the inventory that nothing covers, and each covered id that the inventory lacks.

    An id with `runnable: yes`, the default, needs a snippet; a page may cover any other id. The file `pending` lists
    ids that need no coverage yet. An id in `pending` is a problem if it is covered, or if the inventory lacks it.
    """
    entry_by_id = {entry["id"]: entry for entry in entries(inventory)}
    lines = _lines_of_ids(inventory)
    pending_lines = _lines_of_ids(pending) if pending and pending.exists() else {}
    by_snippet = {
        name: (snippet.path, snippet.manifest.first_line or 1)
        for snippet in snippets
        for name in snippet.manifest.covers
    }
    by_page = _find_coverage_by_pages(pages_dir)
    problems = [
        Problem(path, line, f"covers {name!r}, which is not in {inventory.name}", "correct the id")
        for name, (path, line) in (by_page | by_snippet).items()
        if name not in entry_by_id
    ]
    for name, entry in entry_by_id.items():
        is_runnable = entry.get("runnable", "yes") == "yes"
        is_covered = name in by_snippet or (name in by_page and not is_runnable)
        if is_covered and name in pending_lines and pending:
            message = f"{name} is listed as pending, but it is covered"
            problems.append(Problem(pending, pending_lines[name], message, "remove this line"))
        elif not is_covered and name not in pending_lines:
            message, remedy = f"nothing covers {name}", "add it to `covers:` of a snippet or of a page's front matter"
            if is_runnable:
                message = f"no snippet covers {name}; a runnable idea needs a snippet"
                remedy = "add it to `# covers:` of a snippet, or write one"
            problems.append(Problem(inventory, lines[name], message, remedy))
    problems += [
        Problem(pending, line, f"{name} is not in {inventory.name}", "remove this line")
        for name, line in pending_lines.items()
        if name not in entry_by_id and pending
    ]
    return problems


def _find_coverage_by_pages(pages_dir: Path) -> dict[str, tuple[Path, int]]:
    locations: dict[str, tuple[Path, int]] = {}
    for page in pages(pages_dir):
        front = front_matter.read(pages_dir, page.relative_to(pages_dir).as_posix())
        for name in front.values.get("covers", ()):
            locations[name] = (page, front.lines["covers"])
    return locations


def entries(path: Path) -> list[dict[str, Any]]:
    """Return the entries of an inventory: a list of mappings, each with an `id`."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text(encoding="utf-8"), Loader=loader) or []


def _lines_of_ids(path: Path) -> dict[str, int]:
    """Map each id to its line number, in a YAML list of ids or of entries with an `id`."""
    line_by_id = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r"- (?:id:\s*)?([A-Za-z0-9][\w.-]*)\s*(?:#.*)?$", line)
        if match:
            line_by_id[match[1]] = number
    return line_by_id
