"""How pytest comes to the snippets: which project it runs in, which files it finds, and what it says if it judged none.

Nothing below the snippets folder runs in pytest's own process: an `os._exit(0)` there would end it as if all were well.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from snippetcheck.settings import Settings, find_root, load_settings
from snippetcheck.shell import python_command

_IMPORTED_BY_PYTEST = ("conftest.py", "__init__.py")


def project_of(config: pytest.Config, arguments: Iterable[str]) -> Settings | None:
    """The settings of the project that a run is about, None if it has none. Raises SettingsError.

    It need not be pytest's root folder: a pytest.ini above the project, or within its snippets, makes that another one.
    """
    settings = load_settings(config.rootpath)
    if settings.configured:
        return settings
    here = config.invocation_params.dir
    for start in (here, *_paths(here, arguments)):
        settings = load_settings(find_root(start))
        if settings.configured:
            return settings
    return None


def refuse_what_pytest_imports(folder: Path) -> None:
    """Raise pytest.UsageError if a file lies below the snippets folder that pytest would import."""
    for base, _, names in os.walk(folder):
        for name in names:
            if name in _IMPORTED_BY_PYTEST:
                raise pytest.UsageError(
                    f"{Path(base, name)}: pytest would run it in its own process, unwatched\n"
                    "    no snippet can have this name: rename it, or move it out of the snippets folder"
                )


class SnippetFolder(pytest.Dir):  # type: ignore[misc]  # `final` bids others to make no Package of it; this one is no Package
    """A folder of snippets. pytest itself passes over links that lead nowhere."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """What pytest finds, and the dangling links."""
        yield from super().collect()
        for path in sorted(self.path.iterdir()):
            if not path.exists():
                yield from self.ihook.pytest_collect_file(file_path=path, parent=self)


def leads_back(folder: Path) -> bool:
    """Whether a folder is a link to one that holds it, which has no end."""
    return folder.is_symlink() and folder.parent.resolve().is_relative_to(folder.resolve())


class Census:
    """How many files of snippets a run has found, how many of their items it kept, and how many of these got a verdict."""

    def __init__(self, config: pytest.Config, folder: Path):
        self.config = config
        self.folder = folder
        self.found = self.kept = self.judged = 0

    def add(self, found: int, kept: int) -> None:
        """Count what a worker of pytest-xdist has found."""
        self.found, self.kept = self.found + found, self.kept + kept

    def was_asked(self) -> bool:
        """Whether the arguments of the run, or the folder where it was started, hold snippets or lie among them."""
        paths = [path.resolve() for path in _paths(self.config.invocation_params.dir, self.config.args)]
        return any(path.is_relative_to(self.folder) or self.folder.is_relative_to(path) for path in paths)

    def is_void(self) -> bool:
        """Whether the run was to judge snippets and judged none, though nobody has chosen others."""
        if self.judged or not self.was_asked() or self.leaves_out():
            return False
        return not self.found or bool(self.kept)

    def leaves_out(self) -> bool:
        return any(self.config.getoption(name) for name in ("ignore", "ignore_glob", "deselect"))

    def word(self) -> str:
        """What is to be said of a run in which snippets are missing; empty of any other."""
        folder = os.path.relpath(self.folder, self.config.invocation_params.dir)
        if self.is_void():
            why = "all that were chosen were skipped" if self.found else "no file was found there"
            return f"snippets: asked for those of {folder}, and judged none: {why}"
        by_testpaths = self.config.args_source is self.config.ArgsSource.TESTPATHS
        if not self.found and (by_testpaths or self.was_asked()):
            why = "`testpaths` names other folders: add this one" if by_testpaths else "an option leaves them out"
            return f"snippets: none of {folder} was collected; {why}, or run them too: {python_command('-m', 'pytest', folder)}"
        return ""


def _paths(here: Path, arguments: Iterable[str]) -> list[Path]:
    """The files and folders among pytest's arguments, without the ids of tests."""
    return [path for path in (here / str(one).partition("::")[0] for one in arguments) if path.exists()]
