"""Write reference_impl/arguments/torch_names.txt: the public names of torch.

    python -m tests.engine.make_tables.torch_names

The engine reads them to raise different errors for a name of torch that it lacks and for a misspelt name. A line is a namespace and
its names. Names that the engine has are included, so that the file changes only with torch.
"""

from __future__ import annotations

import operator
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

import reference_impl

PATH = Path(reference_impl.__file__).parent / "arguments" / "torch_names.txt"

NAMESPACES = (
    "torch", "torch.Tensor", "torch.accelerator", "torch.autograd", "torch.autograd.functional", "torch.autograd.graph", "torch.backends", "torch.cuda", "torch.functional", "torch.linalg", "torch.nn",
    "torch.nn.Module", "torch.nn.functional", "torch.nn.grad", "torch.nn.init", "torch.nn.modules", "torch.nn.modules.module", "torch.nn.parallel", "torch.nn.utils", "torch.nn.utils.rnn", "torch.optim",
    "torch.optim.Optimizer", "torch.optim.lr_scheduler", "torch.serialization", "torch.special", "torch.utils", "torch.utils.data",
)  # fmt: skip


def lines() -> Iterator[str]:
    """Yield the lines of torch_names.txt.

    Call it in a process that imports no further modules of torch: they would add names to its namespaces.
    """
    for namespace in NAMESPACES:
        space = operator.attrgetter(namespace.partition(".")[2])(torch) if "." in namespace else torch
        modules = {module.name for module in pkgutil.iter_modules(getattr(space, "__path__", ()))}
        names = {name for name in dir(space) if not _is_only_imported(space, name)} | modules
        yield f"{namespace}: {' '.join(sorted(name for name in names if not name.startswith('_')))}"


def _is_only_imported(space: Any, name: str) -> bool:
    """Return whether the name is a module that torch's module merely imports, such as `torch.sys`."""
    return name in sys.modules and getattr(space, name) is sys.modules[name]


def main() -> None:
    """Write torch_names.txt."""
    PATH.write_text("\n".join(lines()) + "\n")
    print(f"{PATH}: {sum(len(line.split()) - 1 for line in lines())} names")


if __name__ == "__main__":
    main()
