"""How much a run of the tests asks: `--tier quick`, `pull-request` or `full`, or GRADNOTES_TIER.

pull-request    what `make test` runs, and the default: every test; of what is alike (samples of one operation, pages that one
                function makes, programs that one executor runs) a spread selection; pages that have passed as they are, not
                again, nor, by --snippet-cache, examples that have run as they are
quick           after an edit (`make quick`): the same, without the files of tests that have passed with all that decides them as
                it is, and without generated pages
full            nightly (`make nightly`): everything, nothing from memory, and new examples in property tests
"""

from __future__ import annotations

import functools
import gc
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from snippetcheck.cache import installed
from snippetcheck.settings import load_settings

TIERS = ("quick", "pull-request", "full")
ROOT = Path(__file__).parent
pytest_plugins = ["gradnotes.exercises.pytest_plugin"]
PASSED = ROOT / ".cache" / "tests" / "passed.json"

# What decides the tests of a file or folder, beside ALWAYS and what is installed. Those that are not here see the pages, and always run.
SITE = (
    "gradnotes",
    "overrides",
    "harness/src",
    "reference_impl",
    "docs/assets",
    "docs/runtime",
    "docs/glossary.yml",
    "mkdocs.yml",
    "tests/site",
)
# Behind # a pattern for the kinds of fences that count, whatever the text says around them: here figures, elsewhere all.
FIGURES = ("docs#figure", "snippets")
HOME = ("docs/index.md#[a-z]+", "snippets/home")  # the pages that tests of the viewer, of Run and of practice open
VERSIONS = ("docs/in-place/versions.md#[a-z]+", "snippets/in-place/versions", "exercises/in-place/versions")
WORKED = (
    "docs/why-autograd/worked-example.md#[a-z]+",
    "snippets/why-autograd/worked-example",
    "exercises/why-autograd",
)
LISTS = ("docs/what-has-changed.md", "docs/errors.md", "docs/notes", "docs/inventory.yml", "docs/errata")
DECIDED_BY = {
    "tests/engine": ("reference_impl", "tests/engine"),
    "tests/site/test_labs.py": (*SITE, "docs/labs"),
    "tests/site/test_fences.py": (*SITE, "Makefile"),
    "tests/site/test_errors_fence.py": SITE,
    "tests/site/test_exercise_format.py": SITE,
    "tests/site/test_letter_by_letter.py": SITE,
    "tests/site/test_build_cache.py": SITE,
    "tests/site/test_build_commands.py": SITE,
    "tests/site/test_axe_in_use.py": (*SITE, *HOME, *VERSIONS, *LISTS, "docs/playground.md"),
    "tests/site/test_downloads.py": (
        *SITE,
        *VERSIONS,
        "docs/tensors/random.md",
        "docs/training/loading-in-parallel.md",
    ),
    "tests/site/test_figures.py": (*SITE, *FIGURES),
    "tests/site/test_figures_in_the_browser.py": (*SITE, *FIGURES),
    "tests/site/test_step_values.py": (*SITE, *FIGURES, "docs#steps"),
    "tests/site/test_notes.py": (*SITE, *LISTS, "docs/why-autograd/leaves-in-detail.md"),
    "tests/site/test_reading.py": (*SITE, *HOME, *VERSIONS),
    "tests/site/test_search.py": (
        *(*SITE, "docs/index.md", "snippets/home", "docs/errors.md", "docs/synonyms.yml"),
        *("docs/using-autograd/second-backward.md", "snippets/using-autograd/second-backward"),
    ),
    "tests/site/test_head.py": SITE,
    "tests/site/test_formulas.py": (*SITE, "docs/why-autograd/first-gradients.md"),
    "tests/site/test_practice.py": (*SITE, *VERSIONS, *WORKED, "exercises"),
    "tests/site/test_predictions.py": (*SITE, *VERSIONS),
    "tests/site/test_print.py": (*SITE, *HOME, *VERSIONS),
    "tests/site/test_steps.py": (*SITE, *HOME, *WORKED),
    "tests/site/test_run.py": (*SITE, *HOME, ".cache/runtime"),
    "tests/site/test_run_playground.py": (
        *SITE,
        *HOME,
        *VERSIONS,
        "docs/playground.md",
        "docs/errors.md",
        ".cache/runtime",
    ),
    "tests/site/test_run_examples.py": (*SITE, "snippets", ".cache/runtime"),
    "tests/site/test_run_stays_inside.py": (*SITE, ".cache/runtime"),
    "tests/test_plain_runs.py": ("snippets", "harness/src", "tests/plain_runs.py", "tests/test_plain_runs.py"),
    "tests/test_processors.py": ("tests/processors.py", "tests/test_processors.py", "reference_impl/_openblas.py"),
    "tests/test_tier.py": (),
    "tests/test_instructions.py": (
        *("README.md", "CONTRIBUTING.md", "FORMATS.md", "ARCHITECTURE.md", "Makefile", "CHANGELOG.md", "CITATION.cff"),
        *("docs/use-the-harness.md", "docs/errata", "docs/inventory.yml", *VERSIONS),
        *("harness", "gradnotes", "reference_impl", "tests/test_instructions.py", "tests/engine", "tests/README.md"),
    ),
    "harness/tests": ("harness", "docs/use-the-harness.md"),
    "harness/tests/test_faults.py": ("harness", "bench/harness", "reference_impl", "gradnotes"),
}
ALWAYS = ("conftest.py", "tests/conftest.py", "pyproject.toml")
NOT_SOURCE = {"__pycache__", "node_modules"}
SELECTING = (
    "keyword",
    "markexpr",
    "deselect",
    "lf",
    "stepwise",
    "maxfail",
    "snippet_shard",
)  # a file passes, of which a part has run


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--tier",
        choices=TIERS,
        default=os.environ.get("GRADNOTES_TIER", "pull-request"),
        help="how much is asked: quick (what an edit can have broken), pull-request, or full; see conftest.py",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("tier") not in TIERS:
        raise pytest.UsageError(f"GRADNOTES_TIER={config.getoption('tier')}: it is one of {', '.join(TIERS)}")
    config.pluginmanager.register(PassedBefore(config))


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


class PassedBefore:
    """Which files of tests have passed, and what decided them then: kept in .cache, read by `quick`."""

    def __init__(self, config: pytest.Config):
        self.config = config
        self.states = {name: checksum(*ALWAYS, *paths) for name, paths in DECIDED_BY.items()}  # as the run begins
        self.passed: dict[str, str] = json.loads(PASSED.read_text()) if PASSED.exists() else {}
        self.ran: set[str] = set()
        self.failed: set[str] = set()

    def state(self, file: str) -> str | None:
        """The checksum of what decides the tests of a file; None for all that is in the project."""
        longest = max((name for name in DECIDED_BY if f"{file}/".startswith(f"{name}/")), key=len, default=None)
        return self.states[longest] if longest else None

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        if self.config.getoption("tier") != "quick" or not collection_path.is_relative_to(ROOT):
            return None
        file = collection_path.relative_to(ROOT).as_posix()
        return True if file in self.passed and self.passed[file] == self.state(file) else None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.split("::")[0]
        (self.failed if report.failed else self.ran).add(file)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Remember the files that have run from end to end."""
        config = self.config
        if hasattr(config, "workerinput") or exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            return
        if any(config.getoption(name, None) for name in SELECTING) or any("::" in one for one in config.args):
            return
        found = {file: self.state(file) for file in self.ran - self.failed}
        self.passed = {file: state for file, state in self.passed.items() if file not in self.failed}
        self.passed |= {file: state for file, state in found.items() if state}
        PASSED.parent.mkdir(parents=True, exist_ok=True)
        own = PASSED.with_suffix(f".{os.getpid()}")
        own.write_text(json.dumps(self.passed, indent=1))
        own.replace(PASSED)


def checksum(*paths: str) -> str:
    """Of the files and folders of the project named, of what is installed, and of the processor that is emulated."""
    digest = hashlib.sha256(f"{sys.version}{installed()}{emulated_processor()}".encode())
    for path in paths:
        folder, _, kind = path.partition("#")
        for file in sorted(files(ROOT / folder)):
            digest.update(f"\0{file}\0".encode() + (fences(file, kind) if kind else contents(file)))
    return digest.hexdigest()


@functools.cache
def emulated_processor() -> dict[str, str | None]:
    """The variables by which NumPy and torch choose their loops: tests/processors.py sets them."""
    names = {name for engine in load_settings(ROOT).engines.values() for name in engine.environment}
    return {name: os.environ.get(name) for name in sorted(names)}


@functools.cache
def contents(file: Path) -> bytes:
    """The checksum of one file; much decides several."""
    return hashlib.sha256(file.read_bytes()).digest()


@functools.cache
def fences(file: Path, kind: str) -> bytes:
    """The fences of this kind in a page, whatever its text says around them."""
    found = (
        re.findall(rf"^ *``` ?{kind}\b.*?```$", file.read_text("utf-8"), re.M | re.S) if file.suffix == ".md" else []
    )
    return "\0".join(found).encode()


def files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir() and path.name not in NOT_SOURCE:
        for inside in path.iterdir():
            yield from files(inside)
