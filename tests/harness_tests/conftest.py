"""Servers that the tests of the harness share, and projects that they make up."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from harness.compare import Finding, compare
from harness.engines import PYTHON, Engine
from harness.record import Run
from harness.runner import EngineServer
from harness.settings import find_root, load_settings
from harness.snippet import Snippet, load, parse

PYPROJECT = """
[tool.snippets]
snippets_dir = "snippets"
pages_dir = "docs"

[tool.snippets.engines.python]
sources = []
"""


@pytest.fixture(scope="session")
def python_server() -> Iterator[EngineServer]:
    """A server that has imported nothing."""
    with EngineServer(PYTHON) as server:
        yield server


@pytest.fixture(scope="session")
def torch_engine() -> Engine:
    """The engine `torch` as this project has it."""
    return load_settings(find_root(__file__)).engines["torch"]


@pytest.fixture(scope="session")
def torch_server(torch_engine: Engine) -> Iterator[EngineServer]:
    """A server that has imported PyTorch."""
    with EngineServer(torch_engine) as server:
        yield server


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Snippet]:
    """Write a snippet, given without its title, and load it."""

    def write(body: str, name: str = "example.py", timeout: float | None = None) -> Snippet:
        manifest = f"# timeout: {timeout}\n" if timeout else ""
        path = tmp_path / "snippets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'"""An example."""\n{manifest}\n{dedent(body).strip()}\n', encoding="utf-8")
        return load(path, tmp_path / "snippets")

    return write


@pytest.fixture
def judged(write: Callable[..., Snippet], python_server: EngineServer) -> Callable[..., tuple[Run, list[Finding]]]:
    """Run a snippet on plain Python; its run and what is wrong with it."""

    def judged(body: str, timeout: float | None = None) -> tuple[Run, list[Finding]]:
        snippet = write(body, timeout=timeout)
        run = python_server.run(snippet)
        return run, compare(snippet, run)

    return judged


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project with an engine of plain Python."""
    return Project(tmp_path / "project")


class Project:
    """A project in a folder of its own, on which pytest is run as a person would."""

    def __init__(self, root: Path, pyproject: str = PYPROJECT):
        self.root = root
        (root / "snippets").mkdir(parents=True)
        (root / "docs").mkdir()
        (root / "pyproject.toml").write_text(pyproject)

    def snippet(self, name: str, body: str, manifest: str = "") -> Path:
        path = self.root / "snippets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'"""An example."""\n{manifest}\n{dedent(body).strip()}\n', encoding="utf-8")
        return path

    def page(self, name: str, text: str) -> Path:
        path = self.root / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip(), encoding="utf-8")
        return path

    def pytest(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run pytest in the project's folder, in a fresh process."""
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
        if any(argument in ("--lf", "--ff") or argument.startswith("cache_dir") for argument in arguments):
            command = [sys.executable, "-m", "pytest", *arguments]
        return self.run(command, **environment)

    def harness(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run `python -m harness` in the project's folder."""
        return self.run([sys.executable, "-m", "harness", *arguments], **environment)

    def run(self, command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "GITHUB"))}
        return subprocess.run(
            command, cwd=self.root, env=kept | environment, capture_output=True, text=True, timeout=120
        )


def parsed(text: str) -> Snippet:
    """A snippet from its whole text, without a file."""
    return parse(dedent(text).lstrip(), "snippets/example.py", "example.py")
