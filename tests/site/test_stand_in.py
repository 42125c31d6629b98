"""`load_digits` of the stand-in for scikit-learn, which the browser and recordings use, equals that of scikit-learn."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import numpy as np
import pytest
from sklearn.datasets import load_digits

from gradnotes.recorder import program


@pytest.fixture(scope="module")
def stand_in() -> ModuleType:
    """Import the stand-in for `sklearn.datasets`."""
    spec = importlib.util.spec_from_file_location("stand_in", f"{program.STAND_IN}/sklearn/datasets.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("n_class", [10, 2])
def test_digits_equal_those_of_scikit_learn(stand_in: ModuleType, n_class: int) -> None:
    expected_bunch, bunch = load_digits(n_class=n_class), stand_in.load_digits(n_class=n_class)
    for name in ("data", "images", "target", "target_names"):
        expected, array = getattr(expected_bunch, name), getattr(bunch, name)
        assert (array.dtype, array.shape) == (expected.dtype, expected.shape)
        assert np.array_equal(array, expected), name
    for expected, array in zip(
        load_digits(n_class=n_class, return_X_y=True),
        stand_in.load_digits(n_class=n_class, return_X_y=True),
        strict=True,
    ):
        assert np.array_equal(array, expected)


def test_a_program_loads_digits_without_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [p for p in sys.path if "site-packages" not in p])
    for name in [n for n in sys.modules if n.split(".")[0] == "sklearn"]:
        monkeypatch.delitem(sys.modules, name)
    text = "from sklearn.datasets import load_digits\nprint(load_digits().images.shape)\n"
    run = program.run(text).run
    assert run.outcome == "finished", run
    assert run.statements[-1].output == "(1797, 8, 8)\n"
