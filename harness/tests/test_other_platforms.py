"""Where Python lacks functions of Linux, pytest works as usual and only snippets are refused."""

from __future__ import annotations

import pytest
from made_projects import Project

# As on Windows: these modules and functions are not there.
SITE = """
import os, sys

for name in ("resource", "fcntl", "pwd", "grp", "termios"):
    sys.modules[name] = None
for name in ("fork", "memfd_create", "pidfd_open", "setsid"):
    delattr(os, name)
"""


@pytest.fixture
def elsewhere(project: Project) -> Project:
    (project.root / "site").mkdir()
    (project.root / "site" / "sitecustomize.py").write_text(SITE)
    (project.root / "test_own.py").write_text("def test_own(): pass\n")
    return project


def run(project: Project, *arguments: str) -> str:
    return project.pytest("-rs", *arguments, PYTHONPATH=str(project.root / "site")).stdout


@pytest.mark.parametrize(("arguments", "status"), [([], 0), (["-n", "2"], 0), (["snippets"], 5), (["-k", "a.py"], 5)])
def test_the_exit_status_is_that_of_the_other_tests(arguments: list[str], status: int, elsewhere: Project) -> None:
    elsewhere.snippet("a.py", "print(1)\n#> 1")
    done = elsewhere.pytest(*arguments, PYTHONPATH=str(elsewhere.root / "site"))
    assert done.returncode == status, done.stdout + done.stderr
    assert "no snippets were judged" in done.stdout


def test_a_project_without_snippets_notices_nothing(elsewhere: Project) -> None:
    (elsewhere.root / "pyproject.toml").unlink()
    assert "1 passed" in run(elsewhere)


def test_snippets_are_refused_and_the_other_tests_run(elsewhere: Project) -> None:
    elsewhere.snippet("a.py", "print(1)\n#> 1")
    output = run(elsewhere)
    assert "1 passed, 1 skipped" in output
    assert "snippets need Linux: this Python has no os.fork" in output
    command = elsewhere.harness("run", PYTHONPATH=str(elsewhere.root / "site"))
    assert (command.returncode, command.stderr) == (2, "snippets need Linux: this Python has no os.fork\n")
