"""Runs that the watch mode makes for others: with the engine that it has imported, and never with one that is stale."""

from __future__ import annotations

import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_projects import Project
from test_watch import Watching

PYPROJECT = """
[tool.snippets.engines.one]
preload = ["stand_in"]
path = ["."]
sources = ["stand_in"]
"""
IMPORTS = """
import pathlib

with pathlib.Path(__file__).with_name("imports").open("a") as file:
    file.write("import\\n")
value = {value}
"""


def with_value(project: Project, value: int) -> None:
    (project.root / "stand_in.py").write_text(IMPORTS.format(value=value))


def imports(project: Project) -> int:
    return len((project.root / "imports").read_text().splitlines())


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path / ("deep" * 30) / "watched", PYPROJECT)  # longer than the address of a socket may be
    with_value(project, 1)
    project.snippet("a.py", "import stand_in\nprint(stand_in.value)\n#> 1")
    return project


@pytest.fixture
def watching(project: Project) -> Iterator[Watching]:
    watch = Watching(project)
    yield watch
    watch.close()


def cached(project: Project, by: str = "pytest") -> subprocess.CompletedProcess[str]:
    return project.pytest("--snippet-cache") if by == "pytest" else project.harness("run", "--snippet-cache")


@pytest.mark.parametrize("by", ["pytest", "harness"])
def test_the_engine_of_the_watch_mode_is_used(watching: Watching, by: str) -> None:
    project = watching.project
    assert cached(project, by).returncode == 0
    project.snippet("a.py", "import stand_in\nprint(stand_in.value + 1)\n#> 3")
    done = cached(project, by)
    assert done.returncode == 1 and "3" in done.stdout and "made no runs" not in done.stdout
    project.snippet("a.py", "import stand_in\nprint(stand_in.value + 2)\n#> 3")
    assert cached(project, by).returncode == 0
    assert imports(project) == 1


def test_a_changed_engine_is_imported_anew(watching: Watching) -> None:
    project = watching.project
    # Of another length: a file of the same second and size is for Python the one that it has compiled.
    with_value(project, 777)
    assert "777" in cached(project).stdout
    project.snippet("a.py", "import stand_in\nprint(stand_in.value)\n#> 777")
    assert cached(project).returncode == 0
    assert imports(project) == 2


@pytest.mark.parametrize("by", ["pytest", "harness"])
def test_other_settings_are_refused_with_the_remedy(watching: Watching, by: str) -> None:
    project = watching.project
    (project.root / "pyproject.toml").write_text(PYPROJECT + 'reseed = ["random.seed"]\n')
    done = cached(project, by)
    assert done.returncode == 0
    assert "the watch mode made no runs: it has other settings" in done.stdout and "start it again" in done.stdout
    assert imports(project) == 2  # once by the watch mode, once by pytest


def test_a_hostile_snippet_ends_neither(watching: Watching) -> None:
    project = watching.project
    project.snippet("kill.py", "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nprint(1)\n#> 1")
    done = cached(project)
    assert "1 failed, 1 passed" in done.stdout
    project.snippet("a.py", "import stand_in\nprint(stand_in.value + 1)\n#> 2")
    assert "1 failed, 1 passed" in cached(project).stdout
    assert watching.process.poll() is None


def test_what_is_no_request_is_refused(watching: Watching, monkeypatch: pytest.MonkeyPatch) -> None:
    project = watching.project
    monkeypatch.chdir(project.root)
    for text in (b"", b"[]\n", b"{}\n", b'{"engine": 1}\n', b"\xff\n", b"no end"):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(".cache/watch.sock")
            connection.sendall(text)
            connection.shutdown(socket.SHUT_WR)
            assert b"refused" in connection.makefile("rb").readline()
    assert cached(project).returncode == 0 and imports(project) == 1


def test_one_that_was_killed_is_not_waited_for(project: Project) -> None:
    first = Watching(project)
    first.process.send_signal(signal.SIGKILL)
    first.close()
    assert cached(project).returncode == 0
    assert imports(project) == 2
    second, third = Watching(project), Watching(project)
    third.close()  # the first of two serves
    project.snippet("a.py", "import stand_in\nprint(stand_in.value + 1)\n#> 2")
    assert cached(project).returncode == 0
    assert imports(project) == 4
    second.close()
