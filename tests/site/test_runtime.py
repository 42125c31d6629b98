"""The version of Pyodide is in one file, which Dependabot reads, and a new version replaces the old one."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest
import yaml

from gradnotes.site import runtime


def test_the_version_is_in_a_file_that_dependabot_reads(root: Path) -> None:
    manifest = root / "docs" / "runtime" / "package.json"
    assert json.loads(manifest.read_text(encoding="utf-8"))["dependencies"] == {"pyodide": runtime.VERSION}
    assert re.fullmatch(r"\d+\.\d+\.\d+", runtime.VERSION), f"{runtime.VERSION} is not an exact version"
    updates = yaml.safe_load((root / ".github" / "dependabot.yml").read_text(encoding="utf-8"))["updates"]
    npm = next(update for update in updates if update["package-ecosystem"] == "npm")
    for folder in npm["directories"]:
        assert (root / folder.lstrip("/") / "package.json").is_file(), folder


def test_each_cache_of_pyodide_has_its_version_in_the_key(root: Path) -> None:
    for workflow in sorted((root / ".github" / "workflows").glob("*.yml")):
        text = workflow.read_text(encoding="utf-8")
        steps = [step for job in yaml.safe_load(text)["jobs"].values() for step in job.get("steps", [])]
        caches = [step["with"] for step in steps if "actions/cache@" in step.get("uses", "")]
        keys = [cache["key"] for cache in caches if ".cache/runtime" in cache["path"]]
        assert len(keys) == text.count(".cache/runtime"), workflow.name
        assert all("hashFiles(" in key and "'docs/runtime/package.json'" in key for key in keys), workflow.name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder that contains the files of the current version of Pyodide and a wheel."""
    for name in runtime.FILES:
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / "pyodide.mjs").write_text(f'var version="{runtime.VERSION}";', encoding="utf-8")
    (tmp_path / "numpy-2.whl").write_bytes(b"wheel")
    write_lock_file(tmp_path, "numpy-2.whl")
    return tmp_path


def write_lock_file(folder: Path, wheel: str) -> None:
    sha256 = hashlib.sha256((folder / wheel).read_bytes()).hexdigest()
    packages = {"numpy": {"file_name": wheel, "sha256": sha256}}
    (folder / "pyodide-lock.json").write_text(json.dumps({"packages": packages}), encoding="utf-8")


@pytest.fixture
def fetched_folders(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Replace the download of Pyodide by a function that writes another wheel. Return the list of folders into which it writes."""
    folders: list[Path] = []

    def pyodide(folder: Path) -> None:
        folders.append(folder)
        (folder / "numpy-3.whl").write_bytes(b"new wheel")
        write_lock_file(folder, "numpy-3.whl")

    monkeypatch.setattr(runtime, "_fetch_pyodide", pyodide)
    return folders


def test_the_current_version_is_not_fetched_again(folder: Path, fetched_folders: list[Path]) -> None:
    assert runtime.fetch(folder) == folder / "numpy-2.whl"
    assert fetched_folders == []


def test_another_version_is_replaced_with_its_wheel(folder: Path, fetched_folders: list[Path]) -> None:
    (folder / "pyodide.mjs").write_text('var version="314.0.1";', encoding="utf-8")
    assert runtime.fetch(folder) == folder / "numpy-3.whl"
    assert fetched_folders == [folder]
    assert [path.name for path in folder.glob("numpy-*")] == ["numpy-3.whl"]


def test_the_page_states_the_version_of_numpy(root: Path) -> None:
    wheels = list((root / ".cache" / "runtime").glob("numpy-*.whl"))
    if not wheels:
        pytest.skip("the site was built without a Python runtime: make runtime NUMPY_WHEEL=path/to/wheel")
    note = (root / "docs" / "assets" / "run.js").read_text(encoding="utf-8")
    assert f"NumPy {wheels[0].name.split('-')[1]}." in note
