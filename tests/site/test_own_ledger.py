"""Content of this site that nothing checks is reported with file, line and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest
from snippetcheck.ledger import Problem
from snippetcheck.snippet import Snippet, load

from gradnotes import ledger
from harness.tests.sample_projects import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Create a project without snippets and pages."""
    return Project(tmp_path / "project")


def load_snippets(project: Project) -> dict[str, Snippet]:
    """Return the snippets of the project by name."""
    root = project.root / "snippets"
    return {snippet.name: snippet for snippet in (load(path, root) for path in sorted(root.rglob("*.py")))}


def problem_tuples(problems: list[Problem], root: Path) -> list[tuple[str, int, str]]:
    """Return (path, line, message) of each problem, and check that each has a remedy."""
    assert all(problem.remedy for problem in problems)
    return [(problem.path.relative_to(root).as_posix(), problem.line, problem.message) for problem in problems]


def test_a_snippet_must_not_import_the_harness(project: Project) -> None:
    project.snippet(
        "a.py", "import torch\nif True:\n    from snippetcheck.runner.runner import Runner\nimport harnessed"
    )
    assert problem_tuples(
        ledger.forbidden_imports(("snippetcheck",), load_snippets(project).values()), project.root
    ) == [("snippets/a.py", 5, "imports snippetcheck, which a reader does not have")]


INVENTORY = """\
# The ideas.
- id: a.runs
  runnable: 'yes'
- id: a.link
  runnable: 'no'
- id: a.part
  runnable: partial
- id: a.other
  runnable: 'yes'
"""


@pytest.fixture
def covered_project(project: Project) -> Project:
    """Create a project in which every idea of the inventory is covered."""
    project.page("inventory.yml", INVENTORY)
    project.snippet("a.py", "x = 1", "# covers: a.runs a.other\n")
    project.page("a.md", "---\ntitle: A\ncovers: [a.link, a.part]\n---\n\n# A\n")
    return project


def uncovered_ideas(project: Project) -> list[tuple[str, int, str]]:
    """Return (path, line, message) of each problem that `ledger.coverage_problems` reports for the project."""
    docs = project.root / "docs"
    problems = ledger.coverage_problems(
        docs / "inventory.yml", docs, load_snippets(project).values(), docs / "pending.yml"
    )
    return problem_tuples(problems, project.root)


def test_a_covered_inventory_has_no_problems(covered_project: Project) -> None:
    assert uncovered_ideas(covered_project) == []


def test_an_uncovered_idea_is_reported(covered_project: Project) -> None:
    covered_project.snippet("a.py", "x = 1", "# covers: a.runs\n")
    assert uncovered_ideas(covered_project) == [
        ("docs/inventory.yml", 8, "no snippet covers a.other; a runnable idea needs a snippet")
    ]


def test_a_runnable_idea_needs_a_snippet(covered_project: Project) -> None:
    covered_project.snippet("a.py", "x = 1", "# covers: a.runs\n")
    covered_project.page("b.md", "---\ncovers: [a.other]\n---\n")
    assert uncovered_ideas(covered_project) == [
        ("docs/inventory.yml", 8, "no snippet covers a.other; a runnable idea needs a snippet")
    ]


def test_an_uncovered_idea_without_code_is_reported(covered_project: Project) -> None:
    covered_project.page("a.md", "---\ntitle: A\ncovers: [a.part]\n---\n\n# A\n")
    assert uncovered_ideas(covered_project) == [("docs/inventory.yml", 4, "nothing covers a.link")]


def test_misspelt_ids_of_ideas_are_reported(covered_project: Project) -> None:
    covered_project.snippet("b.py", "x = 1", "# covers: a.run\n")
    covered_project.page("b.md", "---\ntitle: B\ncovers: [a.lnk]\n---\n")
    assert uncovered_ideas(covered_project) == [
        ("docs/b.md", 3, "covers 'a.lnk', which is not in inventory.yml"),
        ("snippets/b.py", 2, "covers 'a.run', which is not in inventory.yml"),
    ]


def test_a_pending_idea_may_be_uncovered_but_must_exist(covered_project: Project) -> None:
    covered_project.snippet("a.py", "x = 1", "# covers: a.runs\n")
    covered_project.page("pending.yml", "# To do\n- a.other\n- a.runs\n- a.gone\n")
    assert uncovered_ideas(covered_project) == [
        ("docs/pending.yml", 3, "a.runs is listed as pending, but it is covered"),
        ("docs/pending.yml", 4, "a.gone is not in inventory.yml"),
    ]


def test_a_missing_title_and_indented_output_are_reported(project: Project) -> None:
    (project.root / "snippets" / "a.py").write_text("if True:\n    print(1)\n    #> 1\n")
    assert problem_tuples(ledger.format_problems(load_snippets(project).values()), project.root) == [
        ("snippets/a.py", 1, "snippet has no title"),
        ("snippets/a.py", 3, "a `#>` line is indented"),
    ]
