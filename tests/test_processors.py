"""Test the emulation of older processors by environment variables, which `make processors` and the nightly job use."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from snippetcheck.settings import load_settings

from tests import processors


def test_engines_pass_the_variables_to_programs() -> None:
    """Check the settings of each engine, since the harness passes only listed variables to programs."""
    engines = load_settings(processors.ROOT).engines
    assert set(engines["torch"].environment) == set(processors.VARIABLES)
    assert set(engines["reference_impl"].environment) == {"NPY_DISABLE_CPU_FEATURES", "OPENBLAS_CORETYPE"}


def test_every_variable_of_nehalem_has_an_effect() -> None:
    """Check the variables as `tests.processors` does before it runs tests. `nehalem` has variables of all five libraries."""
    assert processors.ineffective_variables(processors.PROCESSORS["nehalem"]) == []


def test_a_setting_without_effect_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Set a feature name that NumPy ignores since version 2.4. A check that always fails replaces the check of its effect."""
    monkeypatch.setitem(processors.PROCESSORS, "old", {"NPY_DISABLE_CPU_FEATURES": "X86_V3 AVX512_SKX"})
    monkeypatch.setitem(processors._EFFECTS, "NPY_DISABLE_CPU_FEATURES", lambda value, output: False)
    assert processors.run("old", 1, ["--version"]) == 2
    assert "old: no effect on this machine: NPY_DISABLE_CPU_FEATURES=X86_V3 AVX512_SKX" in capsys.readouterr().out


def test_the_list_of_processors_needs_no_package() -> None:
    names = subprocess.run(
        [sys.executable, "-I", "-S", str(processors.ROOT / "tests" / "processors.py"), "--list"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert json.loads(names) == list(processors.PROCESSORS)
