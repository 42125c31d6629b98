"""Render the `operations` fence: a table of the engine's operations under one heading, from what calls of them showed."""

from __future__ import annotations

import contextlib
import html
import json
import re
from pathlib import PurePosixPath
from typing import Any

from snippetcheck.kinds import FenceType

from gradnotes.engine_source.symbol_links import source_link
from gradnotes.fences.registry import renders
from gradnotes.links import link_to_snippet
from gradnotes.markup import Page, fold, inline, table
from gradnotes.problems import FenceError, InputError
from gradnotes.project import Project
from gradnotes.recorder import process

_CALL = re.compile(r"(\bF\.|\.)(\w+)\(")
_HEADS = ("Operation", "What it does, and its gradient", "Example")
_VIEW_TEXT = {"yes": "view", "if possible": "view if possible", "itself": "the input itself"}


@renders(FenceType("operations"))
def render_operations(project: Project, page: Page, keys: dict[str, str]) -> str:
    """Render a folded table for each family of operations, with a row for each operation.

    Raises:
        FenceError: the operations could not be described.
    """
    descriptions = load_operations(project)
    folds = []
    for family in dict.fromkeys(row["family"] for row in descriptions):
        members = [row for row in descriptions if row["family"] == family]
        rows = [_render_row(project, page, row) for row in members]
        titles = [", ".join((row["name"], *row["aliases"], *filter(None, [row["in_place"]]))) for row in members]
        table_html = table(_HEADS, rows, None, [row["name"] for row in members], "stacking operations", titles)
        folds.append(fold(f"{html.escape(family)}: {len(members)}", table_html, page.id_for(_slug(family))))
    ask = "Show operations with these words"
    return f'<div data-filter="{ask}" data-choices="Family, View, In place?">{"".join(folds)}</div>'


def _slug(family: str) -> str:
    return re.sub(r"\W+", "-", family.lower())


def load_operations(project: Project) -> list[dict[str, Any]]:
    """Return the descriptions of `gradnotes.operations`, made by the engine of the project.

    Raises:
        FenceError: the engine raised an error.
    """

    def run() -> list[dict[str, Any]]:
        completed = process.with_engine(project.root, ["gradnotes.operations"])
        if completed.returncode:
            message = f"could not describe the operations: {process.last_line(completed)}"
            raise FenceError(message, "for details, run `python -m gradnotes.operations`")
        return json.loads(completed.stdout)

    return project.recordings.get(("operations", project.recorder()), run)


def _render_row(project: Project, page: Page, row: dict[str, Any]) -> tuple[str, ...]:
    name = _code(row["name"])
    if source := source_link(project, row["symbol"], page.path):
        name = f'<a href="{html.escape(source)}">{name}</a>'
    if row["aliases"]:
        name += f' <span class="op-note">also {", ".join(map(_code, row["aliases"]))}</span>'
    if row["in_place"]:
        name += f' <span class="op-note">in place <span data-head="In place">{_code(row["in_place"])}</span></span>'
    if row["view"] in _VIEW_TEXT:
        name += f' <span class="op-note op-view" data-head="View">{_VIEW_TEXT[row["view"]]}</span>'
    example = _choose_example(project, row)
    link = link_to_snippet(project, example, page.path) if example else ""
    return name, f'{inline(row["text"])} <span class="op-note">{_gradient(row)}</span>', link


def _code(text: str) -> str:
    return f"<code>{html.escape(text)}</code>"


def _gradient(row: dict[str, Any]) -> str:
    """Return the gradient of an operation: a formula, a sentence, or the nodes that a call creates."""
    rules = list(row["rules"].values())
    if len(rules) > 1:
        nodes = ", ".join(_code(re.sub(r"Backward[0-9]+$", "", name)) for name in row["rules"])
        return f"Made of several operations, each with its gradient: {nodes}."
    if not rules:
        return "" if row["view"] == "itself" else "No gradient."
    rule = re.sub(r"\s+", " ", rules[0])
    return (
        f"<code>{html.escape(rule)}</code>"
        if rule.startswith("∂")
        else inline(f"Gradient: {rule[0].lower()}{rule[1:]}")
    )


def _choose_example(project: Project, row: dict[str, Any]) -> str | None:
    """Return the snippet that shows an operation best: named after it, on a page about it, or with few other calls."""
    forms = (*row["forms"], row["in_place"], *row["aliases"])
    calls = {form if form.startswith("F.") else form.rpartition(".")[2] for form in forms if form}
    name = row["name"].rpartition(".")[2]
    ranking = []
    for snippet, called in project.memoize("calls of operations", lambda: _calls_by_snippet(project)).items():
        if not calls.isdisjoint(called):
            stem, page = PurePosixPath(snippet).stem, project.pages_by_snippet()[snippet]
            is_about = name.replace("_", "-") in PurePosixPath(page).stem
            rank = 4 * (stem in calls) + 2 * is_about + (name in stem) - len(called) / 100
            ranking.append((-rank, snippet))
    return min(ranking)[1] if ranking else None


def _calls_by_snippet(project: Project) -> dict[str, set[str]]:
    """Map each embedded snippet to the functions that it calls: `F.pad`, and `exp` for `torch.exp` and for a method."""
    calls = {}
    for name in project.pages_by_snippet():
        with contextlib.suppress(InputError):  # rendering the page reports it
            pairs = _CALL.findall(project.snippet(name).text)
            calls[name] = {f"F.{function}" if room == "F." else function for room, function in pairs}
    return calls
