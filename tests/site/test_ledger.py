"""The ledger of this site is closed: every block of code, snippet, idea and figure is accounted for."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from snippetcheck import ledger
from snippetcheck.ledger import Complaint
from snippetcheck.settings import load_settings
from snippetcheck.snippet import Snippet, files

from gradnotes.fences import errata

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = load_settings(ROOT)
PAGES = SETTINGS.pages_dir


@functools.cache
def snippets() -> dict[str, Snippet]:
    return {one.name: one for one in map(SETTINGS.load, files(SETTINGS.snippets_dir))}


def check(complaints: list[Complaint]) -> None:
    if complaints:
        pytest.fail(f"{len(complaints)} complaints\n" + "\n".join(map(str, complaints)), pytrace=False)


def test_every_block_of_code_is_classified() -> None:
    check(ledger.unclassified(PAGES))


def test_every_fence_names_a_snippet() -> None:
    check(ledger.misnamed(PAGES, snippets()))


def test_every_snippet_is_shown() -> None:
    check(ledger.unshown(PAGES, snippets()))


def test_no_snippet_imports_ours() -> None:
    check(ledger.imports_of(("reference_impl", "snippetcheck", "gradnotes"), snippets().values()))


def test_every_idea_of_the_notes_is_covered() -> None:
    check(ledger.uncovered(PAGES / "inventory.yml", PAGES, snippets().values(), PAGES / "pending.yml"))


def test_every_figure_in_prose_is_printed() -> None:
    check(ledger.unprinted_figures(PAGES, snippets()))


def test_every_erratum_is_proved_and_shown() -> None:
    entries = errata.load(PAGES / "errata")
    ideas = {entry["id"] for entry in ledger.entries(PAGES / "inventory.yml")}
    shown = {fence.keys.get("id"): fence for fence in ledger.all_fences(PAGES) if fence.kind == "erratum"}
    complaints = []
    for entry in entries.values():
        if entry.proof not in snippets():
            complaints.append(
                Complaint(entry.path, entry.line, f"{entry.id}: no snippet {entry.proof!r}", "write the proof")
            )
        if entry.id not in shown:
            complaints.append(
                Complaint(entry.path, entry.line, f"no page shows {entry.id}", "embed it with an erratum fence")
            )
        complaints += [
            Complaint(entry.path, entry.line, f"{entry.id}: corrects {name!r}, which no note says", "correct the id")
            for name in entry.corrects
            if name not in ideas
        ]
    complaints += [
        Complaint(fence.page, fence.line, f"no erratum {name!r}", "add it to docs/errata")
        for name, fence in shown.items()
        if name not in entries
    ]
    check(complaints)
