"""The replacement of scikit-learn, in the page and at the build, gives the results of scikit-learn."""

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
    spec = importlib.util.spec_from_file_location("stand_in", f"{program.STAND_IN}/sklearn/datasets.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("n_class", [10, 2])
def test_the_same_digits(stand_in: ModuleType, n_class: int) -> None:
    want, have = load_digits(n_class=n_class), stand_in.load_digits(n_class=n_class)
    for name in ("data", "images", "target", "target_names"):
        a, b = getattr(want, name), getattr(have, name)
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        assert np.array_equal(a, b), name
    for a, b in zip(
        load_digits(n_class=n_class, return_X_y=True),
        stand_in.load_digits(n_class=n_class, return_X_y=True),
        strict=True,
    ):
        assert np.array_equal(a, b)


def test_a_program_without_scikit_learn_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [p for p in sys.path if "site-packages" not in p])
    for name in [n for n in sys.modules if n.split(".")[0] == "sklearn"]:
        monkeypatch.delitem(sys.modules, name)
    text = "from sklearn.datasets import load_digits\nprint(load_digits().images.shape)\n"
    ran = program.run(text).run
    assert ran.outcome == "finished", ran
    assert ran.statements[-1].output == "(1797, 8, 8)\n"
