"""The wrong gradients of bench/harness: an edit of the engine must not make them impossible to put in."""

from __future__ import annotations

import ast
import importlib
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_every_change_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "bench" / "harness")
    made = list(importlib.import_module("gradient_changes").changes(ROOT))
    assert len(made) > 400
    for change in made:
        ast.parse(change.text)
        assert change.text != (ROOT / change.file).read_text(), change


def test_the_copy_that_is_changed_can_be_tested(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file that the tests need, or a plugin of another name, would end the run before its first change."""
    monkeypatch.syspath_prepend(ROOT / "bench" / "harness")
    wrong_gradients = importlib.import_module("wrong_gradients")
    wrong_gradients.copy_into(tmp_path)
    command = [*wrong_gradients.pytest_on(("test_views",)), "--collect-only"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all((ROOT / "tests" / "engine" / f"{name}.py").is_file() for name in wrong_gradients.TESTS)
