"""The plugin works with other plugins, and with a conftest.py that knows nothing of snippets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sample_projects import Project

FLAKY = """
from pathlib import Path

count = Path({path!r})
number = int(count.read_text()) + 1 if count.exists() else 1
_ = count.write_text(str(number))
print(number >= {green_from})
#> True
"""


def write_flaky(project: Project, green_from: int, name: str = "flaky.py") -> None:
    """Write a snippet that passes from run number `green_from` on."""
    project.snippet(name, FLAKY.format(path=str(project.root / f"{name}.count"), green_from=green_from))


def run_count(project: Project, name: str = "flaky.py") -> int:
    """Return how many times the snippet ran."""
    return int((project.root / f"{name}.count").read_text())


@pytest.mark.parametrize(
    "arguments", [[], ["-n", "1"], ["--snippet-cache"]], ids=["serial", "one worker", "cached runs"]
)
def test_reruns_run_the_program_again(arguments: list[str], project: Project) -> None:
    write_flaky(project, green_from=3)
    project.snippet("next.py", "print(1)\n#> 1")
    completed = project.pytest("--reruns", "2", *arguments, GITHUB_ACTIONS="true")
    assert "2 passed, 2 rerun" in completed.stdout, completed.stdout
    assert (completed.returncode, run_count(project)) == (0, 3)
    assert "::error" not in completed.stdout, "an attempt that is repeated must not be reported"


def test_a_snippet_that_fails_in_all_reruns_fails(project: Project) -> None:
    write_flaky(project, green_from=9)
    completed = project.pytest("--reruns", "2")
    assert "1 failed, 2 rerun" in completed.stdout, completed.stdout
    assert (completed.returncode, run_count(project)) == (1, 3)


@pytest.mark.parametrize(
    "arguments", [[], ["-n", "1"], ["--snippet-cache"]], ids=["serial", "one worker", "cached runs"]
)
def test_the_option_count_runs_the_program_that_many_times(arguments: list[str], project: Project) -> None:
    write_flaky(project, green_from=2)
    completed = project.pytest("--count", "3", "-v", *arguments, GITHUB_ACTIONS="true")
    assert "1 failed, 2 passed" in completed.stdout, completed.stdout
    assert "snippets/flaky.py::python[3-3]" in completed.stdout
    assert run_count(project) == 3
    assert completed.stdout.count("::error ") == 1, "of several runs, only the failed one must be reported"


def test_a_file_that_is_named_twice_runs_twice(project: Project) -> None:
    write_flaky(project, green_from=2)
    completed = project.pytest("--keep-duplicates", "snippets/flaky.py", "snippets/flaky.py")
    assert "1 failed, 1 passed" in completed.stdout, completed.stdout


CONFTEST = """
import pytest


@pytest.fixture
def database():
    raise AssertionError


def pytest_collection_modifyitems(items):
    for item in items:
        if "database" in item.fixturenames:
            item.add_marker(pytest.mark.skip)
        item.fixturenames.append("other")
"""


def test_a_conftest_may_inspect_fixtures_of_items(project: Project) -> None:
    project.snippet("a.py", "print(1)\n#> 1")
    (project.root / "conftest.py").write_text(CONFTEST)
    (project.root / "test_own.py").write_text("def test_own(database): pass\n")
    completed = project.pytest()
    assert (completed.returncode, "1 passed, 1 skipped" in completed.stdout) == (0, True), completed.stdout


README = Path(__file__).parents[1] / "README.md"


@pytest.mark.parametrize("arguments", [[], ["-n", "1"]], ids=["serial", "one worker"])
@pytest.mark.parametrize("with_fork", [False, True], ids=["as documented", "with fork"])
def test_pytest_cov_counts_what_a_snippet_runs(with_fork: bool, arguments: list[str], project: Project) -> None:
    """Check the setting in the README, and the same with `fork` added, which a project needs if its own tests fork."""
    (documented,) = re.findall(r"^    (patch = .*)$", README.read_text(), re.MULTILINE)
    patch = documented.replace("]", ', "fork"]') if with_fork else documented
    settings = "[tool.snippetcheck.engines.python]\nsources = ['mine']\npath = ['src']\n"
    (project.root / "pyproject.toml").write_text(f"{settings}[tool.coverage.run]\nsource = ['src']\n{patch}\n")
    (project.root / "src").mkdir()
    (project.root / "src" / "mine.py").write_text("def used():\n    return 1\n\n\ndef unused():\n    return 2\n")
    project.snippet("a.py", "import mine\nprint(mine.used())\n#> 1")
    completed = project.new_pytest("--cov", "--cov-report=term-missing", *arguments)
    assert completed.returncode == 0, completed.stdout
    assert re.search(r"^src/mine.py +4 +1 +75% +6$", completed.stdout, re.MULTILINE), completed.stdout
    assert [path.name for path in project.root.glob(".coverage*")] == [".coverage"], (
        "pytest-cov must combine the data of all processes"
    )


SLOW_EXIT = """\
import os, time
exit_at_once = os._exit
def save_and_exit(status):
    time.sleep(0.5)
    open({saved!r}, "w").close()
    exit_at_once(status)
os._exit = save_and_exit
"""


def test_the_server_waits_for_a_replaced_exit(project: Project) -> None:
    """Check that the server waits for a replaced `os._exit`, such as coverage.py's.

    Otherwise it would kill the process while coverage.py writes, or coverage.py would write after pytest-cov has
    combined the data.
    """
    saved = project.root / "saved"
    (project.root / "slow_exit.py").write_text(SLOW_EXIT.format(saved=str(saved)))
    (project.root / "pyproject.toml").write_text(
        "[tool.snippetcheck.engines.python]\npath = ['.']\npreload = ['slow_exit']\n"
    )
    project.snippet("a.py", "print(1)\n#> 1")
    completed = project.pytest()
    assert completed.returncode == 0 and saved.exists(), completed.stdout
