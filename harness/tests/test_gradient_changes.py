"""The wrong gradients of bench/harness: an edit of the engine must not make them impossible to put in."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_every_change_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "bench" / "harness")
    made = list(importlib.import_module("gradient_changes").changes(ROOT))
    assert len(made) > 500
    for change in made:
        ast.parse(change.text)
        assert change.text != (ROOT / change.file).read_text(), change
