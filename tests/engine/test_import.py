"""`import reference_impl` restores the garbage collector, which it pauses, and imports no more than it needs."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

PRINT_STATE = "print(gc.isenabled(), gc.get_freeze_count())"


def _after_import(before: str) -> list[str]:
    program = f"import gc; {before}; import reference_impl; {PRINT_STATE}"
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=600
    ).stdout.split()


@pytest.mark.parametrize(
    ("before", "enabled", "frozen"),
    [
        pytest.param("pass", "True", False, id="initial state"),
        pytest.param("gc.disable()", "False", False, id="the collector stays disabled"),
        pytest.param("gc.freeze()", "True", True, id="the caller's frozen objects stay frozen"),
    ],
)
def test_the_import_restores_the_garbage_collector(before: str, enabled: str, frozen: bool) -> None:
    actual_enabled, frozen_count = _after_import(before)
    assert actual_enabled == enabled
    assert (int(frozen_count) > 0) == frozen


def test_the_import_loads_neither_torch_nor_the_lazy_modules() -> None:
    """Check that `nn`, `optim` and `serialization` load at their first use: they take most of the time of an import."""
    program = (
        "import sys, reference_impl; "
        "print([m for m in ('torch', 'reference_impl.nn', 'reference_impl.optim', 'reference_impl.serialization') if m in sys.modules])"
    )
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=600
    ).stdout
    assert output.strip() == "[]"


def test_modules_of_backends_can_be_imported() -> None:
    """Check `import torch.backends.cudnn as cudnn`, with which many programs begin."""
    cudnn = importlib.import_module("reference_impl.backends.cudnn")
    assert (cudnn.benchmark, cudnn.deterministic, cudnn.is_available(), cudnn.version()) == (False, False, False, None)
