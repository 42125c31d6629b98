"""Check which tests `--tier quick` skips, and how a tier is selected."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.files import write_files

pytest_plugins = "pytester"
ROOT = Path(__file__).parents[1]
Outcomes = Callable[..., dict[str, int]]

IN_BROWSER = """
import pytest

@pytest.fixture
def playwright(): pass

@pytest.fixture
def page(playwright): pass

def test_in_the_browser(page): pass
def test_of_the_text(): pass
"""


@pytest.fixture
def outcomes(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Outcomes:
    """Return a function that runs pytest in a small project with this repository's conftest.py.

    The function takes options of pytest and returns the number of tests for each outcome, such as `passed`.
    """
    monkeypatch.delenv("GRADNOTES_TIER", raising=False)
    shutil.copy(ROOT / "conftest.py", pytester.path)
    files = {
        "tests/engine/test_sample.py": "def test_engine(): pass",
        "harness/tests/test_sample_of_harness.py": "def test_harness(): pass",
        "tests/site/test_page.py": IN_BROWSER,
        "tests/test_new.py": "def test_new(): pass",
    }
    write_files(pytester.path, files)
    pytest_settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"][
        "ini_options"
    ]
    test_paths = [path for path in pytest_settings["testpaths"] if path.endswith("tests")]
    pytester.path.joinpath("pyproject.toml").write_text(f"[tool.pytest.ini_options]\ntestpaths = {test_paths}\n")

    def run(*options: str) -> dict[str, int]:
        # The workers of `-n` do not find the installed plugins with the import paths of the process that runs this test.
        runpytest = pytester.runpytest_subprocess if "-n" in options else pytester.runpytest
        return runpytest("-p", "no:snippetcheck", "-p", "no:cacheprovider", *options).parseoutcomes()

    return run


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["one process", "a worker"])
def test_quick_skips_only_browser_engine_and_harness(outcomes: Outcomes, workers: tuple[str, ...]) -> None:
    # `quick` runs test_of_the_text, and test_new, because NOT_QUICK does not list its file
    assert outcomes("--tier", "quick", *workers)["passed"] == 2
    assert outcomes(*workers) == outcomes("--tier", "full", *workers) == {"passed": 5}


def test_quick_runs_engine_tests_that_the_command_line_names(outcomes: Outcomes) -> None:
    assert outcomes("--tier", "quick", "tests/engine") == {"passed": 1}


def test_the_environment_can_choose_the_tier(outcomes: Outcomes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADNOTES_TIER", "quick")
    assert outcomes()["passed"] == 2


def test_an_unknown_tier_is_an_error(
    outcomes: Outcomes, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADNOTES_TIER", "all")
    result = pytester.runpytest("-p", "no:snippetcheck")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*GRADNOTES_TIER=all: must be one of quick, pull-request, full*"])


def test_every_browser_test_uses_the_fixture_that_quick_recognizes() -> None:
    """Check that of all test files and conftest.py files only tests/site/conftest.py starts Playwright.

    `--tier quick` recognizes browser tests by the fixture `playwright`; it would run a test that starts a browser itself.
    """
    root = Path(__file__).parents[1]
    starters = [
        path.relative_to(root).as_posix()
        for path in [*(root / "tests").rglob("test_*.py"), *(root / "tests").rglob("conftest.py")]
        if "node_modules" not in path.parts
        and re.search(r"^from playwright.*sync_playwright$", path.read_text(encoding="utf-8"), re.M)
    ]
    assert starters == ["tests/site/conftest.py"]
