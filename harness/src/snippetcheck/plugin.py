"""The pytest plugin. Every snippet is a test on each of its engines.

A project enables it with `[tool.snippetcheck]` in its pyproject.toml. The node ids are
`snippets/in-place/errors/modified.py::torch`, and those of examples in place `README.md::torch:12`, with a line number.

No file below the snippets folder runs in pytest's process: an `os._exit(0)` would end it with success.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from snippetcheck.items import STATE_KEY
from snippetcheck.pytest_session import PluginState, existing_paths
from snippetcheck.settings import Settings, SettingsError, check_timeout, find_root, is_project, load_settings
from snippetcheck.source import display_path


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
        project_of(early_config, early_config.known_args_namespace.file_or_dir)
    except SettingsError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_configure(config: pytest.Config) -> None:
    """Create and register PluginState if there is a project. Raises pytest.UsageError for a mistake in settings or options."""
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
        config.stash[STATE_KEY] = PluginState(config, settings)
    except SettingsError as error:
        raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> None:
    """Warn if pytest collects a folder that is another project than that of the run, since its snippets are not checked."""
    state = parent.config.stash.get(STATE_KEY, None)
    if is_project(path) and (state is None or path.resolve() != state.settings.root):
        message = f"snippets: {display_path(path)} is a project and is not checked: run pytest in this folder"
        parent.warn(pytest.PytestWarning(message))


def project_of(config: pytest.Config, arguments: Iterable[str]) -> Settings | None:
    """Return the settings of the project to run, or None without a project. Raises SettingsError for two projects, or malformed settings.

    The project's folder may differ from pytest's root folder, if a pytest.ini lies above it or among its snippets.
    """
    folder = config.invocation_params.dir
    root_by_path = {path: find_root(path) for path in existing_paths(folder, arguments)}
    roots = dict.fromkeys([find_root(config.rootpath), *root_by_path.values(), find_root(folder)])
    projects = [settings for settings in map(load_settings, roots) if settings.is_configured]
    other_roots = {settings.root for settings in projects[1:]}
    for path, root in root_by_path.items():
        if root in other_roots:
            message = f"{path}: belongs to another project than {projects[0].file}"
            raise SettingsError(message, "run pytest separately in each project")
    return projects[0] if projects else None
