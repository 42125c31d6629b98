"""Cached runs are used while nothing has changed, and never after a change that could affect them."""

from __future__ import annotations

import site
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sample_projects import Project
from snippetcheck import cache as cache_module
from snippetcheck.cache import Cache
from snippetcheck.engines import Engine
from snippetcheck.outcome import EXITED, FINISHED, Run, StatementRun
from snippetcheck.runner.client import EngineClient
from snippetcheck.snippet import Snippet, load

ENGINE = Engine("e", sources=("stand_in",), environment=("MADE_UP_PROCESSOR",))
RUN = Run("e", FINISHED, "", (StatementRun("1\n", "", None, (("UserWarning", "x"),)),), reads={}, date="2026-01-31")


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    """Return an engine whose source is the package `stand_in`, which has two files."""
    package = tmp_path / "path" / "stand_in"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("x = 1\n")
    (package / "deep.py").write_text("y = 1\n")
    return replace(ENGINE, path=(str(tmp_path / "path"),))


INSTALLED = cache_module.installed_packages  # the original function: `upgrade_numpy` replaces it in the module


def snippet_in(project: Project, body: str = "print(1)") -> Snippet:
    """Write a.py with this body into the project's snippets, and load it."""
    return load(project.snippet("a.py", body), project.root / "snippets")


def clear_lookup_caches() -> None:
    """Clear the caches that last as long as this process, as if a new pytest session began."""
    for function in (INSTALLED, cache_module.source_of_harness, cache_module.find):
        function.cache_clear()


def test_a_finished_run_is_cached(project: Project, engine: Engine) -> None:
    snippet, cache = snippet_in(project), Cache(project.root / ".cache")
    assert cache.get(snippet, engine) is None
    cache.put(snippet, engine, RUN)
    assert Cache(project.root / ".cache").get(snippet, engine) == RUN


def test_an_unfinished_run_is_not_cached(project: Project, engine: Engine) -> None:
    snippet, cache = snippet_in(project), Cache(project.root / ".cache")
    cache.put(snippet, engine, replace(RUN, outcome=EXITED))
    assert cache.get(snippet, engine) is None


def test_a_broken_cache_entry_is_ignored(project: Project, engine: Engine) -> None:
    snippet, cache = snippet_in(project), Cache(project.root / ".cache")
    cache.put(snippet, engine, RUN)
    (entry,) = (project.root / ".cache").iterdir()
    for text in ("", "{", "[]", '{"statements": []}', '{"statements": 3}'):
        entry.write_text(text)
        assert cache.get(snippet, engine) is None


def change_text(project: Project, engine: Engine, patch: pytest.MonkeyPatch) -> tuple[Snippet, Engine]:
    return snippet_in(project, "print(2)"), engine


def change_expected_line(project: Project, engine: Engine, patch: pytest.MonkeyPatch) -> tuple[Snippet, Engine]:
    return snippet_in(project, "print(1)\n#> 1"), engine


def change_engine_source(project: Project, engine: Engine, patch: pytest.MonkeyPatch) -> tuple[Snippet, Engine]:
    (Path(engine.path[0]) / "stand_in" / "deep.py").write_text("y = 2\n")
    return snippet_in(project), engine


def add_engine_source(project: Project, engine: Engine, patch: pytest.MonkeyPatch) -> tuple[Snippet, Engine]:
    (Path(engine.path[0]) / "stand_in" / "new.py").write_text("")
    return snippet_in(project), engine


def change_engine_settings(project: Project, engine: Engine, patch: pytest.MonkeyPatch) -> tuple[Snippet, Engine]:
    return snippet_in(project), replace(engine, preload=("json",))


def change_harness(project: Project, engine: Engine, patch: pytest.MonkeyPatch) -> tuple[Snippet, Engine]:
    copy = project.root / "harness"
    copy.mkdir()
    for file in Path(cache_module.__file__).parent.glob("*.py"):
        (copy / file.name).write_text(file.read_text() + "\n# changed\n")
    patch.setattr(cache_module, "__file__", str(copy / "cache.py"))
    return snippet_in(project), engine


def change_python(project: Project, engine: Engine, patch: pytest.MonkeyPatch) -> tuple[Snippet, Engine]:
    patch.setattr(sys, "version", "3.99.0")
    return snippet_in(project), engine


def add_package(project: Project, engine: Engine, patch: pytest.MonkeyPatch) -> tuple[Snippet, Engine]:
    (project.root / "numpy-99.0.dist-info").mkdir()
    folders = [*site.getsitepackages(), str(project.root)]
    patch.setattr(site, "getsitepackages", lambda: folders)
    return snippet_in(project), engine


def change_processor(project: Project, engine: Engine, patch: pytest.MonkeyPatch) -> tuple[Snippet, Engine]:
    patch.setattr(cache_module, "processor", lambda: "another processor")
    return snippet_in(project), engine


def change_visible_devices(project: Project, engine: Engine, patch: pytest.MonkeyPatch) -> tuple[Snippet, Engine]:
    patch.setenv("CUDA_VISIBLE_DEVICES", "7")
    return snippet_in(project), engine


def change_variable_of_the_engine(
    project: Project, engine: Engine, patch: pytest.MonkeyPatch
) -> tuple[Snippet, Engine]:
    patch.setenv("MADE_UP_PROCESSOR", "old")
    return snippet_in(project), engine


def upgrade_numpy(project: Project, engine: Engine, patch: pytest.MonkeyPatch) -> tuple[Snippet, Engine]:
    names = tuple(name.replace("numpy-2", "numpy-3") for name in cache_module.installed_packages())
    assert names != cache_module.installed_packages()
    patch.setattr(cache_module, "installed_packages", lambda: names)
    return snippet_in(project), engine


CHANGES = [
    change_visible_devices,
    change_variable_of_the_engine,
    upgrade_numpy,
    change_text,
    change_expected_line,
    change_engine_source,
    add_engine_source,
    change_engine_settings,
    change_harness,
    change_python,
    add_package,
    change_processor,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_of_any_input_invalidates_a_cached_run(
    change: object, project: Project, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear_lookup_caches()
    folder = project.root / ".cache"
    Cache(folder).put(snippet_in(project), engine, RUN)
    assert Cache(folder).get(snippet_in(project), engine) is not None
    clear_lookup_caches()
    snippet, changed_engine = change(project, engine, monkeypatch)  # type: ignore[operator]
    assert Cache(folder).get(snippet, changed_engine) is None
    clear_lookup_caches()


def test_packages_that_only_this_process_finds_are_not_in_the_key(
    project: Project, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that the key ignores package metadata on this process's sys.path, which the server does not have."""
    clear_lookup_caches()
    snippet = snippet_in(project)
    before = Cache(project.root).key(snippet, engine)
    (project.root / "numpy-99.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(str(project.root))
    clear_lookup_caches()
    assert Cache(project.root).key(snippet, engine) == before
    clear_lookup_caches()


def test_a_change_of_an_imported_module_invalidates_a_run(
    project: Project, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that a cached run is not used after a change of a project module that the snippet imports."""
    clear_lookup_caches()
    monkeypatch.syspath_prepend(str(project.root))
    (project.root / "own_module.py").write_text("value = 1\n")
    snippet, cache = snippet_in(project, "import own_module\nprint(own_module.value)"), Cache(project.root / ".cache")
    cache.put(snippet, engine, RUN)
    assert cache.get(snippet, engine) is not None
    (project.root / "own_module.py").write_text("value = 2\n")
    assert cache.get(snippet, engine) is None
    clear_lookup_caches()


READERS = {
    "file beside the snippet": "import pathlib\nprint(pathlib.Path(__file__).with_name('data.txt').read_text())\n#> 1",
    "module that another module imports": "import own_module\nprint(own_module.value)\n#> 1",
    "module imported in a function": "def f():\n    from other_module import value\n    return value\n\nprint(f())\n#> 1",
    "module imported by its name": "import importlib\nprint(importlib.import_module('other_module').value)\n#> 1",
    "file that a subprocess reads": "import subprocess, sys\n_ = subprocess.run(['cat', __file__.replace('a.py', 'data.txt')])\n#> 1",
    "file that a forked copy reads": "import os\ndef f():\n    if os.fork() == 0:\n"
    "        os.write(1, open(__file__.replace('a.py', 'data.txt'), 'rb').read())\n        os._exit(0)\n    os.wait()\n\n"
    "f()\n#> 1",
    "list of a folder": "import os\nprint(len(os.listdir(os.path.dirname(__file__))))\n#> 2",
    "file that is missing": "import os\ntry:\n    print(open(__file__.replace('a.py', 'more.txt')).read())\n"
    "except OSError:\n    print(1)\n#> 1",
}


@pytest.mark.parametrize("name", READERS)
def test_a_change_of_what_a_program_reads_invalidates_its_run(name: str, project: Project) -> None:
    """Check that a cached run is not used if a file that the program has read or looked for, or a folder it has listed, has changed."""
    (project.root / "pyproject.toml").write_text("[tool.snippetcheck.engines.python]\npath = ['.']\n")
    for file, text in (("own_module.py", "from other_module import value\n"), ("other_module.py", "value = 1\n")):
        (project.root / file).write_text(text)
    (project.root / "snippets" / "data.txt").write_text("1")
    project.snippet("a.py", READERS[name])
    first = project.pytest("--snippet-cache", "-p", "no:cacheprovider")
    assert first.returncode == 0, first.stdout
    (project.root / "other_module.py").write_text("value = 22\n")
    (project.root / "snippets" / "data.txt").write_text("2")
    (project.root / "snippets" / "more.txt").write_text("2")
    second = project.pytest("--snippet-cache", "-p", "no:cacheprovider")
    assert (second.returncode, "prints something other" in second.stdout) == (1, True)


def test_a_change_of_a_module_beside_the_program_invalidates_its_run(project: Project) -> None:
    project.snippet("a.py", "import sibling\nprint(sibling.value)\n#> 1")
    project.snippet("sibling.py", "value = 1")
    assert project.pytest("--snippet-cache").returncode == 0
    project.snippet("sibling.py", "value = 22")
    second = project.pytest("--snippet-cache")
    assert (second.returncode, "prints something other" in second.stdout) == (1, True)


def test_the_cache_key_includes_the_modules_of_the_harness(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed_paths: list[Path] = []
    monkeypatch.setattr(cache_module, "_digest", lambda files: hashed_paths.extend(files) or "")
    cache_module.source_of_harness.__wrapped__()
    names = {file.relative_to(Path(cache_module.__file__).parent).as_posix() for file in hashed_paths}
    assert {"compare.py", "runner/child.py", "runner/zygote.py"} <= names


def test_a_run_that_opens_an_sqlite_file_is_not_cached(
    write: Callable[..., Snippet], python_server: EngineClient
) -> None:
    assert python_server.run(write("import sqlite3\n_ = sqlite3.connect('a.db')")).reads is None
    assert python_server.run(write("import sqlite3\n_ = sqlite3.connect(':memory:')")).reads is not None


def test_a_change_of_a_preloaded_module_invalidates_a_run(project: Project, engine: Engine) -> None:
    clear_lookup_caches()
    module = Path(engine.path[0]) / "preloaded.py"
    module.write_text("value = 1\n")
    engine = replace(engine, preload=("preloaded",))
    snippet, folder = snippet_in(project), project.root / ".cache"
    Cache(folder).put(snippet, engine, RUN)
    assert Cache(folder).get(snippet, engine) is not None
    module.write_text("value = 2\n")
    clear_lookup_caches()
    assert Cache(folder).get(snippet, engine) is None


def test_a_second_session_uses_cached_runs(project: Project) -> None:
    """Check that a second session reruns nothing, and that a wrong expected line still fails there."""
    counter = project.root / "runs"
    project.snippet("counted.py", f"with open({str(counter)!r}, 'a') as file:\n    print(file.write('.'))\n#> 1")
    project.snippet("wrong.py", "print(1)\n#> 2")
    for _ in range(2):
        completed = project.pytest("--snippet-cache")
        assert (completed.returncode, "1 failed, 1 passed" in completed.stdout) == (1, True), completed.stdout
    assert counter.read_text() == "."
    project.snippet("wrong.py", "print(2)\n#> 2")
    assert project.pytest("--snippet-cache").returncode == 0
