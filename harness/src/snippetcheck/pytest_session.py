"""Define the state and the hooks of a pytest session with a project: settings, runs, verdicts and counts."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Generator, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from snippetcheck import report
from snippetcheck.cache import Cache
from snippetcheck.items import LedgerFile, SnippetFile, SnippetItem
from snippetcheck.ledger import pages_of
from snippetcheck.pages import Fence, snippet_locations
from snippetcheck.runner.runner import Runner
from snippetcheck.settings import Settings
from snippetcheck.snippet import SUFFIXES, files
from snippetcheck.source import plural

_LEAVE_OUT = ("ignore", "ignore_glob", "deselect")  # options of pytest that leave items out


class PluginState:
    """The settings, runs and verdicts of one pytest session. It is a pytest plugin that registers itself.

    Without a project, its hooks are not registered.

    Attributes:
        entries: the verdict of each snippet on each engine: the first failure, else the last result of `SnippetItem.entry`.
        keys_run: the keys of the items that were run.
        collected: the elements of `sources` of which pytest has collected a file.
        items_selected, items_judged: numbers of selected items, and of items with a verdict other than skipped.
    """

    def __init__(self, config: pytest.Config, settings: Settings):
        self.config = config
        self.settings = settings
        cache = Cache(settings.cache_dir / "runs") if config.getoption("snippet_cache") else None
        self.runner = Runner(settings, cache, config.getoption("snippet_hash_seed"))
        self.example_files = frozenset(settings.example_files())
        self.entries: dict[tuple[str, str], dict[str, Any]] = {}
        self.keys_run: set[tuple[str, str]] = set()
        self.collected: set[Path] = set()
        self.items_selected = self.items_judged = 0
        self.is_worker = hasattr(config, "workerinput")
        config.pluginmanager.register(self, "snippets-session")

    @cached_property
    def locations(self) -> dict[str, list[Fence]]:
        """Map the name of each snippet to the fences that embed it. The pages are read at the first use, after a failure."""
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

    # -- collection -------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Collect folders of snippets that pytest ignores by name, such as `build` or `venv`. Ignore a link to a parent folder.

        With an option `--ignore` or `--ignore-glob`, and for other paths, the decision is left to pytest and other plugins.
        """
        if not collection_path.is_dir() or not self.contains(collection_path):
            return None
        if collection_path.is_symlink() and collection_path.parent.resolve().is_relative_to(collection_path.resolve()):
            return True
        if any(map(self.config.getoption, ("ignore", "ignore_glob"))) or collection_path.name == "__pycache__":
            return None
        return False

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        """Collect snippets, examples and the ledger. Drop the collectors of other plugins for files below the snippets folder."""
        collectors = yield
        if self.settings.ledger and file_path.resolve() == self.settings.file:
            return [*collectors, LedgerFile.from_parent(parent, path=file_path)]
        if not self.contains(file_path):
            if file_path.resolve() not in self.example_files:
                return collectors
            self.collected.add(file_path.resolve())
            return [*collectors, SnippetFile.from_parent(parent, path=file_path)]
        if file_path.suffix.lower() not in SUFFIXES:
            return []
        self.collected.add(self.settings.snippets_dir)
        is_printable = file_path.name.isprintable()
        nodeid = None if is_printable else report.printable(f"{parent.nodeid}/{file_path.name}")
        return [SnippetFile.from_parent(parent, path=file_path, nodeid=nodeid)]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Deselect the snippets on engines that `--snippet-engine` does not name. Shuffle all items with `--snippet-shuffle`."""
        if engines := config.getoption("snippet_engine"):
            deselected_items = {item for item in items if isinstance(item, SnippetItem) and item.engine not in engines}
            config.hook.pytest_deselected(items=list(deselected_items))
            items[:] = [item for item in items if item not in deselected_items]
        seed = config.getoption("snippet_shuffle")
        if seed is not None:
            random.Random(seed).shuffle(items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count the selected items of snippets. pytest calls this hook after all plugins have deselected items."""
        self.items_selected = sum(isinstance(item, SnippetItem) for item in session.items)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        """Set `item.next_item` to the next snippet, so that `runtest` can start its run before it compares the run of `item`."""
        if isinstance(item, SnippetItem):
            item.next_item = nextitem if isinstance(nextitem, SnippetItem) else None

    # -- whether snippets were run as requested ---------------------------------------------------------

    def requested_paths(self) -> list[Path]:
        """Return the existing files and folders in the arguments of pytest, as resolved paths."""
        return [path.resolve() for path in existing_paths(self.config.invocation_params.dir, self.config.args)]

    @cached_property
    def sources(self) -> frozenset[Path]:
        """Return the files with examples in place, and the folder of snippets.

        The folder is left out if it does not exist, or if it has no snippets and there are files with examples.
        """
        folder = self.settings.snippets_dir
        has_snippets = folder.is_dir() and (not self.example_files or bool(files(folder)))
        return self.example_files | ({folder} if has_snippets else set())

    def requested_sources(self) -> set[Path]:
        """Return the elements of `sources` that the paths in the arguments of pytest include, or in which such a path lies."""
        pairs = itertools.product(self.sources, self.requested_paths())
        return {source for source, path in pairs if source.is_relative_to(path) or path.is_relative_to(source)}

    def has_no_verdict(self) -> bool:
        """Return whether snippets were requested and none has a verdict other than skipped.

        Return False if an option or another plugin has left them out.
        """
        if self.items_judged or not self.requested_sources() or any(map(self.config.getoption, _LEAVE_OUT)):
            return False
        return not self.collected or bool(self.items_selected)

    def warning(self) -> str:
        """Return a warning if snippets, examples or the ledger were not collected or not judged, else an empty string."""
        if not self.settings.ledger and self.settings.file in self.requested_paths():
            return "snippets: pyproject.toml stands for the ledger, which is off: set `ledger = true`, or leave out the file"
        by_testpaths = self.config.args_source is self.config.ArgsSource.TESTPATHS
        missing = (self.sources if by_testpaths else self.requested_sources()) - self.collected
        folder = self.config.invocation_params.dir
        paths = [os.path.relpath(path, folder) for path in sorted(missing)]
        names = ", ".join(paths[:3]) + (f" and {plural(len(paths) - 3, 'other file')}" if len(paths) > 3 else "")
        if self.has_no_verdict():
            reason = "all selected snippets were skipped" if self.collected else f"found no files in {names}"
            return f"snippets: no snippets were judged: {reason}"
        command = report.python_command("-m", "pytest", os.path.relpath(self.settings.root, folder))
        hint = f"`testpaths` names other files and folders: add these, or run all: {command}"
        if missing:
            reason = "an option or `norecursedirs` leaves them out; in `examples`, a pattern after `!` does"
            return f"snippets: not collected: {names}: {hint if by_testpaths else reason}"
        is_ledger_requested = any(map(self.settings.file.is_relative_to, self.requested_paths()))
        if self.settings.ledger and by_testpaths and not is_ledger_requested:
            return f"snippets: not collected: pyproject.toml, the ledger: {hint}"
        return ""

    # -- reports ----------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add `SnippetItem.entry` to the report of an item. pytest-xdist sends the report to the main process."""
        report = yield
        if isinstance(item, SnippetItem):
            report.snippet = item.entry(report)  # type: ignore[attr-defined]
        return report

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

    def pytest_unconfigure(self) -> None:
        """End the servers, however the session ended."""
        self.runner.close()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add the counts of a pytest-xdist worker: only workers collect."""
        paths, items = getattr(node, "workeroutput", {}).get("snippets", ((), 0))
        self.collected.update(map(Path, paths))
        self.items_selected += items

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Replace the exit status 0 by 5, NO_TESTS_COLLECTED, if `has_no_verdict`.

        In a pytest-xdist worker, send the counts to the main process instead. With `--collect-only`, do nothing.
        """
        if self.is_worker:
            self.config.workeroutput["snippets"] = (list(map(str, self.collected)), self.items_selected)  # type: ignore[attr-defined]
            return
        if session.config.option.collectonly:
            return
        if self.has_no_verdict() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        """Print a warning about missing snippets, the mutation score and, in GitHub Actions, annotations of failures."""
        is_complete = exitstatus != pytest.ExitCode.INTERRUPTED and not self.config.option.collectonly
        if is_complete and (warning := self.warning()):
            is_error = self.has_no_verdict()
            terminalreporter.write_line(warning, red=is_error, yellow=not is_error)
        scores = [entry["mutation"] for entry in self.entries.values() if entry.get("mutation")]
        if scores:
            total = sum(score["mutants"] for score in scores)
            killed_count = total - sum(len(score["survivors"]) for score in scores)
            terminalreporter.write_line(f"mutation: {killed_count} of {plural(total, 'changed value')} turned red")
        if os.environ.get("GITHUB_ACTIONS") == "true":
            for entry in self.entries.values():
                for line in entry["annotations"]:
                    terminalreporter.write_line(report.printable(line))


def existing_paths(folder: Path, arguments: Iterable[str]) -> list[Path]:
    """Return the paths in pytest's arguments, without the names of tests after `::`. Leave out paths that do not exist."""
    paths = (folder / str(argument).partition("::")[0] for argument in arguments)
    return [path for path in paths if os.path.exists(path)]
