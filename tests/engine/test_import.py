"""`import reference_impl` restores the garbage collector, which it pauses, and imports no more than it needs."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys

import pytest
import torch

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
    assert (int(frozen_count) > 1000) == frozen  # Python 3.12 freezes some hundreds itself


def test_the_import_loads_neither_torch_nor_the_lazy_modules() -> None:
    """Check that `nn`, `optim` and `serialization` load at their first use: they take most of the time of an import."""
    program = (
        "import sys, reference_impl; "
        "lazy = [f'reference_impl.{name}' for name in reference_impl._LAZY_MODULES if name != 'storage']; "  # tensors use `storage`
        "print([m for m in ('torch', *lazy) if m in sys.modules])"
    )
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=600
    ).stdout
    assert output.strip() == "[]"


FAMILIES = """
import importlib, json, sys
import reference_impl
from reference_impl.ops import registry
Placeholder = registry.MethodOnFirstUse
families = {home: f"reference_impl.{home}" for home in reference_impl._LAZY_NAMES if home.startswith("ops.")}
imported_early = [home for home, module in families.items() if module in sys.modules]
names = {*dir(reference_impl)}, {*dir(reference_impl.Tensor)}
early = {*registry.functions}, {name for name, member in vars(reference_impl.Tensor).items() if not isinstance(member, Placeholder)}
for module in families.values():
    importlib.import_module(module)
print(json.dumps({
    "imported early": imported_early,
    "functions": sorted(registry.functions.keys() - early[0] - names[0]),
    "methods": sorted({*dir(reference_impl.Tensor)} - names[1]),
    "without a method": [name for name, member in vars(reference_impl.Tensor).items() if isinstance(member, Placeholder)],
    "without a function": [name for name, home in reference_impl._HOMES.items() if home in families and name in names[0]
                           and name not in registry.functions and name not in registry.builtins],
}))
"""
# Functions that only formulas of gradients use; torch has no functions of these names.
ONLY_IN_FORMULAS = {"diagonal_backward", "masked_select_backward", "unfold_backward"}


def test_the_table_of_families_lists_all_their_functions_and_methods() -> None:
    """Check the table of families, which are modules of operations that are imported at their first use.

    Each name in the table must be a function or a method of its family, and no name may be missing.
    """
    process = subprocess.run([sys.executable, "-c", FAMILIES], capture_output=True, text=True, check=True, timeout=600)
    outcome = json.loads(process.stdout)
    unannounced = set(outcome.pop("functions")) - ONLY_IN_FORMULAS
    assert {name for name in unannounced if hasattr(torch, name)} == set()
    assert outcome == {"imported early": [], "methods": [], "without a method": [], "without a function": []}


FIRST_USES = {
    "a function": "torch.cumsum(torch.ones(3), 0).tolist()",
    "a method": "torch.ones(3).cumsum(0).tolist()",
    "a method of the class": "torch.Tensor.cumsum(torch.ones(3), 0).tolist()",
    "a method in place": "torch.ones(3).cumsum_(0).tolist()",
    "a property": "torch.ones(2, 3).T.shape",
    "an operator": "(torch.ones(3) == torch.ones(3)).tolist()",
    "a reflected operator": "(7 // torch.tensor([2, 3])).tolist()",
    "an operator in place": "operator.iand(torch.tensor([6, 3]), 5).tolist()",
    "a unary operator": "(~torch.tensor([True]), abs(torch.tensor([-1.0])), +torch.tensor([1.0]))",
    "an index": "torch.ones(3)[1]",
    "a method of the parent class": "Halved(torch.ones(3)).cumsum(0).tolist()",
    "functions of other namespaces": "[f(torch.ones(1)).item() for f in (torch.special.logit, torch.functional.norm)]",
    "a random number": "(torch.manual_seed(3), torch.rand(2).tolist())[1]",
    "a method that the program replaces for a while": "patched('cosh')",
    "a method of a copy": "copy.deepcopy(torch.ones(3)).sort().indices.tolist()",
}
FIRST_USE = """
import copy, operator
from unittest import mock
import {engine} as torch
def patched(name):
    with mock.patch.object(torch.Tensor, name, lambda self: "replaced"):
        inside = torch.zeros(1).cosh(), torch.cosh(torch.zeros(1)).item(), torch.zeros(1).cosh()
    return inside, torch.zeros(1).cosh().item()
class Halved(torch.Tensor):
    def cumsum(self, dim):
        return super().cumsum(dim) / 2
text = str({expression})
"""


@pytest.mark.parametrize("expression", FIRST_USES.values(), ids=FIRST_USES)
def test_the_first_use_of_a_family_returns_what_torch_returns(expression: str) -> None:
    namespace: dict[str, str] = {}
    exec(FIRST_USE.format(engine="torch", expression=expression), namespace)
    program = FIRST_USE.format(engine="reference_impl", expression=expression) + "print(text, end='')"
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=600
    ).stdout
    assert output == namespace["text"]


def test_modules_of_backends_can_be_imported() -> None:
    """Import `torch.backends.cudnn`, as many programs do in their first lines."""
    cudnn = importlib.import_module("reference_impl.backends.cudnn")
    assert (cudnn.benchmark, cudnn.deterministic, cudnn.is_available(), cudnn.version()) == (False, False, False, None)
