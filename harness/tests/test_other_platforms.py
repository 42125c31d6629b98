"""On platforms without the functions that forking needs, snippets run in plain processes and pytest works as usual."""

from __future__ import annotations

import pytest
from sample_projects import PYPROJECT, Project

# A sitecustomize.py that removes the modules and functions that Windows lacks.
SITE = """
import os, signal, sys

for name in ("resource", "fcntl", "pwd", "grp", "termios"):
    sys.modules[name] = None
for name in ("fork", "memfd_create", "pidfd_open", "setsid", "killpg", "waitid", "set_blocking"):
    delattr(os, name)
for name in ("pthread_sigmask", "sigpending", "sigwait"):
    delattr(signal, name)
"""


@pytest.fixture
def project_without_fork(project: Project) -> Project:
    """Create a project with a test. If its folder `site` is in PYTHONPATH, Python lacks the functions that Windows lacks."""
    (project.root / "site").mkdir()
    (project.root / "site" / "sitecustomize.py").write_text(SITE)
    # Pass PYTHONPATH on to the processes of programs, so that these lack the same functions.
    (project.root / "pyproject.toml").write_text(f'{PYPROJECT}environment = ["PYTHONPATH"]\n')
    (project.root / "test_own.py").write_text("def test_own(): pass\n")
    return project


@pytest.mark.parametrize("arguments", [[], ["-n", "1"], ["snippets"]])
def test_snippets_run_without_fork(arguments: list[str], project_without_fork: Project) -> None:
    project_without_fork.snippet(
        "a.py", "import os, sys\nprint(hasattr(os, 'fork'), sys.modules['fcntl'])\n#> False None"
    )
    project_without_fork.snippet("b.py", "print(1)\n#> 2")
    completed = project_without_fork.pytest("-rA", *arguments, PYTHONPATH=str(project_without_fork.root / "site"))
    assert completed.returncode == 1 and completed.stderr == "", completed.stderr
    assert f"1 failed, {1 if arguments == ['snippets'] else 2} passed" in completed.stdout, completed.stdout
    assert "PASSED snippets/a.py::python" in completed.stdout and "FAILED snippets/b.py::python" in completed.stdout


def test_bless_works_without_fork(project_without_fork: Project) -> None:
    project_without_fork.snippet("a.py", "print(1)")
    for message in ("blessed a.py from python", "unchanged a.py"):
        completed = project_without_fork.harness("bless", PYTHONPATH=str(project_without_fork.root / "site"))
        assert completed.returncode == 0 and message in completed.stdout, completed.stdout + completed.stderr


def test_pytest_runs_a_project_without_snippets_without_fork(project_without_fork: Project) -> None:
    (project_without_fork.root / "pyproject.toml").unlink()
    assert "1 passed" in project_without_fork.pytest(PYTHONPATH=str(project_without_fork.root / "site")).stdout
