"""Shipped recordings equal new recordings, and after a change of an input the program is recorded again.

Inputs are the program, the engine, the keys of the figure, the recorder, the harness, NumPy and Python.
"""

from __future__ import annotations

import importlib.metadata
import json
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest
import snippetcheck
from filelock import FileLock, Timeout
from test_figures import is_close

from gradnotes.fences.recorded import load_recording, required_recordings
from gradnotes.project import Project
from gradnotes.recorder import process, shipped
from gradnotes.site import recordings
from tests.files import write_files
from tests.sampling import is_picked

PROGRAM = '''"""Square a number."""
import torch

x = torch.tensor(3., requires_grad=True)
y = x * x
y.backward()
print(x.grad)
#> tensor(6.)
'''
PAGE = """---
title: Part
---

``` figure
kind: graph
file: square.py
```

``` figure
kind: amount
file: square.py
watch: {'bytes': 3}
```

``` steps
file: square.py
```
"""
SHIPPED = {"passes": [], "watched": "shipped"}
NEW = {"passes": [], "watched": "new"}
RECORDER_FILES = [f"{name}/__init__.py" if "." not in name else name for name in process.SOURCES]


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Project:
    """Create a project with an empty engine, and a page with two figures and a step viewer of one program."""
    shutil.copy(root / "pyproject.toml", tmp_path)
    for name in ("gradnotes", "harness"):
        (tmp_path / name).symlink_to(root / name)
    files = {"docs/part.md": PAGE, "snippets/square.py": PROGRAM, "reference_impl/__init__.py": "", "docs/index.md": ""}
    write_files(tmp_path, files)
    return Project(tmp_path)


@pytest.fixture
def recorded_programs(project: Project, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ship the recording SHIPPED for each request of the project. Return a list that collects the programs recorded afterwards.

    These programs are not run: each gets the recording NEW.
    """
    requests = required_recordings(project).values()
    shipped.write(project.root, shipped.fingerprint(project), [(request, SHIPPED) for request in requests])
    texts: list[str] = []

    def record(requests: list[process.Request], root: Path) -> list[dict[str, Any]]:
        texts.extend(text for _, text, _ in requests)
        return [NEW for _ in requests]

    monkeypatch.setattr(process, "record", record)
    monkeypatch.delenv("GRADNOTES_SITE_URL", raising=False)
    return texts


@pytest.mark.parametrize("records_singly", [False, True])
def test_a_shipped_recording_is_used(project: Project, recorded_programs: list[str], records_singly: bool) -> None:
    project.records_singly = records_singly
    snippet = project.snippet("square.py")
    assert load_recording(project, snippet) == SHIPPED
    assert load_recording(project, snippet, {"kind": "graph"}) == SHIPPED
    assert recorded_programs == []


def test_a_second_process_waits_while_programs_are_recorded(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    path = project.recordings.path.with_suffix(".lock")
    path.parent.mkdir(parents=True)  # as after an earlier build
    lock = FileLock(path)

    def record(requests: list[process.Request], root: Path) -> list[dict[str, Any]]:
        with pytest.raises(Timeout):
            lock.acquire(timeout=0)
        return [NEW for _ in requests]

    monkeypatch.setattr(process, "record", record)
    assert load_recording(project, project.snippet("square.py")) == NEW
    lock.acquire(timeout=0)


@pytest.mark.parametrize("records_singly", [False, True])
@pytest.mark.parametrize(
    "change",
    [
        "program",
        "engine",
        "keys of the figure",
        "harness",
        "NumPy",
        "Python",
        "damaged file",
        "missing file",
        "public address",
    ],
)
def test_after_a_change_of_an_input_the_program_is_recorded_again(
    project: Project, recorded_programs: list[str], change: str, records_singly: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also damage or remove the file of shipped recordings, and build for a public address, for which none of them is used."""
    question = {"kind": "graph"}
    if change == "program":
        (project.snippets / "square.py").write_text(PROGRAM + "# another\n")
    elif change == "engine":
        (project.root / "reference_impl/__init__.py").write_text("# another\n")
    elif change == "keys of the figure":
        question = {"kind": "graph", "watch": "x"}
        (project.docs / "part.md").write_text(PAGE.replace("kind: graph", "kind: graph\nwatch: x"))
    elif change == "harness":
        copy = shutil.copytree(project.root / "harness/src/snippetcheck", project.root / "copy")
        (copy / "snippet.py").write_text("# another\n")
        monkeypatch.setattr(snippetcheck, "__file__", str(copy / "__init__.py"))
    elif change == "NumPy":
        monkeypatch.setattr(importlib.metadata, "version", lambda name: "0")
    elif change == "Python":
        monkeypatch.setattr(sys, "version_info", namedtuple("Version", "major minor")(4, 0))
    elif change == "damaged file":
        (project.root / shipped.FILE).write_text((project.root / shipped.FILE).read_text()[:-5])
    elif change == "missing file":
        (project.root / shipped.FILE).unlink()
    else:
        monkeypatch.setenv("GRADNOTES_SITE_URL", "https://example.org/")
    later = Project(project.root, records_singly=records_singly)
    assert load_recording(later, later.snippet("square.py"), question) == NEW
    assert set(recorded_programs) == {(project.snippets / "square.py").read_text()}


@pytest.mark.parametrize("name", RECORDER_FILES)
def test_a_change_of_the_recorder_changes_its_fingerprint(
    name: str, root: Path, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = process.recorder_fingerprint(project.root)
    code = tmp_path / "code"
    shutil.copytree(root / "gradnotes", code / "gradnotes", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(process, "CODE", code)
    assert process.recorder_fingerprint(project.root) == before
    with (code / name).open("a") as file:
        file.write("# another\n")
    assert process.recorder_fingerprint(project.root) != before


def test_the_fingerprint_covers_all_imports_of_a_recording_process(root: Path) -> None:
    """Check that SOURCES contains each module of gradnotes that a recording process imports, with two exceptions.

    provenance.py only computes checksums, and an `__init__.py` contains only a docstring.
    """
    code = """
import sys
from gradnotes.recorder import process
print(process.map_in_forks(len, []))
import gradnotes.recorder.backward_passes
print("\\n".join(str(getattr(module, "__file__", "")) for module in sys.modules.values()))
"""
    completed = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    files = {Path(line) for line in completed.stdout.splitlines() if line.startswith(str(root / "gradnotes"))}
    names = {file.relative_to(root).as_posix() for file in files if file.name != "__init__.py"}
    outside = {name for name in names if not name.startswith(process.SOURCES)}
    assert len(names) > 20 and outside == {"gradnotes/evidence/provenance.py"}


class ErrorOfTwoArguments(Exception):
    """An error that cannot be unpickled."""

    def __init__(self, message: str, remedy: str):
        super().__init__(message)


def raise_error(message: str) -> dict[str, object]:
    raise ErrorOfTwoArguments(message, "")


def test_an_error_that_cannot_be_unpickled_is_reported_at_once() -> None:
    assert json.loads(process.map_in_forks(raise_error, [["no"]])) == [{"error": "ErrorOfTwoArguments: no"}]


def test_backward_passes_are_recorded_only_for_figures_that_draw_them(root: Path) -> None:
    path = str(root / "snippets" / "square.py")
    assert len(process.record_run(path, PROGRAM, None)["passes"][0]["nodes"]) == 2  # MulBackward0, AccumulateGrad
    assert len(process.record_run(path, PROGRAM, {"kind": "graph"})["passes"]) == 1
    amount = process.record_run(path, PROGRAM, {"kind": "amount", "watch": "{'bytes': 3}"})
    assert amount["passes"] == [] and "error" not in amount["watched"]


def test_the_command_ships_each_run_that_succeeds(
    root: Path, project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project.root / "reference_impl/__init__.py").unlink()
    (project.root / "reference_impl").rmdir()
    (project.root / "reference_impl").symlink_to(root / "reference_impl")
    write_files(
        project.root, {"snippets/wrong.py": PROGRAM.replace("6.", "7."), "docs/a.md": PAGE.replace("square", "wrong")}
    )
    monkeypatch.chdir(project.root)
    assert recordings.main() == 1
    output = capsys.readouterr()
    assert output.out == "docs/evidence/recordings.jsonl: 3 recordings\n"
    assert output.err.count("recordings: wrong.py:8: ") == 3
    header, *rows = map(json.loads, (project.root / shipped.FILE).read_text().splitlines())
    assert header == {"made_with": shipped.fingerprint(project)}
    assert [name for _, name, _ in rows] == ["snippets/square.py"] * 3
    (project.docs / "a.md").unlink()
    requests = required_recordings(project).values()
    fresh = process.record(list(requests), project.root)
    recordings_by_key = shipped.read(project.root, shipped.fingerprint(project))
    assert [recordings_by_key[shipped.key(request)] for request in requests] == fresh


def test_a_shipped_recording_is_what_a_run_records(root: Path, tier: str) -> None:
    """Record programs again and compare numbers to one part in a thousand: all programs with `--tier full`, else one in fifteen."""
    project = Project(root)
    recordings_by_key = shipped.read(root, shipped.fingerprint(project))
    if not recordings_by_key:
        pytest.skip(f"{shipped.FILE} was recorded with another engine or recorder: run `make evidence`")
    requests = {shipped.key(request): request for request in required_recordings(project).values()}
    picked_keys = [key for key in requests if key in recordings_by_key and is_picked(key, 15, tier)]
    fresh = process.record([requests[key] for key in picked_keys], root)
    different = [
        requests[key][0]
        for key, recording in zip(picked_keys, fresh, strict=True)
        if not is_close(recording, recordings_by_key[key])
    ]
    assert different == []
