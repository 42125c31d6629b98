"""The wrong gradients of bench/harness: an edit of the engine must not make them impossible to put in."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_every_change_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / "bench" / "harness" / "gradient_changes.py"
    spec = importlib.util.spec_from_file_location("gradient_changes", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    made = list(module.changes(ROOT))
    assert len(made) > 500
    for change in made:
        ast.parse(change.text)
        assert change.text != (ROOT / change.file).read_text(), change
