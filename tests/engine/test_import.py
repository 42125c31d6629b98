"""Effects of `import reference_impl` on the process: the garbage collector is paused during the import and restored after it."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

SAY = "print(gc.isenabled(), gc.get_freeze_count())"


def _after_import(before: str) -> list[str]:
    program = f"import gc; {before}; import reference_impl; {SAY}"
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=600
    ).stdout.split()


@pytest.mark.parametrize(
    ("before", "enabled", "frozen"),
    [
        pytest.param("pass", "True", False, id="as Python starts"),
        pytest.param("gc.disable()", "False", False, id="collector off: stays off"),
        pytest.param("gc.freeze()", "True", True, id="the caller's frozen objects stay frozen"),
    ],
)
def test_the_collector_is_as_it_was_before_the_import(before: str, enabled: str, frozen: bool) -> None:
    actual_enabled, frozen_count = _after_import(before)
    assert actual_enabled == enabled
    assert (int(frozen_count) > 0) == frozen


def test_the_import_brings_neither_torch_nor_the_lazy_modules() -> None:
    """Check that `reference_impl.nn`, `.optim` and others load at the first use: they take most of the time of an import."""
    program = (
        "import sys, reference_impl; "
        "print([m for m in ('torch', 'reference_impl.nn', 'reference_impl.optim', 'reference_impl.serialization') if m in sys.modules])"
    )
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=600
    ).stdout
    assert output.strip() == "[]"


def test_a_switch_of_a_backend_is_in_a_module_that_can_be_imported() -> None:
    """Check `import torch.backends.cudnn as cudnn`, with which many programs begin."""
    cudnn = importlib.import_module("reference_impl.backends.cudnn")
    assert (cudnn.benchmark, cudnn.deterministic, cudnn.is_available(), cudnn.version()) == (False, False, False, None)
