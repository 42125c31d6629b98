"""Find the project and the snippets of a pytest run, and warn if no snippet was judged.

No file below the snippets folder runs in pytest's process: an `os._exit(0)` would end it with success.
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
    """Return the settings of the project to run, or None without a project. Raises SettingsError.

    The project's folder may differ from pytest's root folder, if a pytest.ini lies above it or among its snippets.
    """
    settings = load_settings(config.rootpath)
    if settings.configured:
        return settings
    folder = config.invocation_params.dir
    for start in (folder, *_paths(folder, arguments)):
        settings = load_settings(find_root(start))
        if settings.configured:
            return settings
    return None


def refuse_what_pytest_imports(folder: Path) -> None:
    """Raise pytest.UsageError if the snippets folder has a file that pytest would import."""
    for base, _, names in os.walk(folder):
        for name in names:
            if name in _IMPORTED_BY_PYTEST:
                raise pytest.UsageError(
                    f"{Path(base, name)}: pytest would run it in its own process, unwatched\n"
                    "    no snippet can have this name: rename it, or move it out of the snippets folder"
                )


class SnippetFolder(pytest.Dir):  # type: ignore[misc]  # `final` forbids subclasses that act as a Package; this class does not
    """A folder of snippets. Unlike pytest, it collects dangling links too."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """Yield the items of pytest.Dir, then those of dangling links."""
        yield from super().collect()
        for path in sorted(self.path.iterdir()):
            if not path.exists():
                yield from self.ihook.pytest_collect_file(file_path=path, parent=self)


def leads_back(folder: Path) -> bool:
    """Return whether a folder is a link to one of its parents."""
    return folder.is_symlink() and folder.parent.resolve().is_relative_to(folder.resolve())


class CollectionCounts:
    """Counts of collected files, of selected items, and of items with a verdict."""

    def __init__(self, config: pytest.Config, folder: Path):
        self.config = config
        self.folder = folder
        self.files_collected = self.items_selected = self.items_judged = 0

    def add(self, files: int, items: int) -> None:
        """Add the counts of a pytest-xdist worker."""
        self.files_collected += files
        self.items_selected += items

    def is_selected(self) -> bool:
        """Return whether the arguments of the run, or the folder where it was started, include snippets."""
        paths = [path.resolve() for path in _paths(self.config.invocation_params.dir, self.config.args)]
        return any(path.is_relative_to(self.folder) or self.folder.is_relative_to(path) for path in paths)

    def judged_nothing(self) -> bool:
        """Return whether snippets were requested and none was judged, and no option excluded them."""
        if self.items_judged or not self.is_selected() or self.excludes_tests():
            return False
        return not self.files_collected or bool(self.items_selected)

    def excludes_tests(self) -> bool:
        """Return whether an option such as `--ignore` excludes files or tests."""
        return any(self.config.getoption(name) for name in ("ignore", "ignore_glob", "deselect"))

    def summary_line(self) -> str:
        """Return a warning if snippets were not collected or not judged, else an empty string."""
        folder = os.path.relpath(self.folder, self.config.invocation_params.dir)
        if self.judged_nothing():
            reason = "all selected snippets were skipped" if self.files_collected else f"found no files in {folder}"
            return f"snippets: no snippets were judged: {reason}"
        by_testpaths = self.config.args_source is self.config.ArgsSource.TESTPATHS
        if not self.files_collected and (by_testpaths or self.is_selected()):
            reason = "`testpaths` names other folders: add this one" if by_testpaths else "an option leaves them out"
            command = python_command("-m", "pytest", folder)
            return f"snippets: none of {folder} was collected; {reason}, or run them too: {command}"
        return ""


def _paths(folder: Path, arguments: Iterable[str]) -> list[Path]:
    """Return the files and folders among pytest's arguments, without the ids of tests."""
    return [path for path in (folder / str(argument).partition("::")[0] for argument in arguments) if path.exists()]
