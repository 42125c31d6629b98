"""Define the state of a pytest session with a project: settings, runs, verdicts and counts."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from snippetcheck import report
from snippetcheck.cache import Cache
from snippetcheck.ledger import pages_of
from snippetcheck.pages import Location, snippet_locations
from snippetcheck.runner.runner import Runner
from snippetcheck.settings import Settings
from snippetcheck.source import plural


class PluginState:
    """The settings, runs and verdicts of one pytest session. It is a pytest plugin that registers itself.

    Attributes:
        entries: the verdict of each snippet on each engine: the first failure, else the last result of `SnippetItem.entry`.
        keys_run: the keys of the items that were run.
        files_collected, items_selected, items_judged: numbers of collected files with snippets, of selected items, and of
            items with a verdict other than skipped.
    """

    def __init__(self, config: pytest.Config, settings: Settings):
        self.config = config
        self.settings = settings
        cache = Cache(settings.cache_dir / "runs") if config.getoption("snippet_cache") else None
        self.runner = Runner(settings, cache, config.getoption("snippet_hash_seed"))
        self.example_files = frozenset(settings.example_files())
        self.entries: dict[tuple[str, str], dict[str, Any]] = {}
        self.keys_run: set[tuple[str, str]] = set()
        self.files_collected = self.items_selected = self.items_judged = 0
        self.is_worker = hasattr(config, "workerinput")
        config.pluginmanager.register(self, "snippets-session")

    def launch_engines(self) -> None:
        """Start importing the engines while pytest collects, unless `--snippet-cache` or `--collect-only` is set."""
        if not self.config.option.collectonly:
            self.runner.start_engines(self.config.getoption("snippet_engine") or self.settings.engine_names)

    @cached_property
    def locations(self) -> dict[str, list[Location]]:
        """Map the name of each snippet to its locations on pages. The pages are read at the first use, after a failure."""
        self.settings.register_fences()
        return snippet_locations(pages_of(self.settings), self.settings.snippets_dir)

    def contains(self, path: Path) -> bool:
        """Return whether a file or folder lies below the snippets folder. Links above it are resolved, the path itself is not."""
        return path.parent.resolve().is_relative_to(self.settings.snippets_dir)

    def repetitions(self) -> int:
        """Return the number of runs per snippet: `--count` of pytest-repeat, which itself repeats only functions."""
        names = ("repeat", "pytest_repeat")
        has_repeat = any(self.config.pluginmanager.hasplugin(name) for name in names)
        return int(self.config.getoption("count", 1)) if has_repeat else 1

    # -- whether snippets were run as requested ---------------------------------------------------------

    def has_option(self, *names: str) -> bool:
        """Return whether one of these options of pytest is set."""
        return any(map(self.config.getoption, names))

    def requested_paths(self) -> list[Path]:
        """Return the existing files and folders in the arguments of pytest, as resolved paths."""
        return [path.resolve() for path in existing_paths(self.config.invocation_params.dir, self.config.args)]

    def is_requested(self) -> bool:
        """Return whether the paths that pytest was started with include snippets or examples."""
        paths, folder = self.requested_paths(), self.settings.snippets_dir
        if folder.is_dir() and any(path.is_relative_to(folder) or folder.is_relative_to(path) for path in paths):
            return True
        return any(file.is_relative_to(path) for path in paths for file in self.example_files)

    def has_no_verdict(self) -> bool:
        """Return whether snippets were requested and none has a verdict other than skipped.

        Return False if an option or another plugin has left them out.
        """
        if self.items_judged or not self.is_requested() or self.has_option("ignore", "ignore_glob", "deselect"):
            return False
        return not self.files_collected or bool(self.items_selected)

    def warning(self) -> str:
        """Return a warning if snippets, or the ledger, were not collected or not judged, else an empty string."""
        has_folder = self.settings.snippets_dir.is_dir()  # otherwise all examples stand in place
        folder = os.path.relpath(self.settings.snippets_dir, self.config.invocation_params.dir)
        if self.has_no_verdict():
            missing = f"found no files in {folder if has_folder else '`examples`'}"
            reason = "all selected snippets were skipped" if self.files_collected else missing
            return f"snippets: no snippets were judged: {reason}"
        by_testpaths = self.config.args_source is self.config.ArgsSource.TESTPATHS
        if has_folder and not self.files_collected and (by_testpaths or self.is_requested()):
            reason = "`testpaths` names other folders: add this folder" if by_testpaths else "an option leaves them out"
            command = report.python_command("-m", "pytest", folder)
            return f"snippets: none of {folder} was collected; {reason}, or run its snippets too: {command}"
        is_ledger_requested = any(map(self.settings.file.is_relative_to, self.requested_paths()))
        if self.settings.ledger and by_testpaths and not is_ledger_requested:
            return "snippets: the ledger was not checked: add pyproject.toml to `testpaths`"
        return ""

    # -- reports ----------------------------------------------------------------------------------------

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Store the verdict of an item that ran in this process or in a pytest-xdist worker.

        If a snippet ran several times, its first failure stays. Failures that pytest-rerunfailures repeats do not count.
        """
        entry = getattr(report, "snippet", None)
        if entry is None or self.is_worker or report.outcome == "rerun":
            return
        self.items_judged += entry["verdict"] != "skipped"
        before = self.entries.get((entry["name"], entry["engine"]))
        if before is None or before["verdict"] != "failed":
            self.entries[entry["name"], entry["engine"]] = entry

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        """End the servers after the last test, before the wrapper of pytest-cov reads their measurements."""
        try:
            return (yield)
        finally:
            self.runner.close()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add the counts of a pytest-xdist worker: only workers collect."""
        files, items = getattr(node, "workeroutput", {}).get("snippets", (0, 0))
        self.files_collected += files
        self.items_selected += items

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Replace the exit status 0 if `has_no_verdict`. In a pytest-xdist worker, send the counts to the main process instead."""
        if self.is_worker:
            self.config.workeroutput["snippets"] = (self.files_collected, self.items_selected)  # type: ignore[attr-defined]
            return
        if session.config.option.collectonly:
            return
        if self.has_no_verdict() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        """Print the mutation score, a warning about missing snippets, and annotations for GitHub."""
        is_complete = exitstatus != pytest.ExitCode.INTERRUPTED and not self.config.option.collectonly
        if is_complete and (warning := self.warning()):
            is_error = self.has_no_verdict()
            terminalreporter.write_line(warning, red=is_error, yellow=not is_error)
        scores = [entry["mutation"] for entry in self.entries.values() if entry.get("mutation")]
        if scores:
            total = sum(score["mutants"] for score in scores)
            survivor_count = sum(len(score["survivors"]) for score in scores)
            terminalreporter.write_line(
                f"mutation: {total - survivor_count} of {plural(total, 'changed value')} turned red"
            )
        if os.environ.get("GITHUB_ACTIONS") == "true":
            for entry in self.entries.values():
                for line in entry["annotations"]:
                    terminalreporter.write_line(report.printable(line))


def existing_paths(folder: Path, arguments: Iterable[str]) -> list[Path]:
    """Return the paths in pytest's arguments, without the names of tests after `::`. Leave out paths that do not exist."""
    return [path for path in (folder / str(argument).partition("::")[0] for argument in arguments) if path.exists()]


STATE_KEY = pytest.StashKey[PluginState]()
