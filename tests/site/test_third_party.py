"""THIRD_PARTY.md lists the work of others in the repository and the built site, and the site contains its licences."""

from __future__ import annotations

import fnmatch
import importlib.metadata
import re
import tarfile
import tomllib
from pathlib import Path

import pytest

from gradnotes.site import runtime
from tests.site.running import need_runtime

# Patterns of files that the build writes. Other files of the site are copied from this repository or come from other projects.
BUILD_OUTPUT = (
    "assets/search_index.js",
    "assets/search_index_zh.js",
    "assets/search/*",
    "assets/search_zh/*",
    "assets/words_zh.js",
    "assets/words_run_zh.js",
    "assets/notes/*",
    "llms.txt",
    ".nojekyll",
    "runtime/sizes.json",
    "*.txt",
    "notebooks/*",
    "*.html",
)


@pytest.fixture(scope="module")
def text(root: Path) -> str:
    """Return the text of THIRD_PARTY.md."""
    return (root / "THIRD_PARTY.md").read_text(encoding="utf-8")


def listed_files(text: str, heading: str) -> list[str]:
    """Return the files in the first column of the table under a heading, without the rows that begin with "in": they name parts of
    other files.
    """
    table = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ") and "---" not in line]
    return [name for cell in cells if not cell.strip().startswith("in ") for name in re.findall(r"`([^`]+)`", cell)]


def covers(pattern: str, name: str) -> bool:
    """Return whether a file is in the folder `pattern`, which ends in a slash, or matches the glob pattern."""
    return name.startswith(pattern) if pattern.endswith("/") else fnmatch.fnmatch(name, pattern)


def find_foreign_files(root: Path, site: Path) -> list[str]:
    """Return the files of the built site that are neither in the repository nor written by the build."""
    names = [path.relative_to(site).as_posix() for path in sorted(site.rglob("*")) if path.is_file()]
    copied_files = {name for name in names if (root / "docs" / name).is_file() or (root / name).is_file()}
    return [
        name
        for name in names
        if name not in copied_files and not any(covers(pattern, name) for pattern in BUILD_OUTPUT)
    ]


def test_every_foreign_file_of_the_site_is_listed(root: Path, site: Path, text: str) -> None:
    foreign_files = find_foreign_files(root, site)
    assert any(name.startswith("assets/stylesheets/") for name in foreign_files)
    patterns = listed_files(text, "In the built site")
    assert [name for name in foreign_files if not any(covers(pattern, name) for pattern in patterns)] == []
    existing_files = {*foreign_files, *map("runtime/{}".format, (*runtime.ARCHIVES, runtime.SOURCES))}
    assert [pattern for pattern in patterns if not any(covers(pattern, name) for name in existing_files)] == []


def test_all_files_in_the_python_archive_are_listed(site: Path, text: str) -> None:
    need_runtime(site)
    with tarfile.open(site / "runtime" / "python.tar.gz") as archive:
        names = [name for name in archive.getnames() if name != "libraries.json"]
    rows = re.findall(r"^\| in `runtime/python.tar.gz`: (.*?) \|", text, re.MULTILINE)
    patterns = [pattern for row in rows for pattern in re.findall(r"`([^`]+)`", row)]
    assert [name for name in names if not any(covers(pattern, name) for pattern in patterns)] == []
    assert [pattern for pattern in patterns if not any(covers(pattern, name) for name in names)] == []
    assert any(name.endswith(".dist-info/licenses/LICENSE.txt") for name in names)


def test_files_in_the_engine_archive_come_from_this_repository_or_are_listed(root: Path, text: str) -> None:
    names = runtime.engine_files(root)
    assert {name.split("/")[0] for name in names} == {"reference_impl", "gradnotes", "snippetcheck"}
    tables = {name for name in names if not name.endswith(".py")}
    assert tables == {name for name in listed_files(text, "In the repository") if name.endswith((".txt", ".gz"))}


def test_listed_files_of_the_repository_exist(root: Path, text: str) -> None:
    assert [name for name in listed_files(text, "In the repository") if not (root / name).exists()] == []


def test_the_site_contains_the_licences(root: Path, site: Path, text: str) -> None:
    licences = set(re.findall(r"`(licenses/[^`]+\.txt)`", text))
    assert licences == {path.relative_to(root).as_posix() for path in (root / "licenses").iterdir()}
    for name in licences:
        assert (site / name).read_bytes() == (root / name).read_bytes()
    assert (site / "THIRD_PARTY.txt").read_text(encoding="utf-8") == text
    for name in ("LICENSE.txt", "LICENSE-MIT.txt", "snippets/LICENSE.txt"):
        assert (site / name).is_file()


def test_the_stated_versions_are_used(root: Path, text: str) -> None:
    for package, name in (("mkdocs-material", "Material for MkDocs"), ("torch", "PyTorch")):
        assert f"{name} {importlib.metadata.version(package).split('+')[0]}" in text
    assert f"Pyodide {runtime.VERSION}" in text
    assert f"pyodide/tree/{runtime.VERSION}" in text
    for wheel in (root / ".cache" / "runtime").glob("numpy-*.whl"):
        assert f"NumPy {wheel.name.split('-')[1]}" in text


def test_the_metadata_of_both_packages_state_the_licences(root: Path) -> None:
    """Check the fields that setuptools reads: an SPDX expression, and names of existing files."""
    for folder, expression in ((root, "MIT AND BSD-3-Clause"), (root / "harness", "MIT")):
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert project["license"] == expression
        assert [name for name in project["license-files"] if not list(folder.glob(name))] == []
