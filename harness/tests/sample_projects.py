"""Temporary projects, in which pytest and `python -m snippetcheck` run in separate processes."""

from __future__ import annotations

import atexit
import functools
import io
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent
from typing import IO

from snippetcheck.snippet import Rules, Snippet, parse

SERVER = Path(__file__).with_name("forking_python.py")
TIMEOUT = 120.0  # seconds for one command
# Prefixes of environment variables that Python and coverage.py read only when a process starts.
READ_AT_START = ("PYTHON", "LANG", "LC_", "COVERAGE")

ENGINES = ("torch", "reference_impl")  # names of engines for `parse_text`; no engine runs these snippets

PYPROJECT = """
[tool.snippetcheck]
snippets_dir = "snippets"
pages_dir = "docs"

[tool.snippetcheck.engines.python]
sources = []
"""


class Project:
    """A project in a temporary folder, with methods that write its files and run commands in it.

    Attributes:
        import_path: folders from which `pytest` and `harness` import modules first, as if PYTHONPATH named them
    """

    def __init__(self, root: Path, pyproject: str = PYPROJECT, import_path: Sequence[Path] = ()):
        self.root, self.import_path = root, [str(folder) for folder in import_path]
        (root / "snippets").mkdir(parents=True)
        (root / "docs").mkdir()
        (root / "pyproject.toml").write_text(pyproject)

    def snippet(self, name: str, body: str, manifest: str = "") -> Path:
        """Write a snippet with a title, the lines of a manifest and a program. Return its path."""
        path = self.root / "snippets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'"""An example."""\n{manifest}\n{dedent(body).strip()}\n', encoding="utf-8")
        return path

    def page(self, name: str, text: str) -> Path:
        """Write a page below docs/ and return its path."""
        path = self.root / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip(), encoding="utf-8")
        return path

    def pytest(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run pytest in the project's folder, if possible in a forked copy of a process that has already imported pytest."""
        return self._run_module("pytest", *pytest_options(arguments), **environment)

    def new_pytest(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run pytest in a process that imports everything itself, for tests that concern imports."""
        return self.run([sys.executable, "-m", "pytest", *pytest_options(arguments)], **environment)

    def harness(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run `python -m snippetcheck` in the project's folder, if possible in a forked copy of a process that has imported it."""
        return self._run_module("snippetcheck", *arguments, **environment)

    def run(self, command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the project's folder, in a new process."""
        return subprocess.run(
            command, cwd=self.root, env=environment_of_run(environment), capture_output=True, text=True, timeout=TIMEOUT
        )

    def _run_module(self, name: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run `python -m name` in a forked copy, or in a new process if variables matter that are read only at startup."""
        variables = environment_of_run(environment)
        settings = frozenset((name, value) for name, value in variables.items() if name.startswith(READ_AT_START))
        if any(name.startswith(READ_AT_START) for name in environment) or any(
            "COVERAGE" in name for name, _ in settings
        ):
            if self.import_path:
                environment = {"PYTHONPATH": os.pathsep.join(self.import_path), **environment}
            return self.run([sys.executable, "-m", name, *arguments], **environment)
        return forking_python(settings).run([name, *arguments], self.root, variables, self.import_path)


def pytest_options(arguments: tuple[str, ...]) -> list[str]:
    """Return `arguments` after options that disable Hypothesis, which is slow to import, and pytest's cache.

    The cache stays enabled if `arguments` use it.
    """
    needs_cache = any(argument in ("--lf", "--ff") or argument.startswith("cache_dir") for argument in arguments)
    return ["-p", "no:hypothesispytest", *([] if needs_cache else ["-p", "no:cacheprovider"]), *arguments]


def environment_of_run(environment: dict[str, str]) -> dict[str, str]:
    """Return this process's environment, updated with `environment`, without inherited variables that change pytest's output.

    `CI` is removed because pytest prints its summary in full if `CI` is set. A test can set it in `environment`.
    """
    hidden_prefixes = ("PYTEST", "GITHUB", "CI", "BUILD_NUMBER")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(hidden_prefixes)}
    return inherited | environment


class ForkingPython:
    """The client of a process that runs `python -m MODULE ...` in forked copies of itself; see forking_python.py."""

    def __init__(self) -> None:
        self._connection, server = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with server:
            self._process = subprocess.Popen(
                [sys.executable, str(SERVER), str(server.fileno())], pass_fds=[server.fileno()], start_new_session=True
            )
        atexit.register(self._close)

    def run(
        self, arguments: list[str], folder: Path, environment: dict[str, str], import_path: list[str]
    ) -> subprocess.CompletedProcess[str]:
        """Run `python -m` with these arguments, and wait until the copy and all processes it started have closed stdout."""
        request = {"arguments": arguments, "folder": str(folder), "environment": environment, "path": import_path}
        deadline = time.monotonic() + TIMEOUT
        reading, writing = os.pipe()
        with open(reading, "rb", buffering=0) as stdout, tempfile.TemporaryFile() as stderr:
            try:
                socket.send_fds(self._connection, [json.dumps(request).encode()], [writing, stderr.fileno()])
            finally:
                os.close(writing)
            output = b""
            while part := self._read(stdout, deadline):
                output += part
            code = self._read(self._connection, deadline)
            assert code, f"{SERVER.name} has ended without an answer"
            stderr.seek(0)
            return subprocess.CompletedProcess(arguments, int(code), decode(output), decode(stderr.read()))

    def _close(self) -> None:
        self._connection.close()
        self._process.wait()

    def _read(self, file: IO[bytes] | socket.socket, deadline: float) -> bytes:
        """Wait for data, and return up to 64 KiB, or nothing at the end of the file.

        At the deadline, kill the process and its forks, and raise TimeoutExpired.
        """
        if not select.select([file], [], [], max(0, deadline - time.monotonic()))[0]:
            os.killpg(self._process.pid, signal.SIGKILL)
            forking_python.cache_clear()
            raise subprocess.TimeoutExpired(str(SERVER), TIMEOUT)
        return os.read(file.fileno(), 1 << 16)


def decode(output: bytes) -> str:
    """Decode output as `subprocess.run(..., text=True)` does."""
    return io.TextIOWrapper(io.BytesIO(output)).read()


@functools.cache
def forking_python(settings: frozenset[tuple[str, str]]) -> ForkingPython:
    """Return the client of the process for `settings`, the variables that Python reads only at startup."""
    return ForkingPython()


def parse_text(text: str) -> Snippet:
    """Parse a snippet from its whole text, without a file."""
    return parse(dedent(text).lstrip(), "snippets/example.py", "example.py", Rules(ENGINES))
