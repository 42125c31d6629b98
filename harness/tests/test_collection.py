"""pytest collects all snippets, refuses files that it would run itself, and reports if it has judged no snippet."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sample_projects import PYPROJECT, Project

ENDS_PYTEST = "import os\nos._exit(0)\n"
TESTPATHS = PYPROJECT + '\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'


@pytest.fixture
def with_a_test(project: Project) -> Project:
    """Create a project without snippets, but with a test that passes."""
    (project.root / "tests").mkdir()
    (project.root / "tests" / "test_own.py").write_text("def test_own():\n    pass\n")
    return project


@pytest.mark.parametrize("name", ["conftest.py", "sub/conftest.py", "__init__.py", "sub/__init__.py"])
def test_a_snippet_with_a_name_reserved_by_pytest_is_refused(name: str, project: Project) -> None:
    project.snippet("sub/a.py", "print(1)\n#> 1")
    (project.root / "snippets" / name).write_text(ENDS_PYTEST)
    for completed in (project.pytest(), project.pytest("snippets/sub"), project.harness("bless")):
        assert completed.returncode == (2 if "snippetcheck" in completed.args else 4), completed.stdout
        assert f"snippets/{name}: pytest would import it into its process" in completed.stderr
        assert "\n    no snippet can have this name" in completed.stderr


def test_a_text_file_among_the_snippets_is_not_run_as_a_doctest(project: Project) -> None:
    project.snippet("z.py", "print(1)\n#> 2")
    (project.root / "snippets" / "test_0.txt").write_text(">>> import os; os._exit(0)\n")
    completed = project.pytest()
    assert (completed.returncode, "1 failed" in completed.stdout) == (1, True)
    assert project.pytest("--doctest-glob=*.txt", "snippets/test_0.txt").returncode == 4


@pytest.mark.parametrize("name", ["conftest.py", "test_b.py", "b.py"])
def test_a_link_to_a_folder_among_the_snippets_is_refused(name: str, project: Project) -> None:
    project.snippet("a.py", "print(1)\n#> 1")
    elsewhere = project.root / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / name).write_text(ENDS_PYTEST)
    (project.root / "snippets" / "sub").mkdir()
    (project.root / "snippets" / "sub" / "link").symlink_to(elsewhere)
    for completed in (project.pytest(), project.pytest(f"snippets/sub/link/{name}"), project.harness("bless")):
        assert completed.returncode == (2 if "snippetcheck" in completed.args else 4), completed.stdout
        assert "snippets/sub/link: is a link to " in completed.stderr
        assert "\n    move that folder into the snippets folder, or remove the link" in completed.stderr


def test_a_run_that_judges_no_snippet_fails(with_a_test: Project) -> None:
    completed = with_a_test.pytest()
    assert (completed.returncode, "1 passed" in completed.stdout) == (5, True)
    assert "no snippets were judged: found no files in snippets" in completed.stdout
    (with_a_test.root / "pyproject.toml").write_text('[tool.snippetcheck]\nneeds = ["no_such_package"]\n')
    with_a_test.snippet("a.py", "print(1)\n#> 1", "# needs: no_such_package\n")
    completed = with_a_test.pytest()
    assert (completed.returncode, "1 passed, 1 skipped" in completed.stdout) == (5, True)
    assert "no snippets were judged: all selected snippets were skipped" in completed.stdout
    completed = with_a_test.pytest("-k", "own")
    assert (completed.returncode, "snippets:" in completed.stdout) == (0, False), (
        "`-k own` excludes the snippets, so that no message is due"
    )


def test_the_file_of_a_ledger_that_is_off_is_named(project: Project) -> None:
    """Check it with workers too: pytest-xdist does not print the error of a worker that finds nothing in a file."""
    project.snippet("a.py", "print(1)\n#> 1")
    for option in ("-n0", "-n1"):
        completed = project.pytest(option, "snippets", "pyproject.toml")
        assert completed.returncode != 0
        assert "snippets: pyproject.toml stands for the ledger, which is off: set `ledger = true`" in completed.stdout


def test_a_run_that_judges_no_snippet_fails_with_workers(with_a_test: Project) -> None:
    completed = with_a_test.pytest("-n", "1")
    assert (completed.returncode, "no snippets were judged: found no files in" in completed.stdout) == (5, True)
    with_a_test.snippet("a.py", "print(1)\n#> 1")
    completed = with_a_test.pytest("-n", "1")
    assert (completed.returncode, "snippets:" in completed.stdout) == (0, False)


def test_a_pytest_ini_above_or_below_the_project_hides_no_snippet(project: Project, tmp_path: Path) -> None:
    """Check that snippets are judged although a pytest.ini above or below the project moves pytest's root folder."""
    project.snippet("sub/wrong.py", "print(1)\n#> 2")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    assert "1 failed" in project.pytest().stdout
    (tmp_path / "pytest.ini").unlink()
    (project.root / "snippets" / "pytest.ini").write_text("[pytest]\n")
    assert "1 failed" in project.pytest("snippets/sub/wrong.py").stdout


def test_a_run_with_paths_of_two_projects_is_refused(tmp_path: Path) -> None:
    """Check that no snippet is passed over silently, wherever pytest was started."""
    first, second = (Project(tmp_path / name) for name in ("first", "second"))
    for project in (first, second):
        project.snippet("a.py", "print(1)\n#> 1")
    for settings in ("", "[tool.pytest.ini_options]\n"):
        (tmp_path / "pyproject.toml").write_text(settings)
        completed = first.pytest("snippets", "../second/snippets")
        assert completed.returncode == 4 and f"belongs to another project than {first.root}" in completed.stderr
        assert "run pytest separately in each project" in completed.stderr
        assert "1 passed" in first.pytest("../second").stdout


@pytest.mark.parametrize("workers", [[], ["-n", "1"]])
@pytest.mark.parametrize("is_project", [False, True])
def test_a_run_above_two_projects_names_both(is_project: bool, workers: list[str], with_a_test: Project) -> None:
    if is_project:
        with_a_test.snippet("a.py", "print(1)\n#> 1")
    else:
        (with_a_test.root / "pyproject.toml").unlink()
    for name in ("first", "group/second"):
        Project(with_a_test.root / name).snippet("a.py", "print(1)\n#> 1")
    completed = with_a_test.pytest(*workers)
    assert completed.stdout.count("is a project and is not checked") == 2
    for name in ("first", "group/second"):
        assert f"snippets: {name} is a project and is not checked: run pytest in this folder" in completed.stdout
    assert "snippets:" not in with_a_test.pytest(*workers, "first").stdout


def test_a_run_reports_snippets_outside_testpaths(with_a_test: Project) -> None:
    (with_a_test.root / "pyproject.toml").write_text(TESTPATHS)
    with_a_test.snippet("a.py", "print(1)\n#> 1")
    completed = with_a_test.pytest()
    assert (completed.returncode, "1 passed" in completed.stdout) == (0, True)
    assert "snippets: not collected: snippets: `testpaths` names other files and folders" in completed.stdout
    assert "snippets:" not in with_a_test.pytest("tests").stdout, (
        "the command names only tests/, so that no message is due"
    )
    assert "an option or `norecursedirs` leaves them out" in with_a_test.pytest(".", "--ignore", "snippets").stdout


@pytest.mark.parametrize("workers", [[], ["-n", "1"]])
def test_a_run_reports_examples_in_place_that_are_not_collected(workers: list[str], with_a_test: Project) -> None:
    for name in ("a.md", "b.md", "c.md", "build/d.md"):
        with_a_test.page(name, "```python\nprint(1)\n#> 1\n```\n")
    examples = PYPROJECT.replace("snippets_dir =", 'examples = ["docs/**/*.md"]\nsnippets_dir =')
    (with_a_test.root / "pyproject.toml").write_text(examples)
    message = "snippets: not collected: docs/build/d.md: an option or `norecursedirs` leaves them out"
    assert message in with_a_test.pytest(*workers).stdout, "pytest ignores folders called build, the setting does not"
    assert "snippets:" not in with_a_test.pytest(*workers, "docs/a.md").stdout
    (with_a_test.root / "pyproject.toml").write_text(examples + '\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n')
    completed = with_a_test.pytest(*workers)
    assert (completed.returncode, "1 passed" in completed.stdout) == (0, True)
    assert (
        "not collected: docs/a.md, docs/b.md, docs/build/d.md and 1 other file: `testpaths` names" in completed.stdout
    )


def test_files_that_pytest_would_ignore_fail(project: Project) -> None:
    body = project.snippet("right.py", "print(1)\n#> 1").read_text()
    folder = project.root / "snippets"
    (folder / "loop").symlink_to(".")
    (folder / ".#right.py").symlink_to("somebody@host")
    (folder / "CAPITALS.PY").write_text(body)
    (folder / "window.pyw").write_text(body)
    completed = project.pytest()
    assert "2 failed, 1 passed" in completed.stdout
    assert "snippets/CAPITALS.PY:1: ends in '.PY'" in completed.stdout
    assert "snippets/window.pyw:1: ends in '.pyw'" in completed.stdout
    blessed = project.harness("bless")
    assert blessed.stdout.count("    rename it to end in .py") == 2
    (folder / "lost.py").symlink_to("nowhere.py")
    completed = project.pytest()
    assert completed.returncode == 4 and "snippets/lost.py: symbolic link to a missing file" in completed.stderr


def test_a_need_may_be_a_module_of_a_package(project: Project) -> None:
    (project.root / "pyproject.toml").write_text(
        '[tool.snippetcheck]\nneeds = ["no_such.part", "xml.dom", "xml.nor"]\n'
    )
    for name in ("no_such.part", "xml.dom", "xml.nor"):
        project.snippet(f"{name}.py", "print(1)\n#> 1", f"# needs: {name}\n")
    completed = project.pytest("-rs")
    assert (completed.returncode, "1 passed, 2 skipped" in completed.stdout) == (0, True), completed.stdout
    assert "needs no_such.part, which is not installed" in completed.stdout


def test_an_undeclared_need_is_an_error(project: Project) -> None:
    project.snippet("typo.py", "print(1)\n#> 2", "# needs: torhc\n")
    completed = project.pytest()
    assert completed.returncode == 1
    assert "snippets/typo.py:2: unknown need 'torhc'" in completed.stdout
    assert "use one of cuda, or add it to `needs` of [tool.snippetcheck]" in completed.stdout


DESELECTING_CONFTEST = """
import pytest

@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    config.hook.pytest_deselected(items=[item for item in items if item.path.name == "a.py"])
    items[:] = [item for item in items if item.path.name != "a.py"]
"""


@pytest.mark.parametrize("workers", [[], ["-n", "1"]], ids=["serial", "one worker"])
def test_a_run_passes_if_a_plugin_deselects_all_snippets(workers: list[str], project: Project) -> None:
    """Check that a run passes if a plugin such as pytest-split, called after all others, deselects its snippets."""
    project.snippet("a.py", "print(1)\n#> 1")
    (project.root / "conftest.py").write_text(DESELECTING_CONFTEST)
    (project.root / "test_own.py").write_text("def test_own(): pass\n")
    completed = project.pytest(*workers)
    assert (completed.returncode, "1 passed" in completed.stdout) == (0, True), completed.stdout
    assert "no snippets were judged" not in completed.stdout


def test_modules_of_a_project_may_have_names_of_the_harness(project: Project) -> None:
    """Check that a project may contain modules named like those of the harness, or like those that the harness imports.

    The setting `path` puts the project first on the server's sys.path. pytest's sys.path contains it only in the second
    run, by `python -m pytest`.
    """
    (project.root / "pyproject.toml").write_text('[tool.snippetcheck.engines.python]\npath = ["."]\n')
    for name in ("snippetcheck", "harness", "child", "journal", "outcome", "socket", "json", "tempfile", "shutil"):
        (project.root / f"{name}.py").write_text("print('the wrong module')\n")
    project.snippet(
        "a.py", "import sys\nprint(1)\n#> 1\n\nprint(any('harness/src' in entry for entry in sys.path[:1]))\n#> False"
    )
    completed = project.run([str(Path(sys.executable).parent / "pytest"), "-p", "no:cacheprovider"])
    assert "1 passed" in completed.stdout, completed.stdout + completed.stderr
    (project.root / "snippetcheck.py").unlink()
    for name in ("socket", "json", "tempfile", "shutil"):  # `python -m pytest` would import these itself
        (project.root / f"{name}.py").unlink()
    assert "1 passed" in project.new_pytest().stdout
