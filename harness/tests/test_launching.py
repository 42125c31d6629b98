"""An engine is imported while pytest collects, but not if no snippet runs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from sample_projects import Project

# A module that creates the file `begun` and then takes {seconds} s to import.
SLOW = """
import pathlib, sys, time

pathlib.Path(__file__).with_name("begun").touch()
time.sleep({seconds})
"""
PYPROJECT = """
[tool.snippetcheck.engines.slow]
preload = ["slow_engine"]
path = ["."]
"""
# A conftest.py that ends the collection when the import has begun, or after 30 s, and prints whether it has begun.
CONFTEST = """
import pathlib, time

def pytest_collection_finish(session):
    deadline = time.monotonic() + 30
    begun = pathlib.Path(__file__).with_name("begun")
    while not begun.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    print("begun while collecting:", begun.exists())
"""


@pytest.fixture
def slow(tmp_path: Path) -> Project:
    """Create a project with a snippet, and with an engine that takes half a second to import."""
    project = Project(tmp_path / "project", PYPROJECT)
    (project.root / "slow_engine.py").write_text(SLOW.format(seconds=0.5))
    project.snippet("a.py", "print(1)\n#> 1")
    return project


def test_an_engine_is_imported_while_pytest_collects(slow: Project) -> None:
    (slow.root / "conftest.py").write_text(CONFTEST)
    completed = slow.pytest("-s")
    assert "begun while collecting: True" in completed.stdout
    assert "1 passed" in completed.stdout


@pytest.mark.parametrize("options", [("--collect-only",), ("docs",)])
def test_no_engine_is_imported_if_no_snippet_runs(slow: Project, options: tuple[str, ...]) -> None:
    slow.pytest(*options)
    assert not (slow.root / "begun").exists()


def test_pytest_does_not_wait_for_an_import_that_no_snippet_needs(slow: Project, tmp_path: Path) -> None:
    (slow.root / "slow_engine.py").write_text(SLOW.format(seconds=100))
    began = time.monotonic()
    completed = slow.pytest("-k", "nothing", TMPDIR=str(tmp_path))
    assert "1 deselected" in completed.stdout
    assert time.monotonic() - began < 50
    assert not list(tmp_path.glob("snippet*"))


def test_cached_runs_start_no_engine(slow: Project) -> None:
    assert slow.pytest("--snippet-cache").returncode == 0
    (slow.root / "begun").unlink()
    assert slow.pytest("--snippet-cache").returncode == 0
    assert not (slow.root / "begun").exists()
