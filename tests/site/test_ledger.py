"""The ledger of this site is closed: every block of code, snippet, idea and figure is accounted for."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import pytest
from snippetcheck import ledger
from snippetcheck.ledger import Complaint
from snippetcheck.settings import load_settings
from snippetcheck.snippet import Snippet, files

from gradnotes.exercises.format import load
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


def test_every_exercise_is_on_a_page_and_names_what_there_is() -> None:
    check(list(exercise_complaints(ROOT)))


def exercise_complaints(root: Path) -> Iterator[Complaint]:
    pages = root / "docs"
    shown = {fence.keys.get("file") for fence in ledger.all_fences(pages) if fence.kind == "exercise"}
    ideas = {entry["id"] for entry in ledger.entries(pages / "inventory.yml")}
    for path in sorted((root / "exercises").rglob("*.py")):
        one = load(path, root / "exercises")
        if one.name not in shown:
            yield Complaint(path, 1, "no page shows this exercise", "embed it with an exercise fence, or remove it")
        for name in one.covers:
            if name not in ideas:
                yield Complaint(path, 1, f"covers {name!r}, which is not in inventory.yml", "correct the id")


def test_an_exercise_without_a_page_is_told(tmp_path: Path) -> None:
    exercise = ROOT / "exercises/in-place/versions/the_write_that_matters.py"
    for path, text in (
        ("exercises/a.py", exercise.read_text()),
        ("exercises/b.py", exercise.read_text()),
        ("docs/inventory.yml", "- id: a\n"),
        ("docs/page.md", "``` exercise\nfile: a.py\n```\n\n``` exercise\nfile: c.py\n```\n"),
        ("pyproject.toml", "[tool.snippets]\n"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    found = [f"{one.path.name}: {one.message}" for one in exercise_complaints(tmp_path)]
    assert found == [
        "a.py: covers 'inplace.version-unused-ok', which is not in inventory.yml",
        "b.py: no page shows this exercise",
        "b.py: covers 'inplace.version-unused-ok', which is not in inventory.yml",
    ]
    assert [(one.line, one.message) for one in ledger.misnamed(tmp_path / "docs", {})] == [(5, "no exercise 'c.py'")]


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
