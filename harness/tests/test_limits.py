"""The limits on processes, threads and memory of a program are enforced, and the default limits allow pools of workers."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sample_projects import PYPROJECT, Project
from snippetcheck import outcome
from snippetcheck.engines import PYTHON, Limits
from snippetcheck.runner.client import EngineClient
from snippetcheck.settings import SettingsError, load_settings
from snippetcheck.snippet import Snippet

FORKS = """
import os, time
def forks(count):
    pids = []
    for _ in range(count):
        pid = os.fork()
        if pid == 0:
            time.sleep(0.5)
            os._exit(0)
        pids.append(pid)
    for pid in pids:
        os.waitpid(pid, 0)

forks({count})
"""
THREADS = """
import threading, time
threads = [threading.Thread(target=time.sleep, args=(0.5,)) for _ in range({count})]
for thread in threads:
    thread.start()
"""
HOLDS = "import time\nheld = b'x' * ({mebibytes} << 20)\ntime.sleep(0.5)"
RESERVES = "import mmap\nreserved = mmap.mmap(-1, 3 << 30)\nprint(len(reserved) >> 30)"


@pytest.mark.parametrize(
    ("limits", "body", "expected"),
    [
        (Limits(processes=5), FORKS.format(count=4), outcome.FINISHED),
        (Limits(processes=5), FORKS.format(count=5), outcome.TOO_MANY_PROCESSES),
        (Limits(), FORKS.format(count=51), outcome.FINISHED),  # a pool of 50 workers
        (Limits(threads=5), THREADS.format(count=4), outcome.FINISHED),
        (Limits(threads=5), THREADS.format(count=5), outcome.TOO_MANY_PROCESSES),
        (Limits(memory=100), HOLDS.format(mebibytes=50), outcome.FINISHED),
        (Limits(memory=100), HOLDS.format(mebibytes=150), outcome.TOO_MUCH_MEMORY),
        (Limits(), RESERVES, outcome.RAISED),
        (Limits(address_space=0), RESERVES, outcome.FINISHED),
        (Limits(address_space=4096), RESERVES, outcome.FINISHED),
    ],
)
def test_each_limit_is_enforced(limits: Limits, body: str, expected: str, write: Callable[..., Snippet]) -> None:
    with EngineClient(replace(PYTHON, limits=limits)) as server:
        run = server.run(write(body))
    assert run.outcome == expected, run


@pytest.mark.skipif(not shutil.which("java"), reason="this test runs java, which is not installed")
def test_java_runs_only_without_a_limit_on_address_space(write: Callable[..., Snippet]) -> None:
    snippet = write("import subprocess\nprint(subprocess.run(['java', '-version'], capture_output=True).returncode)")
    outputs = []
    for limits in (Limits(address_space=1024), Limits(address_space=0)):
        with EngineClient(replace(PYTHON, limits=limits)) as server:
            outputs.append(server.run(snippet).statements[-1].output)
    assert outputs == ["1\n", "0\n"]


def test_a_pool_with_a_worker_per_core_is_within_the_limit() -> None:
    assert Limits().processes > (os.cpu_count() or 1) + 1


def test_limits_in_the_settings_are_used(project: Project) -> None:
    project.snippet("a.py", f"{RESERVES}\n#> 3")
    assert "Cannot allocate memory" in project.pytest().stdout
    (project.root / "pyproject.toml").write_text(f"{PYPROJECT}[tool.snippetcheck.limits]\naddress_space = 0\n")
    completed = project.pytest()
    assert completed.returncode == 0, completed.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("processes = 0", "limits: processes must be a whole number of at least 1, got 0"),
        ("memory = '2 GiB'", "limits: memory must be a whole number of at least 1, got '2 GiB'"),
        ("address_space = -1", "limits: address_space must be a whole number of at least 0, got -1"),
        ("threads = true", "limits: threads must be a whole number of at least 1, got True"),
        ("cores = 1", "limits: unknown limit 'cores'"),
    ],
)
def test_a_malformed_or_unknown_limit_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "snippets").mkdir()
    (tmp_path / "pyproject.toml").write_text(f"[tool.snippetcheck.limits]\n{text}\n")
    with pytest.raises(SettingsError) as raised:
        load_settings(tmp_path)
    assert message in str(raised.value)
