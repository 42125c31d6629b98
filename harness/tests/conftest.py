"""Fixtures of the tests of the harness: clients of engine servers, functions that write snippets, and an empty project."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest
from sample_projects import Project
from snippetcheck.compare import Finding, compare
from snippetcheck.engines import PYTHON, Engine
from snippetcheck.outcome import Run
from snippetcheck.runner.client import EngineClient
from snippetcheck.snippet import Snippet, load


@pytest.fixture(scope="session")
def python_server() -> Iterator[EngineClient]:
    """Yield the client of a server that runs programs on plain Python, without preloaded modules."""
    with EngineClient(PYTHON) as server:
        yield server


@pytest.fixture(scope="session")
def torch_engine() -> Engine:
    """Return an engine that preloads PyTorch; skip the test if PyTorch is not installed."""
    if find_spec("torch") is None:
        pytest.skip("this test runs snippets on PyTorch, which is not installed")
    reseed = ("torch.default_generator.seed", "numpy.random.seed")
    return Engine("torch", preload=("torch",), reseed=reseed, distributions=("torch", "numpy"))


@pytest.fixture(scope="session")
def torch_server(torch_engine: Engine) -> Iterator[EngineClient]:
    """Yield the client of a server that has imported PyTorch."""
    with EngineClient(torch_engine) as server:
        yield server


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Snippet]:
    """Return a function that writes a snippet with a title, a body and, if given, a timeout, and returns the parsed snippet."""

    def write(body: str, name: str = "example.py", timeout: float | None = None) -> Snippet:
        manifest = f"# timeout: {timeout}\n" if timeout else ""
        path = tmp_path / "snippets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'"""An example."""\n{manifest}\n{dedent(body).strip()}\n', encoding="utf-8")
        return load(path, tmp_path / "snippets")

    return write


@pytest.fixture
def run_and_compare(
    write: Callable[..., Snippet], python_server: EngineClient
) -> Callable[..., tuple[Run, list[Finding]]]:
    """Return a function that writes a snippet, runs it on plain Python, and returns the run and its findings."""

    def run_and_compare(body: str, timeout: float | None = None) -> tuple[Run, list[Finding]]:
        snippet = write(body, timeout=timeout)
        run = python_server.run(snippet)
        return run, compare(snippet, run)

    return run_and_compare


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Create a project with plain Python as the only engine, without snippets and pages."""
    return Project(tmp_path / "project")
