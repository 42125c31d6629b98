"""Define the tiers of a test run, which `--tier` or the environment variable GRADNOTES_TIER selects.

pull-request    the default and `make test`: every test except a few slow ones, such as those in other browsers. Where many cases
                are alike (samples of an operation, pages that one function generates, programs for *Run*), a test takes a sample
                of them. Pages that have passed and are unchanged are not checked again, nor, with --snippet-cache, are unchanged
                examples.
quick           after an edit of a page, an example or an exercise (`make quick`): the same without NOT_QUICK below and without
                tests in a browser.
full            nightly (`make nightly`): all tests with all cases, without caches, and with new examples in property tests.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

# Threads of OpenBLAS that wait for each other took half the CPU time of test_training.py. The harness sets 1 for programs, too.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # OpenBLAS reads this when NumPy is imported

TIERS = ("quick", "pull-request", "full")
ROOT = Path(__file__).parent
pytest_plugins = ["gradnotes.evidence.pytest_plugin", "gradnotes.exercises.pytest_plugin"]

# `quick` is for authors of pages, examples, exercises and styles. It skips these tests, and all tests in a browser. `pytest tests/engine`,
# `pytest harness/tests` and `make test` run them.
NOT_QUICK = ("tests/engine", "harness/tests", "tests/test_plain_runs.py", "tests/test_processors.py")
BROWSER = "playwright"  # the fixture that every test in a browser uses


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--tier",
        choices=TIERS,
        default=os.environ.get("GRADNOTES_TIER", "pull-request"),
        help="tests to run: quick (pages, examples and exercises), pull-request, or full; see conftest.py",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("tier") not in TIERS:
        raise pytest.UsageError(f"GRADNOTES_TIER={config.getoption('tier')}: must be one of {', '.join(TIERS)}")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `--tier quick`, ignore the paths in NOT_QUICK and below them, unless the command line names folders or files.

    pytest never asks about the folders in `testpaths`, only about what is in them. Return True to ignore the path, and None to leave the
    decision to other plugins.
    """
    if config.getoption("tier") != "quick" or config.args_source is pytest.Config.ArgsSource.ARGS:
        return None
    return True if any(collection_path.is_relative_to(ROOT / name) for name in NOT_QUICK) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests in a browser to be run once more if they fail. With `--tier quick`, deselect them, even if the command line names them."""
    in_browser = [item for item in items if BROWSER in getattr(item, "fixturenames", ())]
    for item in in_browser:
        item.add_marker(pytest.mark.flaky(reruns=1))
    if config.getoption("tier") == "quick":
        config.hook.pytest_deselected(items=in_browser)
        left_out = set(in_browser)
        items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Exempt imported modules and collected tests from garbage collection: each worker then starts in five seconds instead of eight."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # The engine asks at each import whether there are any, and counting half a million takes 40 ms.
        gc.get_freeze_count = lambda: 1
        gc.enable()


@pytest.fixture(scope="module", autouse=True)
def freeze_heap() -> None:
    """Exempt the objects of earlier tests from garbage collection, which some tests run after each program."""
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Attribute lines that child processes execute under coverage.py to the test that started them."""
    if settings := os.environ.get("COVERAGE_PROCESS_CONFIG"):
        from coverage.config import CoverageConfig

        config = CoverageConfig.deserialize(settings)
        config.context = item.nodeid
        os.environ["COVERAGE_PROCESS_CONFIG"] = config.serialize()


@pytest.fixture(scope="session")
def tier(pytestconfig: pytest.Config) -> str:
    """Return the name of the tier of this run."""
    return pytestconfig.getoption("tier")
