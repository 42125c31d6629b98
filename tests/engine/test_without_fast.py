"""With REFERENCE_IMPL_FAST=0, the functions of the core run instead of their faster versions."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "reference_impl"

LIST_CHANGES = """
import importlib, inspect, json, pkgutil, sys, types
folder = sys.argv[1]
bare = types.ModuleType("reference_impl")
bare.__path__ = [folder]
sys.modules["reference_impl"] = bare
core = importlib.import_module("reference_impl.core")
for module in pkgutil.walk_packages(core.__path__, "reference_impl.core."):
    importlib.import_module(module.name)
modules = {name: dict(vars(module)) for name, module in sys.modules.items() if name.startswith("reference_impl.core")}
classes = {value for names in modules.values() for value in names.values() if isinstance(value, type)}
classes = {cls: dict(vars(cls)) for cls in classes if cls.__module__.startswith(("reference_impl.core", "torch"))}
del sys.modules["reference_impl"]
engine = importlib.import_module("reference_impl")
for module in pkgutil.walk_packages(engine.__path__, "reference_impl."):
    importlib.import_module(module.name)
def is_code(value):
    return callable(value) or isinstance(value, (property, staticmethod, classmethod))
changed = [f"{name}.{key}" for name, names in modules.items() for key, value in names.items()
           if is_code(value) and vars(sys.modules[name]).get(key) is not value]
changed += [f"{cls.__name__}.{key}" for cls, names in classes.items() for key, value in names.items()
            if is_code(value) and vars(cls).get(key) is not value]
print(json.dumps(changed))
"""

# Methods of Tensor that other packages wrap in checks of types, inference mode or devices, before the core's method runs.
CHECKED_FIRST = {"requires_grad", "requires_grad_", "data", "_check_grad", "numpy"}


def changed_functions(fast: str) -> list[str]:
    """Return the names of the functions and methods of the core that other packages replace, for a value of REFERENCE_IMPL_FAST."""
    process = subprocess.run(
        [sys.executable, "-c", LIST_CHANGES, str(ENGINE)],
        cwd=ROOT,
        env={**os.environ, "REFERENCE_IMPL_FAST": fast},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(process.stdout)


def methods_in(path: Path, cls: str) -> set[str]:
    """Return the names of the methods that a class in a file defines."""
    (statement,) = [
        node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef) and node.name == cls
    ]
    return {node.name for node in statement.body if isinstance(node, ast.FunctionDef)}


def test_without_fast_no_function_of_the_core_is_replaced() -> None:
    changed = changed_functions("0")
    members = {name.removeprefix("Tensor.") for name in changed if name.startswith("Tensor.")}
    assert [name for name in changed if not name.startswith("Tensor.")] == []
    assert members & methods_in(ENGINE / "core" / "tensor.py", "Tensor") == CHECKED_FIRST
    # Most are operations, which `ops` replaces to support `out=`, devices and torch's messages.
    assert len(members) > 50
    assert len([name for name in changed_functions("1") if not name.startswith("Tensor.")]) > 5


RECORD_CALLS = """
import json, sys
import reference_impl as torch
x = torch.ones(3)
def program(w):
    return torch.sigmoid(x * w).sum()
program(torch.ones(3, requires_grad=True))
w = torch.ones(3, requires_grad=True)
calls = []  # without comprehensions, which are calls only before Python 3.12
def record_call(frame, event, argument):
    if event == "call" and "reference_impl" in frame.f_code.co_filename and not frame.f_code.co_name.endswith("comp>"):
        module = frame.f_globals["__name__"].removeprefix("reference_impl.")
        calls.append(f"{module}.{frame.f_code.co_qualname}")
sys.setprofile(record_call); program(w); sys.setprofile(None)
print(json.dumps(calls))
"""


def recorded_calls(fast: str) -> list[str]:
    """Return the functions that `sigmoid(x * w).sum()` calls, in order, for a value of REFERENCE_IMPL_FAST."""
    process = subprocess.run(
        [sys.executable, "-c", RECORD_CALLS],
        cwd=ROOT,
        env={**os.environ, "REFERENCE_IMPL_FAST": fast},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(process.stdout)


def test_without_fast_the_functions_on_the_page_run() -> None:
    """Check that `sigmoid(x * w).sum()` calls as many functions of the core as docs/inside-the-engine/the-core.md says."""
    shares = {}
    page = (ROOT / "docs" / "inside-the-engine" / "the-core.md").read_text()
    for fast in ("1", "0"):
        calls = recorded_calls(fast)
        of_core = [name for name in calls if name.startswith("core.")]
        shares[fast] = len(of_core) / len(calls)
        assert f"{len(of_core)} of the {len(calls)} calls are in" in " ".join(page.split())
        print(f"REFERENCE_IMPL_FAST={fast}: {len(of_core)} of {len(calls)} calls are in core/")
        print(*calls, sep="\n")
    assert {"core.record.record", "core.record.make_node", "core.record.needs_grad", "core.saving.SavedTensor.__init__",
            "core.declare.make_call.<locals>.call", "core.declare.wrap_and_record", "core.saving.save"} <= set(recorded_calls("0"))  # fmt: skip
    assert not any(name.startswith("fast.") for name in recorded_calls("0"))
    assert shares["0"] > 0.8 > shares["1"]
