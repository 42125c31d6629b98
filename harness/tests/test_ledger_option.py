"""`ledger = true` adds a test that checks pages in Markdown and reStructuredText, and the README."""

from __future__ import annotations

from pathlib import Path

import pytest
from sample_projects import PYPROJECT, Project
from snippetcheck.pages import find_fences
from snippetcheck.settings import SettingsError, load_settings

WITH_LEDGER = PYPROJECT.replace("[tool.snippetcheck]\n", "[tool.snippetcheck]\nledger = true\n")


@pytest.fixture
def project_with_ledger(tmp_path: Path) -> Project:
    """Create a project with the setting `ledger`, in which everything is checked."""
    project = Project(tmp_path / "project", WITH_LEDGER)
    project.snippet("a.py", "print(4.5)\n#> 4.5")
    project.page("a.md", "It is `4.5`.\n\n``` snippet\nfile: a.py\n```\n")
    return project


def test_the_ledger_is_a_test_that_can_be_selected(project_with_ledger: Project) -> None:
    completed = project_with_ledger.pytest("-v")
    assert "pyproject.toml::ledger PASSED" in completed.stdout and "2 passed" in completed.stdout, completed.stdout
    assert "2 passed" in project_with_ledger.pytest("-n", "2").stdout
    assert "1 passed" in project_with_ledger.pytest("pyproject.toml::ledger").stdout
    assert "1 passed, 1 deselected" in project_with_ledger.pytest("-k", "ledger").stdout
    assert "1 passed" in project_with_ledger.pytest("snippets/a.py").stdout


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("docs/a.md", "And `5.5`.\n", "docs/a.md:1: the number `5.5` occurs in no output shown on this page"),
        ("README.md", "Hello\n\n``` python\nx\n```\n", "README.md:3: a fence that nothing checks: 'python'"),
        ("README.md", "It takes `5.5` s.\n", "README.md:1: the number `5.5` occurs in no output"),
        ("README.rst", "It takes ``5.5`` s.\n", "README.rst:1: the number `5.5` occurs in no output"),
        ("docs/b.md", "``` snippet\nfile: b.py\n```\n", "docs/b.md:1: no snippet 'b.py'"),
        ("docs/b.rst", "See::\n\n    x = 1\n", "docs/b.rst:1: a block that nothing checks: '::'"),
        ("docs/b.rst", ".. code-block:: python\n\n   x\n", "docs/b.rst:1: a block that nothing checks: 'code-block python'"),
        ("docs/b.rst", "Text\n\n>>> 1\n1\n", "docs/b.rst:3: a block that nothing checks: '>>>'"),
        ("snippets/b.py", '"""T."""\n\nprint(1)\n#> 1\n', "snippets/b.py:1: no page shows this snippet"),
        ("snippets/b.py", "print(\n", "snippets/b.py:1: is not Python: '(' was never closed"),
    ],
)  # fmt: skip
def test_the_ledger_fails_for_content_that_nothing_checks(
    file: str, text: str, problem: str, project_with_ledger: Project
) -> None:
    path = project_with_ledger.root / file
    path.write_text(text + (path.read_text() if path.exists() else ""))
    completed = project_with_ledger.pytest("pyproject.toml")
    assert completed.returncode == 1 and problem in completed.stdout, completed.stdout
    assert "the ledger has 1 problem\n" in completed.stdout and "Traceback" not in completed.stdout
    assert "FAILED pyproject.toml::ledger - the ledger has 1 problem" in completed.stdout


RST = """
Means
=====

The mean is ``4.5``, see :func:`mean`.

.. literalinclude:: ../snippets/part/mean.py
   :language: python

.. note::

   The half is ``2.5``::

.. illustrative: a shell, whose output differs

.. code-block:: console

   $ ls

.. literalinclude:: ../pyproject.toml
"""


def test_a_page_in_restructured_text_shows_a_snippet(tmp_path: Path) -> None:
    project = Project(tmp_path / "project", WITH_LEDGER)
    path = project.snippet("part/mean.py", "# region: mean\nprint(4.5)\n#> 4.5\n# endregion\nprint(2.5)\n#> 2.5")
    project.page("means.rst", RST)
    completed = project.pytest()
    assert "2 passed" in completed.stdout, completed.stdout
    project.page(
        "means.rst", RST.replace(":language: python", ":start-after: # region: mean\n   :end-before: # endregion")
    )
    completed = project.pytest()
    assert "docs/means.rst:12: the number `2.5` occurs in no output" in completed.stdout, completed.stdout
    path.write_text(path.read_text().replace("#> 4.5", "#> 4.6"))
    assert "docs/means.rst:6: shows part/mean.py" in project.pytest("snippets").stdout


def test_find_fences_returns_the_blocks_of_restructured_text() -> None:
    text = (
        "a::\n\n  x\n\n  y\n\nb\n\n.. code:: python\n   :name: n\n\n   z\n.. comment::\n\nc\n::\n\n  w\n>>> 1\n1\n\nd\n"
    )
    blocks = [(fence.line, fence.last_line, fence.body) for fence in find_fences(text, "page.rst")]
    assert blocks == [
        (1, 5, ("", "  x", "", "  y")),
        (9, 12, ("   :name: n", "", "   z")),
        (16, 18, ("", "  w")),
        (19, 20, (">>> 1", "1")),
    ]


def test_testpaths_that_leave_the_ledger_out_are_reported(project_with_ledger: Project) -> None:
    (project_with_ledger.root / "pytest.ini").write_text("[pytest]\ntestpaths = snippets\n")
    assert (
        "snippets: not collected: pyproject.toml, the ledger: `testpaths` names" in project_with_ledger.pytest().stdout
    )
    (project_with_ledger.root / "pytest.ini").write_text("[pytest]\ntestpaths = snippets pyproject.toml\n")
    completed = project_with_ledger.pytest()
    assert "2 passed" in completed.stdout and "not checked" not in completed.stdout


def test_without_the_setting_there_is_no_ledger_test(project_with_ledger: Project) -> None:
    (project_with_ledger.root / "pyproject.toml").write_text(PYPROJECT)
    (project_with_ledger.root / "docs" / "a.md").unlink()
    assert "1 passed" in project_with_ledger.pytest().stdout


def test_the_setting_ledger_must_be_a_boolean(tmp_path: Path) -> None:
    (tmp_path / "snippets").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.snippetcheck]\nledger = 'yes'\n")
    with pytest.raises(SettingsError, match="ledger must be true or false, got 'yes'"):
        load_settings(tmp_path)
