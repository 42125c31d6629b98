"""The processors that `make processors` and the nightly job emulate."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from snippetcheck.settings import load_settings

from tests import processors


def test_examples_see_the_variables_that_decide() -> None:
    """Check that the engines pass the variables on to programs; otherwise no processor would be emulated."""
    engines = load_settings(processors.ROOT).engines
    assert set(engines["torch"].environment) == set(processors.VARIABLES)
    assert set(engines["reference_impl"].environment) == {"NPY_DISABLE_CPU_FEATURES", "OPENBLAS_CORETYPE"}


def test_every_variable_has_its_effect() -> None:
    """Check the effect on all libraries, as `tests.processors` does before it runs the tests."""
    assert processors.ineffective_variables(processors.PROCESSORS["nehalem"]) == []


def test_a_setting_without_effect_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Use names of features that NumPy ignores since version 2.4."""
    monkeypatch.setitem(processors.PROCESSORS, "old", {"NPY_DISABLE_CPU_FEATURES": "X86_V3 AVX512_SKX"})
    monkeypatch.setitem(processors._EFFECTS, "NPY_DISABLE_CPU_FEATURES", lambda value, seen: False)
    assert processors.run("old", 1, ["--version"]) == 2
    assert "old: no effect on this machine: NPY_DISABLE_CPU_FEATURES=X86_V3 AVX512_SKX" in capsys.readouterr().out


def test_the_nightly_job_gets_its_list_without_any_package() -> None:
    names = subprocess.run(
        [sys.executable, "-I", "-S", str(processors.ROOT / "tests" / "processors.py"), "--list"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert json.loads(names) == list(processors.PROCESSORS)
