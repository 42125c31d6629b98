"""The core is extended through one object during the import of the engine, and does not change while a program runs."""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import reference_impl
from reference_impl import core
from reference_impl.core.extensions import Extensions, add_members, extensions

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "reference_impl"


def listed_slots() -> dict[str, str]:
    """Map each slot to the module that fills it, read from the table in the docstring of the core."""
    table = (core.__doc__ or "").partition("filled by")[2].partition("\n\n")[0]
    modules: dict[str, str] = {}
    module = ""
    for line in table.splitlines()[1:]:
        slots, module = line[4:40], line[40:68].strip() or module
        for slot in re.findall(r"\w+", slots):
            modules[slot] = f"reference_impl.{module}"
    return modules


def test_the_core_lists_its_slots_and_the_modules_that_fill_them() -> None:
    slots = listed_slots()
    assert vars(extensions).keys() - {"filled_by"} == slots.keys()
    assert slots == extensions.filled_by


def test_a_slot_can_be_filled_only_once_and_only_by_fill() -> None:
    with pytest.raises(
        TypeError, match=r"slot 'hook_result' is already filled by reference_impl\.autograd\.hook_results"
    ):
        extensions.fill(hook_result=print)
    with pytest.raises(TypeError, match="the core has no slot 'absent'"):
        extensions.fill(absent=print)
    with pytest.raises(AttributeError, match="slot 'hook_result' must be filled with"):
        extensions.hook_result = print
    slots = Extensions("empty")
    slots.define(full=len)
    slots.fill(empty=print, full=repr)
    assert (slots.empty, slots.full, slots.filled_by["full"]) == (print, repr, __name__)


def test_members_of_core_classes_other_than_tensor_are_not_replaced() -> None:
    with pytest.raises(TypeError, match=r"Node\.apply is already defined by the core"):
        add_members(reference_impl.autograd.graph.Node, apply=print)


# -- assignments to the core


COUNTERS = {"RemovableHandle.next_id"}  # variables of the core that other modules may assign


def names_of_the_core(tree: ast.AST) -> dict[str, Any]:
    """Map names in a module to the modules, classes and functions that it imports from the core."""
    names: dict[str, Any] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("reference_impl.core"):
            home = importlib.import_module(node.module or "")
            for alias in node.names:
                value = getattr(home, alias.name)
                if inspect.ismodule(value) or inspect.isclass(value) or inspect.isfunction(value):
                    names[alias.asname or alias.name] = value
    return names


def assignments(path: Path) -> Iterator[str]:
    """Yield the lines, as `path:line: code`, that assign to an object imported from the core or use `sys.modules`."""
    tree = ast.parse(path.read_text())
    names = names_of_the_core(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, (ast.Store, ast.Del)):
            owner = node.value
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("setattr", "delattr"):
            owner = node.args[0] if node.args else node
        elif isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.modules":
            yield f"{path}:{node.lineno}: sys.modules"
            continue
        else:
            continue
        while isinstance(owner, ast.Attribute) and not (isinstance(owner.value, ast.Name) and owner.value.id == "self"):
            owner = owner.value
        if isinstance(owner, ast.Name) and owner.id in names and ast.unparse(node) not in COUNTERS:
            yield f"{path}:{node.lineno}: {ast.unparse(node)}"


def test_no_other_module_assigns_a_variable_of_the_core(tmp_path: Path) -> None:
    files = [path for path in ENGINE.rglob("*.py") if ENGINE / "core" not in path.parents]
    files.remove(ENGINE / "fast" / "__init__.py")  # the only module that replaces functions of the core
    assert len(files) > 150
    assert [location for path in files for location in assignments(path)] == []
    module_file = tmp_path / "wrong.py"
    module_file.write_text(
        "import sys\nfrom reference_impl.core import backward\nfrom reference_impl.core.node import Node as N\n"
        "backward.unbroadcast = 1\nN.apply = 2\nsetattr(N, 'apply', 3)\nsys.modules\nbackward.unbroadcast(4)\n"
    )
    assert [location.rpartition(":")[0][-1] for location in assignments(module_file)] == ["4", "5", "6", "7"]


# -- nothing changes while a program runs

MODES = """
import threading
import warnings
import reference_impl as torch
from reference_impl.autograd import graph, trace
warnings.simplefilter("ignore")
x = torch.ones(3, requires_grad=True)
y = torch.ones(3, requires_grad=True)
def step():
    z = (x * y).exp()
    w = z.clone()
    w[0] = 2.0
    w.mul_(z)
    w.sum().backward()
    check_core()
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        ctx.save_for_backward(t)
        return 2 * t
    @staticmethod
    def backward(ctx, g):
        check_core()
        return 2 * g
for block in (
    torch.no_grad, torch.enable_grad, torch.inference_mode, torch.autograd.detect_anomaly, trace.record_backward,
    graph.allow_mutation_on_saved_tensors, lambda: graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t),
    lambda: torch.autograd.set_detect_anomaly(True), lambda: torch.set_grad_enabled(True), graph.save_on_cpu,
):
    with block():
        check_core()
        if torch.is_grad_enabled() and not torch.is_inference_mode_enabled():
            step()
Twice.apply(x).sum().backward()
thread = threading.Thread(target=step)
thread.start()
thread.join()
x.register_hook(lambda g: check_core())
step()
print(sum(owner_counts) and len(owner_counts))
"""

CHECK_CORE = """
import importlib, pkgutil, sys
import reference_impl
for module in pkgutil.walk_packages(reference_impl.__path__, "reference_impl."):
    importlib.import_module(module.name)
from reference_impl.core.extensions import extensions
modules = [module for name, module in sys.modules.items() if name.startswith("reference_impl.core")]
classes = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
owners = [*modules, *classes, extensions]
def state():
    return [{name: id(value) for name, value in vars(owner).items() if name != "next_id"} for owner in owners]
initial_state, owner_counts = state(), []
def check_core():
    for owner, initial, current in zip(owners, initial_state, state()):
        assert initial == current, (owner, [name for name in current if initial.get(name) != current[name]])
    owner_counts.append(len(owners))
"""


@pytest.mark.parametrize("switch", ["1", "0"])
def test_no_function_of_the_core_changes_while_programs_run(switch: str) -> None:
    process = subprocess.run(
        [sys.executable, "-c", CHECK_CORE + MODES],
        cwd=ROOT,
        env={**os.environ, "REFERENCE_IMPL_FAST": switch},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    assert int(process.stdout.split()[-1]) > 15
