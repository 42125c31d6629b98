"""Define the tiers of a test run: `--tier quick`, `pull-request` or `full`, or GRADNOTES_TIER.

pull-request    the default and `make test`: every test. Of similar cases (samples of an operation, pages that one function
                makes, programs that one executor runs) it takes a spread selection. Unchanged pages that have passed do not
                run again, nor, with --snippet-cache, unchanged examples.
quick           after an edit of a page, an example or an exercise (`make quick`): the same without the tests of engine and
                harness, without a browser and without generated pages.
full            nightly (`make nightly`): everything, without caches, and with new examples in property tests.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

# Threads of OpenBLAS that wait for work use the processors of other workers: half the CPU time of test_training.py. The harness also sets 1.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported, which reads it

TIERS = ("quick", "pull-request", "full")
ROOT = Path(__file__).parent
pytest_plugins = ["gradnotes.evidence.pytest_plugin", "gradnotes.exercises.pytest_plugin"]

# `quick` is for authors of pages, examples, exercises and styles. It leaves out the tests of the engine and the harness and all tests
# in a browser: `pytest tests/engine`, `pytest harness/tests` and `make test` run them.
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
        raise pytest.UsageError(f"GRADNOTES_TIER={config.getoption('tier')}: it is one of {', '.join(TIERS)}")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a folder out of `quick` unless it is named on the command line."""
    if config.getoption("tier") != "quick" or config.args_source is pytest.Config.ArgsSource.ARGS:
        return None
    return True if collection_path in {ROOT / name for name in NOT_QUICK} else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests in a browser from `quick`; in other tiers, rerun them once if they fail, as Playwright's runner does."""
    in_browser = [item for item in items if BROWSER in getattr(item, "fixturenames", ())]
    for item in in_browser:
        item.add_marker(pytest.mark.flaky(reruns=1))
    if config.getoption("tier") == "quick":
        config.hook.pytest_deselected(items=in_browser)
        left_out = set(in_browser)
        items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Exempt imported and collected objects from garbage collection, which saves a worker three of eight seconds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Attribute the lines that a child process executes under coverage.py to the test that started it."""
    if settings := os.environ.get("COVERAGE_PROCESS_CONFIG"):
        from coverage.config import CoverageConfig

        config = CoverageConfig.deserialize(settings)
        config.context = item.nodeid
        os.environ["COVERAGE_PROCESS_CONFIG"] = config.serialize()


@pytest.fixture(scope="session")
def tier(pytestconfig: pytest.Config) -> str:
    """Return the tier of this run."""
    return pytestconfig.getoption("tier")
