"""Every block of code, snippet, exercise, idea and number in code style of this site is checked, and errata agree with the notes."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import pytest
from snippetcheck import ledger
from snippetcheck.ledger import Problem
from snippetcheck.pages import fences
from snippetcheck.settings import load_settings
from snippetcheck.snippet import Snippet, files
from snippetcheck.source import SnippetError, plural

from gradnotes import ledger as own_ledger
from gradnotes.exercises.parser import load
from gradnotes.fences import ideas
from gradnotes.notes import chinese, erratum, inventory
from gradnotes.notes.passage import NOTES, Passage
from gradnotes.project import Project

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = load_settings(ROOT)
PAGES = SETTINGS.pages_dir


@functools.cache
def snippets() -> dict[str, Snippet]:
    """Return all snippets of this site by name."""
    return {snippet.name: snippet for snippet in map(SETTINGS.load, files(SETTINGS.snippets_dir))}


def check(problems: list[Problem]) -> None:
    """Fail the test with the texts of all problems, if there are any."""
    if problems:
        pytest.fail(f"{plural(len(problems), 'problem')}\n" + "\n".join(map(str, problems)), pytrace=False)


def test_every_block_of_code_is_checked_or_marked_as_illustrative() -> None:
    check(ledger.unclassified_blocks(PAGES))


def test_every_fence_names_an_existing_file() -> None:
    check(ledger.invalid_fences(PAGES, snippets()))


def test_every_snippet_is_on_a_page() -> None:
    check(ledger.unembedded_snippets(PAGES, snippets()))


def test_every_snippet_has_a_title_and_its_output_at_column_0() -> None:
    check(own_ledger.format_problems(snippets().values()))


def test_no_snippet_imports_a_package_of_this_repository() -> None:
    check(own_ledger.forbidden_imports(("reference_impl", "snippetcheck", "gradnotes"), snippets().values()))


def test_every_exercise_is_on_a_page_and_covers_known_ideas() -> None:
    check(list(exercise_problems(ROOT)))


def exercise_problems(root: Path) -> Iterator[Problem]:
    """Yield a problem for each exercise that no page shows or that covers an unknown idea."""
    pages = root / "docs"
    embedded_files = {fence.keys.get("file") for fence in ledger.all_fences(pages) if fence.kind == "exercise"}
    ideas = {entry["id"] for entry in own_ledger.entries(pages / "inventory.yml")}
    for path in sorted((root / "exercises").rglob("*.py")):
        try:
            exercise = load(path, root / "exercises")
        except SnippetError as error:
            yield Problem(error.path, error.line, error.message, error.remedy)
            continue
        if exercise.name not in embedded_files:
            yield Problem(path, 1, "no page shows this exercise", "embed it with an exercise fence, or remove it")
        for name in exercise.covers:
            if name not in ideas:
                yield Problem(path, 1, f"covers {name!r}, which is not in inventory.yml", "correct the id")


def test_an_exercise_without_a_page_is_reported(tmp_path: Path) -> None:
    exercise = ROOT / "exercises/in-place/versions/the_write_that_matters.py"
    for path, text in (
        ("exercises/a.py", exercise.read_text()),
        ("exercises/b.py", exercise.read_text()),
        ("exercises/malformed.py", '"""Repair it."""\n'),
        ("docs/inventory.yml", "- id: a\n"),
        ("docs/page.md", "``` exercise\nfile: a.py\n```\n\n``` exercise\nfile: c.py\n```\n"),
        ("pyproject.toml", "[tool.snippetcheck]\n"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    messages = [f"{problem.path.name}: {problem.message}" for problem in exercise_problems(tmp_path)]
    assert messages == [
        "a.py: covers 'inplace.version-unused-ok', which is not in inventory.yml",
        "b.py: no page shows this exercise",
        "b.py: covers 'inplace.version-unused-ok', which is not in inventory.yml",
        "malformed.py: no sections",
    ]
    assert [(problem.line, problem.message) for problem in ledger.invalid_fences(tmp_path / "docs", {})] == [
        (5, "no exercise 'c.py'")
    ]


def test_every_idea_of_the_notes_is_covered() -> None:
    check(own_ledger.coverage_problems(PAGES / "inventory.yml", PAGES, snippets().values(), PAGES / "pending.yml"))


def test_every_number_in_code_style_is_printed_on_its_page() -> None:
    check(ledger.unverified_numbers(PAGES, snippets()))


def test_every_erratum_has_a_proof_on_a_page() -> None:
    """Check that a page shows the proof, that `at` and `corrects` fit the notes, and that an erratum about failing code has `instead`."""
    idea_by_id = {idea.id: idea for idea in inventory.load_ideas(PAGES / "inventory.yml")}
    project = Project(ROOT)
    problems = []
    for entry in erratum.load(PAGES / "errata").values():

        def add_problem(message: str, remedy: str, entry: erratum.Erratum = entry) -> None:
            problems.append(Problem(entry.path, entry.line, f"{entry.id}: {message}", remedy))

        if entry.proof not in snippets():
            add_problem(f"no snippet {entry.proof!r}", "write the proof")
        elif project.page_of(entry.proof) is None:
            add_problem("no page shows the proof", "embed it with a snippet fence")
        if entry.tier == "breaks" and not entry.instead:
            add_problem("no `instead` for code that fails today", "add `instead` with code that works")
        corrected_ideas = [idea_by_id[name] for name in entry.corrects if name in idea_by_id]
        note_numbers = {passage.note for idea in corrected_ideas for passage in idea.at}
        if missing := [name for name in entry.corrects if name not in idea_by_id]:
            add_problem(f"corrects {missing[0]!r}, which is not in inventory.yml", "correct the id")
        elif not {passage.note for passage in entry.at} <= note_numbers:
            add_problem("`at` names a note without the ideas in `corrects`", "correct the passage or the ids")
    check(problems)


def test_the_chinese_of_an_erratum_agrees_with_its_english() -> None:
    """Check full-width marks, blanks around Latin letters, and that code and numbers equal those of the English."""
    problems = []
    for entry in erratum.load(PAGES / "errata").values():
        pairs = {"note": (entry.zh.note, entry.note), "now": (entry.zh.now, entry.now)}
        for key, (text, english) in pairs.items():
            for problem in chinese.problems(text, english):
                problems.append(
                    Problem(entry.path, entry.line, f"{entry.id}: `{key}` of `zh`: {problem}", "correct the text")
                )
        if entry.zh.instead and entry.instead and entry.zh.instead.partition("#")[0] != entry.instead.partition("#")[0]:
            problems.append(
                Problem(
                    entry.path,
                    entry.line,
                    f"{entry.id}: the code in `zh: instead:` must equal that in `instead:`",
                    "correct the code",
                )
            )
    check(problems)


def test_the_chinese_of_the_inventory_agrees_with_its_english() -> None:
    """Check full-width marks, blanks around Latin letters, terms, and that code and numbers equal those of the English."""
    path, problems = PAGES / "inventory.yml", []
    for idea in inventory.load_ideas(path):
        for english, text in ((idea.en, idea.zh or ""), *[(en, zh) for _, en, zh in idea.passages]):
            for problem in chinese.problems(text, english):
                problems.append(Problem(path, idea.line, f"{idea.id}: {problem}", "correct the text"))
    check(problems)


def test_every_idea_leads_to_a_section_that_teaches() -> None:
    """Check that no idea links to a list of pages, a summary, a section of exercises or a checkpoint."""
    project, problems = Project(ROOT), []
    for idea in inventory.load_ideas(PAGES / "inventory.yml"):
        section, _ = ideas.locate_idea(project, idea)
        page, name, _ = section or ("", "", "")
        if not page or page.endswith("/checkpoint.md") or name in {"the-pages", "in-short", "practice"}:
            message = f"{idea.id} leads to {page}#{name}, which is not a section that teaches"
            problems.append(Problem(PAGES / "inventory.yml", idea.line, message, "add `section: PAGE#SECTION`"))
    check(problems)


def test_the_pages_of_notes_have_every_line_and_idea() -> None:
    """Check that the passages on the page of a note follow each other without gaps and include all ideas.

    Each idea must have a Chinese text.
    """
    loaded_ideas = inventory.load_ideas(PAGES / "inventory.yml")
    assert [idea.id for idea in loaded_ideas if not idea.zh] == []
    for number, name in NOTES.items():
        ranges = [Passage.read(f.keys["at"], name) for f in fences(PAGES / "notes" / f"{name}.md") if f.kind == "ideas"]
        assert [passage_range.note for passage_range in ranges] == [number] * len(ranges)
        assert [passage_range.first for passage_range in ranges] == [
            1,
            *[passage_range.last + 1 for passage_range in ranges[:-1]],
        ], name
        last = max(passage.last for idea in loaded_ideas for passage in idea.at if passage.note == number)
        assert last <= ranges[-1].last, name
