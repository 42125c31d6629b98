"""Render the `operations` fence: tables of the operations of reference_impl, whose data come from calls of each."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import PurePosixPath
from typing import Any

from markupsafe import Markup
from snippetcheck.fence_types import FenceType

from gradnotes.engine_source.symbol_links import source_link
from gradnotes.fences.registry import renders
from gradnotes.links import snippet_link
from gradnotes.markup import Page
from gradnotes.problems import FenceError, InputError
from gradnotes.project import Project
from gradnotes.recorder import process, shipped
from gradnotes.templating import render

_CALL = re.compile(r"(\bF\.|\.)(\w+)\(")
_VIEW_TEXT = {"yes": "view", "if possible": "view if possible", "itself": "the input itself"}


@renders(FenceType("operations"))
def render_operations(project: Project, page: Page, keys: dict[str, str]) -> Markup:
    """Render a folded table for each family of operations, with a row for each operation.

    Raises:
        FenceError: running `gradnotes.operations` failed.
    """
    descriptions = load_operations(project)
    families = []
    for family in dict.fromkeys(row["family"] for row in descriptions):
        members = [_describe(project, page, row) for row in descriptions if row["family"] == family]
        families.append({"name": family, "id": page.id_for(_slug(family)), "members": members})
    return render("operations", families=families)


def _slug(family: str) -> str:
    return re.sub(r"\W+", "-", family.lower())


def load_operations(project: Project) -> list[dict[str, Any]]:
    """Return the descriptions of the operations. Another process, running `gradnotes.operations`, writes them; they are cached.

    Raises:
        FenceError: the process raised an error.
    """

    def run() -> list[dict[str, Any]]:
        completed_process = process.with_engine(project.root, ["gradnotes.operations"])
        if completed_process.returncode:
            message = f"could not describe the operations: {process.last_line(completed_process)}"
            raise FenceError(message, "for details, run `.venv/bin/python -m gradnotes.operations`")
        return json.loads(completed_process.stdout)

    return project.recordings.get(("operations", shipped.fingerprint(project)), run)


def _describe(project: Project, page: Page, row: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an operation for the template. `row` is its description by `gradnotes.operations`."""
    example = _choose_example(project, row)
    return {
        **row,
        "title": ", ".join((row["name"], *row["aliases"], *filter(None, [row["in_place"]]))),
        "source": source_link(project, row["symbol"], page.path),
        "view": _VIEW_TEXT.get(row["view"]),
        "example": snippet_link(project, example, page.path) if example else None,
        "gradient": _gradient(row),
    }


def _gradient(row: dict[str, Any]) -> dict[str, Any]:
    """Return the gradient of an operation as {"formula": text} or {"sentence": text}.

    If a call of the operation creates several nodes, return {"nodes": names}.
    """
    rules = list(row["rules"].values())
    if len(rules) > 1:
        return {"nodes": [re.sub(r"Backward[0-9]+$", "", name) for name in row["rules"]]}
    if not rules:
        return {"sentence": "" if row["view"] == "itself" else "No gradient."}
    rule = re.sub(r"\s+", " ", rules[0])
    return {"formula": rule} if rule.startswith("∂") else {"sentence": f"Gradient: {rule[0].lower()}{rule[1:]}"}


def _choose_example(project: Project, row: dict[str, Any]) -> str | None:
    """Return the snippet that is the best example of an operation, or None if no snippet on a page calls it.

    The best snippet is named after the operation; else it is on a page whose name contains the name of the operation; else
    the name of the snippet contains it. Of equally good snippets, the one that calls the fewest functions is the best.
    """
    forms = (*row["forms"], row["in_place"], *row["aliases"])
    calls = {form if form.startswith("F.") else form.rpartition(".")[2] for form in forms if form}
    name = row["name"].rpartition(".")[2]
    ranking = []
    for snippet, called_names in project.memoize("calls of operations", lambda: _calls_by_snippet(project)).items():
        if not calls.isdisjoint(called_names):
            stem, page = PurePosixPath(snippet).stem, project.pages_by_snippet()[snippet]
            is_about = name.replace("_", "-") in PurePosixPath(page).stem
            rank = 4 * (stem in calls) + 2 * is_about + (name in stem) - len(called_names) / 100
            ranking.append((-rank, snippet))
    return min(ranking)[1] if ranking else None


def _calls_by_snippet(project: Project) -> dict[str, set[str]]:
    """Map each embedded snippet to the names that it calls, such as `F.pad`, and `exp` for `torch.exp` or `x.exp`."""
    calls = {}
    for name in project.pages_by_snippet():
        with contextlib.suppress(InputError):  # rendering the page reports the malformed snippet
            pairs = _CALL.findall(project.snippet(name).text)
            calls[name] = {f"F.{function}" if prefix == "F." else function for prefix, function in pairs}
    return calls
