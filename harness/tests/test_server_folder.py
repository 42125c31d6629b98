"""No two programs share a folder, and a run leaves no files behind, even if it is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sample_projects import Project
from snippetcheck.compare import Finding
from snippetcheck.outcome import Run
from snippetcheck.runner.client import EngineClient
from snippetcheck.snippet import Snippet


@pytest.fixture
def running(project: Project, tmp_path: Path) -> subprocess.Popen[bytes]:
    """Start pytest, with its temporary folders below `tmp_path`, and wait until it runs a snippet that sleeps for 600 s."""
    project.snippet("a.py", "import time\nopen('begun', 'w').close()\ntime.sleep(600)", "# timeout: 600\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
        cwd=project.root,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    wait_until(lambda: bool(list(tmp_path.glob("snippetcheck-server-*/*/*/work/begun"))))
    return process


def wait_until(condition: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"the condition is still false after {seconds} s"
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_terminated_or_killed_run_leaves_no_folder(
    number: signal.Signals, running: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    running.send_signal(number)
    assert running.wait(20) == -number
    wait_until(lambda: not list(tmp_path.glob("snippetcheck-server-*")))


LEAK = """
import pathlib, tempfile
for folder in ('.', '..', tempfile.gettempdir(), '~'):
    _ = (pathlib.Path(folder).expanduser() / 'leak.txt').write_text('seen')
"""
PROBE = """
import glob, os, tempfile
print(os.listdir('.'), sorted(os.listdir('..')), os.listdir(tempfile.gettempdir()), os.path.exists('../leak.txt'))
#> [] ['tmp', 'work'] [] False
"""


def test_snippets_share_no_folder(run_and_compare: Callable[..., tuple[Run, list[Finding]]]) -> None:
    assert run_and_compare(LEAK)[1] == []
    assert run_and_compare(PROBE)[1] == []


def test_disk_space_in_the_temporary_folder_is_limited(
    run_and_compare: Callable[..., tuple[Run, list[Finding]]],
) -> None:
    body = "import tempfile\nwhile True:\n    with tempfile.NamedTemporaryFile(delete=False) as f:\n"
    run, _ = run_and_compare(body + "        _ = f.write(b'x' * (1 << 24))", timeout=20)
    assert "wrote more than 256 MiB" in run.detail


def test_the_folders_of_a_snippet_are_removed_after_its_run(
    write: Callable[..., Snippet], python_server: EngineClient
) -> None:
    for body in (LEAK, "print(1)\n#> 1"):
        python_server.run(write(body))
    wait_until(lambda: not list(python_server.folder.glob("*/*")))
