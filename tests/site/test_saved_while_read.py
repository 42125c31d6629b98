"""Save files while the site reads them. A value that is cached for a text must be computed from that text."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gradnotes.exercises.lookup import find_exercise
from gradnotes.fences import exercise as exercise_fence
from gradnotes.fences.recorded import load_recording
from gradnotes.problems import FenceError
from gradnotes.project import Project

PROGRAM = '''"""Square a number."""
import torch

x = torch.tensor(3., requires_grad=True)
(x * x).backward()
print(x.grad)
#> tensor(6.)
'''
EXERCISE = '''"""Which tensor is a leaf?"""
# exercise: point
# covers: autograd.leaf
# hint: A leaf is not computed from others.
# at: tensors
# answer: where it.is_leaf

# %% start
import torch

x = torch.tensor(3., requires_grad=True)
y = x * x
y.backward()

# %% wrong: y
# hint: It is not a leaf.
'''


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Project:
    """Create a project with the engine of this site, without pages, snippets and exercises."""
    shutil.copy(root / "pyproject.toml", tmp_path)
    for name in ("reference_impl", "gradnotes", "harness"):
        (tmp_path / name).symlink_to(root / name)
    for name in ("docs", "snippets", "exercises"):
        (tmp_path / name).mkdir()
    return Project(tmp_path, records_singly=True)


def test_a_snippet_is_parsed_from_the_text_that_was_read(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Save a file right after it is read: the text that was read must be parsed, and must be the key in the cache."""
    file = project.snippets / "square.py"
    file.write_text("")
    read_bytes = Path.read_bytes

    def read_then_save(path: Path) -> bytes:
        raw = read_bytes(path)
        if path == file:
            path.write_text(PROGRAM)
        return raw

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", read_then_save)
        with pytest.raises(FenceError, match=r"square\.py:1: "):
            project.snippet("square.py")
    project.memo.begin()
    assert project.snippet("square.py").text == PROGRAM
    file.write_text("")
    project.memo.begin()
    with pytest.raises(FenceError, match=r"square\.py:1: "):
        project.snippet("square.py")


def test_a_recording_is_made_from_the_text_that_was_read(project: Project) -> None:
    file = project.snippets / "square.py"
    file.write_text(PROGRAM)
    snippet = project.snippet("square.py")
    file.write_text(PROGRAM.replace("x * x", "x * x * x").replace("6", "27"))
    assert len(load_recording(project, snippet)["passes"][0]["nodes"]) == 2  # MulBackward0, AccumulateGrad


def test_an_answer_key_is_made_from_the_text_that_was_read(project: Project) -> None:
    file = project.exercises / "point.py"
    file.write_text(EXERCISE)
    exercise = find_exercise(project, "point.py")
    file.write_text(EXERCISE.replace("y = x * x", "z = x * x\ny = z"))
    recording = exercise_fence.record_missing(project, {("key",): exercise})["key",]
    assert (recording["choices"], recording["key"]) == (["x", "y"], ["x"])
