"""`ops.lazy_families` repeats the names that its modules register. Each test has a process of its own, where nothing is imported yet."""

from __future__ import annotations

import subprocess
import sys

from reference_impl.ops.lazy_families import FAMILIES


def _printed(program: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    ).stdout.strip()


def test_the_table_names_what_each_family_registers() -> None:
    program = """
import importlib, sys
import reference_impl
from reference_impl.ops.lazy_families import FAMILIES, LazyMethod
from reference_impl.ops.registry import functions, namespaces
from reference_impl._tensor import Tensor

def there():
    methods = {n for n, v in vars(Tensor).items() if not isinstance(v, LazyMethod)}
    return {"function": set(functions), "method": methods, **{form: set(names) for form, names in namespaces.items()}}

before = there()
for family in FAMILIES:
    importlib.import_module("reference_impl.ops." + family)
    imported = [forms for name, forms in FAMILIES.items() if "reference_impl.ops." + name in sys.modules]
    for form, names in there().items():
        new, told = names - before[form], {name for forms in imported for name in forms.get(form, ())}
        if form in namespaces:
            told -= before[form]  # `torch.special.exp2` is there already, as `torch.exp2` in a module that is always imported
        if new != told:
            print(family, form, "only in the table:", sorted(told - new), "not in the table:", sorted(new - told))
"""
    assert _printed(program) == ""


def test_none_is_imported_before_it_is_asked_for() -> None:
    program = "import sys, reference_impl; print(*[m for m in sys.modules if m.startswith('reference_impl.ops.')])"
    assert {f"reference_impl.ops.{family}" for family in FAMILIES}.isdisjoint(_printed(program).split())


def test_each_way_to_ask_imports_the_family() -> None:
    program = """
import reference_impl as torch
from reference_impl.ops.lazy_families import LazyMethod
from reference_impl.ops.registry import functions
x = torch.tensor([2., 1.])
shown = dir(torch)
assert "cumsum" in shown and "cumsum" not in vars(torch)
assert isinstance(vars(torch.Tensor)["sort"], LazyMethod)
print(torch.cumsum(x, 0).tolist(), x.sort()[0].tolist(), torch.Tensor.erf(x).shape, x.clone().erfc_().shape)
print(torch.linalg.svd(torch.eye(2))[0].shape, torch.special.logit(x).shape, functions["bincount"](x.long()).tolist())
try:
    torch.cumsumm
except AttributeError as error:
    print(error)
"""
    assert _printed(program).splitlines() == [
        "[2.0, 3.0] [1.0, 2.0] torch.Size([2]) torch.Size([2])",
        "torch.Size([2, 2]) torch.Size([2]) [0, 1, 1]",
        "module 'torch' has no attribute 'cumsumm'",
    ]
