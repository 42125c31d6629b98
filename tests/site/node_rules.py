"""List the gradient rules of the engine's nodes, as the step viewer displays them."""

from __future__ import annotations

import functools
import json
import subprocess
import sys

_PROGRAM = """
import importlib, json, pkgutil, re
import reference_impl
from reference_impl.autograd.rules import rule_of
from reference_impl.core.node import Node

for module in pkgutil.walk_packages(reference_impl.__path__, "reference_impl."):
    if module.name.split(".")[1] in ("autograd", "core", "nn", "ops"):
        importlib.import_module(module.name)
classes, pending = set(), [Node]
while pending:
    subclasses = pending.pop().__subclasses__()
    classes.update(subclasses)
    pending += subclasses
print(json.dumps({c.__name__: rule_of(c) for c in classes if re.search(r"Backward\\d", c.__name__)}))
"""


@functools.cache
def rules_of_all_nodes() -> dict[str, str]:
    """Map the name of each node class, such as `MulBackward0`, to its rule. A new process imports all modules that define nodes."""
    completed = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True)
    rules: dict[str, str] = json.loads(completed.stdout)
    return rules
