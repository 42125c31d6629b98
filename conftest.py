"""How much a run of the tests asks: `--tier quick`, `pull-request` or `full`, or GRADNOTES_TIER.

pull-request    what `make test` runs, and the default: every test; of what is alike (samples of one operation, pages that one
                function makes, programs that one executor runs) a spread selection; pages that have passed as they are, not
                again, nor, by --snippet-cache, examples that have run as they are
quick           after an edit of a page, an example or an exercise (`make quick`): the same, without the tests of engine and
                harness alone, without a browser and without generated pages
full            nightly (`make nightly`): everything, nothing from memory, and new examples in property tests
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

TIERS = ("quick", "pull-request", "full")
ROOT = Path(__file__).parent
pytest_plugins = ["gradnotes.evidence.pytest_plugin", "gradnotes.exercises.pytest_plugin"]

# `quick` is for those who write pages, examples and exercises, or how they look. It leaves out what tests the engine and the harness
# alone, and whatever drives a browser: `pytest tests/engine`, `pytest harness/tests` and `make test` do that.
NOT_QUICK = ("tests/engine", "harness/tests", "tests/test_plain_runs.py", "tests/test_processors.py")
BROWSER = "playwright"  # the fixture that every test in a browser uses


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--tier",
        choices=TIERS,
        default=os.environ.get("GRADNOTES_TIER", "pull-request"),
        help="how much is asked: quick (pages, examples and exercises), pull-request, or full; see conftest.py",
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
    """Deselect the tests that drive a browser from `quick`; elsewhere they have a second try, as Playwright's own runner gives."""
    in_browser = [item for item in items if BROWSER in getattr(item, "fixturenames", ())]
    for item in in_browser:
        item.add_marker(pytest.mark.flaky(reruns=1))
    if config.getoption("tier") == "quick":
        config.hook.pytest_deselected(items=in_browser)
        left_out = set(in_browser)
        items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is imported and collected stays to the end: that it isn't looked through again and again saves a worker three of eight seconds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Under coverage.py, the lines that a child process executes are those of the test that started it."""
    if settings := os.environ.get("COVERAGE_PROCESS_CONFIG"):
        from coverage.config import CoverageConfig

        config = CoverageConfig.deserialize(settings)
        config.context = item.nodeid
        os.environ["COVERAGE_PROCESS_CONFIG"] = config.serialize()


@pytest.fixture(scope="session")
def tier(pytestconfig: pytest.Config) -> str:
    """One of `TIERS`."""
    return pytestconfig.getoption("tier")
