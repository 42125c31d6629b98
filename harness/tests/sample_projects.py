"""Temporary projects on which pytest and the command line run in separate processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

from snippetcheck.snippet import Snippet, parse

ENGINES = ("torch", "reference_impl")  # of snippets that are only read

PYPROJECT = """
[tool.snippetcheck]
snippets_dir = "snippets"
pages_dir = "docs"

[tool.snippetcheck.engines.python]
sources = []
"""


class Project:
    """A project in a temporary folder, on which pytest runs as a person would run it."""

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
        """Run pytest in the project's folder, in a new process.

        Hypothesis is left out: its import takes a third of such a run.
        """
        command = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest"]
        if not any(argument in ("--lf", "--ff") or argument.startswith("cache_dir") for argument in arguments):
            command += ["-p", "no:cacheprovider"]
        return self.run([*command, *arguments], **environment)

    def harness(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run `python -m snippetcheck` in the project's folder."""
        return self.run([sys.executable, "-m", "snippetcheck", *arguments], **environment)

    def run(self, command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
        # Under CI pytest prints its summary in full: a test that asks for that sets CI.
        hidden_prefixes = ("PYTEST", "GITHUB", "CI", "BUILD_NUMBER")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(hidden_prefixes)}
        return subprocess.run(
            command, cwd=self.root, env=inherited | environment, capture_output=True, text=True, timeout=120
        )


def parse_text(text: str) -> Snippet:
    """Parse a snippet from its whole text, without a file."""
    return parse(dedent(text).lstrip(), "snippets/example.py", "example.py", ENGINES)
