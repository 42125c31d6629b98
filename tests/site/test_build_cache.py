"""Caches between builds are never stale: a build with caches, after changes, equals a build without caches."""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from test_fences import ERRATA, FENCE, SNIPPET, add_theme, book, snippet_fence  # noqa: F401

from gradnotes import cache
from gradnotes.cache import BuildCache

MODULE = '"""One module."""\n\nfrom reference_impl.{home} import twice\n\n\ndef four():\n    return twice(2)\n'
TWICE = '"""{word}."""\n\n\ndef twice(x):\n    """Two times x."""\n    return 2 * x\n'
# Each change is a mapping from files to their new texts.
CHANGES: dict[str, dict[str, str]] = {
    "a snippet": {"snippets/part/sum.py": SNIPPET.replace("2 + 2", "1 + 3")},
    "an erratum": {"docs/errata/part.yml": ERRATA.replace("is 5", "is 6")},
    "the glossary": {"docs/glossary.yml": "sum: another text\n"},
    "where a name is defined": {
        "reference_impl/one.py": '"""Empty now."""\n',
        "reference_impl/other.py": TWICE.format(word="Here now"),
        "reference_impl/__init__.py": MODULE.format(home="other"),
    },
    "the title of a page that teaches": {
        "docs/part/sum.md": "---\ntitle: Adding\n---\n\n" + snippet_fence("part/sum.py")
    },
}


@pytest.fixture
def project(book: Path, root: Path) -> Path:  # noqa: F811
    """Add to the small project `book` a theme, a glossary, an engine, and pages that depend on other files."""
    add_theme(book, root)
    files = {
        "docs/glossary.yml": "sum: what addition gives\n",
        "docs/part/index.md": "---\ntitle: Part\npages: [sum]\n---\n\nThe sum.\n\n"
        + FENCE.format(info="errata", body="")
        + "\n"
        + FENCE.format(info="errors", body=""),
        "docs/part/sum.md": "---\ntitle: Sum\n---\n\n" + snippet_fence("part/sum.py"),
        "reference_impl/__init__.py": MODULE.format(home="one"),
        "reference_impl/one.py": TWICE.format(word="One"),
        "reference_impl/other.py": '"""Another module."""\n',
    }
    for name, text in files.items():
        (book / name).write_text(text)
    return book


def test_a_build_with_caches_after_changes_equals_one_without(project: Path, mkdocs: Callable, tmp_path: Path) -> None:
    before, warm, cold = (tmp_path / name for name in ("before", "warm", "cold"))
    assert mkdocs(project, before).returncode == 0
    for files in CHANGES.values():
        for name, text in files.items():
            (project / name).write_text(text)
    assert mkdocs(project, warm).returncode == 0
    shutil.rmtree(project / ".cache")
    assert mkdocs(project, cold).returncode == 0
    assert different_files(warm, cold) == []
    expected_changes = {"part/index.html", "part/sum.html", "notebooks/part/sum.ipynb", "assets/search_index.js"}
    expected_changes |= {f"engine/reference_impl{name}.html" for name in ("", "/one", "/other")}
    assert expected_changes <= set(different_files(before, warm))  # every change affects the site


def different_files(first: Path, second: Path) -> list[str]:
    """Return the names of files that differ in two folders or exist in only one of them."""
    names = {p.relative_to(folder).as_posix() for folder in (first, second) for p in folder.rglob("*") if p.is_file()}
    _, different, missing = filecmp.cmpfiles(first, second, sorted(names), shallow=False)
    return different + missing


def test_code_and_versions_are_part_of_every_key(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, folder in (("gradnotes", root / "gradnotes"), ("harness/src", root / "harness/src")):
        shutil.copytree(folder, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    fingerprints = {fingerprint_of_copy(tmp_path)}
    for name in (
        "harness/src/snippetcheck/snippet.py",
        "gradnotes/site/search_index.py",
        "gradnotes/fences/highlight.py",
        "gradnotes/templates/module.html",
    ):
        with (tmp_path / name).open("a") as file:
            file.write("# another\n")
        fingerprints.add(fingerprint_of_copy(tmp_path))
    monkeypatch.setattr(cache, "version", lambda name: "0")
    fingerprints.add(cache._code_fingerprint())
    assert len(fingerprints) == 6
    key = BuildCache(tmp_path, "build").key(("x",))
    monkeypatch.setattr(cache, "_CODE_FINGERPRINT", "other code")
    assert BuildCache(tmp_path, "build").key(("x",)) != key


def fingerprint_of_copy(folder: Path) -> str:
    """Return the code fingerprint that gradnotes computes when a process imports it from `folder`."""
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{folder / 'harness/src'}"}
    code = "from gradnotes import cache; print(cache.__file__, cache._CODE_FINGERPRINT)"
    completed = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    file, fingerprint = completed.stdout.split()
    assert file.startswith(str(folder))
    return fingerprint


def test_a_damaged_cache_file_counts_as_empty(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path, "build")
    assert cache.get(("a",), lambda: "first") == "first"
    cache.save()
    assert BuildCache(tmp_path, "build").get(("a",), lambda: "second") == "first"
    cache.path.write_bytes(cache.path.read_bytes()[:-3])
    assert BuildCache(tmp_path, "build").get(("a",), lambda: "second") == "second"


def test_entries_that_a_build_did_not_use_are_dropped(tmp_path: Path) -> None:
    first = BuildCache(tmp_path, "build")
    for name in "abc":
        first.get((name,), lambda: "old")
    first.save()
    second = BuildCache(tmp_path, "build")
    second.get(("a",), lambda: "new")
    second.keep_alive(("b",))
    second.save()
    third = BuildCache(tmp_path, "build")
    assert [third.get((name,), lambda: "new") for name in "abc"] == ["old", "old", "new"]
