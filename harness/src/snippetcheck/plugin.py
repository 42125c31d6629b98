"""The pytest plugin. Every snippet is a test on each of its engines.

A project enables it with `[tool.snippetcheck]` in its pyproject.toml. The node ids are
`snippets/in-place/errors/modified.py::torch`, and those of examples in place `README.md::torch:12`, with a line number.

No file below the snippets folder runs in pytest's process: an `os._exit(0)` would end it with success.
"""

from __future__ import annotations

import os
import random
from collections.abc import Generator, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from snippetcheck import report
from snippetcheck.items import LedgerFile, SnippetFile, SnippetFolder, SnippetItem
from snippetcheck.pytest_session import STATE_KEY, PluginState, existing_paths
from snippetcheck.settings import Settings, SettingsError, check_timeout, find_root, is_project, load_settings
from snippetcheck.snippet import SUFFIXES
from snippetcheck.source import display_path

_IMPORTED_BY_PYTEST = ("conftest.py", "__init__.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the harness."""
    add = parser.getgroup("snippets", "snippets of documentation pages").addoption
    add("--snippet-engine", action="append", metavar="NAME", help="run snippets on this engine only; repeatable")
    text = "also change each documented value, and count the changes that turn red"
    add("--snippet-mutate", action="store_true", help=text)
    add("--snippet-shuffle", metavar="SEED", type=int, help="run the snippets in a random order")
    text = "PYTHONHASHSEED of the snippets, which decides the order of sets"
    add("--snippet-hash-seed", metavar="SEED", type=int, default=0, help=text)
    add("--snippet-timeout", metavar="SECONDS", type=float, help="time limit of snippets without `# timeout:`")
    add("--snippet-cache", action="store_true", help="use the cached run of a snippet if nothing has changed")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Raise pytest.UsageError, which ends the run, for a mistake in the settings or a reserved name among the snippets."""
    try:
        if settings := project_of(early_config, early_config.known_args_namespace.file_or_dir):
            refuse_reserved_names(settings.snippets_dir)
    except SettingsError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_configure(config: pytest.Config) -> None:
    """Create and register SnippetPlugin if there is a project. Raises pytest.UsageError for a mistake in settings or options."""
    try:
        settings = project_of(config, config.args)
        if settings is None:
            return
        seconds = config.getoption("snippet_timeout")
        if seconds is not None:
            settings = replace(settings, timeout=check_timeout("--snippet-timeout", seconds))
        for name in config.getoption("snippet_engine") or ():
            if name not in settings.engines:
                remedy = f"use one of {', '.join(settings.engine_names)}"
                raise SettingsError(f"--snippet-engine {name}: unknown", remedy)
        if config.getoption("snippet_hash_seed") and config.getoption("snippet_cache"):
            raise SettingsError("--snippet-hash-seed: cached runs have another seed", "leave out --snippet-cache")
        config.stash[STATE_KEY] = SnippetPlugin(config, settings)
    except SettingsError as error:
        raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> None:
    """Warn if pytest collects a folder that is another project than that of the run, since its snippets are not checked."""
    state = parent.config.stash.get(STATE_KEY, None)
    if is_project(path) and (state is None or path.resolve() != state.settings.root):
        message = f"snippets: {display_path(path)} is a project and is not checked: run pytest in this folder"
        parent.warn(pytest.PytestWarning(message))


class SnippetPlugin(PluginState):
    """The hooks of a session with a project. Without a project, they are not registered."""

    def pytest_unconfigure(self) -> None:
        """End the servers, however the session ended."""
        self.runner.close()

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Collect folders of snippets that pytest ignores by name, such as `build` or `venv`. Ignore a link to a parent folder.

        With an option `--ignore` or `--ignore-glob`, and for other paths, the decision is left to pytest and other plugins.
        """
        if not collection_path.is_dir() or not self.contains(collection_path):
            return None
        if is_link_to_parent(collection_path):
            return True
        if self.has_option("ignore", "ignore_glob") or collection_path.name == "__pycache__":
            return None
        return False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collect_directory(self, path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect a folder of snippets as SnippetFolder, even if it looks like a package. Leave other folders to pytest."""
        is_inside = path.resolve().is_relative_to(self.settings.snippets_dir)
        return SnippetFolder.from_parent(parent, path=path) if is_inside else None

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
            surplus = {item for item in items if isinstance(item, SnippetItem) and item.engine not in engines}
            config.hook.pytest_deselected(items=list(surplus))
            items[:] = [item for item in items if item not in surplus]
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

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add `SnippetItem.entry` to the report of an item. pytest-xdist sends the report to the main process."""
        report = yield
        if isinstance(item, SnippetItem):
            report.snippet = item.entry(report)  # type: ignore[attr-defined]
        return report


def project_of(config: pytest.Config, arguments: Iterable[str]) -> Settings | None:
    """Return the settings of the project to run, or None without a project. Raises SettingsError for two projects, or malformed settings.

    The project's folder may differ from pytest's root folder, if a pytest.ini lies above it or among its snippets.
    """
    folder = config.invocation_params.dir
    root_by_path = {path: find_root(path) for path in existing_paths(folder, arguments)}
    roots = dict.fromkeys([find_root(config.rootpath), *root_by_path.values(), find_root(folder)])
    projects = [settings for settings in map(load_settings, roots) if settings.is_configured]
    others = {settings.root for settings in projects[1:]}
    for path, root in root_by_path.items():
        if root in others:
            message = f"{path}: belongs to another project than {projects[0].file}"
            raise SettingsError(message, "run pytest separately in each project")
    return projects[0] if projects else None


def refuse_reserved_names(folder: Path) -> None:
    """Raise SettingsError if the snippets folder has a file that pytest would import."""
    for base, _, names in os.walk(folder):
        for name in set(names) & set(_IMPORTED_BY_PYTEST):
            message = f"{Path(base, name)}: pytest would import it into its process, without the harness"
            remedy = "no snippet can have this name: rename it, or move it out of the snippets folder"
            raise SettingsError(message, remedy)


def is_link_to_parent(folder: Path) -> bool:
    """Return whether a folder is a link to a folder that contains it."""
    return folder.is_symlink() and folder.parent.resolve().is_relative_to(folder.resolve())
